import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Defect } from "../../conformance/testing/faulty-gateway/defects.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { type FaultyGateway, startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { failureOf } from "../command-failure.ts";
import { register as registerCertify } from "./certify.ts";
import { register as registerConform } from "./conform.ts";
import { register as registerProbe } from "./probe.ts";
import { register as registerVerify } from "./verify.ts";

const scenarios = new URL("../../conformance/testing/scenarios", import.meta.url).pathname;
let stub: FaultyGateway;
let folder = "";
let output = "";

beforeEach(async () => {
  output = "";
  folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const keep = (chunk: string | Uint8Array): boolean => {
    output += String(chunk);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
  vi.stubEnv("STUB_SECRET", "trader-secret-for-tests-only");
});
afterEach(async () => {
  process.exitCode = undefined;
  await stub.close();
});

/** Runs one command as the program would and says with which code it ends. */
async function run(register: (program: Command) => void, ...args: string[]): Promise<number> {
  const program = new Command().exitOverride();
  register(program);
  try {
    process.exitCode = undefined;
    await program.parseAsync(["node", "gatewright", ...args]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    output += failure.said;
    return failure.code;
  }
}

const start = async (...defects: readonly Defect[]): Promise<void> => {
  stub = await startFaultyGateway(defects);
};
const target = (): string[] => [
  "--target",
  stub.baseUrl,
  "--key-id",
  stub.keyId,
  "--secret-env",
  "STUB_SECRET",
];
const conform = (...args: string[]): Promise<number> =>
  run(registerConform, "conform", ...target(), "--scenarios", scenarios, "--seed", "1", ...args);

describe("gatewright conform with an expectation file", () => {
  it("drafts it, refuses it unfilled, and is green for it when asked for regressions only", async () => {
    await start("ignores-nonce");
    const known = join(folder, "known.yaml");
    expect(await conform("--write-expectations", known)).toBe(1);
    const draft = await readFile(known, "utf8");
    const sent = stub.requests();
    expect(await conform("--write-expectations", known)).toBe(2);
    expect(output).toContain(`does not overwrite ${known}`);
    expect(await conform("--expectations", known)).toBe(2);
    expect(output).toMatch(/known\.yaml:\d+:\d+: the reason is not filled in/);
    expect(stub.requests()).toBe(sent);
    await writeFile(known, draft.replaceAll(/TODO[^']*/g, "a known gap"));
    expect(await conform("--expectations", known)).toBe(0);
    expect(await conform("--expectations", known, "--gate", "regressions")).toBe(0);
    expect(output).toContain("NON_CONFORMANT");
  });

  it("is red when the target is better than its file says", async () => {
    await start();
    const known = join(folder, "known.yaml");
    const entry =
      "- case: stub-nonce\n  outcome: fail\n  fingerprint: 'status: expected 4xx, got 200'\n  reason: r\n";
    await writeFile(known, entry);
    expect(await conform("--expectations", known, "--gate", "regressions")).toBe(1);
    expect(output).toMatch(/stub-nonce was expected to fail and does not: delete the entry/);
  });
});

describe("gatewright conform against a target that refuses it", () => {
  it("ends with 4 and leaves a report that names the misread clause and passes nothing", async () => {
    await start("signs-relative-path");
    const file = join(folder, "report.json");
    expect(await conform("--report", `json=${file}`)).toBe(4);
    const report = JSON.parse(await readFile(file, "utf8")) as {
      exitCode: number;
      verdict: string;
      reason: string;
      clauses: { id: string; outcome: string }[];
      summary: { cases: { passed: number; blocked: number } };
    };
    expect(report).toMatchObject({
      exitCode: 4,
      verdict: "NON_CONFORMANT",
      summary: { cases: { passed: 0 } },
    });
    expect(report.clauses.find(({ id }) => id === "AUTH-16")?.outcome).toBe("violated");
    expect(report.summary.cases.blocked).toBeGreaterThan(5);
    expect(report.reason).toContain("the path is signed without /api/v1/trading");
  });
});

describe("gatewright probe", () => {
  it("writes a profile and never overwrites one without --force", async () => {
    await start();
    const out = join(folder, "draft.yaml");
    expect(await run(registerProbe, "probe", ...target(), "--out", out)).toBe(0);
    const sent = stub.requests();
    expect(await run(registerProbe, "probe", ...target(), "--out", out)).toBe(2);
    expect(stub.requests()).toBe(sent);
    expect(await run(registerProbe, "probe", ...target(), "--out", out, "--force")).toBe(0);
    expect(await run(registerConform, "conform", "--profile", out, "--scenarios", scenarios)).toBe(3);
    expect(await readFile(out, "utf8")).not.toContain("trader-secret-for-tests-only");
  });

  it("ends with 4 and the misreading when it is refused", async () => {
    await start("signs-relative-path");
    expect(await run(registerProbe, "probe", ...target())).toBe(4);
    expect(output).toContain("the path is signed without /api/v1/trading");
  });
});

describe("gatewright certify and verify", () => {
  it("give no certificate for a verdict that is not conformant, and end as conform does", async () => {
    await start();
    const key = join(folder, "key.pem");
    const pem = { type: "pkcs8", format: "pem" } as const;
    await writeFile(key, generateKeyPairSync("ed25519").privateKey.export(pem));
    const out = join(folder, "certificate.json");
    const fixed = ["--level", "core", "--challenge", "word", "--out", out];
    const none = join(folder, "none.pem");
    expect(await run(registerCertify, "certify", ...target(), ...fixed, "--key", none)).toBe(2);
    expect(output).toContain("openssl genpkey -algorithm ed25519");
    expect(stub.requests()).toBe(0);
    expect(await run(registerCertify, "certify", ...target(), ...fixed, "--key", key)).toBe(3);
    expect(output).toContain("no certificate: INCOMPLETE");
    expect(existsSync(out)).toBe(false);
    const report = join(folder, "report.json");
    expect(JSON.parse(await readFile(report, "utf8"))).toMatchObject({ exitCode: 3, verdict: "INCOMPLETE" });
    expect(await run(registerVerify, "verify", out, report)).toBe(2);
    await writeFile(out, "{}");
    expect(await run(registerVerify, "verify", out, report)).toBe(2);
    expect(output).toContain("is not a certificate");
  });
});
