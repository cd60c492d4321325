/** What an operator sees: owners in the book, the sides of a trade, the money of a client, and the live feed. */
import { describe, expect, test } from "vitest";
import { mostReaders } from "../control/feed.ts";
import type { JsonObject } from "../testing/client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";

const withWorld = useWorlds();

// as: the document of the controls says so, and a test holds it against the answers.
const rows = (answer: JsonObject, name: string): JsonObject[] => answer[name] as unknown as JsonObject[];

const book = async (running: Venue, more = "") => running.control(`/products/BTC-USD/book${more}`, {}, "GET");

describe("the book", () => {
  test("names the orders of clients at each price, the older first, beside the synthetic market", async () => {
    await withWorld({}, async (running) => {
      const price = "30000";
      const levels = [{ side: "BUY", price, quantity: "0.5" }];
      await running.control("/products/BTC-USD/book", { levels });
      const mine = await running.placed(limitBuy({ price, base_quantity: "0.01" }));
      await running.settle();
      const [best] = rows(await book(running, "?limit=1"), "bids");
      expect(best).toEqual({
        price,
        quantity: "0.51",
        synthetic: "0.5",
        orders: [{ order: mine["id"], client: "alice", quantity: "0.01" }],
      });
    });
  });
});

describe("a trade", () => {
  test("tells who the two sides were, and the ledger what each of them paid", async () => {
    await withWorld({}, async (running) => {
      const order = await running.placed(limitBuy({ price: "50000", base_quantity: "0.01" }));
      await running.settle();
      await running.control(`/orders/${String(order["id"])}/fill`, {});
      const [last] = rows(await running.control("/products/BTC-USD/trades", {}, "GET"), "trades");
      const trade = await running.control(`/trades/${String(last?.["trade"])}`, {}, "GET");
      expect(trade).toMatchObject({
        price: "50000",
        quantity: "0.01",
        takerSide: "SELL",
        taker: null,
        maker: { order: order["id"], client: "alice" },
      });
      const ledger = await running.control("/clients/alice/ledger?limit=3", {}, "GET");
      const ofTrade = rows(ledger, "movements").filter(({ entry }) => entry === trade["entry"]);
      const changes = Object.fromEntries(ofTrade.map(({ asset, change }) => [String(asset), change]));
      expect(changes).toEqual({ BTC: "0.01", USD: expect.stringMatching(/^-50\d/) });
      const [wallet] = rows(await running.control("/clients/alice", {}, "GET"), "wallets").filter(
        ({ asset }) => asset === "USD",
      );
      expect(ofTrade.find(({ asset }) => asset === "USD")?.["balance"]).toBe(wallet?.["balance"]);
    });
  });
});

/** The messages of a feed until `enough` is satisfied. */
async function heard(running: Venue, path: string, enough: (text: string) => boolean | Promise<boolean>) {
  const { control } = running.simulator;
  const leaving = new AbortController();
  const reply = await fetch(`${control?.url ?? ""}${path}`, {
    headers: { authorization: `Bearer ${control?.token ?? ""}` },
    signal: leaving.signal,
  });
  const decoder = new TextDecoder();
  let text = "";
  // as: the types of the web have no iterator for a body.
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk);
    if (await enough(text)) break;
  }
  leaving.abort();
  return { type: reply.headers.get("content-type"), text };
}

describe("the feed", () => {
  test("says where the world stands at once, and again after an order", async () => {
    await withVenue({}, async (running) => {
      let placed = false;
      const { type, text } = await heard(running, "/feed", async (so) => {
        if (!placed && so.includes("event: standing")) {
          placed = true;
          await running.placed(limitBuy());
        }
        return placed && /"exchange":[1-9]/.test(so);
      });
      expect(type).toBe("text/event-stream; charset=utf-8");
      expect(text.startsWith("event: standing\nid: ")).toBe(true);
      expect(text).toMatch(/"seq":[1-9]/);
    });
  });

  test("ends with a word when its world is deleted", async () => {
    await withVenue({}, async (running) => {
      await running.control("/worlds", { name: "other" });
      let deleted = false;
      const { text } = await heard(running, "/worlds/other/feed", async (so) => {
        if (!deleted && so.includes("standing")) {
          deleted = true;
          await running.control("/worlds/other", {}, "DELETE");
        }
        return so.includes("event: gone");
      });
      expect(text).toContain('data: {"world":"other"}');
    });
  });

  test("takes a bounded number of readers, and a new one when one has left", async () => {
    await withVenue({}, async (running) => {
      const { control } = running.simulator;
      const leaving = Array.from({ length: mostReaders }, () => new AbortController());
      const read = async (signal?: AbortSignal) =>
        fetch(`${control?.url ?? ""}/feed`, {
          headers: { authorization: `Bearer ${control?.token ?? ""}` },
          ...(signal && { signal }),
        });
      for (const { signal } of leaving) expect((await read(signal)).status).toBe(200);
      const refused = await read();
      expect(refused.status).toBe(409);
      expect(await refused.text()).toContain(`${mostReaders} programs`);
      leaving.shift()?.abort();
      await expect.poll(async () => (await read(leaving[0]?.signal)).status).toBe(200);
      for (const one of leaving) one.abort();
    });
  });

  test("answers HEAD with the headers alone", async () => {
    await withVenue({}, async (running) => {
      const { control } = running.simulator;
      const reply = await fetch(`${control?.url ?? ""}/feed`, {
        method: "HEAD",
        headers: { authorization: `Bearer ${control?.token ?? ""}` },
      });
      expect([reply.status, await reply.text()]).toEqual([200, ""]);
      expect(reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    });
  });

  test("wants the token, and a world that exists", async () => {
    await withWorld({}, async (running) => {
      const { control } = running.simulator;
      expect((await fetch(`${control?.url ?? ""}/feed`)).status).toBe(403);
      expect((await running.controlReply("/worlds/nowhere/feed", {}, "GET")).status).toBe(404);
    });
  });
});
