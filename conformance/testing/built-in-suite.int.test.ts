import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { conform } from "../conform.ts";
import type { Report } from "../report/report.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";

/** Runs the suite that ships with the kit; the case that waits for five seconds is left out. */
async function runBuiltIn(defects: readonly Defect[] = [], only: readonly string[] = []): Promise<Report> {
  const gateway = await startFaultyGateway(defects);
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "stub.yaml");
  const profile = [
    "kit: 1",
    "name: stub",
    `baseUrl: ${gateway.baseUrl}`,
    "safety:",
    "  products:",
    "    BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001', spend: '25.00' }",
    "capabilities: { liquidity.cross: present }",
    "credentials: { trader: { keyId: '${env:STUB_KEY}', secret: '${env:STUB_SECRET}' } }",
    "",
  ];
  await writeFile(file, profile.join("\n"));
  const environment = { STUB_KEY: gateway.keyId, STUB_SECRET: gateway.secret };
  try {
    return await conform(await readOnce({ profile: file, environment, seed: 1, skip: ["auth-160*"], only }));
  } finally {
    await gateway.close();
  }
}

/** Observations are not faults. */
const isFault = ({ severity }: { readonly severity: string }): boolean => severity !== "info";

const withOutcome = (report: Report, outcome: string) =>
  report.clauses.filter((clause) => clause.outcome === outcome).map(({ id }) => id);

describe.concurrent("the built-in suite", () => {
  it("finds nothing wrong with a gateway that keeps the specification and does no more", async () => {
    const report = await runBuiltIn();
    expect(report.cases.flatMap(({ findings }) => findings).filter(isFault)).toEqual([]);
    expect(report.summary.cases).toMatchObject({ failed: 0, warned: 0, error: 0 });
    expect(report.summary.cases.passed).toBeGreaterThan(230);
  });

  it("convicts a gateway that wants the headers in an order", async () => {
    const report = await runBuiltIn(["key-has-to-come-first"], ["auth-255*"]);
    const failed = report.cases.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
    expect(failed).toEqual(["auth-255-header-order[key-last]", "auth-255-header-order[time-first]"]);
  });

  it("only warns about errors that are not JSON", async () => {
    // The cases that look at errors; the whole suite is tried in `npm run test:whole`.
    const only = triesAll ? [] : ["ERR-05", "ERR-10", "GEN-12", "AUTH-24", "PLC-02"];
    const report = await runBuiltIn(["html-errors"], only);
    expect(withOutcome(report, "warned")).toContain("ERR-10");
    expect(withOutcome(report, "violated")).toEqual([]);
  });
});
