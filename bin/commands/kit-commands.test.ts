import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Defect } from "../../conformance/testing/faulty-gateway/defects.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { type FaultyGateway, startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { failureOf } from "../command-failure.ts";
import { register as registerConform } from "./conform.ts";
import { register as registerDiff } from "./diff.ts";
import { register as registerExplain } from "./explain.ts";
import { register as registerLint } from "./lint.ts";
import { register as registerList } from "./list.ts";
import { register as registerPlan } from "./plan.ts";
import { register as registerSign } from "./sign.ts";

const scenarios = new URL("../../conformance/testing/scenarios", import.meta.url).pathname;
let stub: FaultyGateway | undefined;
let output = "";

beforeEach(() => {
  output = "";
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  vi.stubEnv("STUB_SECRET", "trader-secret-for-tests-only");
});
afterEach(async () => {
  process.exitCode = undefined;
  await stub?.close();
  stub = undefined;
});

/** Runs one command as the program would and says with which code it ends. */
async function run(register: (program: Command) => void, ...args: string[]): Promise<number> {
  const program = new Command().exitOverride();
  register(program);
  try {
    await program.parseAsync(["node", "gatewright", ...args]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    output += failure.said;
    return failure.code;
  }
}

async function conform(defects: readonly Defect[], ...args: string[]): Promise<number> {
  stub = await startFaultyGateway(defects);
  const target = ["--target", stub.baseUrl, "--key-id", stub.keyId, "--secret-env", "STUB_SECRET"];
  return run(registerConform, "conform", ...target, "--scenarios", scenarios, "--seed", "1", ...args);
}

describe("gatewright plan", () => {
  it("says each reason once, with the number of cases that it keeps from running", async () => {
    const target = [
      "--target",
      "http://127.0.0.1:9/api/v1/trading",
      "--key-id",
      "k",
      "--secret-env",
      "STUB_SECRET",
    ];
    expect(await run(registerPlan, "plan", ...target, "--level", "full")).toBe(0);
    const kept = output.split("\n").filter((line) => /^(?:BLOCKED|NOT APPLICABLE) /.test(line));
    const counts = kept.map((line) => Number(/ (\d+) × /.exec(line)?.[1]));
    expect(counts[0]).toBeGreaterThan(10);
    expect(kept.join("\n")).toMatch(
      /BLOCKED \d+ × cancelOrder is not mapped: .* \(\S+, \S+, \S+ and \d+ more\)/,
    );
    const [, blocked] = /cases run, (\d+) blocked/.exec(output) ?? [];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(blocked));
  });
});

describe("gatewright conform", () => {
  it("ends with 3 when nothing failed and a scenario of one's own could not run, and says why", async () => {
    expect(await conform([])).toBe(3);
    expect(output).toContain("INCOMPLETE own scenarios against 127.0.0.1");
    expect(output).toMatch(/BLOCKED 2 × .*no far price of BTC-USD is known/);
    expect(output).not.toContain("required clauses have no case in this run");
  });

  it("ends with 1 and shows expected, was, where and the clause", async () => {
    expect(await conform(["ignores-nonce"])).toBe(1);
    expect(output).toContain("FAILED  AUTH-26  ");
    expect(output).toContain("        stub-nonce: The same bytes");
    expect(output).toMatch(
      /expected status: 4xx\n\s+was {6}200\n\s+where {4}\S*nonce\.yaml:11:5 · step replayed · GET \/api/,
    );
    expect(output).toMatch(/again {4}gatewright conform --target \S+ .* --only 'stub-nonce' --seed 1\n/);
  });

  it("ends with 2 before anything is sent for bad flags, filters and scenarios", async () => {
    expect(await conform([], "--only", "no-such-case")).toBe(2);
    expect(await conform([], "--report", "xml=x")).toBe(2);
    expect(output).toContain("--report expects FORMAT=FILE with a format of json, ndjson, junit, html, tap");
    expect(await conform([], "--report", "htlm=x")).toBe(2);
    expect(output).toContain('did you mean "html"?');
    expect(await run(registerConform, "conform")).toBe(2);
    expect(stub?.requests()).toBe(0);
  });

  it("ends with 4 when the target is not there or refuses the first signed request", async () => {
    const target = [
      "--target",
      "http://127.0.0.1:9/api/v1/trading",
      "--key-id",
      "k",
      "--secret-env",
      "STUB_SECRET",
    ];
    expect(await run(registerConform, "conform", ...target, "--scenarios", scenarios)).toBe(4);
    expect(output).toContain("does not answer");
    expect(await conform(["signs-relative-path"])).toBe(4);
    expect(output).toContain("if the path is signed without");
  });

  it("ends with 5 for a host that is not allowed", async () => {
    const target = [
      "--target",
      "https://gw.example/api/v1/trading",
      "--key-id",
      "k",
      "--secret-env",
      "STUB_SECRET",
    ];
    expect(await run(registerConform, "conform", ...target, "--scenarios", scenarios)).toBe(5);
  });

  it("writes the report that the exit code was made from, without the secret", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "report.json");
    const code = await conform(["echoes-secret"], "--report", `json=${file}`);
    const text = await readFile(file, "utf8");
    const report = JSON.parse(text) as {
      exitCode: number;
      verdict: string;
      summary: { cases: object };
      clauses: object[];
      cases: object[];
    };
    expect(report.exitCode).toBe(code);
    expect(Object.keys(report.summary.cases)).toEqual([
      "passed",
      "failed",
      "warned",
      "blocked",
      "notApplicable",
      "filtered",
      "error",
    ]);
    expect(report.clauses[0]).toMatchObject({ id: "GEN-01", level: "required" });
    expect(report.cases[0]).toHaveProperty("outcome");
    expect(text).not.toContain("trader-secret-for-tests-only");
  });
});

describe("the reports of gatewright conform", () => {
  it("end with 6 when one cannot be written, after the verdict and the others", async () => {
    const tap = join(await mkdtemp(join(tmpdir(), "gatewright-")), "report.tap");
    const reports = ["--report", "json=/dev/full", "--report", `tap=${tap}`];
    expect(await conform(["ignores-nonce"], ...reports)).toBe(6);
    expect(output).toMatch(/NON_CONFORMANT own scenarios.*\n[^]*cannot be written: the disk is full/);
    expect(output).toContain(
      "The verdict is above: NON_CONFORMANT. Without this error the exit code would have been 1.",
    );
    expect(await readFile(tap, "utf8")).toMatch(/^TAP version 14\n/);
  });

  it("are joined by workflow commands in GitHub Actions, or when asked for", async () => {
    vi.stubEnv("GITHUB_ACTIONS", "");
    expect(await conform(["ignores-nonce"])).toBe(1);
    expect(output).not.toContain("::error");
    await stub?.close();
    vi.stubEnv("GITHUB_ACTIONS", "true");
    expect(await conform(["ignores-nonce"])).toBe(1);
    expect(output).toMatch(/^::error file=\S*nonce\.yaml,line=11,col=5,title=AUTH-26 /m);
  });

  it("are compared by diff: 0 when nothing got worse, 1 when something did, 2 for what is no report", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    const [good, bad] = [join(folder, "good.json"), join(folder, "bad.ndjson")];
    await conform([], "--report", `json=${good}`);
    await stub?.close();
    await conform(["ignores-nonce"], "--report", `ndjson=${bad}`);
    expect(await run(registerDiff, "diff", good, bad)).toBe(1);
    expect(output).toContain("FAILING  stub-nonce: passed → failed");
    process.exitCode = undefined;
    expect(await run(registerDiff, "diff", bad, good)).toBe(0);
    expect(output).toContain("FIXED    stub-nonce: failed → passed");
    const text = await readFile(bad, "utf8");
    await writeFile(bad, text.slice(0, text.lastIndexOf('{"line":"footer"')));
    expect(await run(registerDiff, "diff", good, bad)).toBe(2);
    expect(output).toMatch(/bad\.ndjson is not a report: the footer is missing/);
  });
});

describe("gatewright lint, list, explain, sign", () => {
  it("lint ends with 0 for good files and with 2 and the place for bad ones", async () => {
    expect(await run(registerLint, "lint", scenarios)).toBe(0);
    expect(output).toContain("no problems");
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "bad.yaml");
    await writeFile(file, "kit: 1\nid: x\ntitel: T\n");
    expect(await run(registerLint, "lint", file)).toBe(2);
    expect(output).toContain('bad.yaml:3:1: unknown key "titel"');
    expect(output).toContain('did you mean "title"?');
  });

  it("list shows every row", async () => {
    expect(await run(registerList, "list", "--scenarios", scenarios)).toBe(0);
    expect(output).toContain("stub-auth[wrong-secret]  read  AUTH-06");
  });

  it("explain shows statement, level and cases, and suggests a clause that exists", async () => {
    expect(await run(registerExplain, "explain", "AUTH-26", "--scenarios", scenarios)).toBe(0);
    expect(output).toMatch(/^AUTH-26 \(required, certificate core\)/);
    expect(output).toContain("stub-nonce");
    expect(await run(registerExplain, "explain", "AUTH-999", "--scenarios", scenarios)).toBe(2);
  });

  it.each(["3f2504e0-4f89-41d3-9a0c-0305e82c3301", "req-00000012"])(
    "explain names why for %s, which is of an order or a request",
    async (id) => {
      expect(await run(registerExplain, "explain", id)).toBe(2);
      expect(output).toContain(`did you mean "gatewright why ${id}"?`);
    },
  );

  it("sign prints the published vector", async () => {
    vi.stubEnv("VECTOR_SECRET", "local-secret-do-not-use-in-production");
    const code = await run(
      registerSign,
      "sign",
      "--method",
      "get",
      "--path",
      "/api/v1/trading/order/open?product=BTC-USD",
      "--key-id",
      "kid_local_trader",
      "--secret-env",
      "VECTOR_SECRET",
      "--timestamp",
      "1767225600000",
      "--nonce",
      "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
    );
    expect(code).toBe(0);
    expect(output).toContain(
      "X-API-SIGNATURE: 3d8500ab37f515964e7b1fb64aea699d1bee5546a66ec8a6d8dc3dd13303d568",
    );
    expect(output).toContain(
      "curl --noproxy '*' -X GET 'http://127.0.0.1:8080/api/v1/trading/order/open?product=BTC-USD'",
    );
    expect(output).not.toContain("local-secret");
  });
});
