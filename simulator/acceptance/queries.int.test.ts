/**
 * Every parameter of every route, empty, malformed and repeated: 400 that names it. A filter that says nothing must not
 * read as no filter: a client that looks for one order by an unset variable would act on another.
 */
import { describe, expect, test } from "vitest";
import { tradingRoutes } from "../http/routes/all.ts";
import { isOptional, type Schema } from "../schema/fields.ts";
import { listIn, type Reply } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, uuid, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();

const paths: Readonly<Record<string, string>> = { product: "BTC-USD", symbol: "BTC", id: uuid() };

function ask({ trader }: Venue, route: (typeof tradingRoutes)[number], query: string): Promise<Reply> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => paths[name] ?? "");
  const body = route.body === undefined ? undefined : limitBuy();
  return trader.request(route.method, path, { query, body });
}

/** Wrong texts for each kind; none of them is empty. */
type Kind = "list" | "integer" | "boolean" | "time" | "text" | "one";

function kindOf({ type, format, maxLength }: Schema): Kind {
  if (type === "array") return "list";
  if (type === "integer" || type === "boolean") return type;
  return format === "date-time" ? "time" : maxLength === undefined ? "one" : "text";
}

const malformed: Readonly<Record<Kind, readonly string[]>> = {
  list: ["abc!", "BTC_USD", "%20", "NONE,", ",", "*", "Null"],
  one: ["abc!", "%20", "BTC-USD,ETH-USD", "*", "Null"],
  text: ["abc", "x".repeat(513)],
  integer: ["0", "-1", "1.5", "abc", "99999", "%2B1", "0x1"],
  boolean: ["yes", "TRUE", "1", "Null"],
  time: ["now", "2026-01-01", "1767225600000", "2026-02-30T00:00:00Z"],
};

const parameters = tradingRoutes.flatMap((route) =>
  Object.entries(route.query ?? {}).map(
    ([name, field]) => [`${route.method} ${route.path}?${name}`, route, name, field] as const,
  ),
);

const needed = (route: (typeof tradingRoutes)[number], name: string): string =>
  Object.entries(route.query ?? {})
    .filter(([other, field]) => other !== name && !isOptional(field))
    .map(([other, field]) => `${other}=${field.enum?.[0] ?? ""}&`)
    .join("");

function expectNamed(reply: Reply, name: string, query: string): void {
  expect([query, reply.status], reply.text.slice(0, 300)).toEqual([query, 400]);
  expect(["INVALID_QUERY", "INVALID_CURSOR"], query).toContain(reply.code);
  expect(
    listIn(reply.body["details"]).map(({ field }) => field),
    query,
  ).toEqual([name]);
  expect(String(reply.body["message"]), query).toContain(name);
}

test("there are parameters to try", () => {
  expect(parameters.length).toBeGreaterThan(30);
});

describe.each(parameters)("%s", (_title, route, name, field) => {
  const rest = needed(route, name);

  test("empty: 400 with its name", async () => {
    for (const query of [`${rest}${name}=`, `${rest}${name}`])
      expectNamed(await ask(venue(), route, query), name, query);
  });

  test("malformed: 400 with its name", async () => {
    for (const text of malformed[kindOf(field)])
      expectNamed(await ask(venue(), route, `${rest}${name}=${text}`), name, text);
  });

  test("repeated: 400 with its name, but for a list, which is told by repeating", async () => {
    const value = String(
      (field.items ?? field).enum?.[0] ??
        (field.items ?? field).examples?.[0] ??
        { text: "x", integer: "1", boolean: "true" }[String(kindOf(field))] ??
        uuid(),
    );
    const twice = `${rest}${name}=${value}&${name}=${value}`;
    const reply = await ask(venue(), route, twice);
    if (kindOf(field) === "list") expect([twice, reply.status]).toEqual([twice, 200]);
    else expectNamed(reply, name, twice);
    // A list with an empty item among others is as wrong as an empty one.
    const hole = `${rest}${name}=${value}&${name}=`;
    expectNamed(await ask(venue(), route, hole), name, hole);
  });
});

describe("a look-up of an order that was sent", () => {
  test("by an empty or mistyped id finds no other order, and is told so", async () => {
    const { clientOrderId } = await venue().placed(limitBuy());
    for (const wrong of ["", "abc", `${String(clientOrderId)}x`])
      expectNamed(
        await venue().trader.get("/order", { query: `clientOrderId=${wrong}` }),
        "clientOrderId",
        wrong,
      );
  });
});

describe("a query parameter that the route does not have", () => {
  test.each(tradingRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s: 400 with its name, the names that there are, and the nearest",
    async (_title, route) => {
      const names = Object.keys(route.query ?? {});
      const reply = await ask(venue(), route, `${needed(route, "")}nonsense=1`);
      expectNamed(reply, "nonsense", "nonsense");
      const issue = String(listIn(reply.body["details"])[0]?.["issue"]);
      expect(issue).toContain(names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`);
      for (const name of names) {
        const near = await ask(venue(), route, `${needed(route, "")}${name}s=1`);
        expect(String(listIn(near.body["details"])[0]?.["issue"]), name).toContain(`did you mean "${name}"?`);
      }
    },
  );

  test.each([
    ["/order/open", "productId=BTC-USD", "product"],
    ["/order", "clientOrderId[]=abc", "clientOrderId"],
    ["/order-book/BTC-USD", "limit=3", null],
    ["/order/open", "status=PENDING", null],
  ])("%s?%s", async (path, query, near) => {
    const reply = await venue().trader.get(path, { query });
    expectNamed(reply, query.split("=")[0] ?? "", query);
    if (near !== null) expect(reply.text).toContain(`did you mean \\"${near}\\"?`);
  });

  test("an order is not placed", async () => {
    const order = limitBuy();
    expect((await venue().trader.place(order, { query: "dryRun=true" })).code).toBe("INVALID_QUERY");
    expect((await venue().trader.place(order)).data["type"]).toBe("NEW_ORDER");
  });

  test("is ignored if the world says so, and a header names it", async () => {
    await withVenue({ world: quietWorld({ validation: { unknownQuery: "ignore" } }) }, async (running) => {
      for (const route of tradingRoutes) {
        const reply = await ask(running, route, `${needed(route, "")}nonsense=1&a%2Cb=2&nonsense=3`);
        expect(reply.headers["x-gatewright-ignored"], route.path).toMatch(/^nonsense, a%2Cb\b/);
        expect(reply.code, route.path).not.toBe("INVALID_QUERY");
      }
      const { headers } = await running.trader.get("/order/open");
      expect(headers).not.toHaveProperty("x-gatewright-ignored");
      const refused = await running.trader.get("/order/open", { query: "productId=BTC-USD&limit=0" });
      expectNamed(refused, "limit", "limit=0");
    });
  });
});

describe("a span that ends before it starts", () => {
  test.each([
    ["/order", ""],
    ["/wallet/deposits", ""],
    ["/product/BTC-USD/candles", "granularity=ONE_DAY&"],
  ])("%s: 400 with both names", async (path, rest) => {
    const query = `${rest}startTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z`;
    const reply = await venue().trader.get(path, { query });
    expect([reply.status, reply.code]).toEqual([400, "INVALID_QUERY"]);
    expect(listIn(reply.body["details"]).map(({ field }) => field)).toEqual(["startTime", "endTime"]);
  });

  test.each(["/order", "/wallet/deposits", "/product/BTC-USD/candles"])(
    "%s: a span that begins in the future holds nothing",
    async (path) => {
      const rest = path.endsWith("candles") ? "granularity=ONE_DAY&" : "";
      const reply = await venue().trader.get(path, { query: `${rest}startTime=2030-01-01T00:00:00Z` });
      expect(reply.status, reply.text).toBe(200);
      expect(path.endsWith("candles") ? reply.list : listIn(reply.data["items"])).toEqual([]);
    },
  );
});
