/** The state of a venue with a file after a restart. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../index.ts";
import type { InternalOptions } from "../internal-options.ts";
import { asObject, type JsonObject, listIn, type Reply, sha256, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import {
  limitBuy,
  limitSell,
  marketSell,
  outcomeOf,
  startVenue,
  stopBuy,
  uuid,
  uuidFrom,
  type Venue,
  withVenue,
} from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

let folder = "";
let db = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-persistence-"));
  db = path.join(folder, "venue.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One start after the other over the same file. */
async function lives<T>(
  options: SimulatorOptions,
  ...parts: readonly ((venue: Venue) => Promise<T>)[]
): Promise<T[]> {
  const results: T[] = [];
  for (const part of parts) results.push(await withVenue({ db, ...options }, part));
  return results;
}

/** Everything that an account can read. */
async function readAll(venue: Venue): Promise<JsonObject> {
  const routes = [
    "/order",
    "/order/open",
    "/wallet",
    "/wallet/deposits",
    "/wallet/deposit-address",
    "/account/settings",
    "/account/fee",
    "/product",
    "/order-book/BTC-USD",
    "/product/BTC-USD/candles?granularity=ONE_MINUTE",
  ];
  const seen: Record<string, JsonObject[string]> = {};
  for (const key of ["trader", "counterparty"]) {
    for (const route of routes) {
      const [pathOnly = "", query] = route.split("?");
      const reply = await venue.as(key).get(pathOnly, query === undefined ? {} : { query });
      expect(reply.status).toBe(200);
      seen[`${key} ${route}`] = reply.body["data"] ?? null;
    }
  }
  return seen;
}

async function busyDay(venue: Venue): Promise<void> {
  await venue.placed(limitSell({ price: "60000", base_quantity: "0.4" }), "counterparty");
  await venue.settle();
  await venue.placed(limitBuy({ price: "60000", base_quantity: "1" }));
  await venue.placed(stopBuy());
  await venue.settle();
  const { id } = await venue.placed(limitBuy());
  await venue.trader.delete(`/order/${String(id)}`);
  await venue.placed(marketSell(), "counterparty");
  await venue.trader.place(limitBuy({ client_order_id: uuidFrom("00000e01") }));
  await venue.trader.post("/wallet/deposit-address", { asset: "XRP" });
  await venue.control("/clients/alice/deposits", { asset: "BTC", amount: "0.5", confirmations: 1 });
  await venue.control("/clients/alice/rules", { product: "ETH-USD", enabled: false });
  await venue.print("BTC-USD", "60010");
  await venue.advance(20);
}

describe("a restart", () => {
  test("forgets nothing that can be read", async () => {
    const [before, after] = await lives(
      {},
      async (venue) => {
        await busyDay(venue);
        return [await readAll(venue), await venue.control("/state-hash", {}, "GET")] as const;
      },
      async (venue) => [await readAll(venue), await venue.control("/state-hash", {}, "GET")] as const,
    );
    expect(after?.[0]).toEqual(before?.[0]);
    expect(after?.[1]).toEqual(before?.[1]);
  });

  test("goes on where the venue stopped: what was due then happens then", async () => {
    const ids: string[] = [];
    await lives(
      {},
      async (venue) => {
        await venue.book("BTC-USD", [["BUY", "60000", "1"]]);
        ids.push(String((await venue.placed(marketSell()))["id"]));
        await venue.advance(49);
      },
      async (venue) => {
        expect(await venue.order(ids[0] ?? "")).toMatchObject({ status: "OPEN", filledQuantity: "0" });
        await venue.advance(1);
        expect(await venue.order(ids[0] ?? "")).toMatchObject({ status: "FILLED", synced: false });
      },
      async (venue) => {
        await venue.advance(50);
        expect(await venue.order(ids[0] ?? "")).toMatchObject({ status: "FILLED", synced: true });
        ids.push(String((await venue.placed(limitBuy()))["id"]));
        expect(new Set(ids).size).toBe(2);
      },
    );
  });

  test("7 and 9: a repeat is DUPLICATE_REPLAY with the same order, open or over", async () => {
    const open = limitBuy();
    const over = limitBuy();
    const unknown = limitBuy({ client_order_id: uuidFrom("00000e02") });
    const ids: unknown[] = [];
    await lives(
      {},
      async (venue) => {
        ids.push((await venue.placed(open))["id"], (await venue.placed(over))["id"]);
        await venue.trader.delete(`/order/${String(ids[1])}`);
        await venue.trader.place(unknown);
      },
      async (venue) => {
        const replies: Reply[] = [];
        for (const order of [open, over, unknown]) replies.push(await venue.trader.place(order));
        expect(replies.map(outcomeOf)).toEqual(["DUPLICATE_REPLAY", "DUPLICATE_REPLAY", "DUPLICATE_REPLAY"]);
        const orders = replies.map((reply) => asObject(reply.data["order"]));
        expect(orders.map(({ id }) => id).slice(0, 2)).toEqual(ids);
        expect(orders.map(({ status }) => status)).toEqual(["OPEN", "CANCELLED", "PENDING"]);
        const upper = { ...over, client_order_id: text(over, "client_order_id").toUpperCase() };
        expect(outcomeOf(await venue.trader.place(upper))).toBe("DUPLICATE_REPLAY");
        await venue.advance(2000);
        expect(await venue.order(String(orders[2]?.["id"]))).toMatchObject({ status: "OPEN" });
      },
    );
  });

  test("6: a used nonce is refused, at every age up to where its timestamp is", async () => {
    let now = 1_800_000_000_000;
    const stamped = now + 29_999;
    const sign = { nonce: uuid(), timestamp: String(stamped) };
    const spent = { nonce: uuid() };
    const codes: string[] = [];
    const again = async (venue: Venue): Promise<void> => {
      codes.push((await venue.trader.get("/order/open", { sign })).code);
    };
    const later = (ms: number) => (venue: Venue) => {
      now = 1_800_000_000_000 + ms;
      return again(venue);
    };
    await lives(
      { authClock: () => now },
      async (venue) => {
        expect((await venue.trader.get("/order/open", { sign })).status).toBe(200);
        // Used up by a request that was refused, which is as durable.
        expect((await venue.trader.place({}, { sign: spent })).status).toBe(400);
      },
      later(0),
      async (venue) => {
        expect((await venue.trader.get("/order/open", { sign: spent })).code).toBe("NONCE_REUSED");
      },
      later(30_000),
      later(59_998),
      later(60_000),
      later(400_000),
      later(900_000),
    );
    expect(codes).toEqual([
      "NONCE_REUSED",
      "NONCE_REUSED",
      "NONCE_REUSED",
      "TIMESTAMP_OUT_OF_WINDOW",
      "TIMESTAMP_OUT_OF_WINDOW",
      "TIMESTAMP_OUT_OF_WINDOW",
    ]);
  });

  test("26: orders that are over and synced are the same for ever", async () => {
    const terminal = async (venue: Venue): Promise<readonly JsonObject[]> => {
      const query = "status=FILLED,CANCELLED,EXPIRED,FAILED";
      return listIn((await venue.trader.get("/order", { query })).data["items"]);
    };
    const [before, after] = await lives(
      {},
      async (venue) => {
        await busyDay(venue);
        await venue.settle();
        return terminal(venue);
      },
      async (venue) => {
        await venue.advance(3_600_000);
        await venue.print("BTC-USD", "70000");
        return terminal(venue);
      },
    );
    expect(before?.length).toBeGreaterThan(1);
    const known = new Map(after?.map((order) => [order["id"], order]));
    for (const order of before ?? []) expect(known.get(order["id"])).toEqual(order);
  });

  test("switches, faults, settings, keys and halts are as they were", async () => {
    await lives(
      {},
      async (venue) => {
        await venue.control("/products/BTC-USD/halted", { halted: true });
        await venue.control("/settings", { stp: "none", maxOpenOrders: 3 });
        await venue.control("/keys/disabled", { enabled: true });
        await venue.control("/clients/bob/trading", { enabled: false });
        await venue.control("/faults", {
          rules: [{ id: "a", key: "other", fault: { kind: "internalFailure" } }],
        });
      },
      async (venue) => {
        expect(listIn((await venue.trader.place(limitBuy())).body["details"])[0]?.["reason"]).toBe(
          "TRADING_HALTED",
        );
        expect(await venue.control("/settings", {}, "GET")).toMatchObject({ stp: "none", maxOpenOrders: 3 });
        expect((await venue.as("disabled").get("/order/open")).status).toBe(200);
        expect((await venue.as("other").place(limitBuy())).code).toBe("PRODUCT_NOT_ENABLED");
        expect(listIn((await venue.control("/faults", {}, "GET"))["rules"])).toHaveLength(1);
      },
    );
  });

  test("a manual clock keeps its time; each start is an epoch", async () => {
    const health = async (venue: Venue): Promise<JsonObject> =>
      (await venue.controlReply("/health", {}, "GET")).data;
    const [one, two] = await lives(
      {},
      async (venue) => {
        await venue.advance(12_345);
        return health(venue);
      },
      health,
    );
    expect(two?.["marketTime"]).toBe("2026-01-01T00:00:12.345Z");
    expect([one?.["seq"], one?.["hash"]]).toEqual([two?.["seq"], two?.["hash"]]);
  });
});

describe("a start that cannot be", () => {
  const refusal = (options: SimulatorOptions): Promise<string> =>
    startVenue({ db, ...options }).then(
      async (venue) => {
        await venue.close();
        return "started";
      },
      (error: Error) => error.message,
    );
  /** An empty write-ahead file says as much as none. */
  const fingerprintOf = (): string[] =>
    [db, `${db}-wal`, `${db}.mark`].map((file) => sha256(existsSync(file) ? readFileSync(file) : ""));

  test.each<[string, SimulatorOptions, RegExp]>([
    ["another seed", { seed: 2 }, /seed/i],
    [
      "another world with another seed",
      { world: quietWorld({ matchDelayMs: 7 }), seed: 2 },
      /made with another world .* --world/,
    ],
    ["another world", { world: quietWorld({ matchDelayMs: 7 }) }, /world/i],
    [
      "a folder that does not exist",
      { db: path.join(os.tmpdir(), "no", "such", "folder", "venue.db") },
      /folder|exist/i,
    ],
    ["a folder instead of a file", { db: os.tmpdir() }, /\S+ \S+/],
  ])("%s is refused with a sentence, the file untouched", async (_name, options, words) => {
    await withVenue({ db }, (venue) => venue.placed(limitBuy()));
    const before = fingerprintOf();
    const message = await refusal(options);
    expect(message).toMatch(words);
    expect(message).not.toMatch(/SQLITE_|at .*\.ts:/);
    expect(fingerprintOf()).toEqual(before);
    // And the right start still works.
    await withVenue({ db }, async (venue) => {
      expect((await venue.trader.get("/order/open")).list).toHaveLength(1);
    });
  });

  test("a file that another venue holds", async () => {
    await withVenue({ db }, async (venue) => {
      expect(await refusal({})).toMatch(/\S+ \S+ \S+/);
      expect(outcomeOf(await venue.trader.place(limitBuy()))).toBe("NEW_ORDER");
    });
  });

  test("a port in use", async () => {
    await withVenue({}, async (venue) => {
      const port = Number(new URL(venue.baseUrl).port);
      expect(await refusal({ db: ":memory:", port })).toContain(`Port ${port} on 127.0.0.1 is in use`);
    });
  });
});

describe("a disk that is full", () => {
  test("503 in closed shapes, success false, Retry-After; reads go on; with room again orders do", async () => {
    let maxPages: number | undefined = 34;
    const world = quietWorld({ maxOpenOrders: 100_000 });
    const options: InternalOptions = { db, world, retryMs: 30, maxPages: () => maxPages };
    await withVenue(options, async (venue) => {
      const first = await venue.placed(limitBuy());
      let refused = await venue.trader.get("/order/open");
      for (let count = 0; refused.status === 200; count++) {
        if (count > 5000) throw new Error("the disk does not fill");
        refused = await venue.trader.place(limitBuy());
      }
      const order = limitBuy();
      const again = await venue.trader.place(order);
      for (const reply of [refused, again]) {
        expect([reply.status, reply.body["success"]]).toEqual([503, false]);
        expect(["NOT_READY", "OUTCOME_UNKNOWN"]).toContain(reply.code);
        expect(problemsIn("ErrorBody", reply.body)).toEqual([]);
        expect(reply.headers["retry-after"]).toBe("1");
      }
      const ready = await venue.open("/health/ready");
      expect([ready.status, ready.body["statusCode"], ready.body["success"]]).toEqual([503, 503, false]);
      expect(Object.keys(ready.body)).toEqual(["statusCode", "success", "message", "data"]);
      expect(problemsIn("Health", ready.data)).toEqual([]);
      expect(ready.data).toMatchObject({ status: "error", error: { database: { status: "down" } } });
      expect(ready.headers["retry-after"]).toBe("1");
      expect((await venue.open("/health/live")).status).toBe(200);
      expect(await venue.order(String(first["id"]))).toMatchObject({ status: "OPEN" });
      maxPages = undefined;
      while ((await venue.open("/health/ready")).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(outcomeOf(await venue.trader.place(order))).toBe("NEW_ORDER");
      expect(venue.notices.at(-1)).toMatch(/works again/);
    });
  });
});
