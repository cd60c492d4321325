import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conform } from "../conform.ts";
import { packageRoot } from "../package-root.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";

/**
 * The adapter in a foreign project, with its own vitest, that finds `gatewright/vitest`
 * through the exports of the package.
 */
const root = packageRoot();
const scenarios = join(root, "conformance", "testing", "scenarios");
let folder = "";
let outcomes: readonly FileOutcome[] = [];
let right: FaultyGateway | undefined;
let wrong: FaultyGateway | undefined;
afterAll(async () => {
  await right?.close();
  await wrong?.close();
});

beforeAll(async () => {
  // The package's exports lead into dist, so it is brought up to date first.
  const setup = spawnSync(process.execPath, [join(root, "tools", "setup.mjs")], { encoding: "utf8" });
  if (setup.status !== 0) throw new Error(`the build failed: ${setup.stderr}`);
  folder = mkdtempSync(join(tmpdir(), "gatewright-consumer-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "gatewright"), "junction");
  symlinkSync(join(root, "node_modules", "vitest"), join(folder, "node_modules", "vitest"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "type": "module" }\n');
  right = await startFaultyGateway();
  wrong = await startFaultyGateway(["ignores-nonce", "status-code-not-echoed"]);
  for (const [name, { baseUrl, keyId }] of Object.entries({ right, wrong })) {
    const test = [
      'import { describeConformance } from "gatewright/vitest";',
      "describeConformance({",
      `  target: "${baseUrl}", keyId: "${keyId}", secret: process.env.${name}_SECRET,`,
      `  scenarios: [${JSON.stringify(scenarios)}], seed: 1,`,
      "});",
    ];
    writeFileSync(join(folder, `${name}.test.js`), `${test.join("\n")}\n`);
  }
  outcomes = await runConsumer();
});

interface Outcome {
  readonly status: string;
  readonly title: string;
  readonly failureMessages: readonly string[];
}

interface FileOutcome {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly Outcome[];
}

/** The outcome of each file of one start, which tests a gateway without a fault and one with two. */
async function runConsumer(): Promise<readonly FileOutcome[]> {
  const environment = { ...process.env, right_SECRET: right?.secret, wrong_SECRET: wrong?.secret };
  const vitest = join(folder, "node_modules", "vitest", "vitest.mjs");
  const results = join(folder, "results.json");
  const args = [
    vitest,
    "run",
    "--root",
    folder,
    "--reporter=json",
    `--outputFile=${results}`,
    "--no-isolate",
    "--maxWorkers=1",
  ];
  const child = spawn(process.execPath, args, { cwd: folder, env: environment, stdio: "ignore" });
  // One of the two gateways fails.
  expect(await new Promise<number | null>((resolve) => child.once("close", resolve))).toBe(1);
  return (JSON.parse(readFileSync(results, "utf8")) as { testResults: FileOutcome[] }).testResults;
}

function outcomesOf(gateway: "right" | "wrong"): { status: string; tests: readonly Outcome[] } {
  const found = outcomes.find(({ name }) => name.endsWith(`${gateway}.test.js`));
  if (found === undefined) throw new Error(`there was no file for the gateway that is ${gateway}`);
  return { status: found.status, tests: found.assertionResults };
}

describe("describeConformance in a project of its own", () => {
  it("has a test for each case row, skips what is blocked, and fails for no fault", async () => {
    const { status, tests } = outcomesOf("right");
    const of = (title: string) => tests.find((test) => test.title === title)?.status;
    expect(of("stub-nonce")).toBe("passed");
    expect(of("stub-auth[wrong-secret]")).toBe("passed");
    // The price is not stated anywhere, so this case could not run.
    expect(of("stub-place-and-replay")).toMatch(/pending|skipped/);
    expect(tests.some(({ status }) => status === "failed")).toBe(false);
    expect(status).toBe("passed");
  });

  it("fails the test of a case with what was expected and found, and the verdict", async () => {
    const { status, tests } = outcomesOf("wrong");
    const failed = tests.filter(({ status }) => status === "failed");
    expect(failed.map(({ title }) => title)).toContain("stub-nonce");
    const nonce = failed.find(({ title }) => title === "stub-nonce")?.failureMessages.join("\n");
    expect(nonce).toMatch(/status: expected 4xx, was 200 \(AUTH-26.*step replayed, .*nonce\.yaml:\d+/);
    const verdict = failed.find(({ title }) => title.startsWith("the verdict"))?.failureMessages.join("\n");
    expect(verdict).toMatch(/NON_CONFORMANT[\s\S]*ENV-03 on \d+ replies/);
    expect(status).toBe("failed");
  });
});

describe("conform in a program", () => {
  it("tells each row as it is done and ends early when it is asked to", async () => {
    const stub = right;
    if (stub === undefined) throw new Error("there is no gateway");
    const abort = new AbortController();
    const seen: string[] = [];
    const report = await conform({
      target: stub.baseUrl,
      keyId: stub.keyId,
      secret: stub.secret,
      scenarios: [scenarios],
      signal: abort.signal,
      onRow: ({ id }) => {
        seen.push(id);
        abort.abort();
      },
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(report.cases.length);
    expect(report).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3, reason: "the run was interrupted" });
  });
});
