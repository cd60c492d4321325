import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ConformOptions, conform } from "../conform.ts";
import { propertyRows } from "../property-phase.ts";
import type { Report } from "../report/report.ts";
import type { Market } from "../runner/prepare/market.ts";
import type { Session } from "../runner/session.ts";
import type { Defect, Wrong } from "../testing/faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "../testing/faulty-gateway/gateway.ts";
import { readOnce } from "../testing/read-once.ts";
import { phaseLimits } from "./phase-limits.ts";

/** A machine that is not ours, by what its profile says: behind a tunnel its address is this machine's. */
const anyScenario = fileURLToPath(new URL("../testing/scenarios/auth.yaml", import.meta.url));
const gateways: FaultyGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

const generous = `kind: staging
safety:
  allow: trades
  budget: { requests: 5000, orders: 500, openOrders: 50, rps: 1000, concurrency: 16 }
  notional: { USD: '100000000' }`;

async function start(defects: readonly Defect[] | Wrong = []): Promise<FaultyGateway> {
  const gateway = await startFaultyGateway(defects);
  gateways.push(gateway);
  return gateway;
}

async function check(gateway: FaultyGateway, options: Partial<ConformOptions>) {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const profile = join(folder, "gateway.yaml");
  await writeFile(profile, gateway.profile.replace("safety:", generous));
  const counterexamples = join(folder, "counterexamples");
  const report = await conform(
    await readOnce({
      profile,
      environment: gateway.environment,
      level: "full",
      scenarios: [anyScenario],
      properties: "only",
      counterexamples,
      seed: 1,
      ...options,
    }),
  );
  return { report, files: await readdir(counterexamples).catch(() => []) };
}

const rowOf = (report: Report, id: string) => report.cases.find((row) => row.id === id);
const share = expect.stringContaining("the properties have used their share") as string;

describe("properties of a machine that is not ours", () => {
  it("send no more than their share of requests", async () => {
    // A part of it, because each request takes its time.
    vi.spyOn(phaseLimits, "requests", "get").mockReturnValue(90);
    const gateway = await start();
    await check(gateway, { only: ["P-03"], runs: 1 });
    const around = gateway.requests() - 1;
    const { report } = await check(gateway, { only: ["P-03"], runs: 2000 });
    const sent = gateway.requests() - 1 - 2 * around;
    expect(sent).toBeLessThanOrEqual(phaseLimits.requests);
    expect(sent).toBeGreaterThan(phaseLimits.requests - 10);
    expect(rowOf(report, "P-03")).toMatchObject({ outcome: "passed" });
  });

  it("make no more than their share of orders", async () => {
    vi.spyOn(phaseLimits, "orders", "get").mockReturnValue(20);
    const gateway = await start();
    const { report } = await check(gateway, { only: ["P-16", "P-17"], runs: 500 });
    expect(rowOf(report, "P-17")).toMatchObject({ outcome: "blocked", reason: share });
    expect(gateway.orders()).toBeLessThanOrEqual(phaseLimits.orders);
    expect(gateway.orders()).toBeGreaterThan(phaseLimits.orders - 10);
  });

  it("are tried only on request", async () => {
    const session = { profile: { loopback: true, kind: "staging" } } as unknown as Session;
    const options = { properties: "auto", seed: 1, level: "full" } as const;
    expect(await propertyRows(session, {} as unknown as Market, options)).toEqual([]);
  });

  it("of claims are all tried", async () => {
    const { report } = await check(await start(), { only: ["P-42"] });
    expect(rowOf(report, "P-42")).toMatchObject({ outcome: "passed", observations: { runs: "3 of 3" } });
  });

  it("end when two plain signed requests in a row fail", async () => {
    const gateway = await start();
    let atLock = 0;
    const { report } = await check(gateway, {
      only: ["P-02", "P-03", "P-04"],
      runs: 60,
      onRow: ({ id }) => {
        if (id !== "P-02") return;
        gateway.lock();
        atLock = gateway.requests();
      },
    });
    const sick = expect.stringContaining("two plain signed requests in a row failed") as string;
    expect(rowOf(report, "P-02")).toMatchObject({ outcome: "passed" });
    expect(rowOf(report, "P-04")).toMatchObject({ outcome: "blocked", reason: sick });
    expect(gateway.requests() - atLock).toBeLessThanOrEqual(25 + 2);
  });
});

describe("a counterexample that fails one of two repetitions", () => {
  it("is unstable: a warning with a file, and no violation", async () => {
    let taken = (): number => 0;
    const forTwoOrders: Wrong = (defect) => defect === "claims-not-looked-at" && taken() < 2;
    const gateway = await start(forTwoOrders);
    taken = gateway.orders;
    const { report, files } = await check(gateway, { only: ["P-42"] });
    const row = rowOf(report, "P-42");
    expect(row).toMatchObject({
      outcome: "warned",
      reason: expect.stringMatching(
        /; unstable, seen in 1 of 2 repetitions: a warning only; .*cx-p42-/,
      ) as string,
    });
    expect(row?.findings.map(({ severity }) => severity)).toEqual(["warn"]);
    expect(files).toEqual([expect.stringMatching(/^cx-p42-.*\.yaml$/) as string]);
    expect(report.clauses.filter(({ outcome }) => outcome === "violated")).toEqual([]);
  });

  it("is a violation when it fails both", async () => {
    const { report } = await check(await start(["claims-not-looked-at"]), { only: ["P-42"] });
    expect(rowOf(report, "P-42")).toMatchObject({ outcome: "failed" });
    expect(report.clauses.find(({ id }) => id === "CLM-01")).toMatchObject({ outcome: "violated" });
  });
});
