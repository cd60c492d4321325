/** Where a control token goes, and what a command makes of the answer of something that is no sandbox. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { main } from "./gatewright.ts";
import { writeRunFile } from "./run-file.ts";
import { type TargetFlags, targetOf } from "./target-flags.ts";
import { captureOutput } from "./testing/capture-output.ts";

const said = captureOutput();
const tokens: string[] = [];
let answer: unknown;
let server: Server;
let home = "";
let place = "";

beforeEach(async () => {
  tokens.length = 0;
  server = createServer((request, response) => {
    tokens.push(String(request.headers.authorization));
    response.end(typeof answer === "string" ? answer : JSON.stringify({ data: answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  place = mkdtempSync(path.join(tmpdir(), "gatewright-"));
  home = process.cwd();
  process.chdir(place);
  vi.stubEnv("GATEWRIGHT_READY_FILE", "");
  vi.stubEnv("GATEWRIGHT_CONTROL_TOKEN", "token-of-the-environment");
});
afterEach(async () => {
  process.chdir(home);
  vi.unstubAllEnvs();
  await new Promise((resolve) => server.close(resolve));
});

const urls = (host = "127.0.0.1") => {
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${host}:${port}/api/v1/trading`,
    wsUrl: `ws://${host}:${port}/api/v1/trading/ws`,
    controlUrl: `http://${host}:${port}/__gatewright`,
  };
};
const line = (more: object = {}) => ({
  event: "ready" as const,
  ...urls(),
  controlToken: "token-of-the-file",
  consoleUrl: null,
  seed: 1,
  keys: [],
  pid: process.pid,
  ...more,
});
const gatewright = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", ...words], "1.0.0");

const commands = [
  ["ctl", "key", "list"],
  ["why", "order"],
  ["tail", "--no-follow"],
  ["capsule", "--out", "out.capsule"],
  ["export", "--out", "out.yaml"],
];

describe("a control token", () => {
  it.each(commands)("of the environment does not go to a sandbox that is found: %s", async (...words) => {
    answer = null;
    writeRunFile(line(), place);
    await gatewright(...words);
    expect(tokens).toEqual(["Bearer token-of-the-file"]);
  });

  it("of a flag goes with a flag for the sandbox", async () => {
    writeRunFile(line(), place);
    expect(await gatewright("ctl", "--control-token", "of-a-flag", "key", "list")).toBe(2);
    expect([tokens, said.errors]).toEqual([
      [],
      expect.stringContaining("--control-token goes with --ready-file"),
    ]);
  });

  it("goes to a sandbox that is named", async () => {
    writeFileSync("named.json", JSON.stringify(line()));
    await gatewright("ctl", "--ready-file", "named.json", "key", "list");
    vi.stubEnv("GATEWRIGHT_READY_FILE", "named.json");
    await gatewright("ctl", "--control-token", "of-a-flag", "key", "list");
    expect(tokens).toEqual(["Bearer token-of-the-environment", "Bearer of-a-flag"]);
  });

  it.each([
    "http://192.0.2.2:48123/__gatewright",
    "http://sandbox.example/__gatewright",
    "https://sandbox.example/__gatewright",
  ])("goes to another machine only over https and with a flag: %s", async (controlUrl) => {
    const sent = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("not sent"));
    writeFileSync("named.json", JSON.stringify(line({ controlUrl })));
    expect(await gatewright("ctl", "--ready-file", "named.json", "key", "list")).toBe(5);
    const { hostname, protocol } = new URL(controlUrl);
    const allowed = await gatewright(
      "ctl",
      "--ready-file",
      "named.json",
      "--allow-host",
      hostname,
      "key",
      "list",
    );
    expect([allowed, sent.mock.calls.length]).toEqual(protocol === "https:" ? [4, 1] : [5, 0]);
  });
});

it("what the environment holds does not go to a target that is found", async () => {
  vi.stubEnv("GATEWRIGHT_TRADER_SECRET", "secret-of-the-environment");
  writeRunFile(line({ controlToken: null }), place);
  const valuesFor = async (flags: TargetFlags): Promise<readonly unknown[]> => {
    const { environment = {} } = await targetOf(flags);
    return [environment["GATEWRIGHT_CONTROL_TOKEN"], environment["GATEWRIGHT_TRADER_SECRET"]];
  };
  expect(await valuesFor({})).toEqual([undefined, undefined]);
  writeFileSync("named.json", JSON.stringify(line({ controlToken: null })));
  expect(await valuesFor({ readyFile: "named.json" })).toEqual([
    "token-of-the-environment",
    "secret-of-the-environment",
  ]);
});

describe("the answer of something that is no sandbox", () => {
  const deep = `{"data":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  it.each<[string, unknown]>([
    ["null", null],
    ["a number", 7],
    ["an empty list", []],
    ["a text", "x"],
    ["an empty object", {}],
    ["exchanges that are none", { exchanges: [null] }],
    ["facts that are none", { facts: 1 }],
    ["a file that is none", { file: 1 }],
    ["an envelope that is a list", "[]"],
    ["an envelope that is null", "null"],
    ["nested 100,000 deep", deep],
  ])("is no bug of ours: %s", async (_, given) => {
    answer = given;
    writeRunFile(line(), place);
    for (const words of commands.slice(1)) expect(await gatewright(...words)).toBe(4);
    expect(await gatewright(...(commands[0] ?? []))).toBeOneOf([0, 4]);
    expect(said.errors).not.toContain("a bug in gatewright");
  });

  it("is shown by its refusal", async () => {
    answer = { exchanges: [] };
    server.prependListener("request", (_request, response) => (response.statusCode = 500));
    writeRunFile(line(), place);
    expect(await gatewright("tail")).toBe(1);
    expect(said.errors).toContain("it refuses with 500, and gives no reason");
  });
});
