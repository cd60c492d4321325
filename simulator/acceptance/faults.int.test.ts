/** Promised failures: each fault, each condition of a rule, and each reserved beginning of a `client_order_id`. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, type Prepared, text } from "../testing/client.ts";
import { connectStream } from "../testing/stream-client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, marketBuy, marketSell, outcomeOf, uuid, uuidFrom, type Venue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";
import { FaultSchema } from "../world/schema/faults.ts";

const withWorld = useWorlds();

const rules = (running: Venue, ...list: readonly JsonObject[]): Promise<JsonObject> =>
  running.control("/faults", { rules: list.map((rule, at) => ({ id: `rule-${at}`, ...rule })) });

const rowOf = async (running: Venue, order: JsonObject): Promise<JsonObject | undefined> => {
  const query = `clientOrderId=${String(order["client_order_id"])}`;
  return listIn((await running.trader.get("/order", { query })).data["items"])[0];
};

/** The view of the client, including the end of the connection. */
const seen = (running: Venue, order: JsonObject): Promise<string> =>
  running.trader.place(order).then(outcomeOf, (error: Error) => `no answer: ${error.constructor.name}`);

/** The bytes that come back on a connection of its own, and how it ends. */
const talk = (running: Venue, { method, target, headers, body }: Prepared): Promise<[string, string]> =>
  new Promise((resolve) => {
    const { hostname, port, host } = new URL(running.baseUrl);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${String(value)}`);
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    socket.on("error", ({ message }) => resolve([text, message.replace(/^read /, "")]));
    socket.on("end", () => resolve([text, `ended after ${text.length} bytes`]));
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${String(body)}`);
  });
const endingOf = async (running: Venue, prepared: Prepared): Promise<string> =>
  (await talk(running, prepared))[1];
const rawAnswer = async (running: Venue, prepared: Prepared): Promise<string> =>
  (await talk(running, prepared))[0];

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
    ["resetConnectionBefore", { kind: "resetConnectionBefore" }, "no answer: Error", null],
    ["resetConnectionAfter", { kind: "resetConnectionAfter" }, "no answer: Error", { status: "OPEN" }],
    ["cutBody", { kind: "cutBody" }, "no answer: Error", { status: "OPEN" }],
    ["staleReads", { kind: "staleReads", ms: 1000 }, "NEW_ORDER", { status: "OPEN" }],
    ["lateSync", { kind: "lateSync", ms: 1 }, "NEW_ORDER", { status: "OPEN" }],
    ["course", { kind: "course", steps: [] }, "NEW_ORDER", { status: "OPEN" }],
    ["doubleEvents", { kind: "doubleEvents" }, "NEW_ORDER", { status: "OPEN" }],
    ["delay", { kind: "delay", ms: 150 }, "NEW_ORDER", { status: "OPEN" }],
    ["status 429", { kind: "status", status: 429 }, "429 RATE_LIMITED", null],
    ["status 500", { kind: "status", status: 500 }, "500 INTERNAL_ERROR", null],
    ["status 503", { kind: "status", status: 503 }, "503 MAINTENANCE", null],
    ["status 503 without a body", { kind: "status", status: 503, body: "none" }, "503 ", null],
  ];

  test("has a row here, or a test of its own", () => {
    const own = ["rejectByExchange", "delayResponse", "stuckCancel"];
    // Those of the stream: stream-faults.int.test.ts. A stuck cancel: courses.int.test.ts.
    const stream = ["Drop", "Duplicate", "Reorder", "Stall", "Slow", "Close"].map((name) => `stream${name}`);
    const tested = new Set([...cases.map(([, { kind }]) => kind), ...own, ...stream]);
    const kinds = (FaultSchema.oneOf ?? []).map(({ properties }) => properties?.["kind"]?.const);
    expect(new Set(kinds)).toEqual(tested);
  });

  test.each(cases)("%s", async (_name, fault, answer, row) => {
    await withWorld({}, async (running) => {
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
    await withWorld({}, async (running) => {
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
    await withWorld({}, async (running) => {
      await rules(running, { route: "GET /product", fault: { kind: "delay", ms: 200 } });
      const began = performance.now();
      expect((await running.trader.get("/product")).status).toBe(200);
      expect(performance.now() - began).toBeGreaterThanOrEqual(195);
    });
  });

  test.each([
    ["delay", 0],
    ["delayResponse", 1],
  ])("%s: while the client waits, there are %d orders", async (kind, orders) => {
    await withWorld({}, async (running) => {
      await rules(running, { route: "POST /order", fault: { kind, ms: 400 } });
      let isAnswered = false;
      const answer = running.trader.place(limitBuy()).finally(() => (isAnswered = true));
      const fired = async (): Promise<unknown> =>
        listIn((await running.control("/faults", {}, "GET"))["counts"])[0]?.["fired"];
      while ((await fired()) !== 1);
      const open = (await running.trader.get("/order/open")).list.length;
      expect([open, isAnswered]).toEqual([orders, false]);
      expect(outcomeOf(await answer)).toBe("NEW_ORDER");
    });
  });

  test("reset: RST and not FIN, before and after the commit", async () => {
    await withWorld({}, async (running) => {
      const endOf = async (kind: string): Promise<string> => {
        await rules(running, { route: "GET /product", fault: { kind } });
        return endingOf(running, running.trader.prepare("GET", "/product"));
      };
      expect(await endOf("resetConnectionBefore")).toBe("ECONNRESET");
      expect(await endOf("resetConnectionAfter")).toBe("ECONNRESET");
      expect(await endOf("dropConnectionBefore")).toBe("ended after 0 bytes");
      expect(await endOf("dropConnectionAfter")).toBe("ended after 0 bytes");
    });
  });

  test("cutBody: the head promises all of the body, and half of it comes", async () => {
    await withWorld({}, async (running) => {
      const whole = await running.trader.get("/product/pairs");
      await rules(running, { fault: { kind: "cutBody" } });
      for (const [route, length] of [
        ["/product/pairs", whole.text.length],
        ["/order/nothing", null],
      ] as const) {
        const text = await rawAnswer(running, running.trader.prepare("GET", route));
        const [head = "", body = ""] = text.split("\r\n\r\n");
        const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (length !== null) expect(promised).toBe(length);
        expect(body.length).toBe(Math.ceil(promised / 2));
      }
    });
  });

  test("a status without a body is a head alone", async () => {
    await withWorld({}, async (running) => {
      await rules(running, { fault: { kind: "status", status: 500, body: "none" } });
      const reply = await running.trader.get("/product");
      expect([reply.status, reply.text, reply.headers["content-length"]]).toEqual([500, "", "0"]);
      expect(reply.headers["content-type"]).toBeUndefined();
    });
  });

  test("staleReads: reads show the order as it was, for as long as the rule says; the stream does not", async () => {
    await withWorld({}, async (running) => {
      await running.book("BTC-USD", [["BUY", "60000", "1"]]);
      const stream = await connectStream(running.trader);
      stream.subscribe("orders");
      await stream.nextOf("subscriptions");
      await rules(running, { fault: { kind: "staleReads", ms: 60_000 } });
      const { id } = await running.placed(marketSell());
      await running.advance(50);
      const event = await stream.next((message) => asObject(message["data"])["event"] === "FILL");
      expect(asObject(asObject(event["data"])["order"])["status"]).toBe("FILLED");
      const read = async (): Promise<unknown[]> => [
        (await running.order(String(id)))["status"],
        (await running.trader.get("/order/open")).list.length,
        listIn((await running.trader.get("/order", { query: "status=FILLED" })).data["items"]).length,
      ];
      expect(await read()).toEqual(["OPEN", 1, 0]);
      await running.advance(59_999);
      expect(await read()).toEqual(["OPEN", 1, 0]);
      // The cancellation meets the order as it is.
      expect((await running.trader.delete(`/order/${String(id)}`)).code).toBe("ORDER_NOT_CANCELLABLE");
      await running.advance(1);
      expect(await read()).toEqual(["FILLED", 0, 1]);
      await stream.close();
    });
  });

  test("course: what happens to the order, step by step, whatever is in the book", async () => {
    await withWorld({}, async (running) => {
      // It would trade at once, if it came to the market.
      await running.book("BTC-USD", [["SELL", "30000", "5"]]);
      const steps = [
        { do: "confirm", afterMs: 100 },
        { do: "fill", afterMs: 100, percent: 25, betterBy: 100 },
        { do: "fill", afterMs: 100, percent: 25 },
        { do: "expire", afterMs: 1000 },
      ];
      await rules(running, { fault: { kind: "course", steps } });
      const { id } = await running.placed(limitBuy({ price: "31000", base_quantity: "1" }));
      const seenAt = async (ms: number): Promise<unknown[]> => {
        await running.advance(ms);
        const order = await running.order(String(id));
        return [order["status"], order["filledQuantity"], order["filledValue"]];
      };
      expect(await seenAt(0)).toEqual(["PENDING", "0", "0"]);
      expect(await seenAt(100)).toEqual(["OPEN", "0", "0"]);
      expect(await seenAt(100)).toEqual(["OPEN", "0.25", "7749.75"]);
      const facts = listIn((await running.control(`/explain/${String(id)}`, {}, "GET"))["facts"]);
      expect(facts.at(-1)).toMatchObject({
        code: "WAITS_FOR_COURSE",
        values: { next: "fill 0.25 BTC at 31000 USD", left: 2 },
      });
      expect(await seenAt(100)).toEqual(["OPEN", "0.5", "15499.75"]);
      expect(await seenAt(1000)).toEqual(["EXPIRED", "0.5", "15499.75"]);
      expect(await running.hold("USD")).toBe("0");
      // Of another type it is an order like any other.
      const market = await running.placed(marketBuy());
      await running.settle();
      expect((await running.order(String(market["id"])))["status"]).toBe("FILLED");
    });
  });

  test("course: without steps nothing matches the order; with match it goes to the market", async () => {
    await withWorld({}, async (running) => {
      await running.book("BTC-USD", [["SELL", "30000", "5"]]);
      const placed = async (steps: readonly JsonObject[]): Promise<string> => {
        await rules(running, { fault: { kind: "course", steps } });
        return String((await running.placed(limitBuy({ price: "31000", base_quantity: "1" })))["id"]);
      };
      const left = await placed([]);
      const sent = await placed([
        { do: "fill", afterMs: 0, percent: 40 },
        { do: "match", afterMs: 0 },
      ]);
      await running.advance(86_400_000);
      expect(await running.order(left)).toMatchObject({ status: "OPEN", filledQuantity: "0" });
      expect(await running.order(sent)).toMatchObject({ status: "FILLED", filledValue: "30400" });
      const facts = listIn((await running.control(`/explain/${left}`, {}, "GET"))["facts"]);
      expect(facts.at(-1)?.["code"]).toBe("NEVER_MATCHED");
      expect((await running.trader.delete(`/order/${left}`)).data["status"]).toBe("CANCELLED");
    });
  });

  test("lateSync: synced turns true so long after each change", async () => {
    await withWorld({}, async (running) => {
      await rules(running, { fault: { kind: "lateSync", ms: 60_000 } });
      const { id } = await running.placed(limitBuy());
      const synced = async (): Promise<unknown> => (await running.order(String(id)))["synced"];
      await running.advance(59_999);
      expect(await synced()).toBe(false);
      await running.advance(1);
      expect(await synced()).toBe(true);
    });
  });

  test("doubleEvents: each event of that order comes twice, with one number", async () => {
    await withWorld({}, async (running) => {
      const stream = await connectStream(running.trader);
      stream.subscribe("orders");
      await stream.nextOf("subscriptions");
      await rules(running, { fault: { kind: "doubleEvents" }, count: 1 });
      const [first, second] = [await running.placed(limitBuy()), await running.placed(limitBuy())];
      const numbers: JsonObject[] = [];
      for (let at = 0; at < 3; at += 1)
        numbers.push(await stream.next((message) => asObject(message["data"])["event"] === "ACCEPTED"));
      const about = numbers.map((message) => asObject(asObject(message["data"])["order"])["id"]);
      expect(about).toEqual([first["id"], first["id"], second["id"]]);
      expect(numbers[1]).toEqual(numbers[0]);
      await stream.close();
    });
  });

  test("stuckPending: never confirmed, however long one waits; a cancel ends it", async () => {
    await withWorld({}, async (running) => {
      await rules(running, { fault: { kind: "stuckPending" } });
      const { id } = await running.placed(limitBuy());
      await running.advance(86_400_000);
      expect(await running.order(String(id))).toMatchObject({ status: "PENDING" });
      expect((await running.trader.delete(`/order/${String(id)}`)).data["status"]).toBe("CANCELLED");
    });
  });

  test("neverSync: matched like any other, and synced stays false for ever", async () => {
    await withWorld({}, async (running) => {
      await running.book("BTC-USD", [["BUY", "60000", "1"]]);
      await rules(running, { fault: { kind: "neverSync" } });
      const { id } = await running.placed(marketSell());
      await running.advance(86_400_000);
      expect(await running.order(String(id))).toMatchObject({ status: "FILLED", synced: false });
    });
  });

  test("a nonce is used up by a request whose answer was lost", async () => {
    await withWorld({}, async (running) => {
      await rules(running, { route: "POST /order", fault: { kind: "dropConnectionAfter" }, count: 1 });
      const prepared = running.trader.prepare("POST", "/order", { body: limitBuy() });
      await expect(running.trader.send(prepared)).rejects.toThrow();
      expect((await running.trader.send(prepared)).code).toBe("NONCE_REUSED");
    });
  });
});

const course = (...steps: readonly JsonObject[]): JsonObject => ({ kind: "course", steps });

describe("conditions of a rule", () => {
  const fault = { kind: "status", status: 503 };
  const run = async (
    rule: JsonObject,
    calls: (running: Venue) => Promise<readonly string[]>,
    world = quietWorld(),
  ): Promise<readonly string[]> =>
    withWorld({ world }, async (running) => {
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

  test("rules are listed and removed; the others go on counting, and one of the same name counts anew", async () => {
    await withWorld({}, async (running) => {
      const listed = async (): Promise<JsonObject> => running.control("/faults", {}, "GET");
      const once = { id: "once", fault, count: 1 };
      await rules(running, once, { fault, nth: 3 });
      expect([await order(running), await order(running)]).toEqual([hit, "NEW_ORDER"]);
      await running.control("/faults/rules/once", {}, "DELETE");
      await running.control("/faults/rules", once);
      expect(await listed()).toMatchObject({ counts: [{ matched: 2, fired: 0 }, { matched: 0 }] });
      // The third that the other meets is its own: it leaves the new one for the order behind it.
      expect([await order(running), await order(running)]).toEqual([hit, hit]);
      await running.control("/faults", {}, "DELETE");
      expect(await listed()).toEqual({ rules: [], counts: [] });
    });
  });

  test("rules are counted, those of reserved ids once they met a request; the answer of GET can be sent back", async () => {
    await withWorld({}, async (running) => {
      await rules(running, { fault, route: "POST /order", nth: 2 }, { fault, product: "ETH-USD" });
      for (let call = 0; call < 3; call += 1) await order(running);
      await order(running, { client_order_id: uuidFrom("00000e01") });
      const shown = await running.control("/faults", {}, "GET");
      expect(shown["counts"]).toEqual([
        { id: "rule-0", matched: 4, fired: 1 },
        { id: "rule-1", matched: 0, fired: 0 },
        { id: "reserved-EXTERNAL_FAILURE", matched: 1, fired: 1 },
      ]);
      await running.control("/faults", shown, "PUT");
      expect((await running.control("/faults", {}, "GET"))["rules"]).toEqual(shown["rules"]);
    });
  });

  test("faults of the world hold from the start", async () => {
    const world = quietWorld({}, { faults: [{ id: "down", fault: { kind: "status", status: 503 } }] });
    await withWorld({ world }, async (running) => {
      expect(await order(running)).toBe(hit);
    });
  });

  test.each([
    ["an unknown fault", { id: "x", fault: { kind: "explode" } }],
    ["an unknown field", { id: "x", fault: { kind: "delay", ms: 1 }, chance: 5 }],
    ["a fault without its value", { id: "x", fault: { kind: "delay" } }],
    ["a status that is none", { id: "x", fault: { kind: "status", status: 418 } }],
    ["a body that is none", { id: "x", fault: { kind: "status", status: 503, body: "html" } }],
    ["a fill beyond the whole", { id: "x", fault: course({ do: "fill", afterMs: 0, percent: 101 }) }],
    ["a share of a cancellation", { id: "x", fault: course({ do: "cancel", afterMs: 0, percent: 50 }) }],
    ["a better price of a match", { id: "x", fault: course({ do: "match", afterMs: 0, betterBy: 5 }) }],
    [
      "a confirmation after the beginning",
      { id: "x", fault: course({ do: "match", afterMs: 0 }, { do: "confirm", afterMs: 0 }) },
    ],
    ["a step that is none", { id: "x", fault: course({ do: "vanish", afterMs: 0 }) }],
    ["reads behind by nothing", { id: "x", fault: { kind: "staleReads", ms: 0 } }],
    ["a rule without an id", { fault: { kind: "internalFailure" } }],
    [
      "a route that does not exist",
      { id: "x", route: "GET /no-such-route", fault: { kind: "delay", ms: 1 } },
    ],
    ["a chance above 100", { id: "x", percent: 101, fault: { kind: "internalFailure" } }],
    ["a count of zero", { id: "x", count: 0, fault: { kind: "internalFailure" } }],
    ["an nth of zero", { id: "x", nth: 0, fault: { kind: "internalFailure" } }],
    [
      "a product on a read",
      { id: "x", route: "GET /product", product: "BTC-USD", fault: { kind: "delay", ms: 1 } },
    ],
    [
      "a client_order_id on a cancellation",
      { id: "x", route: "DELETE /order/{id}", clientOrderIdPrefix: "ab", fault: { kind: "cutBody" } },
    ],
    ["a fault of an order on a read", { id: "x", route: "GET /order", fault: { kind: "neverSync" } }],
    ["a key that does not exist", { id: "x", key: "nobody", fault: { kind: "internalFailure" } }],
    ["a product that does not exist", { id: "x", product: "NO-SUCH", fault: { kind: "internalFailure" } }],
  ])("%s is refused with 400, and no rule changes", async (_name, rule) => {
    await withWorld({}, async (running) => {
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
    await withWorld({}, async (running) => {
      const order = limitBuy({ client_order_id: uuidFrom(prefix) });
      expect(await seen(running, order)).toBe(answer);
      expect(await rowOf(running, order)).toMatchObject({ status });
      const upper = { ...order, client_order_id: String(order["client_order_id"]).toUpperCase() };
      const again = await running.trader.place(upper).then(outcomeOf, () => "no answer: Error");
      // A repeat meets the same rule of the wire; the order is one all the same.
      expect(again).toBe("DUPLICATE_REPLAY");
      expect(listIn((await running.trader.get("/order")).data["items"])).toHaveLength(1);
    });
  });

  test("magic off: they are ids like any other", async () => {
    await withWorld({ world: quietWorld({}, { magic: false }) }, async (running) => {
      for (const prefix of ["00000e01", "00000e02", "00000e03", "00000e04", "00000e05"])
        expect(await seen(running, limitBuy({ client_order_id: uuidFrom(prefix) }))).toBe("NEW_ORDER");
    });
  });

  test("they do not touch a refused order", async () => {
    await withWorld({}, async (running) => {
      const order = limitBuy({ client_order_id: uuidFrom("00000e01"), price: "30000.001" });
      expect(await seen(running, order)).toBe("400 EXCHANGE_REJECTED");
      expect(text(limitBuy({ client_order_id: uuid() }), "client_order_id")).toHaveLength(36);
    });
  });
});
