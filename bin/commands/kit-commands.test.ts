/** conform, certify, verify, probe, plan, lint, list, explain, diff and sign, against a gateway with bugs on request. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Report } from "../../conformance/commands.ts";
import type { Defect } from "../../conformance/testing/faulty-gateway/defects.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { type FaultyGateway, startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

const scenarios = new URL("../../conformance/testing/scenarios", import.meta.url).pathname;
const said = captureOutput();
let stub: FaultyGateway | undefined;
let folder = "";
const at = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(at(name), "utf8");
// as: what the command has just written.
const reportOf = (name: string): Report => JSON.parse(textOf(name)) as Report;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatewright-"));
  vi.stubEnv("STUB_SECRET", "trader-secret-for-tests-only");
});
afterEach(() => stub?.close().then(() => (stub = undefined)));

const run = (...args: readonly string[]): Promise<number> => main(["node", "gatewright", ...args], "0.0.0");
const start = async (...defects: readonly Defect[]): Promise<void> => {
  await stub?.close();
  stub = await startFaultyGateway(defects);
};
const target = (): string[] => {
  const key = ["--key-id", stub?.keyId ?? "k", "--secret-env", "STUB_SECRET"];
  return ["--target", stub?.baseUrl ?? "http://127.0.0.1:9/api/v1/trading", ...key];
};
const conform = (...args: readonly string[]): Promise<number> =>
  run("conform", ...target(), "--scenarios", scenarios, "--seed", "1", ...args);

it("plan says each reason once, with the number of cases that it keeps from running", async () => {
  expect(await run("plan", ...target(), "--level", "full")).toBe(0);
  const kept = said.output.split("\n").filter((line) => /^(?:BLOCKED|NOT APPLICABLE) /.test(line));
  const counts = kept.map((line) => Number(/ (\d+) × /.exec(line)?.[1]));
  expect(counts[0]).toBeGreaterThan(10);
  expect(kept.join("\n")).toMatch(/BLOCKED \d+ × cancelOrder .* \(\S+, \S+, \S+ and \d+ more\)/);
  const [, blocked] = /cases run, (\d+) blocked/.exec(said.output) ?? [];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(blocked));
});

describe("gatewright conform", () => {
  it("ends with 3 when nothing failed and a scenario of one's own could not run, and says why", async () => {
    await start();
    expect(await conform()).toBe(3);
    expect(said.output).toMatch(/INCOMPLETE own scenarios against 127\.0\.0\.1/);
    expect(said.output).toMatch(/BLOCKED 2 × .*far price of BTC-USD/);
    expect(said.output).not.toContain("required clauses have no case in this run");
  });

  it("ends with 1 and shows expected, was, where and the clause, also to GitHub Actions", async () => {
    await start("ignores-nonce");
    vi.stubEnv("GITHUB_ACTIONS", "");
    expect(await conform()).toBe(1);
    expect(said.output).toMatch(/FAILED {2}AUTH-26 {2}[^]*\n {8}stub-nonce: The same bytes/);
    expect(said.output).toMatch(
      /expected status: 4xx\n\s+was {6}200\n\s+where {4}\S*nonce\.yaml:11:5 · step replayed · GET \/api/,
    );
    expect(said.output).toMatch(/again {4}gatewright conform --target \S+ .* --only 'stub-nonce' --seed 1\n/);
    expect(said.output + said.errors).not.toContain("::error");
    vi.stubEnv("GITHUB_ACTIONS", "true");
    expect(await conform()).toBe(1);
    expect(said.output + said.errors).toMatch(/^::error file=\S*nonce\.yaml,line=11,col=5,title=AUTH-26 /m);
  });

  it("sends nothing for a filter that matches no case", async () => {
    await start();
    expect(await conform("--only", "no-such-case")).toBe(2);
    expect(stub?.requests()).toBe(0);
  });

  it("ends with 4 when the target refuses it, and its report names the misread clause and passes nothing", async () => {
    await start("signs-relative-path");
    expect(await conform("--report", `json=${at("report.json")}`)).toBe(4);
    expect(said.errors).toContain("if the path is signed without");
    const { clauses, summary, ...report } = reportOf("report.json");
    expect(report).toMatchObject({ exitCode: 4, verdict: "NON_CONFORMANT" });
    expect(report).toHaveProperty("reason", expect.stringContaining("signed without /api/v1/trading"));
    expect(clauses.find(({ id }) => id === "AUTH-16")?.outcome).toBe("violated");
    expect(summary.cases.passed).toBe(0);
    expect(summary.cases.blocked).toBeGreaterThan(5);
  });

  it("writes the report that the exit code was made from, without the secret", async () => {
    await start("echoes-secret");
    const code = await conform("--report", `json=${at("report.json")}`);
    const { exitCode, summary, clauses, cases } = reportOf("report.json");
    expect(exitCode).toBe(code);
    const outcomes = ["passed", "failed", "warned", "blocked", "notApplicable", "filtered", "error"];
    expect(Object.keys(summary.cases)).toEqual(outcomes);
    expect(clauses[0]).toMatchObject({ id: "GEN-01", level: "required" });
    expect(cases[0]).toHaveProperty("outcome");
    expect(textOf("report.json")).not.toContain("trader-secret-for-tests-only");
  });

  it("ends with 6 when a report cannot be written, after the verdict and the others", async () => {
    await start("ignores-nonce");
    const reports = ["--report", "json=/dev/full", "--report", `tap=${at("report.tap")}`];
    expect(await conform(...reports)).toBe(6);
    expect(said.output).toMatch(/NON_CONFORMANT own scenarios/);
    expect(said.errors).toMatch(/the disk is full[^]*NON_CONFORMANT.*would have been 1/);
    expect(textOf("report.tap")).toMatch(/^TAP version 14\n/);
  });

  it("drafts an expectation file, refuses it unfilled, and is green for it", async () => {
    await start("ignores-nonce");
    const known = at("known.yaml");
    expect(await conform("--write-expectations", known)).toBe(1);
    const sent = stub?.requests();
    expect(await conform("--write-expectations", known)).toBe(2);
    expect(said.errors).toContain(`does not overwrite ${known}`);
    expect(await conform("--expectations", known)).toBe(2);
    expect(said.errors).toMatch(/known\.yaml:\d+:\d+: the reason is not filled in/);
    expect(stub?.requests()).toBe(sent);
    writeFileSync(known, textOf("known.yaml").replaceAll(/TODO[^']*/g, "a known gap"));
    expect(await conform("--expectations", known)).toBe(0);
    expect(await conform("--expectations", known, "--gate", "regressions")).toBe(0);
    expect(said.output).toContain("NON_CONFORMANT");
    await start();
    expect(await conform("--expectations", known, "--gate", "regressions")).toBe(1);
    expect(said.output).toMatch(/stub-nonce was expected to fail and does not: delete the entry/);
  });
});

it("diff ends with 0 when nothing got worse, 1 when something did, 2 for what is no report", async () => {
  const [good, bad] = [at("good.json"), at("bad.ndjson")];
  await start();
  await conform("--report", `json=${good}`);
  await start("ignores-nonce");
  await conform("--report", `ndjson=${bad}`);
  expect(await run("diff", good, bad)).toBe(1);
  expect(said.output).toContain("FAILING  stub-nonce: passed → failed");
  expect(await run("diff", bad, good)).toBe(0);
  expect(said.output).toContain("FIXED    stub-nonce: failed → passed");
  const text = textOf("bad.ndjson");
  writeFileSync(bad, text.slice(0, text.lastIndexOf('{"line":"footer"')));
  expect(await run("diff", good, bad)).toBe(2);
  expect(said.errors).toMatch(/bad\.ndjson is not a report: the footer is missing/);
});

it("lint finds no problems in good files, list shows every row, explain a clause with its level and cases", async () => {
  expect(await run("lint", scenarios)).toBe(0);
  expect(said.output).toContain("no problems");
  expect(await run("list", "--scenarios", scenarios)).toBe(0);
  expect(said.output).toContain("stub-auth[wrong-secret]  read  AUTH-06");
  expect(await run("explain", "AUTH-26", "--scenarios", scenarios)).toBe(0);
  expect(said.output).toMatch(/^AUTH-26 \(required, certificate core\)[^]*stub-nonce/m);
});

it("explain takes every id that a report names, and tells a clause from a request", async () => {
  const explained = async (id: string): Promise<string> => {
    expect([id, await run("explain", id)]).toEqual([id, 0]);
    return said.output;
  };
  expect(await explained("REQ-11")).toMatch(/^REQ-11 \(/m);
  expect(await explained("AS-13")).toMatch(/^AS-13: [^]*orders-195-a-refused-id-is-free: /m);
  expect(await explained("P-16")).toMatch(/P-16: [^]*clauses: PLC-1[^]*--only P-16/);
  expect(await run("explain", "req-00000275")).toBe(2);
  expect(said.errors).toContain('did you mean "gatewright why req-00000275"?');
});

it("sign prints the published vector, and not the secret", async () => {
  vi.stubEnv("VECTOR_SECRET", "local-secret-do-not-use-in-production");
  const key = ["--key-id", "kid_local_trader", "--secret-env", "VECTOR_SECRET"];
  const once = ["--timestamp", "1767225600000", "--nonce", "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10"];
  const request = ["--method", "get", "--path", "/api/v1/trading/order/open?product=BTC-USD"];
  expect(await run("sign", ...request, ...key, ...once)).toBe(0);
  expect(said.output).toContain("3d8500ab37f515964e7b1fb64aea699d1bee5546a66ec8a6d8dc3dd13303d568");
  expect(said.output).toContain(
    "curl --noproxy '*' -X GET 'http://127.0.0.1:8080/api/v1/trading/order/open?product=BTC-USD'",
  );
  expect(said.output).not.toContain("local-secret");
});

it("probe writes a profile, never over another without --force, and ends with 4 and the misreading when it is refused", async () => {
  await start();
  const out = at("draft.yaml");
  expect(await run("probe", ...target(), "--out", out)).toBe(0);
  const sent = stub?.requests();
  expect(await run("probe", ...target(), "--out", out)).toBe(2);
  expect(stub?.requests()).toBe(sent);
  expect(await run("probe", ...target(), "--out", out, "--force")).toBe(0);
  expect(await run("conform", "--profile", out, "--scenarios", scenarios)).toBe(3);
  expect(textOf("draft.yaml")).not.toContain("trader-secret-for-tests-only");
  await start("signs-relative-path");
  expect(await run("probe", ...target())).toBe(4);
  expect(said.output + said.errors).toContain("the path is signed without /api/v1/trading");
});

it("certify gives no certificate for a verdict that is not conformant, and verify takes nothing else for one", async () => {
  await start();
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(at("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  const [out, report] = [at("certificate.json"), at("report.json")];
  const fixed = [...target(), "--level", "core", "--challenge", "word", "--out", out];
  expect(await run("certify", ...fixed, "--key", at("none.pem"))).toBe(2);
  expect(said.errors).toContain("openssl genpkey -algorithm ed25519");
  expect(stub?.requests()).toBe(0);
  expect(await run("certify", ...fixed, "--key", at("key.pem"))).toBe(3);
  expect(said.output + said.errors).toContain("no certificate: INCOMPLETE");
  expect(existsSync(out)).toBe(false);
  expect(reportOf("report.json")).toMatchObject({ exitCode: 3, verdict: "INCOMPLETE" });
  expect(await run("verify", out, report)).toBe(2);
  writeFileSync(out, "{}");
  expect(await run("verify", out, report)).toBe(2);
  expect(said.errors).toContain("is not a certificate");
});
