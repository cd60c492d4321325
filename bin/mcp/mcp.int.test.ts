/** The program as an assistant starts it: lines of JSON over its standard input and output. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ControlledSimulator, controlVerbs, startSimulator } from "../../simulator/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gatewright-mcp-"));
const readyFile = path.join(folder, "ready.json");
const program = path.resolve(import.meta.dirname, "..", "gatewright");
let simulator: ControlledSimulator;
let assistant: Assistant;

interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

class Assistant {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  #asked = 0;

  constructor() {
    this.child = spawn(program, ["mcp", "--ready-file", readyFile]);
    this.#answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async ask(method: string, params: object): Promise<Message> {
    const id = ++this.#asked;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await this.#answers.next();
      if (done === true) throw new Error(`it ended before it answered ${method}`);
      // as: everything on standard output is a message, or this fails.
      const message = JSON.parse(value) as Message;
      if (message.id === id) return message;
    }
  }

  async call(name: string, given: object): Promise<{ readonly text: string; readonly refused: boolean }> {
    const { result, error } = await this.ask("tools/call", { name, arguments: given });
    if (error !== undefined) return { text: error.message, refused: true };
    const { content, isError } = result as {
      readonly content: [{ readonly text: string }];
      readonly isError?: boolean;
    };
    return { text: content[0].text, refused: isError === true };
  }
}

beforeAll(async () => {
  simulator = await startSimulator({ clock: "manual" });
  writeFileSync(readyFile, JSON.stringify(simulator.readyLine()));
  assistant = new Assistant();
  const begun = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "a test", version: "1" },
  };
  expect((await assistant.ask("initialize", begun)).result).toMatchObject({
    serverInfo: { name: "gatewright" },
  });
});
afterAll(async () => {
  if (assistant.child.exitCode === null) assistant.child.kill();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const order = { product: "BTC-USD", side: "BUY", type: "LIMIT", base_quantity: "0.01", price: "50000" };

describe("gatewright mcp", () => {
  it("has a tool for each control, and three more", async () => {
    const { result } = await assistant.ask("tools/list", {});
    const tools = result?.["tools"] as readonly { readonly name: string; readonly annotations: object }[];
    expect(tools.map(({ name }) => name)).toHaveLength(controlVerbs().length + 3);
    expect(tools.filter(({ name }) => !/^[a-z_]{2,40}$/.test(name))).toEqual([]);
    expect(tools.find(({ name }) => name === "order_list")?.annotations).toMatchObject({
      readOnlyHint: true,
    });
  });

  it("places an order that a fault awaits, tells why it waits, moves the clock, and cancels it", async () => {
    await assistant.call("outcomes_next", { code: "STUCK_PENDING", key: "trader" });
    const placed = await assistant.call("place_order", {
      order: { ...order, client_order_id: crypto.randomUUID() },
    });
    const { data } = JSON.parse(placed.text) as {
      readonly data: { readonly order: { readonly id: string } };
    };
    expect((await assistant.call("explain", { id: data.order.id })).text).toContain("NEVER_CONFIRMED");
    const before = Date.parse((await simulator.control.clock.read()).now);
    await assistant.call("clock_advance", { advanceMs: "90s" });
    expect(Date.parse((await simulator.control.clock.read()).now) - before).toBe(90_000);
    expect((await assistant.call("cancel_order", { id: data.order.id })).text).toContain('"CANCELLED"');
  });

  it("hands over refusals of the gateway, of a control, and of what is no argument", async () => {
    expect((await assistant.call("place_order", { order })).text).toContain('"status": 400');
    const nobody = await assistant.call("client_show", { client: "nobody" });
    expect(nobody).toEqual({ refused: true, text: expect.stringContaining("There is no client nobody") });
    expect(await assistant.call("clock_advance", { advanceMs: "soon" })).toMatchObject({ refused: true });
    expect(await assistant.call("clock_advance", {})).toMatchObject({ refused: true });
  });

  it("runs the kit", async () => {
    const { text } = await assistant.call("conform", { only: ["idempotency-010-repeat-returns-the-order"] });
    expect(JSON.parse(text)).toMatchObject({ report: expect.stringContaining("1 passed, 0 failed") });
  });

  it("ends when its standard input does", async () => {
    assistant.child.stdin.end();
    const [code] = (await once(assistant.child, "exit")) as [number];
    expect(code).toBe(0);
  });
});
