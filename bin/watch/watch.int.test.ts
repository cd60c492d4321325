/** The command on a running simulator: in a window, in a pipe, and where it cannot work. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Duplex } from "node:stream";
import { gzipSync } from "node:zlib";
import { Command } from "@commander-js/extra-typings";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { cuttingProxy } from "../../docs/clients/testing/cutting-proxy.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";
import { register } from "../commands/watch.ts";
import { main } from "../gatewright.ts";
import type { Size } from "./frame.ts";
import { gatewayOf, type WatchFlags } from "./gateway.ts";
import { jsonFor } from "./lines.ts";
import { FakeTerminal } from "./testing/fake-terminal.ts";
import { watch } from "./watch.ts";

/** Patient with a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look);

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ world: { extends: "demo", settings: { matchDelayMs: 0 } } });
});
afterAll(() => simulator.close());

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function call<Data>(method: string, route: string, body?: object, key = "trader"): Promise<Data> {
  const { keyId = "", secret = "" } = simulator.keys.find(({ name }) => name === key) ?? {};
  const payload = body === undefined ? "" : JSON.stringify(body);
  const signed = kit.signRequest({
    keyId,
    secret,
    timestamp: String(Date.now()),
    nonce: randomUUID(),
    method,
    path: new URL(simulator.baseUrl + route).pathname,
    contentType: "application/json",
    body: Buffer.from(payload),
  });
  const headers = Object.fromEntries(signed.headers);
  const response = await fetch(simulator.baseUrl + route, { method, headers, body: payload || null });
  const answer = (await response.json()) as { data: Data };
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer.data;
}

interface Placed {
  readonly id: string;
  readonly clientOrderId: string;
}

async function place(more: object, key?: string): Promise<Placed> {
  const order = { side: "BUY", product: "BTC-USD", client_order_id: randomUUID(), ...more };
  return (await call<{ order: Placed }>("POST", "/order", order, key)).order;
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
  const shows = (text: string | RegExp) => eventually(() => terminal.lines().join("\n")).toMatch(text);
  return { terminal, ended, enough, shows };
}

describe("gatewright watch in a window", () => {
  it("shows the gateway's book, a trade and one's own orders as they come", async () => {
    const { shows, terminal } = await windowOf({ columns: 80, rows: 24 });
    await shows(/● live {3}BTC-USD/);
    await shows(/60006\.?0* +\d[\d.]* +█/);
    const { clientOrderId } = await place(resting);
    await shows(new RegExp(`OPEN +BUY +LIMIT +0\\.5 at 59991\\.5 +filled 0 +${clientOrderId.slice(0, 8)}`));
    await shows(/59991\.5 +0\.5/);
    await place({ side: "SELL", type: "MARKET", base_quantity: "0.25" });
    await shows(/MY ORDERS in BTC-USD: 1 open/);
    await shows(/\d\d:\d\d:\d\dZ +59994 +0\.25/);
    await shows(/FILLED +SELL MARKET +0\.25 at 59994/);
    expect(Math.max(...terminal.lines().map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each([
    ["q", (terminal: FakeTerminal) => terminal.press("q")],
    ["Ctrl-C", (terminal: FakeTerminal) => terminal.press("\u0003")],
  ])("restores the terminal at %s, and prints a summary line", async (_key, quit) => {
    const { shows, terminal, ended } = await windowOf({ columns: 80, rows: 24 });
    await shows(/live/);
    expect({ ...terminal, occupied: terminal.occupied, cursor: terminal.cursorShown }).toMatchObject({
      raw: true,
      occupied: true,
      cursor: false,
    });
    quit(terminal);
    await ended;
    await shows(/^watched BTC-USD: messages \d+, gaps 0, reconnects 0\n+$/);
    expect({ raw: terminal.raw, occupied: terminal.occupied, cursor: terminal.cursorShown }).toEqual({
      raw: false,
      occupied: false,
      cursor: true,
    });
    const { length } = terminal.written;
    await place(resting);
    expect(terminal.written).toHaveLength(length);
  });

  it("draws itself anew, and whole, when the window gets another size", async () => {
    const { shows, terminal } = await windowOf({ columns: 120, rows: 40 });
    await shows(/TRADES/);
    terminal.resize({ columns: 44, rows: 14 });
    await eventually(() => terminal.lines().filter((line) => line.includes("spread"))).toHaveLength(1);
    expect(terminal.lines().join("\n")).not.toContain("TRADES");
    await shows(/^ ● live.*\n http.*\n\n +PRICE +QUANTITY/);
    terminal.resize({ columns: 100, rows: 30 });
    await shows(/TRADES/);
    expect(terminal.lines().filter((line) => line.includes("spread"))).toHaveLength(1);
  });

  it("connects again by itself, reports it, and reads the orders that ended in between", async () => {
    const proxy = await cuttingProxy(simulator.baseUrl, [
      { after: 9000, kind: "cut" },
      { after: 0, kind: "cut" },
    ]);
    closing.push(() => proxy.close());
    const { shows, terminal } = await windowOf({ columns: 80, rows: 24 }, { target: proxy.baseUrl });
    await shows(/live/);
    const { id } = await place({ ...resting, price: "40000" });
    await shows(/OPEN +BUY +LIMIT +0\.5 at 40000/);
    while (proxy.cuts() === 0) await place({ ...resting, base_quantity: "0.001" }, "other");
    await call("DELETE", `/order/${id}`);
    await shows(/reconnects [12]/);
    await shows(/CANCELLED BUY +LIMIT +0\.5 at 40000/);
    expect(terminal.written).toMatch(/disconnected \(.*\): connecting again in \d\.\d s/);
  });
});

describe("gatewright watch in a pipe", () => {
  it("prints a line for each event, without a single escape", async () => {
    const running = run();
    await eventually(() => printed.stdout).toMatch(/book +bid \d/);
    const { clientOrderId } = await place({ ...resting, price: "59000" });
    await place({ side: "SELL", type: "MARKET", base_quantity: "0.01" });
    await eventually(() => printed.stdout).toMatch(/is FILLED/);
    process.emit("SIGHUP");
    expect(await running).toBe(exitCodes.ok);
    const { stdout } = printed;
    expect(stdout).toMatch(/^watch {2}connected to http.* as gw_demo_trader, watching BTC-USD\n/);
    expect(stdout).toContain(`\norder  ACCEPTED: BUY LIMIT 0.5 at 59000 is OPEN (${clientOrderId})\n`);
    expect(stdout).toMatch(/\ntrade {2}SELL 0\.01 at [\d.]+ \(\d{4}-.*Z\)\n/);
    expect(stdout).toMatch(
      /\norder {2}FILL 0\.01 at [\d.]+: SELL MARKET 0\.01 at [\d.]+ is FILLED, filled 0\.01/,
    );
    expect(stdout).toMatch(/\nwatch {2}watched BTC-USD: messages \d+, gaps 0, reconnects 0\n$/);
    expect(stdout).not.toContain("\u001b");
  });

  it("prints the messages as received, a line of JSON each, with --json", async () => {
    expect(await runUntil(/"final":true/, "--json", "--product", "ETH-USD")).toBe(exitCodes.ok);
    const lines = printed.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines[0]).toMatchObject({ type: "watch", event: "connected" });
    expect(lines.at(-1)).toMatchObject({ type: "watch", event: "end", gaps: 0 });
    expect(lines.filter(({ type }) => type === "snapshot")).toMatchObject([
      { channel: "orderBook", product: "ETH-USD" },
      { channel: "trades", product: "ETH-USD" },
      { channel: "ticker", product: "ETH-USD" },
      { channel: "orders" },
    ]);
  });

  it("leaves the heartbeats out of them", () => {
    const messages: object[] = [];
    const told = jsonFor((message) => messages.push(message));
    told.message({ type: "heartbeat", sequence: 1 });
    told.message({ type: "pong", sequence: 2 });
    expect(messages).toEqual([{ type: "pong", sequence: 2 }]);
  });

  it("ends by itself after the time that it is given", async () => {
    expect(await run("--seconds", "1")).toBe(exitCodes.ok);
    expect(printed.stdout).toMatch(/watch {2}watched BTC-USD: messages \d+, gaps 0, reconnects 0\n$/);
  });

  it("goes on without own orders if the key may not read them, and reports that", async () => {
    expect(await runUntil(/MISSING_CLAIM/, "--sign", "market-data")).toBe(exitCodes.ok);
    expect(printed.stdout).toMatch(/\nwatch {2}error from the target: MISSING_CLAIM: .*read:orders/);
    expect(printed.stdout).toMatch(/\nbook +bid/);
  });

  it("takes address and key from a ready file", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-watch-"));
    closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, "ready.json");
    writeFileSync(file, JSON.stringify(simulator.readyLine()));
    const running = command("--ready-file", file, "--sign", "reader");
    await eventually(() => printed.stdout).toMatch(/book/);
    process.emit("SIGHUP");
    expect(await running).toBe(exitCodes.ok);
    expect(printed.stdout).toContain(`connected to ${simulator.baseUrl} as gw_demo_reader`);
    expect(await command("--ready-file", file, "--sign", "nobody")).toBe(exitCodes.usage);
    expect(printed.stderr).toContain('the ready file has no key "nobody": it has trader, reader');
    expect(printed.stderr).toContain("; choose one with --sign trader");
  });
});

describe("gatewright watch that cannot work gives advice", () => {
  it.each<[string, string[], number, RegExp]>([
    [
      "an unknown key",
      ["--sign", "nobody"],
      4,
      /refused GET \/product for the key gw_demo_nobody with 401.*--ready-file/,
    ],
    ["a key without the claim", ["--sign", "read-orders"], 4, /with 403: .*read:market-data.*--sign trader/],
    ["a disabled key", ["--sign", "disabled"], 4, /with 401: .*disabled/],
    ["an unknown product", ["--product", "BTC-USDD"], 2, /no product BTC-USDD: it has BTC-EUR, BTC-USD/],
    ["half a key", ["--key-id", "x"], 2, /--key-id and --secret-env belong together/],
    [
      "a secret that is not there",
      ["--key-id", "x", "--secret-env", "NOT_SET_HERE"],
      2,
      /NOT_SET_HERE is not set/,
    ],
    ["no time at all", ["--seconds", "0"], 2, /whole number from 1 to 999999/],
  ])("%s", async (_what, flags, code, sentence) => {
    expect(await run(...flags)).toBe(code);
    expect(printed.stderr).toMatch(sentence);
    expect(printed.stdout).toBe("");
  });

  it.each([
    ["no address", "ftp://127.0.0.1", 2, /is the base address of a gateway, such as http/],
    [
      "an address beyond this machine",
      "https://gateway.example/api/v1/trading",
      2,
      /demo keys are for this machine/,
    ],
  ])("%s", async (_what, target, code, sentence) => {
    expect(await command("--target", target)).toBe(code);
    expect(printed.stderr).toMatch(sentence);
  });

  it("no server, or no gateway", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    expect(await command("--target", `http://127.0.0.1:${port}/api/v1/trading`)).toBe(
      exitCodes.targetUnusable,
    );
    expect(printed.stderr).toMatch(
      new RegExp(`nothing answers at 127.0.0.1:${port}: start the sandbox with "npm start"`),
    );
    expect(await command("--target", simulator.baseUrl.replace("/v1", ""))).toBe(exitCodes.usage);
    expect(printed.stderr).toContain("the base address must end with /api/v1/trading");
    const elsewhere = simulator.baseUrl.replace("/api/", "/elsewhere/api/");
    expect(await command("--target", elsewhere)).toBe(exitCodes.targetUnusable);
    expect(printed.stderr).toMatch(
      /with 404: .*Is http.* the base address of a gateway, ending in \/api\/v1\/trading\?/,
    );
  });

  it("a secret over plain HTTP to somewhere else", async () => {
    vi.stubEnv("SOME_SECRET", "secret");
    const key = ["--key-id", "x", "--secret-env", "SOME_SECRET"];
    expect(await command("--target", "http://gateway.example/api", ...key)).toBe(exitCodes.safetyStop);
    expect(printed.stderr).toContain("credentials are not sent to gateway.example without TLS: use https");
  });
});

describe("gatewright watch of a target that means harm", () => {
  const products = JSON.stringify({ data: [{ availablePairs: [{ id: "BTC-USD", apiEnabled: true }] }] });

  async function hostile(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    upgrade: (request: IncomingMessage, socket: Duplex) => void = (_, socket) => socket.destroy(),
  ): Promise<string> {
    const server = createHttpServer(answer).on("upgrade", upgrade).listen(0, "127.0.0.1");
    await once(server, "listening");
    const sockets = new Set<Duplex>();
    server.on("connection", (socket) => sockets.add(socket));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
  }
  const list = (_: unknown, response: ServerResponse) => void response.end(products);

  it("takes no answer larger than the bounds of the kit, and asks for no coding", async () => {
    const asked: unknown[] = [];
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const target = await hostile((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    expect(await command("--target", target)).toBe(exitCodes.targetUnusable);
    expect(printed.stderr).toMatch(/cannot be reached: .*larger than \d{7}/);
    expect(asked).toEqual(["identity"]);
  });

  /** Moves the cursor, turns a line round, ends it, and speaks to CI servers at its beginning and within it. */
  const poison = "\u001b[2J\u009b1m\u202e\u2028\r\n::error::x\n##vso[task.x]y";
  const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]|^[ \t]*::|##\w*\[/m;

  /** Everything that it says is poison: its product, its orders, its trades and its errors. */
  async function poisonous(): Promise<string> {
    const pairs = [{ id: poison, apiEnabled: true }];
    const text = (value: object): Buffer => {
      const bytes = Buffer.from(JSON.stringify(value));
      const head = Buffer.from([0x81, 126, bytes.length >> 8, bytes.length & 255]);
      return Buffer.concat([head, bytes]);
    };
    const order = { id: poison, clientOrderId: poison, productId: poison, side: poison, type: poison };
    const record = {
      ...order,
      baseQuantity: poison,
      limitPrice: poison,
      status: poison,
      filledQuantity: poison,
    };
    const trade = { id: poison, time: poison, side: poison, price: "1", quantity: "1", product: poison };
    const messages = [
      {
        type: "snapshot",
        channel: "trades",
        sequence: 1,
        data: { trades: [{ ...trade, price: poison }, trade] },
      },
      {
        type: "update",
        channel: "orders",
        sequence: 2,
        data: { event: poison, revision: 1, order: record, fill: trade },
      },
      { type: poison, channel: poison, sequence: 3, [poison]: poison, data: { [poison]: [poison] } },
      { type: "error", sequence: 4, code: poison, message: `LAST ${poison}` },
    ];
    return hostile(
      (_, response) => void response.end(JSON.stringify({ data: [{ availablePairs: pairs }] })),
      (request, socket) =>
        void socket.write(Buffer.concat([Buffer.from(accepted(request)), ...messages.map(text)])),
    );
  }

  it.each([[[]], [["--json"]]])(
    "shows nothing of it that a terminal or a CI server obeys: %j",
    async (flags) => {
      expect(await runUntilAt(await poisonous(), /LAST/, ...flags)).toBe(exitCodes.ok);
      expect(printed.stdout + printed.stderr).not.toMatch(obeyed);
      expect(printed.stdout).toMatch(/watched .*messages 4/);
    },
  );

  it("shows nothing of it in a window, nor in the line that stays behind", async () => {
    const { shows, terminal, enough, ended } = await windowOf(
      { columns: 80, rows: 24 },
      { target: await poisonous() },
    );
    await shows(/LAST/);
    enough.abort();
    await ended;
    const own = /\u001b\[[0-9;?]*[A-Za-z]/g;
    const leftBehind = () => terminal.written.slice(terminal.written.lastIndexOf("\u001b[?1049l"));
    await eventually(leftBehind).toContain("watched");
    const behind = leftBehind();
    expect(behind.replace(own, "")).not.toMatch(obeyed);
    expect(terminal.written).not.toMatch(/\u009b|\u202e|\u2028/);
  });

  const accepted = ({ headers }: IncomingMessage): string => {
    const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
  };
  const frame = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

  it("goes on after more messages than a run of the kit keeps", async () => {
    const target = await hostile(list, (request, socket) => {
      const last = frame('{"type":"error","code":"LAST","message":"x"}');
      const many = Array.from({ length: 10_050 }, () => frame('{"type":"x"}'));
      socket.write(Buffer.concat([Buffer.from(accepted(request)), ...many, last]));
    });
    expect(await runUntilAt(target, /target: LAST/)).toBe(exitCodes.ok);
    expect(printed.stdout).toMatch(/messages 10051, .* reconnects 0/);
  });

  it("offers no compression on the stream, and ends a connection with a message of more than 1 MiB", async () => {
    const offered: unknown[] = [];
    const target = await hostile(list, (request, socket) => {
      offered.push(request.headers["sec-websocket-extensions"]);
      socket.write(accepted(request));
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(1_048_577n);
      socket.write(Buffer.concat([Buffer.from([0x81, 127]), length]));
    });
    expect(await runUntilAt(target, /disconnected \(.*Max payload size exceeded/)).toBe(exitCodes.ok);
    expect(offered[0]).toBeUndefined();
  });

  it("reads no more than 64 KiB of a refusal", async () => {
    const target = await hostile(list, (_, socket) => {
      socket.on("error", () => undefined);
      socket.write(`HTTP/1.1 403 Forbidden\r\n\r\n${"x".repeat(70_000)}`);
    });
    expect(await runUntilAt(target, /the refusal is larger than 65536 bytes/)).toBe(exitCodes.ok);
  });
});

describe("docs/watch.md", () => {
  it("names every flag of the command, and no other", () => {
    const program = new Command();
    register(program);
    const flags = program.commands.flatMap(({ options }) => options.map(({ long }) => long ?? ""));
    const page = readFileSync(path.join(import.meta.dirname, "../../docs/watch.md"), "utf8");
    const table = page.split("\n").filter((line) => line.startsWith("| `--"));
    const named = table.flatMap((line) => line.split("|")[1]?.match(/--[a-z-]+/g) ?? []);
    expect(named.sort()).toEqual(flags.sort());
  });
});

let printed = { stdout: "", stderr: "" };
beforeEach(() => {
  printed = { stdout: "", stderr: "" };
});

/** The command as it runs in a pipe, or on a terminal that cannot move its cursor. */
async function command(...flags: string[]): Promise<number> {
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
  vi.stubEnv("TERM", "dumb");
  try {
    return await main(["node", "gatewright", "watch", ...flags], "0.0.0");
  } finally {
    vi.restoreAllMocks();
    process.stdout.removeAllListeners("error");
  }
}

/** Runs the command until it has printed this, and then hangs up. */
const runUntil = (said: RegExp, ...flags: string[]): Promise<number> =>
  runUntilAt(simulator.baseUrl, said, ...flags);

async function runUntilAt(target: string, said: RegExp, ...flags: string[]): Promise<number> {
  const running = command("--target", target, ...flags);
  await eventually(() => printed.stdout).toMatch(said);
  process.emit("SIGHUP");
  return running;
}

const run = (...flags: string[]): Promise<number> => command("--target", simulator.baseUrl, ...flags);
