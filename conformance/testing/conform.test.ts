import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type ConformOptions, conform } from "../conform.ts";
import { TargetUnusable } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import type { Report } from "../report/report.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";

const scenarios = [fileURLToPath(new URL("scenarios", import.meta.url))];
let stub: FaultyGateway | undefined;

afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

async function profileFor(gateway: FaultyGateway): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "stub.yaml");
  await writeFile(
    file,
    [
      "kit: 1",
      "name: stub",
      `baseUrl: ${gateway.baseUrl}`,
      "safety:",
      "  products:",
      "    BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001' }",
      "credentials:",
      "  trader: { keyId: '${env:STUB_KEY}', secret: '${env:STUB_SECRET}' }",
      "",
    ].join("\n"),
  );
  return file;
}

async function run(defects: readonly Defect[], options: Partial<ConformOptions> = {}): Promise<Report> {
  stub = await startFaultyGateway(defects);
  const environment = { STUB_KEY: stub.keyId, STUB_SECRET: stub.secret };
  return conform(
    await readOnce({ profile: await profileFor(stub), environment, scenarios, seed: 1, ...options }),
  );
}

const outcomeOf = (report: Report, clause: string) => report.clauses.find(({ id }) => id === clause)?.outcome;
const failing = (report: Report) =>
  report.cases.filter((row) => row.outcome === "failed").map((row) => row.id);

describe("the kit against a gateway that keeps the specification", () => {
  it("fails no case and convicts no clause, and says that all of the small suite passed", async () => {
    const report = await run([]);
    expect(report.cases.flatMap((row) => row.findings)).toEqual([]);
    expect(report.ambient).toEqual([]);
    expect(report.summary.cases).toMatchObject({
      failed: 0,
      blocked: 0,
      error: 0,
      passed: report.cases.length,
    });
    expect(report).toMatchObject({ verdict: "PASSED", exitCode: 0 });
    expect(outcomeOf(report, "PLC-16")).toBe("satisfied");
    expect(outcomeOf(report, "ORD-37")).toBe("satisfied");
  });

  it("blocks the cases that need a price if none is stated, and passes the rest", async () => {
    stub = await startFaultyGateway();
    const report = await conform({
      target: stub.baseUrl,
      keyId: stub.keyId,
      secret: stub.secret,
      scenarios,
      seed: 1,
    });
    const placing = report.cases.find((row) => row.id === "stub-place-and-replay");
    expect(placing).toMatchObject({
      outcome: "blocked",
      reason: expect.stringContaining("no far price of BTC-USD is known") as string,
    });
    expect(report.summary.cases.failed).toBe(0);
  });
});

describe("the kit against a gateway that is wrong in one way", () => {
  const convicted: readonly (readonly [Defect, string])[] = [
    ["answers-201", "EPT-04"],
    ["ignores-nonce", "AUTH-26"],
    ["accepts-any-signature", "AUTH-24"],
    ["decimals-as-numbers", "GEN-04"],
    ["p16-repeat-makes-an-order", "PLC-11"],
    ["status-code-not-echoed", "ENV-03"],
    ["missing-side-accepted", "REQ-01"],
    ["crashes-on-garbage", "ERR-09"],
  ];
  it.each(convicted)("%s violates %s", async (defect, clause) => {
    const report = await run([defect]);
    expect(outcomeOf(report, clause)).toBe("violated");
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
  });

  it("warns about errors that are not JSON without calling the target non-conformant", async () => {
    const report = await run(["html-errors"], { skip: ["stub-refusals"] });
    expect(outcomeOf(report, "ERR-10")).toBe("warned");
    expect(failing(report)).toEqual([]);
  });

  it("counts a defect of every reply once, with the number of replies", async () => {
    const report = await run(["status-code-not-echoed"]);
    const lines = report.ambient.filter((line) => line.clause === "ENV-03");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.count).toBeGreaterThan(5);
  });

  it("names the misreading when the first signed request is refused", async () => {
    await expect(run(["signs-relative-path"])).rejects.toThrow(/signed without \/api\/v1\/trading.*AUTH-16/);
    await expect(run(["signs-relative-path"])).rejects.toBeInstanceOf(TargetUnusable);
  });

  it("follows no redirect", async () => {
    const report = await run(["redirects"]);
    expect(report.exitCode).toBe(1);
  });

  it("keeps the secret out of the report that the target echoes it into", async () => {
    const report = await run(["echoes-secret"], { only: ["stub-refusals*"] });
    expect(report.summary.cases.passed).toBeGreaterThan(0);
  });
});

describe("selection", () => {
  it("never calls a selection conformant", async () => {
    const report = await run([], { only: ["stub-auth*"] });
    expect(report).toMatchObject({
      verdict: "PASSED",
      exitCode: 0,
      reason: expect.stringContaining("no level is claimed") as string,
    });
    expect(await run([], { only: ["auth-010*"], scenarios: [] })).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 3,
      reason: expect.stringContaining("selection") as string,
    });
    expect(report.summary.cases.filtered).toBeGreaterThan(0);
  });

  it("refuses a filter that matches nothing before anything is sent", async () => {
    await expect(run([], { only: ["no-such-case"] })).rejects.toBeInstanceOf(UsageError);
    expect(stub?.requests()).toBe(0);
  });
});
