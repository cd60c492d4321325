import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { type ConformOptions, conform } from "../conform.ts";
import type { Report } from "../report/report.ts";
import type { Defect, Way } from "./faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";

/** A gateway with the routes of the document only: placing, open orders and products. */
const gateways: FaultyGateway[] = [];
afterAll(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

async function run(
  ways: readonly Way[],
  defects: readonly Defect[] = [],
  options: Partial<ConformOptions> = {},
): Promise<{ readonly report: Report; readonly gateway: FaultyGateway }> {
  const gateway = await startFaultyGateway(defects, ["three-routes", ...ways]);
  gateways.push(gateway);
  const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "three-routes.yaml");
  await writeFile(profile, gateway.profile);
  return {
    gateway,
    report: await conform(await readOnce({ profile, environment: gateway.environment, seed: 7, ...options })),
  };
}

const problemsIn = ({ cases, ambient }: Report): string[] => [
  ...cases.flatMap(({ id, findings }) =>
    findings.flatMap(({ severity, clauses }) => (severity === "info" ? [] : [`${id} ${clauses.join(" ")}`])),
  ),
  ...ambient.map(({ clause, pointer }) => `every reply ${clause} ${pointer}`),
];
const outcomes = ({ clauses }: Report, ids: readonly string[]) =>
  clauses.flatMap(({ id, outcome }) => (ids.includes(id) ? [`${id} ${outcome}`] : []));

const ofFills = ["ORD-53", "ORD-54", "ORD-55", "ORD-56", "PLC-06", "PLC-30", "PLC-31", "STA-04", "EPT-09"];
const trading = ["P-20", "P-21"];
const ofTrading = { properties: "only", only: trading, ...(triesAll ? {} : { runs: 4 }) } as const;

describe.concurrent("a gateway with three routes", () => {
  it("is conformant, and what its orders came to is judged by repeating them", async () => {
    const { report } = await run([], [], { properties: "off" });
    expect(problemsIn(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    const judged = [...ofFills, "ORD-51", "ORD-52"];
    expect(outcomes(report, judged).filter((line) => !line.endsWith("satisfied"))).toEqual([]);
    const blocked = report.cases.filter(({ outcome }) => outcome === "blocked").map(({ id }) => id);
    expect(blocked.filter((id) => id.startsWith("market-buy"))).toEqual([]);
    // Cases about the route itself stay open.
    expect(blocked).toContain("orders-210-read-one-order");
  });

  it("keeps what the properties of fills say", async () => {
    const { report } = await run([], [], ofTrading);
    expect(problemsIn(report)).toEqual([]);
    expect(
      report.cases.flatMap(({ id, outcome }) => (id.startsWith("P-") ? [`${id} ${outcome}`] : [])),
    ).toEqual(trading.map((id) => `${id} passed`));
  });

  it.each([["p20-spends-twice-its-value", "market-buy*", "PLC-06"]] as const)(
    "is convicted when it %s, by %s",
    async (defect, only, clause) => {
      const { report } = await run([], [defect], { only: [only] });
      expect(outcomes(report, [clause])).toEqual([`${clause} violated`]);
      expect(report.exitCode).toBe(1);
    },
  );

  it("is convicted when a repeat makes a second order, and each of those is counted", async () => {
    const { report, gateway } = await run([], ["p16-repeat-makes-an-order"], { only: ["market-buy-04*"] });
    expect(outcomes(report, ["PLC-10"])).toEqual(["PLC-10 violated"]);
    expect(report.exitCode).toBe(1);
    const ended = report.cases.filter(({ outcome }) => outcome === "blocked").map(({ reason }) => reason);
    expect(ended).toContainEqual(expect.stringContaining("repeated, was answered 200, NEW_ORDER"));
    expect(report.summary.orders).toBe(gateway.orders());
    expect(gateway.orders()).toBeLessThan(12);
  });
});

describe("a gateway with three routes whose repeats show an order as it was", () => {
  it("is not called wrong; what cannot be seen is blocked, and looked for once", async () => {
    const { report, gateway } = await run(["frozen-replays"], [], { properties: "off" });
    expect(problemsIn(report)).toEqual([]);
    const blocked = report.cases.filter(({ reason }) => reason?.includes("as it was when it was placed"));
    expect(blocked.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["market-buy-040-spends-what-it-says", "orders-230-limit-order-trades"]),
    );
    expect(outcomes(report, ["PLC-06", "ORD-54"])).toEqual(["ORD-54 unverified", "PLC-06 unverified"]);
    // Clauses that the owner cannot supply do not prevent a verdict; they are listed as not tried.
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    expect(report.clauses.filter(({ notTried }) => notTried === true).map(({ id }) => id)).toEqual(
      expect.arrayContaining(["ORD-54", "PLC-06"]),
    );
    const looks = report.cases
      .flatMap(({ trace }) => trace?.exchanges ?? [])
      .filter(({ step }) => step === "repeats");
    expect(looks.length).toBeLessThan(10);
    expect(gateway.requests()).toBeLessThan(500);
    const { report: generated } = await run(["frozen-replays"], [], ofTrading);
    expect(problemsIn(generated)).toEqual([]);
    expect(generated.cases.filter(({ id }) => id.startsWith("P-")).map(({ reason }) => reason)).toEqual(
      trading.map(() => expect.stringContaining("as it was when it was placed") as string),
    );
  });
});
