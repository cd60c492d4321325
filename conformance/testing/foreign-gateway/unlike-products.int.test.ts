import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { triesAll } from "../../../tools/sampled.ts";
import { type ConformOptions, conform } from "../../conform.ts";
import { planRun } from "../../plan.ts";
import { readOnce } from "../read-once.ts";
import { textOf, times } from "./amounts.ts";
import { Gateway } from "./gateway.ts";
import type { Order } from "./order.ts";
import { profile } from "./profile.ts";

/** Products whose quantities and prices differ by orders of magnitude, in an order that no profile of ours has. */
const bitcoin = {
  "LTC-BTC":
    "{ buyFar: '0.0012', sellFar: '0.0028', qty: '5', qtyStep: '0.001', priceStep: '0.0000001', spend: '0.01' }",
  "BTC-USD":
    "{ buyFar: '30000', sellFar: '90000', qty: '0.002', qtyStep: '0.00000001', priceStep: '0.01', spend: '150', buyNear: '49900', sellNear: '50100', buyCross: '51000', sellCross: '49000', liquid: true }",
};

const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway[Symbol.asyncDispose]();
});

async function aimed(
  products: Readonly<Record<string, string>>,
  { kind = "staging", ...more }: Partial<ConformOptions> & { readonly kind?: string } = {},
) {
  const gateway = await new Gateway().listen();
  gateways.push(gateway);
  const known = profile(gateway);
  const text = (await readFile(known.profile, "utf8"))
    .replace("kind: local", `kind: ${kind}`)
    .replace("allow: disruptive", "allow: trades")
    .replace("budget: { rps: 500 }", "budget: { rps: 500, requests: 5000, orders: 500, openOrders: 50 }")
    .replace(
      /(?<= {2}products:\n)(?: {4}.*\n)+/,
      Object.entries(products)
        .map(([id, plan]) => `    ${id}: ${plan}\n`)
        .join(""),
    )
    .replace("limits: { product: BTC-USD,", `limits: { product: ${Object.keys(products)[0] ?? ""},`);
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-unlike-")), "profile.yaml");
  await writeFile(file, text);
  const { environment } = known;
  const options = { profile: file, environment, level: "full", properties: "off", seed: 1, ...more } as const;
  return { gateway, options };
}

/** What an order costs at its limit, or what it may spend. */
function costOf({ quantity, price, spend }: Order): bigint | undefined {
  return spend ?? (quantity === undefined || price === undefined ? undefined : times(quantity, price));
}

describe("products of unlike price", () => {
  it("are repeated at another price and given amounts that do not count, at prices far below one", async () => {
    const only = ["idempotency-020*", "orders-040*", "orders-050*"];
    const { options } = await aimed(bitcoin, { only });
    const report = await conform(await readOnce(options));
    const run = report.cases.filter(({ outcome }) => outcome !== "filtered");
    expect(run.map(({ id, outcome, reason, findings }) => [id, outcome, reason, findings])).toEqual(
      run.map(({ id }) => [id, "passed", undefined, []]),
    );
    expect(run.length).toBeGreaterThan(3);
  });

  it("are ordered in the quantities of their own, and for what the plan says", async () => {
    const only = [
      "orders-050*",
      "orders-23*",
      "products-040*",
      "market-buy-0*",
      "matching-0*",
      "claims-015*",
    ];
    const { gateway, options } = await aimed(bitcoin, { only });
    const plan = await planRun(options);
    const report = await conform(await readOnce(options));
    expect(report.cases.filter(({ outcome }) => outcome === "failed").map(({ id }) => id)).toEqual([]);
    const { orders } = gateway.desk;
    expect(orders.length).toBeGreaterThan(20);
    const most: Readonly<Record<string, number>> = { "BTC-USD": 0.008, "LTC-BTC": 20 };
    for (const { product, quantity } of orders)
      if (quantity !== undefined) expect(Number(textOf(quantity))).toBeLessThanOrEqual(most[product.id] ?? 0);
    for (const quote of ["USD", "BTC"]) {
      const spent = orders
        .filter(({ product }) => product.quote === quote)
        .reduce((sum, order) => sum + (costOf(order) ?? 0n), 0n);
      expect(Number(textOf(spent))).toBeLessThanOrEqual(Number(plan.totals.notional[quote] ?? 0));
    }
  });

  it.each(["orders-230-limit-order-trades", "orders-237-partly-filled[buy]"])(
    "cost exactly what the plan says in a case with two orders: %s",
    async (id) => {
      const { gateway, options } = await aimed(bitcoin, { only: [id] });
      const [planned] = (await planRun(options)).cases.filter((one) => one.id === id);
      await conform(await readOnce(options));
      const dearest = gateway.desk.orders.map((order) => Number(textOf(costOf(order) ?? 0n)));
      const cost = Math.max(...dearest) * dearest.length;
      expect(gateway.desk.orders.map(({ product }) => product.id)).toEqual(["BTC-USD", "BTC-USD"]);
      expect(planned).toMatchObject({ gate: "runs", orders: 2, notional: { USD: String(cost) } });
    },
  );

  it("are never ordered in more than four usual quantities, by an order of any type", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-unlike-")), "case.yaml");
    await writeFile(
      file,
      `kit: 1
id: far-too-much
title: Orders that are larger than their owner wrote
spec: [X-SIZE-01]
safety: trades
rows:
  - { name: limit, patch: { side: BUY, type: LIMIT, base_quantity: '0.0081', price: '30000' } }
  - { name: far-sale, patch: { side: SELL, type: LIMIT, base_quantity: '5', price: '90000' } }
  - { name: stop, patch: { side: SELL, type: STOP_LIMIT, base_quantity: '5', price: '30000', stop_price: '30000' } }
  - { name: sale, patch: { side: SELL, type: MARKET, base_quantity: '0.0081' } }
  - { name: buy, patch: { side: BUY, type: MARKET, quote_value: '721' } }
  - { name: price, patch: { side: SELL, type: LIMIT, base_quantity: '0.002', price: '400000' } }
  - { name: allowed, patch: { side: SELL, type: LIMIT, base_quantity: '0.008', price: '90000' } }
steps:
  - call: { op: placeOrder, body: { $merge: [ { client_order_id: { $uuid4: a }, product: BTC-USD }, '\${row.patch}' ] } }
    expect: { status: 2xx }
`,
    );
    const { gateway, options } = await aimed(bitcoin, { scenarios: [file] });
    const plan = await planRun(options);
    const report = await conform(await readOnce(options));
    const sent = gateway.desk.orders.map(({ quantity }) => textOf(quantity ?? 0n));
    expect(sent.map(Number)).toEqual([0.008]);
    const outcomes = report.cases.map(({ id, outcome }) => `${id} ${outcome}`);
    expect(outcomes.filter((line) => !line.endsWith("blocked"))).toEqual(["far-too-much[allowed] passed"]);
    const planned = plan.cases.map(({ id, gate }) => `${id} ${gate}`);
    expect(planned.filter((line) => !line.endsWith("blocked"))).toEqual(["far-too-much[allowed] runs"]);
    expect(plan.limits).toEqual({
      times: 4,
      perOrder: {
        "LTC-BTC": { quantity: "20", notional: "0.056" },
        "BTC-USD": { quantity: "0.008", notional: "720" },
      },
      notional: { BTC: "7", USD: "90000" },
    });
  });

  it("are priced in steps of their own, where a coin is the money", async () => {
    const coins = {
      "LTC-BTC": "{ buyFar: '0.0012', sellFar: '0.0028', qty: '0.5', spend: '0.01', liquid: true }",
      "BTC-USD": "{ buyFar: '30000', sellFar: '90000', qty: '0.002', spend: '150' }",
    };
    const only = [
      // Orders that are taken; the others are refused for what they lack, whatever the product.
      ...(triesAll ? ["orders-*"] : ["orders-01*", "orders-02*", "orders-03*", "orders-15*", "orders-2*"]),
      ...(triesAll ? ["matching-*"] : ["matching-01*", "matching-03*"]),
      ...(triesAll ? ["market-buy-*"] : ["market-buy-03*", "market-buy-04*", "market-buy-06*"]),
      "limits-06*",
      ...(triesAll ? ["wallets-*"] : ["wallets-01*"]),
      "P-20",
      "P-21",
    ];
    const { gateway, options } = await aimed(coins, { only, kind: "local", properties: "on" });
    const report = await conform(
      await readOnce({ ...options, properties: "on", ...(triesAll ? {} : { runs: 2 }) }),
    );
    const bad = report.cases.filter(({ outcome }) => outcome === "failed" || outcome === "error");
    expect(
      bad.map(({ id, findings }) => [id, findings.map(({ expected, actual }) => [expected, actual])]),
    ).toEqual([]);
    const passed = report.cases.filter(({ outcome }) => outcome === "passed").map(({ id }) => id);
    for (const id of ["orders-230-", "orders-237-", "matching-010-", "matching-030-", "market-buy-060-"])
      expect(passed.filter((one) => one.startsWith(id))).not.toEqual([]);
    const prices = gateway.desk.orders.flatMap(({ price, product }) =>
      product.id === "LTC-BTC" ? (price ?? []) : [],
    );
    expect(new Set(prices).size).toBeGreaterThan(7);
  });
});
