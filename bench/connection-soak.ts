/**
 * `npm run soak:connections -- --connections 10000`: opens that many connections to a venue in its own process, in
 * waves, and keeps them open. Prints their fate, their cost, and whether orders were served during the test. With
 * `--most 960` the venue accepts no more than that and refuses the rest.
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { type SimulatorKey, startSimulator } from "../simulator/index.ts";
import { Client } from "../simulator/testing/client.ts";
import { limitBuy } from "../simulator/testing/venue.ts";
import { quietWorld } from "../simulator/testing/worlds.ts";

interface Ready {
  readonly baseUrl: string;
  readonly keys: readonly SimulatorKey[];
}

const flag = (name: string, otherwise: number): number => {
  const at = process.argv.lastIndexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

async function serve(): Promise<void> {
  const limits = {
    connections: flag("most", 20_000),
    streamConnectionsPerKey: 20_000,
    streamSubscribeTimeoutMs: 600_000,
  };
  const { baseUrl, keys } = await startSimulator({ world: quietWorld({ limits }) });
  process.send?.({ baseUrl, keys });
}

/** Resident memory of a process, in MiB. */
function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(line) / 1024;
}

/** The status of a handshake; the socket stays open. */
async function shake(client: Client, open: Socket[]): Promise<string> {
  const { hostname, port } = new URL(client.baseUrl);
  const { target, headers } = client.prepare("GET", "/ws");
  const socket = connect(Number(port), hostname);
  open.push(socket);
  socket.on("error", () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n${lines.join("")}\r\n`,
  );
  return new Promise((resolve) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString("latin1", 9, 12)));
    socket.once("error", () => resolve("reset"));
    socket.once("close", () => resolve("closed"));
  });
}

async function attack(connections: number): Promise<boolean> {
  const child = fork(process.argv[1] ?? "", ["--serve", "--most", String(flag("most", 20_000))]);
  // As `serve` sends it.
  const [{ baseUrl, keys }] = (await once(child, "message")) as [Ready];
  const key = keys.find(({ name }) => name === "trader");
  if (key === undefined || child.pid === undefined) throw new Error("the venue did not start");
  const client = new Client(baseUrl, key);
  const counts = new Map<string, number>();
  const before = memoryOf(child.pid);
  let peak = before;
  let served = 0;
  let slowest = 0;
  const open: Socket[] = [];
  for (let sent = 0; sent < connections; sent += 500) {
    const wave = await Promise.all(Array.from({ length: 500 }, () => shake(client, open)));
    for (const status of wave) counts.set(status, (counts.get(status) ?? 0) + 1);
    peak = Math.max(peak, memoryOf(child.pid));
    const began = performance.now();
    // Its own connection was opened first, so there is room for it.
    if ((await client.place(limitBuy())).status === 200) served++;
    slowest = Math.max(slowest, performance.now() - began);
  }
  const stayed = open.filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed).length;
  for (const socket of open) socket.destroy();
  const waves = Math.ceil(connections / 500);
  const told = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  process.stdout.write(
    `${connections} handshakes: ${told}; ${stayed} open at the end. Memory ${before.toFixed(0)} MiB, at the most ${peak.toFixed(0)} MiB. ` +
      `${served} of ${waves} orders in between were served, the slowest in ${slowest.toFixed(0)} ms\n`,
  );
  const end = once(child, "exit");
  child.kill("SIGKILL");
  await end;
  return served === waves && stayed === (counts.get("101") ?? 0) && peak - before < 150;
}

if (process.argv.includes("--serve")) await serve();
else process.exit((await attack(flag("connections", 10_000))) ? 0 : 1);
