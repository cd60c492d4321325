import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ReadyLine } from "../simulator/index.ts";
import { readyFileFor, writeRunFile } from "./run-file.ts";
import { captureOutput } from "./testing/capture-output.ts";

let place = "";
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), "gatewright-"));
  vi.stubEnv("GATEWRIGHT_READY_FILE", "");
});

const ready = (port: number, pid = process.pid): ReadyLine => ({
  event: "ready",
  baseUrl: `http://127.0.0.1:${port}/api/v1/trading`,
  wsUrl: `ws://127.0.0.1:${port}/api/v1/trading/ws`,
  controlUrl: null,
  controlToken: null,
  consoleUrl: null,
  seed: 1,
  keys: [],
  pid,
});
const runFile = (port: number): string => path.join(place, ".gatewright", `run-${port}.json`);
const found = (): string | undefined => readyFileFor(undefined, [], place);

describe("the run file of a sandbox", () => {
  it("holds the ready line and the worlds, and is for its owner alone", () => {
    writeRunFile(ready(8080), place);
    expect(JSON.parse(readFileSync(runFile(8080), "utf8"))).toMatchObject({
      ...ready(8080),
      worlds: ["main"],
    });
    expect(statSync(runFile(8080)).mode & 0o777).toBe(0o600);
  });

  it("is found while the sandbox runs, and not after its removal", () => {
    const remove = writeRunFile(ready(8080), place);
    expect(found()).toBe(runFile(8080));
    remove();
    expect(found()).toBeUndefined();
  });

  it("is ignored if its process is gone", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeRunFile(ready(8080, pid), place);
    expect(found()).toBeUndefined();
    writeRunFile(ready(8081), place);
    expect(found()).toBe(runFile(8081));
  });

  it.runIf(existsSync("/proc/self/stat"))("is ignored if another process has got the id of its own", () => {
    writeRunFile(ready(8080), place);
    const line = JSON.parse(readFileSync(runFile(8080), "utf8")) as Readonly<Record<string, unknown>>;
    for (const started of [String(Number(line["started"]) - 1), undefined]) {
      writeFileSync(runFile(8080), JSON.stringify({ ...line, started }), { mode: 0o600 });
      expect(found()).toBeUndefined();
    }
    writeFileSync(runFile(8080), JSON.stringify(line));
    expect(found()).toBe(runFile(8080));
  });

  it("is removed only by the sandbox that wrote it last", () => {
    const removeOld = writeRunFile(ready(8080, 1), place);
    writeRunFile(ready(8080), place);
    removeOld();
    expect(found()).toBe(runFile(8080));
  });

  it("is written in the place of a link, and not through it", async () => {
    await mkdir(path.join(place, ".gatewright"));
    const elsewhere = path.join(place, "elsewhere");
    writeFileSync(elsewhere, "kept");
    symlinkSync(elsewhere, runFile(8080));
    writeRunFile(ready(8080), place);
    expect(readFileSync(elsewhere, "utf8")).toBe("kept");
    expect(found()).toBe(runFile(8080));
  });
});

describe("a run file that came with the folder", () => {
  const said = captureOutput();
  const planted = (more: object): void => {
    writeRunFile({ ...ready(8080), ...more }, place);
    expect(found()).toBeUndefined();
  };

  it.each([
    ["baseUrl", "http://192.0.2.2:8080/api/v1/trading"],
    ["controlUrl", "http://192.0.2.2:8080/__gatewright"],
    ["wsUrl", "ws://sandbox.example:8080/api/v1/trading/ws"],
    ["controlUrl", "http://127.0.0.1:8081/__gatewright"],
    ["controlUrl", "http://127.0.0.1.example:8080/__gatewright"],
    ["controlUrl", "http://127.0.0.1:8080@192.0.2.2/__gatewright"],
    ["controlUrl", "http:"],
    ["controlUrl", 7],
    ["consoleUrl", "http://[::1]:80/"],
  ])("is not used with the %s %s", (name, url) => {
    planted({ [name]: url });
    expect(said.errors).toContain(`${runFile(8080)} is not used: `);
  });

  it("is not used if others can read it, or replace it in its folder", () => {
    writeRunFile(ready(8080), place);
    for (const mode of [0o640, 0o604, 0o644, 0o620]) {
      chmodSync(runFile(8080), mode);
      expect(found()).toBeUndefined();
    }
    expect(said.errors).toContain("not yours alone");
    chmodSync(runFile(8080), 0o600);
    chmodSync(path.join(place, ".gatewright"), 0o777);
    expect(found()).toBeUndefined();
  });

  it("is not used if it is another user's", () => {
    writeRunFile(ready(8080), place);
    const { uid } = statSync(runFile(8080));
    vi.spyOn(process, "getuid").mockReturnValue(uid + 1);
    expect(found()).toBeUndefined();
  });

  it("is not read through a link", () => {
    writeRunFile(ready(8080), place);
    const elsewhere = path.join(place, "elsewhere");
    linkSync(runFile(8080), elsewhere);
    rmSync(runFile(8080));
    symlinkSync(elsewhere, runFile(8080));
    expect(found()).toBeUndefined();
  });
});

describe("the sandbox of a command", () => {
  it("is named by the user if several run", () => {
    writeRunFile(ready(8080), place);
    writeRunFile(ready(9090), place);
    expect(found).toThrow(
      `2 sandboxes run in this folder; name one:\n  --ready-file ${runFile(8080)}  ${ready(8080).baseUrl}\n  --ready-file ${runFile(9090)}  ${ready(9090).baseUrl}`,
    );
  });

  it("is that of --ready-file, then that of the environment", () => {
    writeRunFile(ready(8080), place);
    vi.stubEnv("GATEWRIGHT_READY_FILE", "env.json");
    expect(readyFileFor("flag.json", [], place)).toBe("flag.json");
    expect(found()).toBe("env.json");
  });

  it("is not looked for if another flag names a target", () => {
    writeRunFile(ready(8080), place);
    vi.stubEnv("GATEWRIGHT_READY_FILE", "env.json");
    expect(readyFileFor(undefined, [undefined, "http://127.0.0.1:1"], place)).toBeUndefined();
    expect(readyFileFor("flag.json", ["profile.yaml"], place)).toBe("flag.json");
  });

  it("is not a file of another program", async () => {
    await mkdir(path.join(place, ".gatewright"));
    for (const [port, text] of ["null", "{", "[]", '{"pid":"1"}'].entries())
      writeFileSync(runFile(port), text);
    expect(found()).toBeUndefined();
  });
});
