import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { conform } from "./conform.ts";
import type { ConvictionGoal } from "./runner/judge/conviction-stop.ts";
import type { Defect } from "./testing/faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "./testing/faulty-gateway/gateway.ts";
import { readOnce } from "./testing/read-once.ts";

let gateway: FaultyGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

async function runAt(
  defects: readonly Defect[],
  end: { readonly stopAtConviction?: ConvictionGoal; readonly bail?: boolean },
) {
  gateway = await startFaultyGateway(defects);
  const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "gateway.yaml");
  await writeFile(profile, gateway.profile);
  const { environment } = gateway;
  const order: string[] = [];
  const onRow = ({ id }: { id: string }) => void order.push(id);
  const only = ["auth-010*", "auth-1*", "claims-0*"];
  const read = await readOnce({ profile, environment });
  const report = await conform({ ...read, level: "core", only, seed: 3, onRow, ...end });
  return { report, order };
}

describe("a run that ends at its conviction", () => {
  it("begins with the cases of the clauses, says why it ended, and judges nothing that it did not run", async () => {
    const { report, order } = await runAt(["claims-not-looked-at"], {
      stopAtConviction: { clauses: ["CLM-01"], warned: [], until: "one" },
    });
    expect(order[0]).toMatch(/^claims-/);
    expect(report.verdict).toBe("NON_CONFORMANT");
    expect(report.reason).toContain("the run was ended at its conviction of CLM-01");
    expect(report.rules.interrupted).toBe(true);
    const unrun = report.cases.filter(({ outcome }) => outcome === "filtered");
    expect(unrun.map(({ reason }) => reason)).toContain("the run was ended at its conviction of CLM-01");
    expect(report.clauses.find(({ id }) => id === "AUTH-24")?.outcome).not.toBe("satisfied");
  });

  it("runs to its end where nothing speaks against one of the clauses", async () => {
    const { report } = await runAt(["claims-not-looked-at"], {
      stopAtConviction: { clauses: ["AUTH-24", "CLM-01"], warned: ["AUTH-24"], until: "all" },
    });
    expect(report.reason).not.toContain("ended");
    expect(report.rules.interrupted).toBe(false);
    expect(report.clauses.find(({ id }) => id === "CLM-01")?.outcome).toBe("violated");
    expect(report.clauses.find(({ id }) => id === "AUTH-24")?.outcome).toBe("satisfied");
  });
});

describe("a run that ends at its first failure", () => {
  it("runs no further case, and says so", async () => {
    const { report } = await runAt(["claims-not-looked-at"], { bail: true });
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
    expect(report.reason).toContain("the run was ended at its first failure (--bail)");
    const unrun = report.cases.filter(({ reason }) => reason?.includes("--bail") === true);
    expect(unrun.length).toBeGreaterThan(0);
  });

  it("goes to its end where nothing fails", async () => {
    const { report } = await runAt([], { bail: true });
    expect(report.reason).not.toContain("ended");
  });
});

describe("the shards of a run on this machine", () => {
  it("try each property once, after their cases; P-34 watches all of them", async () => {
    gateway = await startFaultyGateway();
    const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "gateway.yaml");
    await writeFile(profile, gateway.profile);
    const { environment } = gateway;
    const read = await readOnce({ profile, environment });
    // The properties follow the suite, however long it is.
    const suite = { ...read.read.suite, scenarios: read.read.suite.scenarios.slice(0, 10) };
    const short = { ...read.read, suite };
    const common = { ...read, read: short, seed: 3, runs: 1, properties: "auto" } as const;
    // Tables are ordinary properties, but slow.
    const skip = ["P-4*", "P-5*"];
    const propertiesOf = async (index: number): Promise<string[]> => {
      const { cases } = await conform({ ...common, skip, shard: { index, count: 2 } });
      return cases.flatMap(({ id, outcome }) => (/^P-\d\d$/.test(id) && outcome !== "filtered" ? [id] : []));
    };
    const [one, two] = [await propertiesOf(1), await propertiesOf(2)];
    expect(one).toContain("P-34");
    expect(two).toContain("P-34");
    const all = [...one, ...two.filter((id) => id !== "P-34")];
    expect(all.length).toBeGreaterThan(15);
    expect(new Set(all).size).toBe(all.length);
  });
});
