import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConformOptions, conform } from "./conform.ts";
import { mergeReportFiles } from "./merge-reports.ts";
import { UsageError } from "./model/position.ts";
import type { Report, ReportedCase } from "./report/report.ts";
import type { Defect } from "./testing/faulty-gateway/defects.ts";
import { startFaultyGateway } from "./testing/faulty-gateway/gateway.ts";
import { readOnce } from "./testing/read-once.ts";

const scenarios = [fileURLToPath(new URL("testing/scenarios", import.meta.url))];
let folder = "";
let whole: Report;
let shards: Report[] = [];

async function runAll(defects: readonly Defect[] = []): Promise<{ whole: Report; shards: Report[] }> {
  const stub = await startFaultyGateway(defects);
  const file = join(folder, "stub.yaml");
  await writeFile(
    file,
    `kit: 1
name: stub
baseUrl: ${stub.baseUrl}
safety: { products: { BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001' } } }
credentials: { trader: { keyId: '\${env:STUB_KEY}', secret: '\${env:STUB_SECRET}' } }
`,
  );
  const environment = { STUB_KEY: stub.keyId, STUB_SECRET: stub.secret };
  const run = async (options: Partial<ConformOptions>) =>
    conform(await readOnce({ profile: file, environment, scenarios, seed: 1, ...options }));
  try {
    const parts: Report[] = [];
    for (const index of [1, 2, 3]) parts.push(await run({ shard: { index, count: 3 } }));
    return { whole: await run({}), shards: parts };
  } finally {
    await stub.close();
  }
}

async function merged(...reports: readonly Report[]): Promise<Report> {
  const files = await Promise.all(
    reports.map(async (report, index) => {
      const file = join(folder, `${index}.json`);
      await writeFile(file, JSON.stringify(report));
      return file;
    }),
  );
  return (await mergeReportFiles(files)).report;
}

const [one, two, three] = [0, 1, 2].map((index) => () => shards[index] as Report) as [
  () => Report,
  () => Report,
  () => Report,
];
const judged = ({ verdict, exitCode, reason, summary, clauses, cases, exercised }: Report) => ({
  verdict,
  exitCode,
  reason,
  counted: [summary.cases, summary.clauses, summary.claimed],
  clauses,
  cases: cases.map(({ id, outcome, findings }) => ({ id, outcome, findings })),
  exercised,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  ({ whole, shards } = await runAll());
});

afterAll(() => {
  shards = [];
});

describe("a shard", () => {
  it("is incomplete alone, and gives its number and the reason", () => {
    expect(one()).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 3,
      shard: { index: 1, count: 3 },
      reason: "this is shard 1 of 3: join the reports of all of them with gatewright merge",
    });
  });

  it("without a seed is refused at once, because no merge would take it", async () => {
    const asked = { target: "http://127.0.0.1:1/api/v1/trading", keyId: "k", secret: "s", scenarios };
    const run = conform({ ...asked, shard: { index: 1, count: 2 } });
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toThrow("shard 1/2 has no seed: give all shards of the run the same --seed");
  });
});

describe("merged shards", () => {
  it("give the result of one run, in any order", async () => {
    expect(judged(await merged(three(), one(), two()))).toEqual(judged(whole));
  });

  it("report that the target could not be judged if a shard reports that", async () => {
    const down = { ...two(), exitCode: 4, reason: "the target does not answer" };
    expect(await merged(one(), down, three())).toMatchObject({ exitCode: 4, reason: down.reason });
  });

  it("have one name for all of them", async () => {
    const report = await merged(one(), two(), three());
    expect(report.shard).toBeUndefined();
    const sum = [one(), two(), three()].reduce((total, { summary }) => total + summary.requests, 0);
    expect(report.summary.requests).toBe(sum);
  });

  it("have the properties of all shards, each with the worst that was seen of it", async () => {
    const property = (id: string, outcome: "passed" | "failed") => ({
      ...(one().cases[0] as ReportedCase),
      id,
      outcome,
    });
    const report = await merged(
      { ...one(), cases: [...one().cases, property("P-01", "passed"), property("P-34", "passed")] },
      { ...two(), cases: [...two().cases, property("P-34", "failed")] },
      { ...three(), cases: [...three().cases, property("P-02", "passed"), property("P-34", "passed")] },
    );
    const found = report.cases
      .filter(({ id }) => id.startsWith("P-"))
      .map(({ id, outcome }) => [id, outcome]);
    expect(found).toEqual([
      ["P-01", "passed"],
      ["P-34", "failed"],
      ["P-02", "passed"],
    ]);
  });

  it("convict with one of them", async () => {
    const defective = await runAll(["ignores-nonce"]);
    const report = await merged(...defective.shards);
    expect(defective.whole.verdict).toBe("NON_CONFORMANT");
    expect(judged(report)).toEqual(judged(defective.whole));
  });
});

describe("reports that do not belong together", () => {
  const refused: readonly (readonly [string, () => readonly Report[], RegExp])[] = [
    ["a missing shard", () => [one(), three()], /1 of 3 shards are missing: run conform --shard 2\/3/],
    [
      "a shard given twice",
      () => [one(), two(), two(), three()],
      /shard 2\/3 is there twice: .* and .*; give each once/,
    ],
    [
      "another seed",
      () => [one(), { ...two(), seed: 2 }, three()],
      /the seed of .* is 1, that of .* is 2; give all/,
    ],
    [
      "another level",
      () => [one(), { ...two(), level: "full" }, three()],
      /the level .* is core, .* is full/,
    ],
    ["another kit", () => [one(), { ...two(), kit: "9.9.9" }, three()], /the kit version .* is 9\.9\.9/],
    [
      "another suite",
      () => [one(), { ...two(), suite: { ...two().suite, suite: "sha256:00" } }, three()],
      /the suite of .*; run all shards with the same scenario files/,
    ],
    [
      "another target",
      () => [one(), { ...two(), target: { ...two().target, name: "other" } }, three()],
      /the target .* is other at this machine; point all/,
    ],
    [
      "another split",
      () => [one(), { ...two(), shard: { index: 2, count: 4 } }, three()],
      /the number of shards .* is 3, .* is 4/,
    ],
    ["the report of a whole run", () => [whole], /is the report of a whole run/],
  ];
  it.each(refused)("are refused with advice: %s", async (_, given, message) => {
    const error: unknown = await merged(...given()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(message);
  });
});
