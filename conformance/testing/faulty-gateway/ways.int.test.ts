import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sampled, triesAll } from "../../../tools/sampled.ts";
import { conform } from "../../conform.ts";
import { readOnce } from "../read-once.ts";
import type { Way } from "./defects.ts";
import { startFaultyGateway } from "./gateway.ts";

/** Ways in which gateways differ and in which none of them is wrong: no finding, not even a warning, at level full. */
const ofOrders = ["orders*", "matching*", "market-buy*", "idempotency*", "P-17", "P-29", "P-52"];
/** Of each alone; with both, all of them are tried. */
const ofTrades = triesAll
  ? ["orders*", "matching*"]
  : ["orders-20*", "orders-21*", "orders-22*", "orders-23*", "matching-01*", "matching-07*"];
/** What is legal and called wrong shows in any run of a property. */
const fewer = triesAll ? {} : { runs: 2 };
const ofFees = [
  "market-buy-03*",
  "market-buy-04*",
  "market-buy-05*",
  "market-buy-06*",
  "P-20",
  "P-21",
  "P-43",
];

async function run(ways: readonly Way[], only: readonly string[]) {
  const gateway = await startFaultyGateway([], ways);
  try {
    const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "ways.yaml");
    await writeFile(profile, gateway.profile);
    const { environment } = gateway;
    return await conform(await readOnce({ profile, environment, level: "full", seed: 7, only, ...fewer }));
  } finally {
    await gateway.close();
  }
}

const gateways: readonly (readonly [string, readonly Way[], readonly string[]])[] = [
  ["shows, lists and ends orders a little later", ["reads-late"], ofTrades],
  ["confirms cancels later than it accepts them", ["cancels-later"], ofTrades],
  ["shows, lists, cancels and ends orders a little later", ["reads-late", "cancels-later"], ofOrders],
  ["takes the fees of a MARKET BUY out of its value", ["fees-inside"], ofFees],
  ["takes them on top, and says so", ["fees-on-top"], ofFees],
  ["takes them out of what was bought, and says so", ["fees-from-base"], ofFees],
];

it.concurrent.each(sampled(3, gateways))("a gateway that %s is not called wrong", async (_, ways, only) => {
  const { cases, ambient, summary } = await run(ways, only);
  const bad = cases.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome));
  expect(bad.map(({ id, findings }) => [id, findings.map(({ actual }) => actual)])).toEqual([]);
  expect(ambient).toEqual([]);
  expect(summary.cases.passed).toBeGreaterThan(only === ofFees || !triesAll ? 15 : 100);
});

it("a gateway that shows a stop order without its trigger is warned about, and not convicted", async () => {
  const { cases, clauses } = await run(["hides-triggers"], ["orders-020*"]);
  expect(cases.filter(({ outcome }) => outcome === "warned")).toHaveLength(2);
  expect(
    clauses.flatMap(({ id, outcome }) =>
      outcome === "warned" || outcome === "violated" ? [[id, outcome]] : [],
    ),
  ).toEqual([["ORD-46", "warned"]]);
});
