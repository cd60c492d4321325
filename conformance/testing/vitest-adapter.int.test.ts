import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conform } from "../conform.ts";
import { packageRoot } from "../package-root.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";

/**
 * The adapter in a foreign project, with its own vitest, that finds `gatewright/vitest`
 * through the exports of the package.
 */
const root = packageRoot();
const scenarios = join(root, "conformance", "testing", "scenarios");
let folder = "";

beforeAll(() => {
  // The package's exports lead into dist, so it is brought up to date first.
  const setup = spawnSync(process.execPath, [join(root, "tools", "setup.mjs")], { encoding: "utf8" });
  if (setup.status !== 0) throw new Error(`the build failed: ${setup.stderr}`);
  folder = mkdtempSync(join(tmpdir(), "gatewright-consumer-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "gatewright"), "junction");
  symlinkSync(join(root, "node_modules", "vitest"), join(folder, "node_modules", "vitest"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "type": "module" }\n');
  const test = [
    'import { describeConformance } from "gatewright/vitest";',
    "describeConformance({",
    "  target: process.env.GATEWAY, keyId: process.env.GATEWAY_KEY, secret: process.env.GATEWAY_SECRET,",
    "  scenarios: [process.env.SCENARIOS], seed: 1,",
    "});",
  ];
  writeFileSync(join(folder, "gateway.test.js"), `${test.join("\n")}\n`);
});

interface Outcome {
  readonly status: string;
  readonly title: string;
  readonly failureMessages: readonly string[];
}

let stub: FaultyGateway | undefined;
afterAll(async () => stub?.close());

async function runConsumer(defects: readonly Defect[]): Promise<{ code: number | null; tests: Outcome[] }> {
  await stub?.close();
  stub = await startFaultyGateway(defects);
  const environment = {
    ...process.env,
    GATEWAY: stub.baseUrl,
    GATEWAY_KEY: stub.keyId,
    GATEWAY_SECRET: stub.secret,
    SCENARIOS: scenarios,
  };
  const vitest = join(folder, "node_modules", "vitest", "vitest.mjs");
  const results = join(folder, "results.json");
  const args = [vitest, "run", "--root", folder, "--reporter=json", `--outputFile=${results}`];
  const child = spawn(process.execPath, args, { cwd: folder, env: environment, stdio: "ignore" });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const { testResults } = JSON.parse(readFileSync(results, "utf8")) as {
    testResults: { assertionResults: Outcome[] }[];
  };
  return { code, tests: testResults.flatMap(({ assertionResults }) => assertionResults) };
}

describe("describeConformance in a project of its own", () => {
  it("has a test for each case row, skips what is blocked, and fails for no fault", async () => {
    const { code, tests } = await runConsumer([]);
    const of = (title: string) => tests.find((test) => test.title === title)?.status;
    expect(of("stub-nonce")).toBe("passed");
    expect(of("stub-auth[wrong-secret]")).toBe("passed");
    // The price is not stated anywhere, so this case could not run.
    expect(of("stub-place-and-replay")).toMatch(/pending|skipped/);
    expect(tests.some(({ status }) => status === "failed")).toBe(false);
    expect(code).toBe(0);
  });

  it("fails the test of a case with what was expected and found, and the verdict", async () => {
    const { code, tests } = await runConsumer(["ignores-nonce", "status-code-not-echoed"]);
    const failed = tests.filter(({ status }) => status === "failed");
    expect(failed.map(({ title }) => title)).toContain("stub-nonce");
    const nonce = failed.find(({ title }) => title === "stub-nonce")?.failureMessages.join("\n");
    expect(nonce).toMatch(/status: expected 4xx, was 200 \(AUTH-26.*step replayed, .*nonce\.yaml:\d+/);
    const verdict = failed.find(({ title }) => title.startsWith("the verdict"))?.failureMessages.join("\n");
    expect(verdict).toMatch(/NON_CONFORMANT[\s\S]*ENV-03 on \d+ replies/);
    expect(code).toBe(1);
  });
});

describe("conform in a program", () => {
  it("tells each row as it is done and ends early when it is asked to", async () => {
    await stub?.close();
    stub = await startFaultyGateway();
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
