/** The command on a running simulator: in a window, in a pipe, where it cannot work, and at a target that means harm. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Duplex } from "node:stream";
import { gzipSync } from "node:zlib";
import { Command } from "@commander-js/extra-typings";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { cuttingProxy } from "../../docs/clients/testing/cutting-proxy.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";
import { register } from "../commands/watch.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";
import { signedFetch } from "../testing/signed-fetch.ts";
import type { Size } from "./frame.ts";
import { gatewayOf, type WatchFlags } from "./gateway.ts";
import { jsonFor } from "./lines.ts";
import { FakeTerminal } from "./testing/fake-terminal.ts";
import { watch } from "./watch.ts";

const said = captureOutput();
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ world: { extends: "demo", settings: { matchDelayMs: 0 } } });
});
afterAll(() => simulator.close());

const closing: (() => unknown)[] = [];
beforeEach(() => vi.stubEnv("TERM", "dumb"));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  process.stdout.removeAllListeners("error");
});

async function place(more: object, key = "trader") {
  const order = { side: "BUY", product: "BTC-USD", client_order_id: randomUUID(), ...more };
  const { reply } = await signedFetch(simulator, "POST", "/order", JSON.stringify(order), { key });
  expect(reply.status).toBe(200);
  // as: the answer to a placed order.
  return ((await reply.json()) as { data: { order: { id: string; clientOrderId: string } } }).data.order;
}
const resting = { type: "LIMIT", base_quantity: "0.5", price: "59991.5" };

/** A watch in a window of this size; `ended` when it is over. */
async function windowOf(size: Size, flags: Partial<WatchFlags> = {}) {
  const terminal = new FakeTerminal(size);
  const gateway = await gatewayOf({ target: simulator.baseUrl, key: "trader", ...flags });
  const { input, output } = terminal;
  const look = { colours: false, unicode: true };
  const enough = new AbortController();
  const ended = watch(gateway, flags.product, { input, output, kind: "window", look }, enough.signal);
  closing.push(() => {
    enough.abort();
    return ended.catch(() => undefined);
  });
  const shows = (text: RegExp) => expect.poll(() => terminal.lines().join("\n")).toMatch(text);
  const state = () => [terminal.raw, terminal.occupied, terminal.cursorShown];
  return { terminal, ended, enough, shows, state };
}

/** The command as it runs in a pipe, or on a terminal that cannot move its cursor. */
const command = (...flags: string[]): Promise<number> =>
  main(["node", "gatewright", "watch", ...flags], "0.0.0");

/** Runs it until it has printed this, and then hangs up. */
async function runUntil(text: RegExp, target: string, ...flags: string[]): Promise<number> {
  const running = command("--target", target, ...flags);
  await expect.poll(() => said.output).toMatch(text);
  process.emit("SIGHUP");
  return running;
}

describe("gatewright watch in a window", () => {
  it("shows book, trades and own orders, is drawn anew in another size, and leaves the terminal as it was", async () => {
    const { shows, state, terminal, ended } = await windowOf({ columns: 80, rows: 24 });
    await shows(/● live {3}BTC-USD[^]*60006\.?0* +\d[\d.]* +█/);
    expect(state()).toEqual([true, true, false]);
    const { clientOrderId } = await place(resting);
    await shows(new RegExp(`OPEN +BUY +LIMIT +0\\.5 at 59991\\.5 +filled 0 +${clientOrderId.slice(0, 8)}`));
    await place({ side: "SELL", type: "MARKET", base_quantity: "0.25" });
    await shows(/\d\d:\d\d:\d\dZ +59994 +0\.25[^]*FILLED +SELL MARKET +0\.25 at 59994/);
    terminal.resize({ columns: 44, rows: 14 });
    const spreads = () => terminal.lines().filter((line) => line.includes("spread")).length;
    await expect.poll(spreads).toBe(1);
    await shows(/^ ● live.*\n http.*\n\n +PRICE +QUANTITY$/m);
    terminal.resize({ columns: 100, rows: 30 });
    await shows(/TRADES/);
    expect(spreads()).toBe(1);
    terminal.press("\u0003");
    await ended;
    await shows(/^watched BTC-USD: messages \d+, gaps 0, reconnects 0\n+$/);
    expect(state()).toEqual([false, false, true]);
    const { length } = terminal.written;
    await place(resting);
    expect(terminal.written).toHaveLength(length);
  });

  it("connects again by itself, reports it, reads the orders that ended in between, and ends at q", async () => {
    const cut = { after: 0, kind: "cut" } as const;
    const proxy = await cuttingProxy(simulator.baseUrl, [{ ...cut, after: 9000 }, cut]);
    closing.push(() => proxy.close());
    const { shows, terminal, ended } = await windowOf({ columns: 80, rows: 24 }, { target: proxy.baseUrl });
    await shows(/live/);
    const { id } = await place({ ...resting, price: "40000" });
    await shows(/OPEN +BUY +LIMIT +0\.5 at 40000/);
    while (proxy.cuts() === 0) await place({ ...resting, base_quantity: "0.001" }, "other");
    await signedFetch(simulator, "DELETE", `/order/${id}`);
    await shows(/CANCELLED BUY +LIMIT +0\.5 at 40000[^]*reconnects [12]/);
    expect(terminal.written).toMatch(/disconnected \(.*\): connecting again in \d\.\d s/);
    terminal.press("q");
    await ended;
  });
});

describe("gatewright watch in a pipe", () => {
  it("prints a line for each event, without a single escape", async () => {
    const running = runUntil(/is FILLED/, simulator.baseUrl);
    await expect.poll(() => said.output).toMatch(/book +bid \d/);
    const { clientOrderId } = await place({ ...resting, price: "59000" });
    await place({ side: "SELL", type: "MARKET", base_quantity: "0.01" });
    expect(await running).toBe(exitCodes.ok);
    for (const line of [
      /^watch {2}connected to http.* as gw_demo_trader, watching BTC-USD\n/,
      new RegExp(`\norder {2}ACCEPTED: BUY LIMIT 0\\.5 at 59000 is OPEN \\(${clientOrderId}\\)\n`),
      /\ntrade {2}SELL 0\.01 at [\d.]+ \(\d{4}-.*Z\)\n/,
      /\norder {2}FILL 0\.01 at [\d.]+: SELL MARKET 0\.01 at [\d.]+ is FILLED, filled 0\.01/,
      /\nwatch {2}watched BTC-USD: messages \d+, gaps 0, reconnects 0\n$/,
    ])
      expect(said.output).toMatch(line);
    expect(said.output).not.toContain("\u001b");
  });

  it("prints the messages as received with --json, but for heartbeats", async () => {
    const flags = ["--json", "--product", "ETH-USD"];
    expect(await runUntil(/"final":true/, simulator.baseUrl, ...flags)).toBe(exitCodes.ok);
    const lines = said.output.trimEnd().split("\n");
    const messages = lines.map((line) => JSON.parse(line) as { type: string; channel?: string });
    expect(messages[0]).toMatchObject({ type: "watch", event: "connected" });
    expect(messages.at(-1)).toMatchObject({ type: "watch", event: "end", gaps: 0 });
    const channels = messages.flatMap(({ type, channel }) => (type === "snapshot" ? [channel] : []));
    expect(channels).toEqual(["orderBook", "trades", "ticker", "orders"]);
    const kept: object[] = [];
    const told = jsonFor((message) => kept.push(message));
    for (const [at, type] of ["heartbeat", "pong"].entries()) told.message({ type, sequence: at });
    expect(kept).toEqual([{ type: "pong", sequence: 1 }]);
  });

  it("ends by itself after the time that it is given", async () => {
    expect(await command("--target", simulator.baseUrl, "--seconds", "1")).toBe(exitCodes.ok);
    expect(said.output).toMatch(/watched BTC-USD: .* reconnects 0\n$/);
  });

  it("goes on without own orders if the key of the ready file may not read them, and reports that", async () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), "gatewright-watch-")), "ready.json");
    writeFileSync(file, JSON.stringify(simulator.readyLine()));
    const running = command("--ready-file", file, "--sign", "market-data");
    await expect.poll(() => said.output).toMatch(/error from the target: MISSING_CLAIM: .*read:orders/);
    await expect.poll(() => said.output).toMatch(/\nbook +bid/);
    process.emit("SIGHUP");
    expect(await running).toBe(exitCodes.ok);
    expect(said.output).toContain(`connected to ${simulator.baseUrl} as gw_demo_market_data`);
    expect(await command("--ready-file", file, "--sign", "nobody")).toBe(exitCodes.usage);
    expect(said.errors).toMatch(/no key "nobody".*trader, reader.*--sign trader/);
  });
});

it.each<[flags: string[], code: number, named: RegExp, target?: (url: string) => string]>([
  [["--sign", "nobody"], 4, /GET \/product .*gw_demo_nobody .*401.*--ready-file/],
  [["--sign", "read-orders"], 4, /403: .*read:market-data.*--sign trader/],
  [["--sign", "disabled"], 4, /401: .*disabled/],
  [["--product", "BTC-USDD"], 2, /BTC-USDD: .*BTC-EUR, BTC-USD/],
  [["--key-id", "x"], 2, /--key-id.*--secret-env/],
  [["--key-id", "x", "--secret-env", "NOT_SET_HERE"], 2, /NOT_SET_HERE/],
  [["--seconds", "0"], 2, /1 to 999999/],
  [[], 2, /base address/, () => "ftp://127.0.0.1"],
  [[], 2, /demo keys.*this machine/, () => "https://gateway.example/api/v1/trading"],
  [[], 4, /127\.0\.0\.1:9.*npm start/, () => "http://127.0.0.1:9/api/v1/trading"],
  [[], 2, /must end with \/api\/v1\/trading/, (url) => url.replace("/v1", "")],
  [[], 4, /404: .*ending in \/api\/v1\/trading/, (url) => url.replace("/api/", "/elsewhere/api/")],
  [["--key-id", "x", "--secret-env", "PATH"], 5, /gateway\.example.*TLS/, () => "http://gateway.example/api"],
])("gatewright watch %j that cannot work ends with %i and advice", async (flags, code, named, target) => {
  const url = target === undefined ? simulator.baseUrl : target(simulator.baseUrl);
  expect(await command("--target", url, ...flags)).toBe(code);
  expect(said.errors).toMatch(named);
  expect(said.output).toBe("");
});

describe("gatewright watch of a target that means harm", () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  async function hostile(answer: Answer, upgrade: (request: IncomingMessage, socket: Duplex) => void) {
    const server = createServer(answer).on("upgrade", upgrade).listen(0, "127.0.0.1");
    await once(server, "listening");
    const sockets = new Set<Duplex>();
    server.on("connection", (socket) => sockets.add(socket));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
  }
  const listOf =
    (id: string): Answer =>
    (_, response) =>
      void response.end(JSON.stringify({ data: [{ availablePairs: [{ id, apiEnabled: true }] }] }));
  const accepted = ({ headers }: IncomingMessage): Buffer => {
    const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    return Buffer.from(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  };
  const frame = (message: object): Buffer => {
    const bytes = Buffer.from(JSON.stringify(message));
    return Buffer.concat([Buffer.from([0x81, 126, bytes.length >> 8, bytes.length & 255]), bytes]);
  };

  it("takes no answer larger than the bounds of the kit, and asks for no coding", async () => {
    const asked: unknown[] = [];
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const answer: Answer = (request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    };
    const target = await hostile(answer, (_, socket) => socket.destroy());
    expect(await command("--target", target)).toBe(exitCodes.targetUnusable);
    expect([said.errors, asked]).toEqual([expect.stringMatching(/larger than \d{7}/), ["identity"]]);
  });

  /** Moves the cursor, turns a line round, ends it, and speaks to CI servers at its beginning and within it. */
  const poison = "\u001b[2J\u009b1m\u202e\u2028\r\n::error::x\n##vso[task.x]y";
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]|^[ \t]*::|##\w*\[/m;
  const names = "id clientOrderId productId side type baseQuantity limitPrice status filledQuantity".split(
    " ",
  );

  /** Everything that it says is poison: its product, its orders, its trades and its errors. */
  function poisonous(): Promise<string> {
    const order = Object.fromEntries(names.map((name) => [name, poison]));
    const trade = { id: poison, time: poison, side: poison, price: "1", quantity: "1", product: poison };
    const messages = [
      { type: "snapshot", channel: "trades", data: { trades: [{ ...trade, price: poison }, trade] } },
      { type: "update", channel: "orders", data: { event: poison, revision: 1, order, fill: trade } },
      { type: poison, channel: poison, [poison]: poison, data: { [poison]: [poison] } },
      { type: "error", code: poison, message: `LAST ${poison}` },
    ].map((message, at) => frame({ ...message, sequence: at + 1 }));
    return hostile(listOf(poison), (request, socket) => {
      socket.write(Buffer.concat([accepted(request), ...messages]));
    });
  }

  it.each([[[]], [["--json"]]])("shows nothing that a terminal or a CI server obeys: %j", async (flags) => {
    expect(await runUntil(/LAST/, await poisonous(), ...flags)).toBe(exitCodes.ok);
    expect(said.output + said.errors).not.toMatch(obeyed);
    expect(said.output).toMatch(/watched .*messages 4/);
  });

  it("shows nothing of it in a window, nor in the line that stays behind", async () => {
    const target = await poisonous();
    const { shows, terminal, enough, ended } = await windowOf({ columns: 80, rows: 24 }, { target });
    await shows(/LAST/);
    enough.abort();
    await ended;
    const leftBehind = () => terminal.written.slice(terminal.written.lastIndexOf("\u001b[?1049l"));
    await expect.poll(leftBehind).toContain("watched");
    expect(leftBehind().replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")).not.toMatch(obeyed);
    expect(terminal.written).not.toMatch(/\u009b|\u202e|\u2028/);
  });

  it("goes on after more messages than a run of the kit keeps", async () => {
    const many = Array.from({ length: 10_050 }, () => frame({ type: "x" }));
    const last = frame({ type: "error", code: "LAST", message: "x" });
    const target = await hostile(listOf("BTC-USD"), (request, socket) => {
      socket.write(Buffer.concat([accepted(request), ...many, last]));
    });
    expect(await runUntil(/target: LAST/, target)).toBe(exitCodes.ok);
    expect(said.output).toMatch(/messages 10051, .* reconnects 0/);
  });

  it("offers no compression on the stream, and ends a connection with a message of more than 1 MiB", async () => {
    const offered: unknown[] = [];
    const target = await hostile(listOf("BTC-USD"), (request, socket) => {
      offered.push(request.headers["sec-websocket-extensions"]);
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(1_048_577n);
      socket.write(Buffer.concat([accepted(request), Buffer.from([0x81, 127]), length]));
    });
    expect(await runUntil(/disconnected \(.*Max payload size exceeded/, target)).toBe(exitCodes.ok);
    expect(offered[0]).toBeUndefined();
  });

  it("reads no more than 64 KiB of a refusal", async () => {
    const target = await hostile(listOf("BTC-USD"), (_, socket) => {
      socket.on("error", () => undefined);
      socket.write(`HTTP/1.1 403 Forbidden\r\n\r\n${"x".repeat(70_000)}`);
    });
    expect(await runUntil(/larger than 65536 bytes/, target)).toBe(exitCodes.ok);
  });
});

it("docs/watch.md names every flag of the command, and no other", () => {
  const program = new Command();
  register(program);
  const flags = program.commands.flatMap(({ options }) => options.map(({ long }) => long ?? ""));
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/watch.md"), "utf8");
  const table = page.split("\n").filter((line) => line.startsWith("| `--"));
  const named = table.flatMap((line) => line.split("|")[1]?.match(/--[a-z-]+/g) ?? []);
  expect(named.sort()).toEqual(flags.sort());
});
