import { expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { isList, isMap, textsIn, type Value, type ValueMap } from "../model/value.ts";
import { profileOf } from "../run-input.ts";
import { Market } from "../runner/prepare/market.ts";
import { profile as foreign } from "../testing/foreign-gateway/profile.ts";
import { allProperties } from "./all-properties.ts";
import { bundlesOf, inPairs } from "./table.ts";

/** A step that can go wrong and names no clause would be charged to all clauses of its table. */
function unaccountable(step: Value): ValueMap[] {
  if (isList(step)) return step.flatMap(unaccountable);
  if (!isMap(step)) return [];
  const inner = ["concurrent", "repeat", "group"].flatMap((name) => {
    const block = step[name];
    return isMap(block) ? unaccountable([block["branches"] ?? [], block["steps"] ?? []]) : [];
  });
  const ws = isMap(step["ws"]) ? step["ws"] : {};
  const judges =
    ["expect", "should", "poll", "never", "check", "assert"].some((name) => step[name] !== undefined) ||
    ["expect", "until", "none", "subscribe"].some((name) => ws[name] !== undefined);
  const texts = textsIn([step["spec"] ?? [], step["expect"] ?? {}]);
  const blames = texts.some((text) => /^[A-Z]{3,4}-\d\d$/.test(text));
  return [...inner, ...(judges && !blames && step["onFail"] !== "block" ? [step] : [])];
}

it("a step of a table that can go wrong says which clause that breaks, or blocks the plan", async () => {
  const profile = await profileOf(foreign({ origin: "127.0.0.1:9" }));
  const book = { bids: ["0.0015", "0.0014"], asks: ["0.0017", "0.0018"] };
  const books = new Map(Object.keys(profile.safety.products).map((id) => [id, book]));
  const situation = { profile, market: new Market(profile, [], books) };
  const tables = allProperties
    .map((property) => (triesAll ? property : inPairs(property)))
    .flatMap(({ table }) => table ?? [])
    .filter(({ spec }) => spec.length > 1);
  const steps = tables.flatMap((table) => {
    const bundles = bundlesOf(table, situation);
    expect(bundles.flat().length, table.id).toBeGreaterThan(triesAll ? 10 : 5);
    return bundles
      .map((all) => table.plan(all[0] ?? {}, situation, all))
      .flatMap((plan) => unaccountable([...plan.steps]))
      .map((step) => `${table.id} ${String(step["id"])}`);
  });
  expect([...new Set(steps)]).toEqual([]);
});
