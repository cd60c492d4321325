/** Rows 22, 23 and 33 of the tricky behaviours: which route is meant, who may call it, and what others see of it. */
import { beforeAll, describe, expect, test } from "vitest";
import { tradingRoutes } from "../http/routes/all.ts";
import { type JsonObject, listIn, type Reply, text } from "../testing/client.ts";
import { type ClaimRow, documentedClaims, problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, outcomeOf, uuid } from "../testing/venue.ts";

const venue = useVenue();

describe("22. route precedence", () => {
  test("/order/open is never parsed as the id open", async () => {
    expect(Array.isArray((await venue().trader.get("/order/open")).body["data"])).toBe(true);
  });

  test("/product/pairs is never the product pairs", async () => {
    const reply = await venue().trader.get("/product/pairs");
    expect([reply.status, Array.isArray(reply.body["data"])]).toEqual([200, true]);
  });

  test.each([
    "/order/",
    "/order/open/",
    "/product/",
    "/product/pairs/",
    "/wallet/",
    "/wallet/deposits/",
    "/order-book/",
    "/asset/",
    "/health/live/",
  ])("a trailing slash is 404: %s", async (route) => {
    const reply = await venue().trader.get(route);
    expect([reply.status, reply.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  test.each([
    "/ORDER/open",
    "/order/Open/x",
    "/orders",
    "/order/open/1",
    "/account",
    "/wallet/deposit",
    "/nothing",
  ])("an unknown path is 404, signed or not: %s", async (route) => {
    const reply = await venue().trader.get(route);
    expect([reply.status, reply.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
    const unsigned = await venue().open(route);
    expect([unsigned.status, unsigned.code]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  test.each(["OPTIONS", "PUT", "PATCH"])("%s is not served on protected routes", async (method) => {
    expect((await venue().trader.request(method, "/order/open")).status).toBe(405);
  });

  test.each([
    ["DELETE", "/order/open"],
    ["POST", "/order/open"],
    ["DELETE", "/order"],
    ["POST", "/product"],
    ["DELETE", "/wallet"],
  ])("%s %s is not a route", async (method, route) => {
    // DELETE /order/open reads as the id `open`, which is no UUID.
    expect([400, 405]).toContain((await venue().trader.request(method, route)).status);
  });
});

const claimsOf = (row: ClaimRow): readonly string[] => row.anyOf ?? [row.claim ?? ""];

/** A request for each route of the claim table that its handler understands. */
function callFor(row: ClaimRow): { method: string; route: string; body?: JsonObject; query?: string } {
  const [method = "", template = ""] = row.route.split(" ");
  const route = template
    .replace("/order/{id}", `/order/${uuid()}`)
    .replace("{id}", uuid())
    .replace("{product}", "BTC-USD")
    .replace("{symbol}", "BTC");
  if (row.route === "POST /order") return { method, route, body: limitBuy() };
  if (row.route === "POST /wallet/deposit-address") return { method, route, body: { asset: "BTC" } };
  return template.endsWith("/candles") ? { method, route, query: "granularity=ONE_HOUR" } : { method, route };
}

describe("33. claims are separate", () => {
  /** One key per claim, all of one client. */
  const keyOf: Readonly<Record<string, string>> = {
    "read:orders": "read-orders",
    "write:orders": "write-orders",
    "read:account": "read-account",
    "read:market-data": "market-data",
  };
  const signed = documentedClaims.filter((row) => row.signed !== false);
  const cases = signed.flatMap((row) =>
    Object.keys(keyOf).map((claim) => {
      const allowed = claimsOf(row).includes(claim);
      return { row, claim, allowed, name: `${row.route} with ${claim}: ${allowed ? "served" : "403"}` };
    }),
  );

  test("the table names every claim and twenty signed routes", () => {
    expect(signed).toHaveLength(20);
    expect(new Set(signed.flatMap((row) => claimsOf(row)))).toEqual(new Set(Object.keys(keyOf)));
  });

  test.each(cases)("$name", async ({ row, claim, allowed }) => {
    const { method, route, ...options } = callFor(row);
    const reply = await venue()
      .as(keyOf[claim] ?? "")
      .request(method, route, options);
    if (allowed) {
      // Random ids are unknown; everything else works.
      expect([200, 201, route.includes("-") ? 404 : 200]).toContain(reply.status);
      expect(reply.code).not.toBe("MISSING_CLAIM");
      return;
    }
    expect([reply.status, reply.code]).toEqual([403, "MISSING_CLAIM"]);
    expect(problemsIn("ErrorBody", reply.body)).toEqual([]);
    for (const needed of claimsOf(row)) expect(text(reply.body, "message")).toContain(needed);
  });

  test("a key with only write:orders places and cancels, and cannot read what it placed", async () => {
    const writer = venue().as("write-orders");
    const placed = await writer.place(limitBuy());
    const id = String((placed.data["order"] as JsonObject)["id"]);
    expect((await writer.get(`/order/${id}`)).status).toBe(403);
    expect((await writer.get("/order/open")).status).toBe(403);
    expect((await writer.delete(`/order/${id}`)).data["status"]).toBe("CANCELLED");
  });

  test("a refused POST /order has placed nothing", async () => {
    const order = limitBuy();
    expect((await venue().as("read-orders").place(order)).status).toBe(403);
    const query = `clientOrderId=${String(order["client_order_id"])}`;
    expect(listIn((await venue().trader.get("/order", { query })).data["items"])).toEqual([]);
  });

  test("a disabled key is 401, enabled it is served, disabled again it is 401", async () => {
    const { as, control } = { as: () => venue().as("disabled"), control: venue() };
    expect((await as().get("/order/open")).code).toBe("INVALID_API_KEY");
    await control.control("/keys/disabled", { enabled: true });
    expect((await as().get("/order/open")).status).toBe(200);
    await control.control("/keys/disabled", { enabled: false });
    expect((await as().get("/order/open")).status).toBe(401);
  });

  test("a key without a client reads market data, sees no account and places nothing", async () => {
    const orphan = venue().as("orphan");
    expect((await orphan.get("/product")).status).toBe(200);
    expect((await orphan.get("/order-book/BTC-USD")).status).toBe(200);
    expect(outcomeOf(await orphan.place(limitBuy()))).toBe("CLIENT_NOT_FOUND");
  });

  const ofTheAccount = tradingRoutes
    .filter(
      ({ tag, operationId }) =>
        ["Orders", "Wallets", "Account"].includes(tag) && operationId !== "placeOrder",
    )
    .map(({ method, path, body }) => [`${method} ${path}`, method, path, body !== undefined] as const);

  test.each(ofTheAccount)(
    "a key without a client is told the same on every route of an account: %s",
    async (_title, method, path, takesBody) => {
      const body = takesBody ? { asset: "BTC" } : undefined;
      const reply = await venue().as("orphan").request(method, path.replace("{id}", uuid()), { body });
      expect([reply.status, reply.code]).toEqual([403, "FORBIDDEN"]);
      expect(reply.body["message"]).toMatch(/^This API key has no client/);
    },
  );

  test("a key without a client is told first that an id is malformed", async () => {
    for (const path of ["/order/abc", "/wallet/deposits/abc"])
      expect((await venue().as("orphan").get(path)).code).toBe("VALIDATION_FAILED");
  });
});

describe("23. isolation", () => {
  let foreign: JsonObject = {};
  beforeAll(async () => {
    foreign = await venue().placed(limitBuy(), "other");
    await venue().control("/clients/bob/deposits", { asset: "BTC", amount: "0.5" });
  });

  /** The body without what differs between any two requests. */
  const shape = (reply: Reply, id: string): unknown => {
    const { timestamp: _at, path: _path, requestId: _id, ...rest } = reply.body;
    return [reply.status, JSON.parse(JSON.stringify(rest).replaceAll(id, "ID"))];
  };

  test.each([
    ["read", "GET", ""],
    ["cancel", "DELETE", ""],
    ["cancel by POST", "POST", "/cancel"],
  ])("another client's order id gives the same 404 as a random UUID: %s", async (_name, method, suffix) => {
    const known = String(foreign["id"]);
    const random = uuid();
    const one = await venue().trader.request(method, `/order/${known}${suffix}`);
    const other = await venue().trader.request(method, `/order/${random}${suffix}`);
    expect(one.status).toBe(404);
    expect(shape(one, known)).toEqual(shape(other, random));
    expect(await venue().order(known, "other")).toMatchObject({ status: "OPEN" });
  });

  test("lists never leak", async () => {
    const mine = String((await venue().placed(limitBuy()))["id"]);
    const idsOf = (items: readonly JsonObject[]): unknown[] => items.map(({ id }) => id);
    const open = (await venue().trader.get("/order/open")).list;
    const all = listIn((await venue().trader.get("/order")).data["items"]);
    expect(idsOf(open)).toContain(mine);
    expect(idsOf(open)).not.toContain(foreign["id"]);
    expect(idsOf(all)).not.toContain(foreign["id"]);
    const byId = await venue().trader.get("/order", {
      query: `clientOrderId=${String(foreign["clientOrderId"])}`,
    });
    expect(byId.data["items"]).toEqual([]);
    const theirs = listIn((await venue().as("other").get("/order")).data["items"]);
    expect(idsOf(theirs)).toEqual([foreign["id"]]);
  });

  test("deposits, addresses and wallets never leak", async () => {
    const theirs = listIn((await venue().as("other").get("/wallet/deposits")).data["items"]);
    expect(theirs).toHaveLength(1);
    expect(listIn((await venue().trader.get("/wallet/deposits")).data["items"])).toEqual([]);
    const mine = (await venue().trader.get("/wallet/deposit-address")).list.map(({ address }) => address);
    for (const { address } of (await venue().as("other").get("/wallet/deposit-address")).list)
      expect(mine).not.toContain(address);
    const id = String(theirs[0]?.["id"]);
    expect((await venue().trader.get(`/wallet/deposits/${id}`)).code).toBe("DEPOSIT_NOT_FOUND");
    const wallets = new Set((await venue().trader.get("/wallet")).list.map((wallet) => wallet["id"]));
    for (const wallet of (await venue().as("other").get("/wallet")).list)
      expect(wallets).not.toContain(wallet["id"]);
  });

  test("balances of one client never change by another's rejected order", async () => {
    const before = (await venue().trader.get("/wallet")).text;
    const refused = await venue()
      .as("other")
      .place(limitBuy({ base_quantity: "90", price: "20000000" }));
    expect(refused.status).toBe(400);
    expect((await venue().trader.get("/wallet")).text).toBe(before);
  });

  test("keys of one client see the same orders", async () => {
    const { id } = await venue().placed(limitBuy(), "write-orders");
    expect(
      (
        await venue()
          .as("read-orders")
          .get(`/order/${String(id)}`)
      ).data["id"],
    ).toBe(id);
  });

  test("the fills of two clients are each their own", async () => {
    const buy = await venue().placed(limitBuy({ price: "61000" }));
    await venue().settle();
    const sell = await venue().placed({ ...limitBuy({ price: "61000" }), side: "SELL" }, "counterparty");
    await venue().settle();
    const mine = await venue().order(String(buy["id"]));
    const theirs = await venue().order(String(sell["id"]), "counterparty");
    expect([mine["status"], theirs["status"]]).toEqual(["FILLED", "FILLED"]);
    // 25 basis points for alice, 15 for carol as a taker.
    expect([mine["fees"], theirs["fees"]]).toEqual(["1.525", "0.915"]);
    expect(mine["userId"]).not.toBe(theirs["userId"]);
  });
});
