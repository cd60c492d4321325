import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { sampled, triesAll } from "../../tools/sampled.ts";
import { suiteFrom } from "../load-suite.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import { effortOf } from "../plan/effort.ts";
import { allProperties } from "../properties/all-properties.ts";
import type { Plan, Property, Situation } from "../properties/property.ts";
import { inPairs, tuplesOf } from "../properties/table.ts";
import { scenarioOf } from "../properties/trial.ts";
import { profileOf } from "../run-input.ts";
import { Market } from "../runner/prepare/market.ts";
import { profile } from "../testing/foreign-gateway/profile.ts";

const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

async function problemsOf(vars: string, body: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-amounts-")), "case.yaml");
  const key = "client_order_id: { $uuid4: key }";
  await writeFile(
    file,
    `kit: 1\nid: x-amounts\ntitle: T\nspec: [PLC-21]\nsafety: trades\nvars: ${vars}\nsteps:\n  - call: { op: placeOrder, body: { side: BUY, type: LIMIT, ${key}, ${body} } }\n`,
  );
  const { problems } = await suiteFrom([file], reader);
  return problems.map(({ message }) => message).join("\n");
}

const liquid = "product: { $product: liquid }";
const far = "{ $price: { side: BUY, away: far, product: '${product}' } }";

describe("an order", () => {
  it.each([
    ["a quantity of the first product", `{ ${liquid} }`, `base_quantity: { $qty: typical }, price: ${far}`],
    [
      "the same in a variable",
      `{ ${liquid}, quantity: { $qty: typical } }`,
      `base_quantity: '\${quantity}', price: ${far}`,
    ],
    [
      "the same in an expression",
      `{ ${liquid}, one: { $qty: typical }, quantity: { $calc: 'one * 2' } }`,
      `base_quantity: '\${quantity}', price: ${far}`,
    ],
    ["a value to spend", `{ ${liquid} }`, "type: MARKET, quote_value: { $spend: typical }"],
    [
      "a price",
      `{ ${liquid} }`,
      "base_quantity: '1', price: { $price: { side: BUY, away: far } }, stop_price: '1'",
    ],
    [
      "a trigger",
      `{ ${liquid} }`,
      `base_quantity: '1', price: ${far}, stop_price: { $price: { side: BUY, away: far } }`,
    ],
    [
      "a quantity of another named product",
      "{ product: BTC-USD }",
      "base_quantity: { $qty: { size: typical, product: ETH-USD } }",
    ],
    ["the first product's beside a name", "{ product: BTC-USD }", "base_quantity: { $qty: typical }"],
    [
      "an amount of another product than that of a fact",
      "{ product: { $fact: limits.product } }",
      "base_quantity: { $qty: typical }",
    ],
  ])("does not load with amounts of another product: %s", async (_, vars, fields) => {
    expect(await problemsOf(vars, `product: '\${product}', ${fields.replace("type: MARKET, ", "")}`)).toMatch(
      /its \w+ is for the product .* and the order is for .*: give the amount the product/,
    );
  });

  it("loads with amounts of its own product, and without one where there is no other", async () => {
    const own = `product: '\${product}', base_quantity: { $qty: { size: typical, product: '\${product}' } }, price: ${far}`;
    expect(await problemsOf(`{ ${liquid} }`, own)).toBe("");
    const first =
      "product: { $product: tradable }, base_quantity: { $qty: typical }, price: { $price: { side: BUY, away: far } }, quote_value: { $spend: typical }";
    expect(await problemsOf("{}", first)).toBe("");
  });

  it("has amounts of its own product in every plan of every property", async () => {
    const foreign = await profileOf(profile({ origin: "127.0.0.1:9" }));
    const book = { bids: ["40.00"], asks: ["60.00"] };
    const books = new Map(Object.keys(foreign.safety.products).map((id) => [id, book]));
    const situation: Situation = { profile: foreign, market: new Market(foreign, [], books) };
    // P-46 takes the trigger of a stop from the prices of two products, and does so on this machine only.
    const properties = allProperties.filter(({ id }) => id !== "P-46").map(inPairs);
    const stray = properties.flatMap((property) =>
      plansOf(property, situation).flatMap((plan) =>
        effortOf(scenarioOf(property, plan), {}, new Map()).unsendable.map(
          ({ problem }) => `${property.id}: ${problem}`,
        ),
      ),
    );
    expect([...new Set(stray)]).toEqual([]);
  });
});

function plansOf({ table, plans }: Property, situation: Situation): readonly Plan[] {
  if (table !== undefined)
    return sampled(4, tuplesOf(table, situation)).map((tuple) => table.plan(tuple, situation, [tuple]));
  const drawn = plans(situation);
  return "length" in drawn ? drawn : fc.sample(drawn, { numRuns: triesAll ? 20 : 5, seed: 1 });
}
