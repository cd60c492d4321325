import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { main } from "../gatewright.ts";

const root = process.cwd();
let folder = "";
let said = "";
let printed = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
  // Without a target it would take the sandbox that somebody runs in the folder of the tests.
  process.chdir(folder);
  [said, printed] = ["", ""];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said += String(text)), true));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed += String(text)), true));
});
afterEach(async () => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
  process.chdir(root);
  await rm(folder, { recursive: true });
});

const at = (name: string): string => path.join(folder, name);
const shrink = (file: string, ...args: string[]): Promise<number> =>
  main(["node", "gatewright", "shrink", at(file), "--out", at("less.yaml"), ...args], "0.0.0");

const scenario = `kit: 1
id: whole
title: Three reads and an order
spec: [GEN-07]
steps:
  - { id: first, call: { op: openOrders }, expect: { status: 200 } }
  - { id: second, call: { op: products }, expect: { status: 201 } }
  - id: third
    concurrent:
      branches:
        - - { id: fourth, call: { op: openOrders }, expect: { status: 200 } }
        - - { id: fifth, call: { op: products }, expect: { status: 200 } }
`;

describe("gatewright shrink", () => {
  it("keeps what a command looks for, in a file that the kit reads", async () => {
    await writeFile(at("whole.yaml"), scenario);
    const command = 'grep -q "kit: 1" {} && grep -q fifth "$GATEWRIGHT_CASE"';
    expect(await shrink("whole.yaml", "--while", command)).toBe(exitCodes.ok);
    expect(await readFile(at("less.yaml"), "utf8")).toContain(
      "steps: [ { id: fifth, call: { op: products } } ]",
    );
    expect(said).toMatch(/^3 steps: the whole, to see it fail \(0 tries/);
    expect(said).toMatch(/1 step left \(\d+ tries, [\d.]+ s\)/);
    expect(printed).toMatch(/less\.yaml has 1 of 3 steps: \d+ tries/);
  });

  it("keeps the answer that is not as expected, on a new simulator for each try", async () => {
    await writeFile(at("whole.yaml"), scenario);
    expect(await shrink("whole.yaml", "--differs", "--tries", "9")).toBe(exitCodes.ok);
    const text = await readFile(at("less.yaml"), "utf8");
    expect(text).toContain("{ id: second, call: { op: products }, expect: { status: 201 } }");
    expect(text).toContain("id: less\n");
    expect(text).not.toContain("openOrders");
  });

  it("leaves the best so far when it is interrupted", async () => {
    await writeFile(at("whole.yaml"), scenario);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      said += String(text);
      if (/step left/.test(String(text))) process.emit("SIGINT");
      return true;
    });
    expect(await shrink("whole.yaml", "--while", "grep -q fifth {}")).toBe(exitCodes.interrupted);
    expect(printed).toContain("Interrupted; this is the best so far.");
    expect(await readFile(at("less.yaml"), "utf8")).toContain("fifth");
  });

  it("does not reduce what does not fail, and writes nothing", async () => {
    await writeFile(at("whole.yaml"), scenario);
    expect(await shrink("whole.yaml", "--while", "false")).toBe(exitCodes.nonConformant);
    expect(printed).toContain("The failure is not there");
    expect(await readdir(folder)).toEqual(["whole.yaml"]);
  });

  it("takes the end of one that is too long for a file", async () => {
    const header = {
      kind: "recording",
      version: 1,
      target: "http://127.0.0.1:1/api/v1/trading",
      started: "2026-11-24T02:14:11.000Z",
    };
    const line = (id: number): string => {
      const target = `/api/v1/trading/order/open?cursor=${id}-${"x".repeat(4000)}`;
      const request = { method: "GET", target, headers: [], body: { length: 0 } };
      return JSON.stringify({ kind: "exchange", id, at: id, durationMs: 0, request });
    };
    const lines = Array.from({ length: 101 }, (__, index) => line(index + 1));
    await writeFile(at("a.recording"), `${[JSON.stringify(header), ...lines].join("\n")}\n`);
    expect(await shrink("a.recording", "--while", "grep -q 101-x {}", "--tries", "1")).toBe(exitCodes.ok);
    expect(said).toMatch(/its last \d+ steps of 101, with what they need: only these are reduced/);
  });
});
