import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, launch as launchProgram } from "./testing/launch.ts";

const root = path.resolve(import.meta.dirname, "..");
const program =
  'export const main = (argv: string[]): Promise<number> => Promise.resolve(argv.includes("bad") ? 3 : 0);\n';

let checkout = "";
const at = (...names: string[]): string => path.join(checkout, ...names);

function makeCheckout(): void {
  checkout = mkdtempSync(path.join(os.tmpdir(), "gatewright-launcher-"));
  const copied = ["tools", "bin/gatewright", "bin/node-version.mjs", "package.json", "package-lock.json"];
  for (const name of [...copied, "tsconfig.json", "tsconfig.build.json"]) {
    cpSync(path.join(root, name), at(name), { recursive: true });
  }
  chmodSync(at("bin/gatewright"), 0o755);
  symlinkSync(path.join(root, "node_modules"), at("node_modules"), "junction");
  writeFileSync(at("bin/gatewright.ts"), program);
  for (const name of [
    "bin/detection/worker",
    "simulator/index",
    "conformance/index",
    "conformance/vitest",
    "conformance/parse/yaml-child",
  ]) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(`${name}.ts`), "export {};\n");
  }
  writeFileSync(at("simulator/spare.ts"), "export {};\n");
}

function removeCheckout(): void {
  rmSync(checkout, { recursive: true, force: true });
}

const launch = (...args: readonly string[]): Promise<Ended> => launchProgram(at("bin/gatewright"), args);

const builds = (ended: readonly Ended[]): number =>
  ended.filter(({ stderr }) => stderr.includes("building")).length;

/** A program in the place of npm: it counts its calls, ends when it is told to, and has then installed. */
function pathWithStandInForNpm(): string {
  mkdirSync(at("path"));
  const npm = `#!/bin/sh\necho called >> calls\nwhile [ -e package.json ] && [ ! -e told ]; do sleep 0.1; done\n[ -e node_modules ] || ln -s "${path.join(root, "node_modules")}" node_modules\n`;
  writeFileSync(at("path/npm"), npm, { mode: 0o755 });
  return `${at("path")}${path.delimiter}${process.env["PATH"] ?? ""}`;
}

/** A build takes seconds, so each of these begins with what the one before it has left. */
describe("the launcher in a checkout", () => {
  let search = "";
  beforeAll(() => {
    makeCheckout();
    search = pathWithStandInForNpm();
    rmSync(at("node_modules"));
  });
  afterAll(removeCheckout);

  it("installs and builds once when several are started together, and shows again and again how far it is", async () => {
    const lines = /^setup: \d+ s: \d+ of \d+ packages are there \.\.\.$/gm;
    const heard = (soFar: string): void => {
      if ((soFar.match(lines) ?? []).length === 2) writeFileSync(at("told"), "");
    };
    const all = await Promise.all(
      ["", "", "bad"].map((word) => launchProgram(at("bin/gatewright"), [word], { PATH: search }, heard)),
    );
    expect(all.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      [0, 0, 3].map((code) => ({ code, stdout: "" })),
    );
    const shown = all.map(({ stderr }) => stderr.match(lines)?.length ?? 0);
    expect(Math.max(...shown)).toBeGreaterThanOrEqual(2);
    expect(readFileSync(at("calls"), "utf8")).toBe("called\n");
    expect(builds(all)).toBe(1);
    expect(existsSync(at("dist/simulator.js"))).toBe(true);
    expect(existsSync(at(".gatewright-setup.lock"))).toBe(false);
  });

  it("does not build again", async () => {
    expect(await launch("bad")).toEqual({ code: 3, stdout: "", stderr: "" });
  });

  it("builds again after a source has changed, and takes over the lock of a process that is gone", async () => {
    const later = new Date(Date.now() + 60_000);
    // A younger lock file with the same contents is no reason to install again.
    for (const name of ["bin/gatewright.ts", "package-lock.json"]) utimesSync(at(name), later, later);
    mkdirSync(at(".gatewright-setup.lock"));
    const owner = JSON.stringify({ pid: 2 ** 22 + 1, host: os.hostname() });
    writeFileSync(at(".gatewright-setup.lock/owner.json"), owner);
    const again = await launchProgram(at("bin/gatewright"), [], { PATH: search });
    expect([again.code, builds([again])]).toEqual([0, 1]);
    expect(readFileSync(at("calls"), "utf8")).toBe("called\n");
    utimesSync(at("bin/gatewright.ts"), new Date(0), new Date(0));
  });

  it("builds again after a source has gone, and takes over a lock that was not touched for a minute", async () => {
    rmSync(at("simulator/spare.ts"));
    mkdirSync(at(".gatewright-setup.lock"));
    utimesSync(at(".gatewright-setup.lock"), new Date(0), new Date(0));
    const again = await launch();
    expect([again.code, builds([again])]).toEqual([0, 1]);
  });

  it("passes the compiler's refusal on, leaves no lock behind, and builds what was mended", async () => {
    writeFileSync(at("bin/gatewright.ts"), "export const main: number = 'one';\n");
    const refused = await launch();
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/not assignable[\s\S]*the build failed/);
    expect(existsSync(at(".gatewright-setup.lock"))).toBe(false);
    writeFileSync(at("bin/gatewright.ts"), program);
    expect((await launch()).code).toBe(0);
  });

  it("goes straight to the built program of a published package", async () => {
    rmSync(at("tools"), { recursive: true });
    expect(await launch("bad")).toEqual({ code: 3, stdout: "", stderr: "" });
  });
});

describe("an old Node", () => {
  beforeAll(makeCheckout);
  afterAll(removeCheckout);

  it("is refused with one sentence", async () => {
    const manifest = readFileSync(at("package.json"), "utf8").replace(
      /"node": "[^"]+"/,
      '"node": ">=99.0.0"',
    );
    writeFileSync(at("package.json"), manifest);
    const { code, stderr } = await launch();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `gatewright needs Node 99.0.0 or newer; this is Node ${process.versions.node}. Install a newer Node and try again.\n`,
    );
  });

  it.each([
    ["18.20.8", false],
    ["20.20.1", false],
    ["20.20.2", true],
    ["20.21.0", true],
    ["21.7.3", false],
    ["22.13.1", false],
    ["22.14.0", true],
    ["23.0.0-nightly1", true],
    ["26.10.0", true],
  ])("Node %s is accepted: %s", async (version, accepted) => {
    const { satisfies } = (await import(path.join(root, "bin/node-version.mjs"))) as VersionModule;
    expect(satisfies(version, "^20.20.2 || >=22.14.0")).toBe(accepted);
  });
});

interface VersionModule {
  satisfies: (version: string, range: string) => boolean;
}

it("the launcher can be started by its name", () => {
  expect(statSync(path.join(root, "bin/gatewright")).mode & 0o111).not.toBe(0);
});
