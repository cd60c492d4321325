import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ReadyLine } from "../simulator/index.ts";
import { readyFileFor, writeRunFile } from "./run-file.ts";

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
    expect(JSON.parse(readFileSync(runFile(8080), "utf8"))).toEqual({ ...ready(8080), worlds: ["main"] });
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
