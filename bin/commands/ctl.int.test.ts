import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ControlledSimulator, controlVerbs, startSimulator } from "../../simulator/index.ts";
import { main } from "../gatewright.ts";
import { writeRunFile } from "../run-file.ts";

let simulator: ControlledSimulator;
let place = "";
let output = "";
let errors = "";
beforeEach(async () => {
  simulator = await startSimulator({ clock: "manual" });
  place = mkdtempSync(path.join(tmpdir(), "gatewright-"));
  writeRunFile(simulator.readyLine(), place);
  vi.stubEnv(
    "GATEWRIGHT_READY_FILE",
    path.join(place, ".gatewright", `run-${new URL(simulator.baseUrl).port}.json`),
  );
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    errors += String(chunk);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await simulator.close();
});

const fileWith = (value: unknown): string => {
  const file = path.join(place, "body.json");
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
};

function ctl(...words: readonly string[]): Promise<number> {
  [output, errors] = ["", ""];
  return main(["node", "gatewright", "ctl", ...words, "--json"], "1.0.0");
}
const data = (): Readonly<Record<string, unknown>> => JSON.parse(output) as Readonly<Record<string, unknown>>;

describe("gatewright ctl", () => {
  it("has a call for every verb, and the sandbox takes each", async () => {
    const levels = [{ side: "SELL", price: "60010", quantity: "0.5" }];
    const calls = [
      ["health"],
      ["journal", "--from", "1", "--limit", "2"],
      ["journal", "entry", "1"],
      ["state-hash"],
      ["capsule"],
      ["clock"],
      ["clock", "advance", "90s"],
      ["clock", "advance", "1h30m"],
      ["clock", "set", "2026-01-01T03:00:00.000Z"],
      ["clock", "skip-idle"],
      ["clock", "run"],
      ["clock", "freeze"],
      ["faults"],
      ["faults", "set", fileWith({ rules: [] })],
      ["fault", "add", "one", "--outcome", "LOST_ANSWER", "--nth", "1"],
      ["fault", "add", "two", "--fault", "dropConnectionAfter", "--route", "POST /order"],
      ["fault", "remove", "one"],
      ["faults", "clear"],
      ["order", "list", "--client", "alice", "--status", "OPEN"],
      ["client", "list"],
      ["client", "show", "alice"],
      ["freedoms"],
      ["freedom", "F-self-trade=none"],
      ["freedom", "F-match-delay=10"],
      ["freedoms", "use", "strict"],
      ["hostile", "7"],
      ["hostile", "off"],
      ["outcomes"],
      ["outcomes", "next", "STATUS_503", "--key", "reader", "--count", "2"],
      ["settings"],
      ["exchange", "list", "--limit", "5", "--status", "4xx"],
      ["product", "halt", "BTC-USD"],
      ["product", "resume", "BTC-USD"],
      ["product", "disable", "BTC-USD"],
      ["product", "enable", "BTC-USD"],
      ["product", "trade", "BTC-USD", "58000", "0.1"],
      ["product", "list"],
      ["product", "depth", "BTC-USD", "--limit", "3"],
      ["product", "trades", "BTC-USD"],
      ["product", "candles", "BTC-USD", "--granularity", "ONE_HOUR", "--limit", "3"],
      ["trade", "show", "1"],
      ["client", "ledger", "alice", "--limit", "3"],
      ["client", "credit", "alice", "USD", "500"],
      ["client", "debit", "alice", "USD", "500"],
      ["client", "rules", "alice", "BTC-USD", "--enabled", "true", "--min-order-size", "0.001"],
      ["client", "forbid", "alice"],
      ["client", "allow", "alice"],
      ["client", "fees", "alice", "--fee-model", "ALL_IN", "--maker-rate", "0.001", "--taker-rate", "0.002"],
      ["key", "new", "bot", "--client", "alice", "--claims", "read:orders,write:orders"],
      ["key", "list"],
      ["key", "rotate", "bot"],
      ["key", "disable", "reader"],
      ["key", "enable", "reader"],
      ["world", "new", "ci", "--seed", "7", "--clock", "manual"],
      ["world", "list"],
      ["world", "read", "ci"],
      ["world", "fork", "ci", "other"],
      ["world", "reset", "ci"],
      ["world", "delete", "other"],
    ];
    for (const words of calls) {
      const code = await ctl(...words);
      expect([words, code, code === 0 ? "" : errors]).toEqual([words, 0, ""]);
    }
    expect(
      await ctl("freedoms", "set", fileWith({ freedoms: [{ id: "F-self-trade", option: "none" }] })),
    ).toBe(0);
    expect(data()).toMatchObject({ freedoms: { "F-self-trade": "none" } });
    expect(await ctl("settings", "set", fileWith({ matchDelayMs: 0 }))).toBe(0);
    expect(data()).toMatchObject({ matchDelayMs: 0 });
    expect(await ctl("product", "book", "BTC-USD", fileWith({ levels }))).toBe(0);
    expect(data()).toEqual({ product: "BTC-USD", levels: 1 });
    expect(await ctl("deposit", "create", "alice", "BTC", "0.5", "--confirmations", "1")).toBe(0);
    const id = String(data()["id"]);
    expect(await ctl("deposit", "confirm", id, "1")).toBe(0);
    expect(data()).toMatchObject({ confirmations: 2 });
    expect(await ctl("deposit", "fail", id)).toBe(0);
    expect(data()).toMatchObject({ status: "FAILED" });
    expect(await ctl("exchange", "read", "req-1")).toBe(1);
    expect(errors).toContain("There is no exchange req-1");
    expect(await ctl("explain", "nothing")).toBe(1);
    expect(errors).toContain("There is no order or request nothing");
    const asked = { method: "GET", target: "/", timestamp: "1", nonce: "2", signature: "3" };
    expect(await ctl("doctor", fileWith({ ...asked, keyId: "gw_demo_trader" }))).toBe(0);
    expect(data()).toMatchObject({ key: "trader", state: "unexplained", verifies: false });
    for (const action of ["fill", "confirm", "reject", "hold", "cancel", "expire"]) {
      expect(await ctl("order", action, id)).toBe(1);
      expect(errors).toContain(`There is no order ${id}`);
    }
    expect(await ctl("clock", "until", id, "FAILED", "--within", "1h")).toBe(1);
    expect(errors).toContain(`There is no order ${id}`);
    expect(await ctl("clock", "until-deposit", id, "FAILED")).toBe(0);
    expect(data()).toMatchObject({ entries: 0 });
    expect(await ctl("clock", "until-price", "BTC-USD", "1", "--within", "5ms")).toBe(1);
    expect(errors).toContain("No trade of BTC-USD had the price 1");
    const tried = [
      ...calls.map((words) => words.join(" ")),
      "clock until",
      "clock until-deposit",
      "clock until-price",
      "settings set",
      "freedoms set",
      "product book",
      "deposit create",
      "deposit confirm",
      "deposit fail",
      "exchange read",
      "explain",
      "doctor",
      // With three nodes: simulator/acceptance/shared-store.int.test.ts.
      "world move",
      "node list",
      ...["fill", "confirm", "reject", "hold", "cancel", "expire"].map((action) => `order ${action}`),
    ];
    const untried = controlVerbs().filter(
      ({ words }) => !tried.some((call) => `${call} `.startsWith(`${words} `)),
    );
    expect(untried).toEqual([]);
  });

  it("makes a world of a file", async () => {
    const file = fileWith("extends: demo\nseed: 77\nclock: { mode: manual }\n");
    expect(await ctl("world", "new", "filed", "--from", file)).toBe(0);
    expect(data()).toMatchObject({ name: "filed", seed: 77 });
  });

  it("controls the world that it is told, and main else", async () => {
    expect(await ctl("world", "new", "ci", "--clock", "manual")).toBe(0);
    expect(await ctl("--world", "ci", "clock", "advance", "1h")).toBe(0);
    expect(data()).toMatchObject({ now: "2026-01-01T01:00:00.000Z" });
    expect(await ctl("clock")).toBe(0);
    expect(data()).toMatchObject({ now: "2026-01-01T00:00:00.000Z" });
    expect(await ctl("--world", "ic", "clock")).toBe(1);
    expect(errors).toContain('There is no world ic: did you mean "ci"?');
  });

  it("forks a world as it was after an entry, which is named as `world new` names it", async () => {
    expect(await ctl("world", "fork", "main@0", "early")).toBe(0);
    expect(data()).toMatchObject({ name: "early" });
  });

  it("moves the clock by what it is told", async () => {
    expect(await ctl("clock", "advance", "1m")).toBe(0);
    expect(data()).toMatchObject({ now: "2026-01-01T00:01:00.000Z" });
  });

  it("reads a body from standard input", async () => {
    const body = JSON.stringify({ rules: [{ id: "one", outcome: "LOST_ANSWER" }] });
    vi.spyOn(process, "stdin", "get").mockReturnValue(
      Readable.from([Buffer.from(body)]) as typeof process.stdin,
    );
    expect([await ctl("faults", "set", "-"), errors]).toEqual([0, ""]);
    expect(await ctl("faults")).toBe(0);
    expect(data()["rules"]).toMatchObject([{ id: "one", outcome: "LOST_ANSWER" }]);
  });

  it("ends a move with 1 and the time reached, when the clock is frozen meanwhile", async () => {
    const moving = ctl("clock", "advance", "300d");
    const clock = () => simulator.control.clock.read();
    const { now: begin } = await clock();
    await expect.poll(async () => (await clock()).now).not.toBe(begin);
    await simulator.control.clock.freeze();
    expect(await moving).toBe(1);
    expect(errors).toMatch(/ended on its way.*reached 2026-/);
  });

  it("ends with 4 when another program answers in its place", async () => {
    const server = createServer((_, response) => void response.end("<h1>hello</h1>"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const other = { ...simulator.readyLine(), controlUrl: `http://127.0.0.1:${port}/__gatewright` };
    expect(await ctl("--ready-file", fileWith(other), "health")).toBe(4);
    expect(errors).toContain("is a sandbox there?");
    server.close();
  });

  it("ends with 4 when the sandbox is gone", async () => {
    await simulator.close();
    expect(await ctl("health")).toBe(4);
    expect(errors).toContain("does not answer");
  });
});
