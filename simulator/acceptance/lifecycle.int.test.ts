/** Rows 24 to 26 of the tricky behaviours, both forms of cancel, asynchronous modes, and how an order ends. */
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn, type Reply, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import {
  limitBuy,
  limitSell,
  marketSell,
  outcomeOf,
  stopBuy,
  stopSell,
  type Venue,
  withVenue,
} from "../testing/venue.ts";
import { pinnedWorld, quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const terminal = ["FILLED", "CANCELLED", "EXPIRED", "FAILED"];

describe("24. cancel races", () => {
  test("for every interleaving of a fill and a cancel: FILLED + 409, or CANCELLED with the fills before it", async () => {
    for (const quantity of ["0.01", "0.004"]) {
      for (const gap of [0, 49, 50, 51]) {
        await withVenue({}, async (running) => {
          const { id } = await running.placed(limitBuy({ price: "60000" }));
          await running.settle();
          await running.placed(limitSell({ price: "60000", base_quantity: quantity }), "counterparty");
          await running.advance(gap);
          const cancel = await running.trader.delete(`/order/${String(id)}`);
          await running.settle();
          const order = await running.order(String(id));
          const fills = gap < 50 ? "0" : quantity;
          const whole = fills === "0.01";
          expect([gap, order["status"], cancel.status]).toEqual([
            gap,
            whole ? "FILLED" : "CANCELLED",
            whole ? 409 : 200,
          ]);
          expect(order["filledQuantity"]).toBe(fills);
          expect(await running.hold("USD")).toBe("0");
        });
      }
    }
  });

  test("a cancel and the order that would fill it, sent at once", async () => {
    await withVenue({ world: quietWorld({ matchDelayMs: 0 }) }, async (running) => {
      for (let round = 0; round < 20; round++) {
        const { id } = await running.placed(limitBuy({ price: "60000" }));
        const [cancel] = await Promise.all([
          running.trader.delete(`/order/${String(id)}`),
          running.as("counterparty").place(limitSell({ price: "60000" })),
        ]);
        const order = await running.order(String(id));
        const told = cancel.status === 409 ? "FILLED 0.01" : "CANCELLED 0";
        expect(`${String(order["status"])} ${String(order["filledQuantity"])}`).toBe(told);
        for (const { id: left } of (await running.as("counterparty").get("/order/open")).list)
          await running.as("counterparty").delete(`/order/${String(left)}`);
      }
      expect(await running.hold("USD")).toBe("0");
      expect(await running.hold("BTC", "counterparty")).toBe("0");
    });
  });

  test("a second cancel is 409 and changes nothing", async () => {
    const { id } = await venue().placed(limitBuy());
    await venue().trader.delete(`/order/${String(id)}`);
    const before = await venue().order(String(id));
    for (const again of [
      await venue().trader.delete(`/order/${String(id)}`),
      await venue().trader.post(`/order/${String(id)}/cancel`, ""),
    ])
      expect([again.status, again.code]).toEqual([409, "ORDER_NOT_CANCELLABLE"]);
    expect(await venue().order(String(id))).toEqual(before);
  });

  test("ten cancels at once: one 200, nine 409", async () => {
    const { id } = await venue().placed(limitBuy());
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => venue().trader.delete(`/order/${String(id)}`)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });
});

describe("cancel in both forms", () => {
  test.each<[string, (running: Venue, id: string) => Promise<Reply>]>([
    ["DELETE /order/{id}", ({ trader }, id) => trader.delete(`/order/${id}`)],
    [
      "DELETE /order/{id} with an empty object",
      ({ trader }, id) => trader.delete(`/order/${id}`, { body: {} }),
    ],
    ["POST /order/{id}/cancel without a body", ({ trader }, id) => trader.post(`/order/${id}/cancel`, "")],
    [
      "POST /order/{id}/cancel with an empty object",
      ({ trader }, id) => trader.post(`/order/${id}/cancel`, {}),
    ],
    ["an id in upper case", ({ trader }, id) => trader.delete(`/order/${id.toUpperCase()}`)],
  ])("%s", async (_name, cancel) => {
    const { id } = await venue().placed(limitBuy());
    const reply = await cancel(venue(), String(id));
    expect([reply.status, reply.body["message"]]).toEqual([200, "Order cancelled"]);
    expect(problemsIn("Order", reply.data)).toEqual([]);
    expect(reply.data).toMatchObject({
      id,
      status: "CANCELLED",
      filledQuantity: "0",
      synced: false,
      userContext: "User initiated cancellation",
    });
    expect((await venue().trader.get("/order/open")).list).toEqual([]);
  });

  test("cancelMode async: still OPEN and unsynced, CANCELLED after the delay; the hold stays until then", async () => {
    await withVenue({ world: quietWorld({ cancelMode: "async" }) }, async (running) => {
      const { id } = await running.placed(limitBuy());
      await running.settle();
      const reply = await running.trader.delete(`/order/${String(id)}`);
      expect(reply.data).toMatchObject({ status: "OPEN", synced: false });
      expect(reply.body["message"]).toBe("Cancellation requested");
      expect(await running.hold("USD")).toBe("300.75");
      const again = await running.trader.delete(`/order/${String(id)}`);
      expect([again.status, again.data["status"]]).toEqual([200, "OPEN"]);
      await running.settle();
      expect(await running.order(String(id))).toMatchObject({ status: "CANCELLED", synced: true });
      expect(await running.hold("USD")).toBe("0");
    });
  });

  test("cancelMode async: what fills before the cancel is confirmed stays filled", async () => {
    await withVenue({ world: quietWorld({ cancelMode: "async", confirmDelayMs: 500 }) }, async (running) => {
      const { id } = await running.placed(limitBuy({ price: "60000" }));
      await running.settle();
      await running.trader.delete(`/order/${String(id)}`);
      await running.placed(limitSell({ price: "60000" }), "counterparty");
      await running.advance(100);
      expect(await running.order(String(id))).toMatchObject({ status: "FILLED" });
      await running.settle();
      expect(await running.order(String(id))).toMatchObject({ status: "FILLED", synced: true });
    });
  });
});

describe("acceptance async", () => {
  test("PENDING without externalId first, then OPEN with it, then matched", async () => {
    await withVenue({ world: quietWorld({ acceptance: "async", confirmDelayMs: 200 }) }, async (running) => {
      await running.placed(limitSell({ price: "60000" }), "counterparty");
      await running.settle();
      const placed = await running.placed(limitBuy({ price: "60000" }));
      expect(placed).toMatchObject({ status: "PENDING", synced: false, externalId: null });
      expect(await running.hold("USD")).toBe("601.5");
      const open = (await running.trader.get("/order/open")).list;
      expect(open.map(({ status }) => status)).toEqual(["PENDING"]);
      await running.advance(199);
      expect((await running.order(String(placed["id"])))["status"]).toBe("PENDING");
      await running.advance(1);
      const confirmed = await running.order(String(placed["id"]));
      expect(confirmed).toMatchObject({ status: "OPEN", filledQuantity: "0" });
      await running.settle();
      const filled = await running.order(String(placed["id"]));
      expect(filled).toMatchObject({ status: "FILLED", externalId: confirmed["externalId"] });
    });
  });

  test("a PENDING order can be cancelled and is never matched", async () => {
    await withVenue({ world: quietWorld({ acceptance: "async", confirmDelayMs: 200 }) }, async (running) => {
      const { id } = await running.placed(limitBuy());
      expect((await running.trader.delete(`/order/${String(id)}`)).data["status"]).toBe("CANCELLED");
      await running.settle();
      expect(await running.order(String(id))).toMatchObject({ status: "CANCELLED", externalId: null });
      expect(await running.hold("USD")).toBe("0");
    });
  });
});

describe("25. holds and conservation", () => {
  test("0 <= hold <= balance at any time; at the end no holds, and nothing came or went", async () => {
    await withVenue({ world: pinnedWorld() }, async (running) => {
      const clients = ["trader", "other", "counterparty"];
      const totals = async (): Promise<Map<string, bigint>> => {
        const sums = new Map<string, bigint>();
        for (const key of clients) {
          for (const wallet of (await running.as(key).get("/wallet")).list) {
            const [balance, hold] = [scaled(text(wallet, "balance")), scaled(text(wallet, "hold"))];
            expect(hold >= 0n && hold <= balance).toBe(true);
            expect(scaled(text(wallet, "available"))).toBe(balance - hold);
            const asset = text(wallet, "asset");
            sums.set(asset, (sums.get(asset) ?? 0n) + balance);
          }
        }
        return sums;
      };
      // Only clients trade with each other here, so only fees leave them, in quote.
      const before = await totals();
      for (let round = 0; round < 12; round++) {
        const price = `${59_950 + round * 10}`;
        await running.placed(limitBuy({ price, base_quantity: "0.3" }), clients[round % 3]);
        await running.placed(limitSell({ price, base_quantity: "0.2" }), clients[(round + 1) % 3]);
        if (round % 4 === 3)
          await running.placed(stopSell({ price: "59000", stop_price: "59500" }), "trader");
        if (round % 5 === 4) await running.placed(marketSell(), "other");
        await running.advance(60);
        await totals();
      }
      for (const key of clients) {
        for (const { id } of (await running.as(key).get("/order/open")).list)
          await running.as(key).delete(`/order/${String(id)}`);
        for (const wallet of (await running.as(key).get("/wallet")).list) expect(wallet["hold"]).toBe("0");
      }
      const after = await totals();
      for (const asset of ["EUR", "ETH", "SOL", "SHIB", "DOGE"])
        expect(after.get(asset)).toBe(before.get(asset));
    });
  });

  /** An amount at eighteen digits. */
  const scaled = (decimal: string): bigint => {
    const [whole = "0", fraction = ""] = decimal.split(".");
    return BigInt(whole + fraction.padEnd(18, "0"));
  };

  test("between two clients, what one pays the other receives, less the fees of both", async () => {
    await withVenue({}, async (running) => {
      await running.placed(limitBuy({ price: "60000", base_quantity: "1" }));
      await running.settle();
      await running.placed(limitSell({ price: "60000", base_quantity: "1" }), "other");
      await running.settle();
      // alice: maker, 150. bob: taker, 30 and 120 to the exchange.
      expect(await running.wallet("USD")).toMatchObject({ balance: "99939850", hold: "0" });
      expect(await running.wallet("USD", "other")).toMatchObject({ balance: "100059850", hold: "0" });
      expect(await running.wallet("BTC")).toMatchObject({ balance: "1001" });
      expect(await running.wallet("BTC", "other")).toMatchObject({ balance: "999", hold: "0" });
    });
  });
});

describe("26. terminal immutability", () => {
  test("after synced no field of a finished order changes, and updatedAt never decreases", async () => {
    await withVenue({}, async (running) => {
      await running.placed(limitSell({ price: "60000", base_quantity: "0.004" }), "counterparty");
      await running.settle();
      const ids: string[] = [];
      for (const order of [
        limitBuy({ price: "60000", base_quantity: "0.004" }),
        limitBuy(),
        limitBuy(),
        stopBuy(),
        marketSell(),
      ])
        ids.push(String((await running.placed(order))["id"]));
      const history = new Map<string, JsonObject[]>(ids.map((id) => [id, []]));
      const look = async (): Promise<void> => {
        for (const id of ids) history.get(id)?.push(await running.order(id));
      };
      await look();
      await running.advance(50);
      await look();
      await running.trader.delete(`/order/${ids[1] ?? ""}`);
      await running.control(`/orders/${ids[2] ?? ""}/expire`);
      await look();
      await running.advance(50);
      await look();
      await running.print("BTC-USD", "66000");
      await running.control("/clients/alice/fees", {
        feeModel: "COST_PLUS",
        makerRate: "0.01",
        takerRate: "0.01",
        exchangeMakerRate: "0.01",
        exchangeTakerRate: "0.01",
      });
      await look();
      await running.advance(3_600_000);
      await look();
      for (const seen of history.values()) {
        const times = seen.map((order) => text(order, "updatedAt"));
        expect(times).toEqual(times.toSorted());
        const first = seen.find(
          (order) => terminal.includes(text(order, "status")) && order["synced"] === true,
        );
        if (first !== undefined)
          for (const later of seen.slice(seen.indexOf(first))) expect(later).toEqual(first);
      }
      const last = [...history.values()].map((seen) => seen.at(-1)?.["status"]);
      expect(last).toEqual(["FILLED", "CANCELLED", "EXPIRED", "OPEN", "CANCELLED"]);
    });
  });

  test("an expired order keeps its fills, releases its hold and says why it ended", async () => {
    await withVenue({}, async (running) => {
      await running.placed(limitSell({ price: "60000", base_quantity: "0.004" }), "counterparty");
      await running.settle();
      const { id } = await running.placed(limitBuy({ price: "60000" }));
      await running.settle();
      await running.control(`/orders/${String(id)}/expire`);
      expect(await running.order(String(id))).toMatchObject({
        status: "EXPIRED",
        filledQuantity: "0.004",
        userContext: "Order expired",
      });
      expect(await running.hold("USD")).toBe("0");
    });
  });

  test("self-trade prevention cancels the newer order and says so", async () => {
    await withVenue({}, async (running) => {
      const resting = await running.placed(limitBuy({ price: "60000" }));
      await running.settle();
      const taker = await running.placed(limitSell({ price: "60000" }));
      await running.settle();
      expect(await running.order(String(taker["id"]))).toMatchObject({
        status: "CANCELLED",
        filledQuantity: "0",
        userContext: "Self-trade prevention",
      });
      expect(await running.order(String(resting["id"]))).toMatchObject({ status: "OPEN" });
      expect(outcomeOf(await running.trader.place(limitBuy()))).toBe("NEW_ORDER");
      expect(listIn((await running.trader.get("/order")).data["items"])).toHaveLength(3);
    });
  });
});
