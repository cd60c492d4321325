/** Unused members of a body: ignored and named in a header, or refused if the world says so. */
import { describe, expect, test } from "vitest";
import { refusalTexts } from "../http/openapi/refusal-texts.ts";
import { tradingRoutes } from "../http/routes/all.ts";
import { type JsonObject, listIn, type Reply } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, marketBuy, marketSell, outcomeOf, stopBuy, uuid, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

/** A good body for every route that takes one. */
const bodies: Readonly<Record<string, () => JsonObject>> = {
  "POST /order": limitBuy,
  "POST /wallet/deposit-address": () => ({ asset: "BTC" }),
};

const withBody = tradingRoutes
  .filter(({ body }) => body !== undefined)
  .map(({ method, path }) => {
    const body = bodies[`${method} ${path}`];
    if (body === undefined) throw new Error(`no body for ${method} ${path}`);
    return [`${method} ${path}`, path, body] as const;
  });

const ignored = ({ headers }: Reply): unknown => headers["x-gatewright-ignored"];

describe.each(withBody)("%s", (_title, path, body) => {
  test("an unknown field is ignored and named", async () => {
    const plain = await venue().trader.post(path, body());
    const reply = await venue().trader.post(path, { ...body(), foo: 1, "a, b": { c: null } });
    expect([reply.status, ignored(reply)]).toEqual([plain.status, "foo, a%2C%20b"]);
    expect(ignored(plain)).toBeUndefined();
  });

  test("a refusal names it, too", async () => {
    const reply = await venue().trader.post(path, { foo: 1 });
    expect([reply.status, reply.code, ignored(reply)]).toEqual([400, "VALIDATION_FAILED", "foo"]);
  });

  test("is refused by name if the world says so, together with all other mistakes", async () => {
    await withWorld({ world: quietWorld({ validation: { unknownFields: "reject" } }) }, async (running) => {
      const reply = await running.trader.post(path, { ...body(), foo: 1 });
      expect([reply.status, reply.code, ignored(reply)]).toEqual([400, "VALIDATION_FAILED", undefined]);
      expect(listIn(reply.body["details"]).map(({ field }) => field)).toEqual(["foo"]);
      const empty = await running.trader.post(path, { foo: 1 });
      expect(listIn(empty.body["details"]).length).toBeGreaterThan(1);
      expect((await running.trader.post(path, body())).status).toBeLessThan(300);
    });
  });

  test("many and long names make a short header", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`${"\ud800é\n".repeat(30)}${at}`, at]),
    );
    const reply = await venue().trader.post(path, { ...body(), ...many });
    expect(reply.status).toBeLessThan(300);
    expect(String(ignored(reply))).toMatch(/^[\w%., [\]$-]+, and 30 more$/);
    expect(String(ignored(reply)).length).toBeLessThan(20 * 400);
  });
});

describe("a field that the type of the order does not use", () => {
  test.each<[string, (more?: JsonObject) => JsonObject, readonly string[]]>([
    ["LIMIT", limitBuy, ["quote_value", "stop_price"]],
    ["STOP_LIMIT", stopBuy, ["quote_value"]],
    ["MARKET BUY", marketBuy, ["base_quantity", "price", "stop_price"]],
    ["MARKET SELL", marketSell, ["quote_value", "price", "stop_price"]],
  ])("%s: ignored with any value, and named", async (_type, order, unused) => {
    for (const held of ["1", "garbage", "0", "", 7, true, [], { a: 1 }]) {
      const more = Object.fromEntries(unused.map((name) => [name, held]));
      const reply = await venue().trader.place(order(more));
      expect([held, outcomeOf(reply), ignored(reply)]).toEqual([held, "NEW_ORDER", unused.join(", ")]);
    }
    const nulls = Object.fromEntries(unused.map((name) => [name, null]));
    const reply = await venue().trader.place(order(nulls));
    expect([outcomeOf(reply), ignored(reply)]).toEqual(["NEW_ORDER", undefined]);
  });
});

test("a missing field is told which field of the body looks like it", async () => {
  const { price, ...rest } = limitBuy();
  const reply = await venue().trader.place({ ...rest, pricee: price ?? null });
  expect(reply.body["message"]).toBe('price is required for a LIMIT order; the body has "pricee" instead');
  expect(ignored(reply)).toBe("pricee");
});

test("query and body share the header", async () => {
  await withWorld({ world: quietWorld({ validation: { unknownQuery: "ignore" } }) }, async (running) => {
    const reply = await running.trader.place(limitBuy({ note: "x" }), { query: "trace=1" });
    expect([outcomeOf(reply), ignored(reply)]).toEqual(["NEW_ORDER", "trace, note"]);
  });
});

describe("a request that has no body", () => {
  const bodiless = tradingRoutes.filter(({ body }) => body === undefined);

  test.each(bodiless.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
    "%s: an empty object is refused on GET, and let through elsewhere",
    async (_title, method, path) => {
      const address = path.replace("{id}", uuid()).replace("{product}", "BTC-USD").replace("{symbol}", "BTC");
      const { status, code } = await venue().trader.request(method, address, { body: {} });
      if (method === "GET") expect([status, code]).toEqual([400, "UNEXPECTED_BODY"]);
      else expect([status, code]).toEqual([404, "ORDER_NOT_FOUND"]);
    },
  );

  test("the documentation says so", () => {
    expect(refusalTexts.UNEXPECTED_BODY.when).toBe(
      "A request that has no body carries one. A GET carries none at all; a DELETE, and a POST that takes nothing, may carry an empty object.",
    );
  });
});

describe("the served document", () => {
  test("follows the settings of the venue and the address that was asked", async () => {
    const auth = { signedPath: "path-and-query" } as const;
    await withVenue(
      { world: quietWorld({ auth, validation: { unknownQuery: "ignore" } }) },
      async (running) => {
        const { trader, simulator } = running;
        const query = "product=BTC-USD";
        const path = trader.pathOf(`/order/open?${query}`);
        const reply = await trader.get("/order/open", { query, sign: { path } });
        expect(reply.status, reply.text).toBe(200);
        const document = (await running.controlReply("/openapi.json", {}, "GET")).text;
        expect(document).toContain("/api/v1/trading/order/open?product=BTC-USD");
        expect(document).toContain(`http://${new URL(simulator.baseUrl).host}$path`);
        expect(document).toContain("a parameter that the operation does not have is ignored");
      },
    );
  });
});
