/** Compares the answers of a running venue with its OpenAPI document, by operation and status. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultClaims } from "../auth/claims.ts";
import { type Simulator, startSimulator } from "../index.ts";
import { tradingRoutes } from "./routes/all.ts";
import { type Answered, type Asked, ask as askVenue, covered, document } from "./testing/ask.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

const ask = (name: string, path: string, asked?: Asked): Promise<Answered> =>
  askVenue(simulator, name, path, asked);

const limit = (more: object = {}): object => ({
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.01",
  price: "30000",
  client_order_id: randomUUID(),
  product: "BTC-USD",
  ...more,
});

describe("A running venue answers as documented", () => {
  it("when orders are placed, read, repeated and cancelled", async () => {
    const order = limit();
    const placed = await ask("POST /order", "/order", { body: order });
    expect(placed).toMatchObject({ status: 200, data: { type: "NEW_ORDER" } });
    // as: shown by the line above.
    const { id } = (placed.data as { order: { id: string } }).order;
    expect((await ask("POST /order", "/order", { body: order })).data).toMatchObject({
      type: "DUPLICATE_REPLAY",
    });
    expect((await ask("POST /order", "/order", { body: limit(), key: "orphan" })).data).toMatchObject({
      type: "CLIENT_NOT_FOUND",
    });
    const market = { side: "BUY", type: "MARKET", price: null, base_quantity: null, quote_value: "100" };
    await ask("POST /order", "/order", { body: limit(market) });
    await ask("POST /order", "/order", {
      body: limit({ type: "STOP_LIMIT", stop_price: "90000", price: "90000" }),
    });
    expect(await ask("GET /order/open", "/order/open?product=BTC-USD&limit=5")).toMatchObject({
      status: 200,
    });
    expect(await ask("GET /order", "/order?limit=1")).toMatchObject({
      data: { pagination: { hasNext: true } },
    });
    expect(await ask("GET /order/{id}", `/order/${id}`)).toMatchObject({ data: { id } });
    expect(await ask("DELETE /order/{id}", `/order/${id}`)).toMatchObject({
      status: 200,
      data: { status: "CANCELLED" },
    });
    expect(await ask("DELETE /order/{id}", `/order/${id}`)).toMatchObject({
      status: 409,
      code: "ORDER_NOT_CANCELLABLE",
    });
    const second = await ask("POST /order", "/order", { body: limit() });
    // as: an order was placed.
    const other = (second.data as { order: { id: string } }).order.id;
    await ask("POST /order/{id}/cancel", `/order/${other}/cancel`, { body: {} });
    expect(await ask("POST /order/{id}/cancel", `/order/${other}/cancel`)).toMatchObject({ status: 409 });
  });

  it("when an order is refused", async () => {
    const refused = async (body: unknown, code: string): Promise<void> =>
      expect(await ask("POST /order", "/order", { body })).toMatchObject({ status: 400, code });
    await refused(limit({ price: "0" }), "VALIDATION_FAILED");
    await refused("{", "MALFORMED_JSON");
    await refused(limit({ product: "BTC-XYZ" }), "PRODUCT_NOT_FOUND");
    await refused(limit({ product: "DOGE-USD", base_quantity: "1000", price: "0.1" }), "PRODUCT_NOT_ENABLED");
    await refused(limit({ base_quantity: "0.00001" }), "ORDER_SIZE_BELOW_MINIMUM");
    await refused(limit({ base_quantity: "99999" }), "ORDER_SIZE_ABOVE_MAXIMUM");
    await refused(limit({ price: "30000.001" }), "EXCHANGE_REJECTED");
    const typed = { body: limit(), headers: { "Content-Type": "text/plain" } };
    expect(await ask("POST /order", "/order", typed)).toMatchObject({ status: 415 });
    const large = limit({ client_order_id: "x".repeat(200_000) });
    const sent = await ask("POST /order", "/order", { body: large });
    expect(sent).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("when market data is read", async () => {
    await ask("GET /product", "/product?base=BTC");
    await ask("GET /product/pairs", "/product/pairs?apiEnabled=true");
    await ask("GET /product/{product}", "/product/BTC-USD");
    await ask("GET /order-book/{product}", "/order-book/BTC-USD?depth=3");
    await ask("GET /product/{product}/candles", "/product/BTC-USD/candles?granularity=ONE_MINUTE");
    for (const [name, path] of [
      ["GET /product/{product}", "/product/BTC-XYZ"],
      ["GET /order-book/{product}", "/order-book/BTC-XYZ"],
      ["GET /product/{product}/candles", "/product/btc-usd/candles?granularity=ONE_DAY"],
      ["GET /account/fee", "/account/fee?product=BTC-XYZ"],
    ] as const)
      expect(await ask(name, path)).toMatchObject({ status: 404, code: "PRODUCT_NOT_FOUND" });
    expect(await ask("GET /order-book/{product}", "/order-book/BTC-USD?depth=0")).toMatchObject({
      code: "INVALID_QUERY",
    });
    expect(await ask("GET /product/{product}/candles", "/product/BTC-USD/candles")).toMatchObject({
      code: "INVALID_QUERY",
    });
  });

  it("when assets, wallets, deposits and settings are read", async () => {
    await ask("GET /asset", "/asset");
    await ask("GET /asset/{symbol}", "/asset/ETH");
    expect(await ask("GET /asset/{symbol}", "/asset/XYZ")).toMatchObject({ code: "ASSET_NOT_FOUND" });
    await ask("GET /wallet", "/wallet");
    const created = await ask("POST /wallet/deposit-address", "/wallet/deposit-address", {
      body: { asset: "BTC" },
    });
    expect(created.status).toBe(201);
    await ask("GET /wallet/deposit-address", "/wallet/deposit-address?asset=BTC");
    for (const [body, code] of [
      [{ asset: "USD" }, "ASSET_NOT_SUPPORTED"],
      [{ asset: "BTC", network: "lightning" }, "NETWORK_NOT_SUPPORTED"],
      [{ asset: 7 }, "VALIDATION_FAILED"],
    ] as const)
      expect(await ask("POST /wallet/deposit-address", "/wallet/deposit-address", { body })).toMatchObject({
        status: 400,
        code,
      });
    await deposit();
    const page = await ask("GET /wallet/deposits", "/wallet/deposits");
    // as: a deposit has just arrived.
    const [first] = (page.data as { items: { id: string }[] }).items;
    expect(await ask("GET /wallet/deposits/{id}", `/wallet/deposits/${first?.id}`)).toMatchObject({
      status: 200,
    });
    expect(await ask("GET /wallet/deposits/{id}", `/wallet/deposits/${randomUUID()}`)).toMatchObject({
      status: 404,
    });
    await ask("GET /account/fee", "/account/fee");
    await ask("GET /account/fee", "/account/fee?product=BTC-USD");
    await ask("GET /account/settings", "/account/settings");
  });

  async function deposit(): Promise<void> {
    const client = simulator.keys.find(({ name }) => name === "trader")?.client;
    const response = await fetch(`${simulator.control?.url}/clients/${client}/deposits`, {
      method: "POST",
      headers: { Authorization: `Bearer ${simulator.control?.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ asset: "BTC", amount: "0.5" }),
    });
    expect(response.status).toBe(200);
  }

  it("when a request is malformed, foreign, or goes nowhere", async () => {
    expect(await ask("GET /order", "/order?cursor=abc")).toMatchObject({ code: "INVALID_CURSOR" });
    expect(await ask("GET /wallet/deposits", "/wallet/deposits?cursor=abc")).toMatchObject({
      code: "INVALID_CURSOR",
    });
    expect(await ask("GET /order/open", "/order/open?limit=0")).toMatchObject({ code: "INVALID_QUERY" });
    expect(await ask("GET /order/{id}", "/order/7")).toMatchObject({
      status: 400,
      code: "VALIDATION_FAILED",
    });
    const unknown = randomUUID();
    expect(await ask("GET /order/{id}", `/order/${unknown}`)).toMatchObject({
      status: 404,
      code: "ORDER_NOT_FOUND",
    });
    expect(await ask("DELETE /order/{id}", `/order/${unknown}`)).toMatchObject({ status: 404 });
    const stray = { body: { reason: "none" } };
    expect(await ask("POST /order/{id}/cancel", `/order/${unknown}/cancel`, stray)).toMatchObject({
      code: "UNEXPECTED_BODY",
    });
  });

  it.each(tradingRoutes)(
    "$method $path: without credentials, without the claim, without a client",
    async (route) => {
      const name = `${route.method} ${route.path}`;
      const path = route.path
        .replace("{product}", "BTC-USD")
        .replace("{symbol}", "BTC")
        .replace("{id}", randomUUID());
      const body = route.body === undefined ? {} : { body: {} };
      expect(await ask(name, path, { ...body, headers: null })).toMatchObject({
        status: 401,
        code: "MISSING_CREDENTIALS",
      });
      expect(
        await ask(name, path, { ...body, headers: { "X-API-SIGNATURE": "0".repeat(64) } }),
      ).toMatchObject({ status: 401 });
      const claims = defaultClaims.get(name) ?? [];
      const stranger = simulator.keys.find(
        ({ claims: held }) => held.length === 1 && !claims.some((claim) => held.includes(claim)),
      );
      expect(await ask(name, path, { ...body, key: stranger?.name ?? "" })).toMatchObject({
        status: 403,
        code: "MISSING_CLAIM",
      });
      // Each answer to it has to be documented.
      await ask(name, path, { ...body, key: "orphan" });
    },
  );

  it.each(["/health/live", "/health/ready"])("%s, unsigned", async (path) => {
    expect(await ask(`GET ${path}`, path, { headers: null })).toMatchObject({ status: 200 });
  });

  it("on every operation at least once with success", () => {
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(all.filter((name) => !covered.has(`${name} 200`) && !covered.has(`${name} 201`))).toEqual([]);
  });
});
