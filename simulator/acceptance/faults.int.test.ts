/** Promised failures: each fault, each condition of a rule, and each reserved beginning of a `client_order_id`. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, text } from "../testing/client.ts";
import { limitBuy, marketSell, outcomeOf, uuid, uuidFrom, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const rules = (running: Venue, ...list: readonly JsonObject[]): Promise<JsonObject> =>
  running.control("/faults", { rules: list.map((rule, at) => ({ id: `rule-${at}`, ...rule })) });

const rowOf = async (running: Venue, order: JsonObject): Promise<JsonObject | undefined> => {
  const query = `clientOrderId=${String(order["client_order_id"])}`;
  return listIn((await running.trader.get("/order", { query })).data["items"])[0];
};

/** The view of the client, including the end of the connection. */
const seen = (running: Venue, order: JsonObject): Promise<string> =>
  running.trader.place(order).then(outcomeOf, (error: Error) => `no answer: ${error.constructor.name}`);

describe("each fault", () => {
  const cases: readonly (readonly [
    name: string,
    fault: JsonObject,
    answer: string,
    row: JsonObject | null,
  ])[] = [
    [
      "externalFailure certain",
      { kind: "externalFailure", outcome: "certain" },
      "EXTERNAL_EXECUTION_FAILED",
      { status: "FAILED" },
    ],
    [
      "externalFailure unknown",
      { kind: "externalFailure", outcome: "unknown" },
      "EXTERNAL_EXECUTION_FAILED",
      { status: "PENDING", synced: false },
    ],
    ["internalFailure", { kind: "internalFailure" }, "INTERNAL_EXECUTION_FAILED", { status: "FAILED" }],
    ["clientNotFound", { kind: "clientNotFound" }, "CLIENT_NOT_FOUND", null],
    ["stuckPending", { kind: "stuckPending" }, "NEW_ORDER", { status: "PENDING", externalId: null }],
    ["neverSync", { kind: "neverSync" }, "NEW_ORDER", { status: "OPEN", synced: false }],
    ["dropConnectionBefore", { kind: "dropConnectionBefore" }, "no answer: Error", null],
    ["dropConnectionAfter", { kind: "dropConnectionAfter" }, "no answer: Error", { status: "OPEN" }],
    ["delay", { kind: "delay", ms: 150 }, "NEW_ORDER", { status: "OPEN" }],
    ["status 429", { kind: "status", status: 429 }, "429 RATE_LIMITED", null],
    ["status 500", { kind: "status", status: 500 }, "500 INTERNAL_ERROR", null],
    ["status 503", { kind: "status", status: 503 }, "503 MAINTENANCE", null],
  ];

  test.each(cases)("%s", async (_name, fault, answer, row) => {
    await withVenue({}, async (running) => {
      await rules(running, { route: "POST /order", fault });
      const order = limitBuy();
      expect(await seen(running, order)).toBe(answer);
      const found = await rowOf(running, order);
      if (row === null) expect(found).toBeUndefined();
      else expect(found).toMatchObject(row);
      expect(await running.hold("USD")).toBe(row === null || row["status"] === "FAILED" ? "0" : "300.75");
      await running.control("/faults", {}, "DELETE");
      // The id is free where there is no row, and used up where there is one.
      expect(await seen(running, order)).toBe(row === null ? "NEW_ORDER" : "DUPLICATE_REPLAY");
    });
  });

  test.each([
    "INVALID_SIZE_INCREMENT",
    "INVALID_PRICE_INCREMENT",
    "QUOTE_SIZE_OUT_OF_RANGE",
    "INSUFFICIENT_FUNDS",
    "STOP_PRICE_WOULD_TRIGGER",
    "PRICE_OUT_OF_COLLAR",
    "AMOUNT_TOO_LARGE",
    "TRADING_HALTED",
    "TOO_MANY_OPEN_ORDERS",
  ])("rejectByExchange %s: 400 with the reason, no row, the id stays free", async (reason) => {
    await withVenue({}, async (running) => {
      await rules(running, { fault: { kind: "rejectByExchange", reason }, count: 1 });
      const order = limitBuy();
      const reply = await running.trader.place(order);
      expect([reply.status, reply.code, asObject(listIn(reply.body["details"])[0])["reason"]]).toEqual([
        400,
        "EXCHANGE_REJECTED",
        reason,
      ]);
      expect(outcomeOf(await running.trader.place(order))).toBe("NEW_ORDER");
    });
  });

  test("delay: the answer comes that much later, in real time", async () => {
    await withVenue({}, async (running) => {
      await rules(running, { route: "GET /product", fault: { kind: "delay", ms: 200 } });
      const began = performance.now();
      expect((await running.trader.get("/product")).status).toBe(200);
      expect(performance.now() - began).toBeGreaterThanOrEqual(195);
    });
  });

  test("stuckPending: never confirmed, however long one waits; a cancel ends it", async () => {
    await withVenue({}, async (running) => {
      await rules(running, { fault: { kind: "stuckPending" } });
      const { id } = await running.placed(limitBuy());
      await running.advance(86_400_000);
      expect(await running.order(String(id))).toMatchObject({ status: "PENDING" });
      expect((await running.trader.delete(`/order/${String(id)}`)).data["status"]).toBe("CANCELLED");
    });
  });

  test("neverSync: matched like any other, and synced stays false for ever", async () => {
    await withVenue({}, async (running) => {
      await running.book("BTC-USD", [["BUY", "60000", "1"]]);
      await rules(running, { fault: { kind: "neverSync" } });
      const { id } = await running.placed(marketSell());
      await running.advance(86_400_000);
      expect(await running.order(String(id))).toMatchObject({ status: "FILLED", synced: false });
    });
  });

  test("a nonce is used up by a request whose answer was lost", async () => {
    await withVenue({}, async (running) => {
      await rules(running, { route: "POST /order", fault: { kind: "dropConnectionAfter" }, count: 1 });
      const prepared = running.trader.prepare("POST", "/order", { body: limitBuy() });
      await expect(running.trader.send(prepared)).rejects.toThrow();
      expect((await running.trader.send(prepared)).code).toBe("NONCE_REUSED");
    });
  });
});

describe("conditions of a rule", () => {
  const fault = { kind: "status", status: 503 };
  const run = async (
    rule: JsonObject,
    calls: (running: Venue) => Promise<readonly string[]>,
    world = quietWorld(),
  ): Promise<readonly string[]> =>
    withVenue({ world }, async (running) => {
      await rules(running, { fault, ...rule });
      return calls(running);
    });
  const order = (running: Venue, change: JsonObject = {}, key = "trader"): Promise<string> =>
    running.as(key).place(limitBuy(change)).then(outcomeOf);
  const hit = "503 MAINTENANCE";

  test("route: only that one", async () => {
    const seen = await run({ route: "GET /product" }, async (running) => [
      String((await running.trader.get("/product")).status),
      String((await running.trader.get("/product/pairs")).status),
      await order(running),
    ]);
    expect(seen).toEqual(["503", "200", "NEW_ORDER"]);
  });

  test("no route: every one", async () => {
    const seen = await run({}, async (running) => [
      String((await running.trader.get("/wallet")).status),
      await order(running),
    ]);
    expect(seen).toEqual(["503", hit]);
  });

  test("product, and key by its name", async () => {
    const eth = { product: "ETH-USD", price: "1500", base_quantity: "1" };
    expect(
      await run({ product: "ETH-USD" }, async (running) => [await order(running), await order(running, eth)]),
    ).toEqual(["NEW_ORDER", hit]);
    expect(
      await run({ key: "other" }, async (running) => [
        await order(running),
        await order(running, {}, "other"),
      ]),
    ).toEqual(["NEW_ORDER", hit]);
  });

  test("clientOrderIdPrefix, in any letter case", async () => {
    const client_order_id = uuidFrom("abcdef01");
    const seen = await run({ clientOrderIdPrefix: "abcdef01" }, async (running) => [
      await order(running),
      await order(running, { client_order_id }),
      await order(running, { client_order_id: client_order_id.toUpperCase() }),
    ]);
    expect(seen).toEqual(["NEW_ORDER", hit, hit]);
  });

  test("nth and count", async () => {
    const five = async (running: Venue): Promise<string[]> => {
      const answers: string[] = [];
      for (let call = 0; call < 5; call++) answers.push(await order(running));
      return answers;
    };
    const placed = "NEW_ORDER";
    expect(await run({ nth: 3 }, five)).toEqual([placed, placed, hit, placed, placed]);
    expect(await run({ count: 2 }, five)).toEqual([hit, hit, placed, placed, placed]);
  });

  test("percent: drawn from the seed, so two runs agree and another seed differs", async () => {
    const draws = (seed: number): Promise<readonly string[]> =>
      run(
        { percent: 50 },
        async (running) => {
          const answers: string[] = [];
          for (let call = 0; call < 40; call++) answers.push(await order(running));
          return answers;
        },
        { ...quietWorld(), seed },
      );
    const first = await draws(1);
    const hits = first.filter((answer) => answer === hit).length;
    expect(hits).toBeGreaterThan(8);
    expect(hits).toBeLessThan(32);
    expect(await draws(1)).toEqual(first);
    expect(await draws(2)).not.toEqual(first);
  });

  test("rules are listed, replaced and removed", async () => {
    await withVenue({}, async (running) => {
      await rules(running, { fault });
      expect(listIn((await running.control("/faults", {}, "GET"))["rules"])).toEqual([
        { id: "rule-0", fault },
      ]);
      await running.control("/faults", {}, "DELETE");
      expect((await running.control("/faults", {}, "GET"))["rules"]).toEqual([]);
      expect(await order(running)).toBe("NEW_ORDER");
    });
  });

  test("faults of the world hold from the start", async () => {
    const world = quietWorld({}, { faults: [{ id: "down", fault: { kind: "status", status: 503 } }] });
    await withVenue({ world }, async (running) => {
      expect(await order(running)).toBe(hit);
    });
  });

  test.each([
    ["an unknown fault", { id: "x", fault: { kind: "explode" } }],
    ["an unknown field", { id: "x", fault: { kind: "delay", ms: 1 }, chance: 5 }],
    ["a fault without its value", { id: "x", fault: { kind: "delay" } }],
    ["a status that is none", { id: "x", fault: { kind: "status", status: 418 } }],
    ["a rule without an id", { fault: { kind: "internalFailure" } }],
    [
      "a route that does not exist",
      { id: "x", route: "GET /no-such-route", fault: { kind: "delay", ms: 1 } },
    ],
    ["a chance above 100", { id: "x", percent: 101, fault: { kind: "internalFailure" } }],
    ["a count of zero", { id: "x", count: 0, fault: { kind: "internalFailure" } }],
    ["an nth of zero", { id: "x", nth: 0, fault: { kind: "internalFailure" } }],
    ["a fault of an order on a read", { id: "x", route: "GET /order", fault: { kind: "neverSync" } }],
    ["a key that does not exist", { id: "x", key: "nobody", fault: { kind: "internalFailure" } }],
    ["a product that does not exist", { id: "x", product: "NO-SUCH", fault: { kind: "internalFailure" } }],
  ])("%s is refused with 400, and no rule changes", async (_name, rule) => {
    await withVenue({}, async (running) => {
      const reply = await running.controlReply("/faults", { rules: [rule] });
      expect([reply.status, reply.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect((await running.control("/faults", {}, "GET"))["rules"]).toEqual([]);
    });
  });
});

describe("reserved beginnings of client_order_id", () => {
  test.each([
    ["00000e01", "EXTERNAL_EXECUTION_FAILED", "FAILED"],
    ["00000e02", "EXTERNAL_EXECUTION_FAILED", "PENDING"],
    ["00000e03", "INTERNAL_EXECUTION_FAILED", "FAILED"],
    ["00000e04", "NEW_ORDER", "PENDING"],
    ["00000e05", "no answer: Error", "OPEN"],
    ["00000eff", "NEW_ORDER", "OPEN"],
  ])("%s: %s, and the row is %s", async (prefix, answer, status) => {
    await withVenue({}, async (running) => {
      const order = limitBuy({ client_order_id: uuidFrom(prefix) });
      expect(await seen(running, order)).toBe(answer);
      expect(await rowOf(running, order)).toMatchObject({ status });
      const upper = { ...order, client_order_id: String(order["client_order_id"]).toUpperCase() };
      const again = await running.trader
        .place({ ...upper, client_order_id: upper.client_order_id })
        .then(outcomeOf, () => "no answer: Error");
      // A repeat meets the same rule of the wire; the order is one all the same.
      expect(again).toBe("DUPLICATE_REPLAY");
      expect(listIn((await running.trader.get("/order")).data["items"])).toHaveLength(1);
    });
  });

  test("magic off: they are ids like any other", async () => {
    await withVenue({ world: quietWorld({}, { magic: false }) }, async (running) => {
      for (const prefix of ["00000e01", "00000e02", "00000e03", "00000e04", "00000e05"])
        expect(await seen(running, limitBuy({ client_order_id: uuidFrom(prefix) }))).toBe("NEW_ORDER");
    });
  });

  test("they do not touch a refused order", async () => {
    await withVenue({}, async (running) => {
      const order = limitBuy({ client_order_id: uuidFrom("00000e01"), price: "30000.001" });
      expect(await seen(running, order)).toBe("400 EXCHANGE_REJECTED");
      expect(text(limitBuy({ client_order_id: uuid() }), "client_order_id")).toHaveLength(36);
    });
  });
});
