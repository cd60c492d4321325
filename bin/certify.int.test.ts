import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command } from "@commander-js/extra-typings";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Report } from "../conformance/commands.ts";
import { startSimulator } from "../simulator/index.ts";
import { sampled } from "../tools/sampled.ts";
import { register as registerCertify } from "./commands/certify.ts";
import { register as registerVerify } from "./commands/verify.ts";

let output = "";
afterEach(() => {
  process.exitCode = undefined;
});

async function run(register: (program: Command) => void, ...args: string[]): Promise<number> {
  const program = new Command().exitOverride();
  register(program);
  process.exitCode = undefined;
  await program.parseAsync(["node", "gatewright", ...args]);
  return Number(process.exitCode ?? 0);
}

/** The simulator and the kit agree without a warning and without a blocked case. */
function expectAgreement(report: Report): void {
  const faults = report.cases
    .filter(({ outcome }) => outcome !== "passed" && outcome !== "filtered")
    .map(({ id, outcome, reason, findings }) => JSON.stringify({ id, outcome, reason, findings }));
  expect(faults).toEqual([]);
  expect(report.ambient).toEqual([]);
  expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
  expect(report.summary.cases).toMatchObject({ failed: 0, warned: 0, blocked: 0, error: 0 });
  // An empty run cannot pass: these are floors, and the suite only grows.
  expect(report.summary.cases.passed).toBeGreaterThanOrEqual(700);
  expect(report.summary.clauses.satisfied).toBeGreaterThanOrEqual(205);
  expect(report.leftovers).toEqual([]);
  // It goes deeper than core does, and stays a matter of seconds.
  expect(report.summary.orders).toBeLessThanOrEqual(245);
  expect(report.summary.requests).toBeLessThanOrEqual(1900);
}

/** The commands of docs/certificate.md, against our own simulator. */
describe("gatewright certify and verify", () => {
  it.each(sampled(3, ["core+limits", "core", "full"]))("certify the simulator at level %s", async (level) => {
    output = "";
    const keep = (chunk: string | Uint8Array): boolean => {
      output += String(chunk);
      return true;
    };
    vi.spyOn(process.stdout, "write").mockImplementation(keep);
    vi.spyOn(process.stderr, "write").mockImplementation(keep);
    await using simulator = await startSimulator({ db: ":memory:" });
    const folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
    const file = (name: string): string => path.join(folder, name);
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    await writeFile(file("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
    await writeFile(file("key.pub.pem"), publicKey.export({ type: "spki", format: "pem" }));
    await writeFile(file("ready.json"), `${JSON.stringify(simulator.readyLine())}\n`);
    const made = ["--key", file("key.pem"), "--challenge", "word", "--out", file("certificate.json")];
    const target = ["--ready-file", file("ready.json"), "--level", level];
    expect([await run(registerCertify, "certify", ...target, ...made), output]).toEqual([
      0,
      expect.any(String),
    ]);
    expect(output).toContain("signed with");
    const papers = [file("certificate.json"), file("report.json"), "--challenge", "word"];
    expect(await run(registerVerify, "verify", ...papers, "--key", file("key.pub.pem"))).toBe(0);
    expect(await run(registerVerify, "verify", ...papers)).toBe(3);
    const certificate = JSON.parse(await readFile(file("certificate.json"), "utf8")) as object;
    expect(certificate).toMatchObject({ level, verdict: "CONFORMANT" });
    // as: the command has just written it.
    if (level === "core+limits")
      expectAgreement(JSON.parse(await readFile(file("report.json"), "utf8")) as Report);
  });
});
