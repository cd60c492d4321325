/**
 * Book updates to 1, 10, 100 and 1,000 subscribers: the simulator's stream against `ws.send` of the same text,
 * alternating and from the same venue. The measure is CPU time of the server's process, minus that of the same
 * transactions without a subscriber. Then the time from commit to frame at 500 subscribers, with and without one more
 * that has stopped reading.
 * `npm run bench:stream -- 8 broadcast 1,10` (or `stalled`) runs a part.
 */
import { once } from "node:events";
import { type RunningServer, startServer } from "./lib/child.ts";
import { type FrameClient, openClient } from "./lib/frame-client.ts";
import { compare, spread } from "./lib/paired.ts";
import { goal, heading, print, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const cycles = Number(process.argv[2] ?? 8);
const only = process.argv[3] ?? "all";
const subscriberCounts = (process.argv[4] ?? "1,10,100,1000").split(",").map(Number);
const baseline = "ws.send";
const servers = {
  [baseline]: await startServer("fan-out", ["bare"]),
  "gatewright stream": await startServer("fan-out", ["stream"]),
};

async function openAll(port: number, count: number): Promise<FrameClient[]> {
  const clients: FrameClient[] = [];
  for (let opened = 0; opened < count; opened++) clients.push(await openClient(port));
  for (const client of clients) client.ask();
  // The acknowledgement and the snapshot.
  await all(clients, 2);
  return clients;
}

/** Resolves when each client has so many frames. */
const all = (clients: readonly FrameClient[], frames: number): Promise<unknown> =>
  Promise.all(
    clients.map(
      (client) =>
        new Promise<void>((resolve) => {
          const check = (): void => {
            if (client.frames >= frames) resolve();
          };
          client.onFrames = check;
          check();
        }),
    ),
  );

async function run({ child }: RunningServer, ticks: number, perTick: number, pauseMs = 0): Promise<bigint[]> {
  child.send({ ticks, perTick, pauseMs });
  // as: the server's answer to a run.
  const [{ committedAt }] = (await once(child, "message")) as [{ readonly committedAt: readonly string[] }];
  return committedAt.map(BigInt);
}

interface Shape {
  readonly ticks: number;
  readonly perTick: number;
}

/** CPU microseconds until every client has every frame. */
async function cost(
  server: RunningServer,
  clients: readonly FrameClient[],
  { ticks, perTick }: Shape,
): Promise<number> {
  const before = await server.cpuMicros();
  const first = Math.min(...clients.map(({ frames }) => frames));
  const arrived = all(clients, first + ticks * perTick);
  await run(server, ticks, perTick);
  await arrived;
  return (await server.cpuMicros()) - before;
}

/** Microseconds of a transaction without subscribers. */
async function unheard(server: RunningServer, perTick: number): Promise<number> {
  const costs: number[] = [];
  for (let taken = 0; taken < 4; taken++) costs.push((await cost(server, [], { ticks: 100, perTick })) / 100);
  return Math.min(...costs);
}

async function broadcast(subscribers: number, perTick: number): Promise<number> {
  const ticks = Math.max(8, Math.min(400, Math.round(80_000 / subscribers / perTick)));
  // The stream makes no message without a receiver; the text for `ws.send` is made either way, so this is the smaller share.
  const alone = await unheard(servers["gatewright stream"], perTick);
  const open = new Map<string, FrameClient[]>();
  for (const [name, { port }] of Object.entries(servers)) open.set(name, await openAll(port, subscribers));
  const candidates = Object.entries(servers).map(([name, server]) => ({
    name,
    slice: async () => {
      const micros = (await cost(server, open.get(name) ?? [], { ticks, perTick })) - alone * ticks;
      return (ticks * perTick * subscribers * 1e6) / micros;
    },
  }));
  heading(
    `${subscribers} subscribers, ${perTick} updates a transaction, ${cycles} slices of ${ticks} transactions`,
  );
  const rows = await compare(baseline, candidates, cycles);
  table(rows, baseline, "deliveries a CPU second");
  for (const { socket } of [...open.values()].flat()) socket.destroy();
  return rows.find(({ name }) => name !== baseline)?.ratio.median ?? Number.NaN;
}

const tickCount = 150;
const messagesPerTick = 4;
const tickPauseMs = 8;

/** Milliseconds from commit to the last frame of a transaction at each client: median and 99th percentile. */
async function latency(
  clients: readonly FrameClient[],
): Promise<{ readonly p50: number; readonly p99: number }> {
  const arrivals = clients.map((client) => {
    const times: bigint[] = [];
    const start = client.frames;
    client.onFrames = () => {
      const now = process.hrtime.bigint();
      while (times.length < Math.floor((client.frames - start) / messagesPerTick)) times.push(now);
    };
    return times;
  });
  const commits = await run(servers["gatewright stream"], tickCount, messagesPerTick, tickPauseMs);
  while (arrivals.some((times) => times.length < tickCount))
    await new Promise((resolve) => setTimeout(resolve, 5));
  const waits = arrivals
    .flatMap((times) => times.map((time, tick) => Number(time - (commits[tick] ?? time)) / 1e6))
    .sort((a, b) => a - b);
  const at = (share: number): number => waits[Math.floor(waits.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Resolves once the server has next to nothing to do. */
async function idle(server: RunningServer): Promise<void> {
  for (let before = await server.cpuMicros(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = await server.cpuMicros();
    if (now - before < 15_000) return;
    before = now;
  }
}

/** One that asks for snapshots until nothing fits between it and the server, and never reads. */
async function stalled(port: number): Promise<FrameClient> {
  const client = await openClient(port);
  client.socket.pause();
  for (let asked = 0; asked < 3000; asked++) client.ask();
  await idle(servers["gatewright stream"]);
  return client;
}

async function beside(): Promise<void> {
  const { port } = servers["gatewright stream"];
  const clients = await openAll(port, 500);
  heading(
    `500 subscribers, ${messagesPerTick} updates every ${tickPauseMs} ms or so: ms from commit to frame, ${cycles} pairs`,
  );
  await latency(clients);
  const alone: { readonly p50: number; readonly p99: number }[] = [];
  const disturbed: typeof alone = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    const one = async (): Promise<void> => void disturbed.push(await disturb(port, clients));
    const none = async (): Promise<void> => void alone.push(await latency(clients));
    for (const work of cycle % 2 === 0 ? [one, none] : [none, one]) await work();
  }
  const row = (name: string, found: typeof alone): string[] => {
    const [p50, p99] = [spread(found.map((each) => each.p50)), spread(found.map((each) => each.p99))];
    return [name, p50.median.toFixed(2), p99.median.toFixed(2), p99.min.toFixed(2), p99.max.toFixed(2)];
  };
  print(["", "median", "p99", "p99 min", "p99 max"], [row("alone", alone), row("one stalled", disturbed)]);
  const ratios = spread(disturbed.map(({ p99 }, cycle) => p99 / (alone[cycle]?.p99 ?? Number.NaN)));
  const found = `${ratios.median.toFixed(2)}x, ${ratios.min.toFixed(2)} to ${ratios.max.toFixed(2)}`;
  goal("one stalled client moves the p99 of 500 others by at most 10 %", ratios.median <= 1.1, found);
}

async function disturb(port: number, clients: readonly FrameClient[]): Promise<{ p50: number; p99: number }> {
  const silent = await stalled(port);
  const found = await latency(clients);
  silent.socket.destroy();
  return found;
}

try {
  if (only !== "stalled") await broadcastAll();
  if (only !== "broadcast") await beside();
} finally {
  for (const { child } of Object.values(servers)) child.kill();
}

async function broadcastAll(): Promise<void> {
  const ratios = new Map<number, number>();
  for (const subscribers of subscriberCounts) {
    await broadcast(subscribers, 1);
    ratios.set(subscribers, await broadcast(subscribers, 16));
  }
  const hundred = ratios.get(100);
  if (hundred === undefined) return;
  goal(
    "at least 4x the deliveries of ws.send at 100 subscribers, 16 updates a transaction",
    hundred >= 4,
    `${hundred.toFixed(1)}x`,
  );
}
