/** Why: orders and requests explained by a running venue. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, limitSell, stopBuy, uuid, uuidFrom, type Venue, withVenue } from "../testing/venue.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

const explained = (running: Venue, id: unknown): Promise<JsonObject> =>
  running.control(`/explain/${String(id)}`, {}, "GET");
const factsOf = async (running: Venue, id: unknown): Promise<readonly JsonObject[]> =>
  listIn((await explained(running, id))["facts"]);
const codesOf = (facts: readonly JsonObject[]): unknown[] => facts.map(({ code }) => code);

describe("an order", () => {
  test("that rests is told with its place in the queue and what would fill it", async () => {
    await withWorld({}, async (own) => {
      await own.book("BTC-USD", [["SELL", "60000", "1"]]);
      await own.placed(limitBuy({ price: "59000", base_quantity: "0.3" }), "counterparty");
      await own.settle();
      const { id, clientOrderId } = await own.placed(limitBuy({ price: "59000", base_quantity: "0.5" }));
      await own.settle();
      const facts = await factsOf(own, id);
      expect(codesOf(facts)).toEqual(["ACCEPTED", "RESTED", "SYNCED", "WAITS_FOR_TRADE"]);
      expect(facts[1]).toMatchObject({
        sentence:
          "0.5 BTC entered the book at 59000 USD behind 0.3 BTC in 1 order at that price. " +
          "The best offer on the other side is 60000 USD, 1000 USD away.",
        values: { ahead: "0.3 BTC", ordersAhead: 1, touch: "60000 USD" },
        entry: expect.any(Number),
      });
      expect(String(facts[3]?.["sentence"])).toContain("then a SELL at 59000 USD or less fills it");
      expect(await factsOf(own, clientOrderId)).toEqual(facts);
      expect(await factsOf(own, String(clientOrderId).toUpperCase())).toEqual(facts);
    });
  });

  test("that traded is told against whom, at which price, and how its fees add up", async () => {
    await withWorld({}, async (own) => {
      await own.placed(limitSell({ price: "60000", base_quantity: "0.1" }), "counterparty");
      await own.settle();
      const { id } = await own.placed(limitBuy({ price: "61000", base_quantity: "0.1" }));
      await own.settle();
      const order = await own.order(String(id));
      const facts = await factsOf(own, id);
      expect(codesOf(facts)).toEqual(["ACCEPTED", "TRADED", "FILLED", "SYNCED"]);
      const { values, sentence } = asObject(facts[1]) as { values: JsonObject; sentence: string };
      expect(values).toMatchObject({
        role: "taker",
        quantity: "0.1 BTC",
        price: "60000 USD",
        commission: `${String(order["commission"])} USD`,
        exchangeFee: `${String(order["exchangeFee"])} USD`,
      });
      expect(sentence).toContain("the price of the order that was in the book before");
    });
  });

  test("with a fault, a stop, and a cancellation under way is told what it waits for", async () => {
    await withWorld({}, async (own) => {
      await own.control("/settings", { cancelMode: "async" });
      const { id: stop } = await own.placed(stopBuy());
      await own.settle();
      expect(codesOf(await factsOf(own, stop))).toContain("WAITS_FOR_STOP");
      await own.control("/products/BTC-USD/halted", { halted: true });
      expect(codesOf(await factsOf(own, stop)).slice(-2)).toEqual(["HALTED", "WAITS_FOR_STOP"]);
      await own.control("/products/BTC-USD/halted", { halted: false });
      await own.trader.delete(`/order/${String(stop)}`);
      expect(codesOf(await factsOf(own, stop)).at(-1)).toBe("WAITS_FOR_CANCEL");
      await own.control("/faults", { rules: [{ id: "one", fault: { kind: "stuckPending" } }] });
      const { id: stuck } = await own.placed(limitBuy());
      const facts = await factsOf(own, stuck);
      expect(codesOf(facts)).toEqual(["ACCEPTED", "FREEDOMS", "FAULT", "NEVER_CONFIRMED"]);
    });
  });

  test("of a forked world is told with what happened before the fork", async () => {
    await withVenue({}, async (own) => {
      const { id } = await own.placed(limitBuy());
      await own.settle();
      await own.control("/worlds/main/fork", { name: "fork" });
      const forked = await own.control(`/worlds/fork/explain/${String(id)}`, {}, "GET");
      expect(forked).toEqual(await explained(own, id));
    });
  });

  test("is not touched by the question, nor is the venue", async () => {
    const { id } = await venue().placed(limitBuy());
    const before = await venue().control("/state-hash", {}, "GET");
    await explained(venue(), id);
    expect(await venue().control("/state-hash", {}, "GET")).toEqual(before);
  });
});

describe("a request", () => {
  test("that was refused is told with the first check that failed", async () => {
    const reply = await venue().trader.get("/order/open", { secret: "not the secret" });
    const answer = await explained(venue(), reply.headers["x-request-id"]);
    expect(answer["subject"]).toMatchObject({ kind: "request" });
    const facts = listIn(answer["facts"]);
    expect(codesOf(facts)).toEqual(["RECEIVED", "REFUSED", "SIGNATURE"]);
    expect(String(facts[1]?.["sentence"])).toContain(
      'the check that failed is "the signature fits the request"',
    );
  });

  test("that became an order is told with the order", async () => {
    const reply = await venue().trader.place(limitBuy());
    const answer = await explained(venue(), reply.headers["x-request-id"]);
    expect(answer["subject"]).toMatchObject({ kind: "order", status: "OPEN" });
    expect(codesOf(listIn(answer["facts"])).slice(0, 3)).toEqual(["RECEIVED", "ANSWERED", "ACCEPTED"]);
  });

  test("for an order that was refused is found by its client_order_id", async () => {
    const clientOrderId = uuid();
    await venue().trader.place(limitBuy({ client_order_id: clientOrderId, base_quantity: "1000" }));
    const facts = await factsOf(venue(), clientOrderId);
    expect(codesOf(facts)).toEqual(["RECEIVED", "REFUSED"]);
    expect(String(facts[1]?.["sentence"])).toContain("ORDER_SIZE_ABOVE_MAXIMUM");
  });

  test("whose answer was lost is told so", async () => {
    await withWorld({}, async (own) => {
      await own.control("/faults", { rules: [{ id: "lost", fault: { kind: "dropConnectionAfter" } }] });
      await expect(own.trader.place(limitBuy())).rejects.toThrow();
      await own.control("/faults", { rules: [] });
      const exchanges = listIn((await own.control("/exchanges", {}, "GET"))["exchanges"]);
      const facts = await factsOf(own, exchanges.at(-1)?.["requestId"]);
      expect(codesOf(facts).slice(0, 3)).toEqual(["RECEIVED", "FAULT", "ANSWER_LOST"]);
    });
  });

  test("that a fault rule refused is told with the rule", async () => {
    await withWorld({}, async (own) => {
      await own.control("/faults", { rules: [{ id: "down", fault: { kind: "status", status: 503 } }] });
      const reply = await own.trader.get("/product");
      const facts = await factsOf(own, reply.headers["x-request-id"]);
      expect(codesOf(facts)).toEqual(["RECEIVED", "FAULT", "REFUSED"]);
      expect(String(facts[2]?.["sentence"])).toContain(
        "503 MAINTENANCE: the fault rule down asked for it, and no check failed",
      );
    });
  });
});

test("an id that two clients have used is refused with both orders, an unknown one with what is known", async () => {
  await withWorld({}, async (own) => {
    const client_order_id = uuidFrom("3f2504e0");
    const first = await own.placed(limitBuy({ client_order_id }));
    const second = await own.placed(limitBuy({ client_order_id }), "other");
    const reply = await own.controlReply(`/explain/${client_order_id}`, {}, "GET");
    expect([reply.status, reply.code]).toEqual([409, "CONFLICT"]);
    for (const { id } of [first, second]) expect(reply.text).toContain(String(id));
    const unknown = await own.controlReply("/explain/nothing", {}, "GET");
    expect(unknown.status).toBe(404);
  });
});

test("an order is found by the first eight digits of its id, as screens shorten it, and not by fewer", async () => {
  const { id } = await venue().placed(limitBuy());
  const facts = await factsOf(venue(), id);
  const [beginning] = String(id).split("-");
  for (const shown of [beginning, `${beginning?.toUpperCase()}-`])
    expect(await factsOf(venue(), shown)).toEqual(facts);
  const fewer = await venue().controlReply(`/explain/${beginning?.slice(0, 7)}`, {}, "GET");
  expect(fewer.status).toBe(404);
});
