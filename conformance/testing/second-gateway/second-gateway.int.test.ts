import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ConformOptions, conform } from "../../conform.ts";
import type { Report } from "../../report/report.ts";
import { type SecondGateway, type SecondGatewayOptions, startSecondGateway } from "./second-gateway.ts";

let gateway: SecondGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

/** Five lines are all that a gateway's owner has to write. */
async function profileOf({ baseUrl, keyId, secret, reader }: SecondGateway, more = ""): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "second.yaml");
  const lines = [
    "kit: 1",
    "name: second",
    `baseUrl: ${baseUrl}`,
    `safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }`,
    `credentials: { trader: { keyId: ${keyId}, secret: '${secret}' }, reader: { keyId: ${reader.keyId}, secret: '${reader.secret}' } }`,
  ];
  await writeFile(file, `${lines.join("\n")}\n${more}`);
  return file;
}

async function run(options: SecondGatewayOptions, more: Partial<ConformOptions> = {}): Promise<Report> {
  gateway = await startSecondGateway(options);
  return conform({ profile: await profileOf(gateway), seed: 7, ...more });
}

const complaints = (report: Report) => [
  ...report.cases.flatMap((row) =>
    row.findings
      .filter(({ severity }) => severity !== "info")
      .map(
        (found) =>
          `${row.id} ${found.clauses.join(" ")} ${found.pointer} ${found.expected} / ${found.actual}`,
      ),
  ),
  ...report.ambient.map(
    (line) => `every reply ${line.clause} ${line.pointer} ${line.expected} / ${line.actual}`,
  ),
];

describe("a second gateway that shares nothing with our simulator", () => {
  it("is conformant at level core with a profile of five lines", { timeout: 120_000 }, async () => {
    const report = await run({});
    expect(complaints(report)).toEqual([]);
    const open = report.clauses.filter(({ claimed, outcome }) => claimed && outcome === "unverified");
    expect(
      open.map(({ id, cases }) => [
        id,
        report.cases
          .filter((row) => cases.includes(row.id))
          .map(({ id, outcome, reason }) => [id, outcome, reason]),
      ]),
    ).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    expect(report.summary.cases).toMatchObject({ failed: 0, warned: 0, error: 0 });
    expect(report.summary.cases.passed).toBeGreaterThan(200);
    // What it lacks could not run, or is not asked for at this level; none of it is a pass and none a failure.
    const lacking = report.cases
      .filter(({ outcome }) => outcome === "blocked")
      .map(({ reason }) => reason ?? "");
    expect(lacking.length).toBeGreaterThan(5);
    expect(lacking.filter((reason) => !/profile|clock\.control|unknown|not mapped/.test(reason))).toEqual([]);
    // Without a cancel every order rests, and each is listed.
    expect(report.leftovers.map(({ id }) => id).toSorted()).toEqual(
      [...(gateway?.openIds() ?? [])].toSorted(),
    );
  });

  it("is conformant while it is busy now and then and slow, and what was asked again is counted", {
    timeout: 120_000,
  }, async () => {
    const report = await run({ busyEvery: 9, delayMs: 1 });
    expect(complaints(report)).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
    expect(report.target.notes["askedAgain"]).toMatch(/^\d+ times, 429/);
  });

  it("is conformant with warnings when its errors are no JSON, because that is only recommended", {
    timeout: 120_000,
  }, async () => {
    const report = await run({ errors: "text" });
    expect(report.cases.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(report).toMatchObject({ verdict: "CONFORMANT_WITH_WARNINGS", exitCode: 0 });
    const warned = report.clauses.filter(({ outcome }) => outcome === "warned").map(({ id }) => id);
    expect(warned).toEqual(["GEN-12", "ERR-05", "ERR-10"]);
  });
});
