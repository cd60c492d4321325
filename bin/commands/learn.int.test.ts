import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LearnReport, Report } from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { startFaultyGateway } from "../../conformance/testing/faulty-gateway/gateway.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { startGateway } from "../../conformance/testing/foreign-gateway/bugs.ts"; // tidy-allow layering: the gateway is a tool of the tests, not part of the kit's surface
import { profile as foreignProfile } from "../../conformance/testing/foreign-gateway/profile.ts"; // tidy-allow layering: as above
import { type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import { triesAll } from "../../tools/sampled.ts";
import { main } from "../gatewright.ts";

let folder = "";
let output = { stdout: "", stderr: "" };
const at = (name: string): string => join(folder, name);
const run = (...args: string[]): Promise<number> => main(["node", "gatewright", "learn", ...args], "0.0.0");
const outputs = (): string[] => [
  "--out-profile",
  at("profile.yaml"),
  "--out-world",
  at("world.yaml"),
  "--report",
  `json=${at("report.json")}`,
];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      output[stream] += String(text);
      return true;
    });
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const options = async (): Promise<Record<string, string>> => {
  const { freedoms } = JSON.parse(await readFile(at("report.json"), "utf8")) as LearnReport;
  return Object.fromEntries(freedoms.map(({ freedom, option }) => [freedom, option]));
};

async function learnSandbox(simulator: SimulatorOptions): Promise<Record<string, string>> {
  await using sandbox = await startSimulator(simulator);
  await writeFile(at("ready.json"), `${JSON.stringify(sandbox.readyLine())}\n`);
  expect(await run("--ready-file", at("ready.json"), "--force", ...outputs())).toBe(exitCodes.ok);
  return await options();
}

describe("gatewright learn", () => {
  it("writes a world that behaves like the sandbox that it was learned from", async () => {
    const freedoms = {
      "F-initial-status": "PENDING",
      "F-signed-path": "either",
      "F-json-layout": "indented",
      "F-extra-response-fields": "additive",
    };
    const first = await learnSandbox({ freedoms });
    expect(first).toMatchObject({
      ...freedoms,
      "F-clock-window": "30000",
      "F-self-trade": "unknown",
    });
    const world = await readFile(at("world.yaml"), "utf8");
    expect(world).toContain('  F-initial-status: "PENDING" # 2 samples');
    expect(world).toMatch(/id: "DOGE-USD".*apiEnabled: false/);
    expect(await readFile(at("profile.yaml"), "utf8")).toContain("F-signed-path: either (2 samples");
    await using again = await startSimulator({ world: at("world.yaml") });
    const taken = (await again.control.freedoms.read()).freedoms.map(({ id, option }) => [id, option]);
    expect(Object.fromEntries(taken)).toMatchObject(freedoms);
    if (triesAll) expect(await learnSandbox({ world: at("world.yaml") })).toMatchObject(freedoms);
  });

  it.runIf(triesAll)(
    "writes a world with any products that can be served, tested and compared",
    {
      timeout: 240_000,
    },
    async () => {
      await using gateway = await startGateway();
      const { profile, environment } = foreignProfile(gateway);
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      expect(await run("--profile", profile, ...outputs())).toBe(exitCodes.ok);
      await using sandbox = await startSimulator({ world: at("world.yaml") });
      await writeFile(at("ready.json"), `${JSON.stringify(sandbox.readyLine())}\n`);
      const ready = ["--ready-file", at("ready.json")];
      const only = ["auth-2*", "limits-*", "orders-0*", "products-*", "matching-*"].flatMap((one) => [
        "--only",
        one,
      ]);
      const rest = ["--level", "full", "--report", `json=${at("conform.json")}`, ...only];
      await main(["node", "gatewright", "conform", ...ready, "--properties", "off", ...rest], "0.0.0");
      const report = JSON.parse(await readFile(at("conform.json"), "utf8")) as Report;
      expect(report.clauses.filter(({ outcome }) => outcome === "violated")).toEqual([]);
      expect(report.summary.cases.passed).toBeGreaterThan(100);
      expect(report.cases.filter(({ reason }) => reason?.includes("disabledProduct") === true)).toEqual([]);
      const sides = ["--a", profile, "--b", at("ready.json"), "--only", "orders-010*"];
      const compared = await main(["node", "gatewright", "drift", ...sides], "0.0.0");
      expect([compared, output.stderr]).toEqual([
        exitCodes.nonConformant,
        expect.not.stringContaining("lists no such"),
      ]);
    },
  );

  it("keeps the rules of a gateway that is not ours to break", async () => {
    const gateway = await startFaultyGateway([], ["cancels-later"]);
    const guarded = gateway.profile
      .replace("safety:\n", "kind: staging\nsafety:\n  allow: rests\n  budget: { rps: 1000, orders: 60 }\n")
      .replace("capabilities: { liquidity.cross: present }\n", "");
    await writeFile(at("staging.yaml"), guarded);
    for (const [name, value] of Object.entries(gateway.environment)) vi.stubEnv(name, value);
    try {
      expect(await run("--profile", at("staging.yaml"), "--dry-run")).toBe(exitCodes.ok);
      expect(gateway.requests()).toBe(0);
      expect(output.stdout).toMatch(/2 rounds, at most \d+ of 1500 requests and 5\d of 60 orders/);
      expect(await run("--profile", at("staging.yaml"), ...outputs())).toBe(exitCodes.ok);
      const learned = await options();
      expect(learned).toMatchObject({
        "F-cancel-mode": "asynchronous",
        "F-cancel-finished": "400",
        "F-client-order-id-case": "sensitive",
        "F-stop-crossed": "unknown",
      });
      expect(gateway.orders()).toBeLessThan(60);
      expect(output.stderr).not.toContain("left open");
      expect(await run("--profile", at("staging.yaml"), ...outputs())).toBe(exitCodes.usage);
      expect(output.stderr).toContain("exists already");
    } finally {
      await gateway.close();
    }
    const before = await readFile(at("world.yaml"), "utf8");
    expect(await run("--profile", at("staging.yaml"), "--force", ...outputs())).toBe(
      exitCodes.targetUnusable,
    );
    expect(await readFile(at("world.yaml"), "utf8")).toBe(before);
  });
});
