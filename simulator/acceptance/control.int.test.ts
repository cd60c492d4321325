/** The control surface from outside: who may use it, and what it refuses. */
import { describe, expect, test } from "vitest";
import { exchange, type Json, listIn, parseRaw, rawText, sendRaw } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, startVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

describe("access", () => {
  test.each([
    ["no token", undefined],
    ["another token", "Bearer wrong"],
    ["another scheme", "Basic dG9rZW4="],
    ["an empty token", "Bearer "],
  ])("%s is 403, and nothing happens", async (_name, authorization) => {
    const { control } = venue().simulator;
    const before = await venue().control("/clock", {}, "GET");
    const reply = await exchange(control?.url ?? "", {
      method: "POST",
      target: "/__gatewright/clock",
      headers: {
        "content-type": "application/json",
        "content-length": "15",
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: '{"advanceMs":5}',
    });
    expect([reply.status, reply.code]).toEqual([403, "FORBIDDEN"]);
    expect(await venue().control("/clock", {}, "GET")).toEqual(before);
  });

  test("the token in the query string does not count", async () => {
    const { control } = venue().simulator;
    const target = `/__gatewright/clock?token=${control?.token ?? ""}`;
    const reply = await exchange(control?.url ?? "", { method: "GET", target, headers: {}, body: "" });
    expect(reply.status).toBe(403);
  });

  test.each([
    ["Origin", "https://evil.example", 403],
    ["Host", "evil.example", 403],
  ])("a foreign %s is refused although the token is right", async (name, value, status) => {
    const { control } = venue().simulator;
    const text = rawText(control?.url ?? "", {
      method: "GET",
      target: "/__gatewright/clock",
      headers: { Authorization: `Bearer ${control?.token ?? ""}`, [name]: value },
      body: "",
    });
    expect(parseRaw(await sendRaw(control?.url ?? "", text)).status).toBe(status);
  });

  test("control off: no route of it exists", async () => {
    const running = await startVenue({ control: "off" });
    expect(running.simulator.control).toBeNull();
    const reply = await exchange(running.baseUrl, {
      method: "GET",
      target: "/__gatewright/health",
      headers: {},
      body: "",
    });
    expect([reply.status, reply.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
    await running.close();
  });

  test("an API key's signature opens no control, and the token no trading route", async () => {
    const prepared = venue().trader.prepare("GET", "/order/open");
    const signed = await venue().trader.send({ ...prepared, target: "/__gatewright/clock" });
    expect(signed.status).toBe(403);
    const { control } = venue().simulator;
    const headers = { authorization: `Bearer ${control?.token ?? ""}` };
    expect((await venue().open("/order/open", headers)).code).toBe("MISSING_CREDENTIALS");
  });
});

describe("controls refuse what they cannot do, in the one shape of errors", () => {
  test.each<[string, string, Json, number]>([
    ["a clock that goes back", "/clock", { to: "2020-01-01T00:00:00Z" }, 400],
    ["two moves at once", "/clock", { advanceMs: 1, to: "2026-01-02T00:00:00Z" }, 400],
    ["no move", "/clock", {}, 400],
    ["half a millisecond", "/clock", { advanceMs: 0.5 }, 400],
    ["a negative move", "/clock", { advanceMs: -1 }, 400],
    ["a thousand years", "/clock", { advanceMs: 31_536_000_000_000 }, 400],
    ["an unknown field", "/clock", { advanceMs: 1, fast: true }, 400],
    ["a body that is no object", "/clock", [1], 400],
    ["a setting that does not exist", "/settings", { speed: 1 }, 400],
    ["a setting out of range", "/settings", { matchDelayMs: -1 }, 400],
    ["a product that does not exist", "/products/NO-SUCH/trades", { price: "1", quantity: "1" }, 400],
    ["a print off the grid", "/products/BTC-USD/trades", { price: "1.001", quantity: "1" }, 400],
    ["a print of nothing", "/products/BTC-USD/trades", { price: "1", quantity: "0" }, 400],
    [
      "a book off the grid",
      "/products/BTC-USD/book",
      { levels: [{ side: "BUY", price: "1.001", quantity: "1" }] },
      400,
    ],
    ["a book that is no list", "/products/BTC-USD/book", { levels: "many" }, 400],
    ["a client that does not exist", "/clients/dave/trading", { enabled: true }, 404],
    ["a key that does not exist", "/keys/nobody", { enabled: true }, 404],
    ["an order that does not exist", "/orders/0/expire", {}, 404],
    ["a deposit that does not exist", "/deposits/0/fail", {}, 404],
    ["a deposit of money", "/clients/alice/deposits", { asset: "USD", amount: "1" }, 400],
    ["a deposit of nothing", "/clients/alice/deposits", { asset: "BTC", amount: "0" }, 400],
    [
      "more decimals than the asset has",
      "/clients/alice/balance",
      { asset: "USD", amount: "0.001", direction: "credit" },
      400,
    ],
    [
      "a rate above one half",
      "/clients/alice/fees",
      {
        feeModel: "ALL_IN",
        makerRate: "0.6",
        takerRate: "0",
        exchangeMakerRate: "0",
        exchangeTakerRate: "0",
      },
      400,
    ],
  ])("%s", async (_name, route, body, status) => {
    const before = await venue().control("/state-hash", {}, "GET");
    const reply = await venue().controlReply(route, body);
    expect(reply.status).toBe(status);
    expect(problemsIn("ErrorBody", reply.body)).toEqual([]);
    expect(await venue().control("/state-hash", {}, "GET")).toEqual(before);
  });

  test("an order that is over does not expire", async () => {
    const { id } = await venue().placed(limitBuy());
    await venue().trader.delete(`/order/${String(id)}`);
    const reply = await venue().controlReply(`/orders/${String(id)}/expire`);
    expect([reply.status, reply.code]).toEqual([409, "ORDER_NOT_CANCELLABLE"]);
  });
});

describe("long lists fit into a body", () => {
  const levels = (count: number): Json =>
    Array.from({ length: count }, (_, at) => ({
      side: at % 2 === 0 ? "BUY" : "SELL",
      price: at % 2 === 0 ? String(59_000 - at) : String(61_000 + at),
      quantity: "0.5",
    }));
  const rules = (count: number): Json =>
    Array.from({ length: count }, (_, at) => ({
      id: `rule-${at}`,
      route: "POST /order",
      product: "BTC-USD",
      clientOrderIdPrefix: "11111111-",
      key: "trader",
      nth: 1 + at,
      percent: 50,
      count: 1,
      fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 },
    }));

  test.each([22, 500, 1000])("a book of %i levels", async (count) => {
    await withWorld({}, async (running) => {
      const answer = await running.control("/products/BTC-USD/book", { levels: levels(count) });
      expect(answer).toEqual({ product: "BTC-USD", levels: count });
    });
  });

  test("a book of one level more is refused, and told the most", async () => {
    const reply = await venue().controlReply("/products/BTC-USD/book", { levels: levels(1001) });
    expect([reply.status, reply.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(reply.body["message"]).toContain("at most 1000 entries");
  });

  test.each([60, 100])("%i fault rules", async (count) => {
    await withWorld({}, async (running) => {
      await running.control("/faults", { rules: rules(count) });
      expect(listIn((await running.control("/faults", {}, "GET"))["rules"])).toHaveLength(count);
    });
  });

  test("a rule more is refused, and told the most", async () => {
    const reply = await venue().controlReply("/faults", { rules: rules(101) });
    expect([reply.status, reply.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(reply.body["message"]).toContain("at most 100 entries");
  });
});

describe("the market clock", () => {
  test("manual: everything that falls due on the way has happened before the answer", async () => {
    await withWorld({ world: quietWorld({ matchDelayMs: 10, syncDelayMs: 10 }) }, async (running) => {
      const { id } = await running.placed(limitBuy());
      const clock = await running.control("/clock", {}, "GET");
      expect(clock).toEqual({
        mode: "manual",
        now: "2026-01-01T00:00:00.000Z",
        nextDue: "2026-01-01T00:00:00.010Z",
      });
      await running.advance(20);
      expect(await running.order(String(id))).toMatchObject({ status: "OPEN", synced: true });
      expect(await running.control("/clock", {}, "GET")).toMatchObject({ nextDue: null });
    });
  });

  test("real: it runs by itself", async () => {
    await withWorld(
      { clock: "real", world: quietWorld({ matchDelayMs: 5, syncDelayMs: 5 }) },
      async (running) => {
        const { id, createdAt } = await running.placed(limitBuy());
        expect(Math.abs(Date.parse(String(createdAt)) - Date.now())).toBeLessThan(5000);
        while ((await running.order(String(id)))["synced"] !== true)
          await new Promise((go) => setTimeout(go, 5));
      },
    );
  });
});
