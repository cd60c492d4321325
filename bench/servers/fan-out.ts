/**
 * Book updates to many subscribers, out of the same venue in memory: by the simulator's stream, or (`bare`) with
 * `ws.send(text)` to each. The text is made once in both. IPC: `{ ticks, perTick, pauseMs }` runs so many transactions of so
 * many orders and answers with the time of each commit; anything else is answered with the CPU time so far.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { MarketClock } from "../../simulator/sequencer/clock.ts";
import { FaultDrawer } from "../../simulator/sequencer/fault-drawer.ts";
import type { SequencerPorts } from "../../simulator/sequencer/sequencer-ports.ts";
import { Hub } from "../../simulator/stream/hub.ts";
import { copyOf, marketMessages } from "../../simulator/stream/market-messages.ts";
import { topicOf } from "../../simulator/stream/topics.ts";
import { Identities } from "../../simulator/wire/identities.ts";
import { loadWorld, openLoadJournal, startSequencer } from "../lib/load-venue.ts";
import { portOf } from "../lib/ready.ts";

interface Wanted {
  readonly ticks: number;
  readonly perTick: number;
  readonly pauseMs: number;
}

const world = await loadWorld();
const ids = new Identities(world.seed);
const server = createServer();
const committedAt: string[] = [];

type Committed = SequencerPorts["onCommitted"];

/** Called at each commit, after its time was recorded. */
let told: Committed = () => undefined;

const sequencer = startSequencer(openLoadJournal(":memory:", world), world, (entries, tookMs) => {
  if (entries.length > 0) committedAt.push(String(process.hrtime.bigint()));
  told(entries, tookMs);
});

function serveStream(): Committed {
  const much = 1_000_000;
  const hub = new Hub({
    venue: {
      state: sequencer.state,
      clock: new MarketClock("real"),
      underWay: null,
      requireReadable: () => undefined,
      follow: () => undefined,
    },
    ids,
    drawer: new FaultDrawer(world.seed),
    limits: {
      connectionsPerKey: much,
      messagesPerSecond: much,
      messageBytes: 16_384,
      subscriptions: 100,
      queueBytes: 1_048_576,
      queueMessages: 1000,
      subscribeTimeoutMs: much,
      pingEveryMs: much,
      silenceMs: much,
    },
    seams: { grant: (inner) => inner, outgoing: (text) => [text] },
    onFailure: (error) => {
      throw error;
    },
  });
  const caller = { key: 0, keyId: "k", name: "k", client: 0, claims: ["read:market-data" as const] };
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void hub.prepare().then(() => hub.open(request, socket, head, { caller, id: "bench" }));
  });
  return (entries) => hub.committed(entries);
}

function serveBare(): Committed {
  const clients = new Set<WebSocket>();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      clients.add(client);
      client.on("close", () => clients.delete(client));
      client.on("error", () => undefined);
      client.on("message", () => {
        client.send('{"sequence":1,"type":"subscriptions"}');
        client.send('{"sequence":2,"type":"snapshot"}');
      });
    });
  });
  const copy = copyOf(sequencer.state.market(0), sequencer.state.now);
  const topic = topicOf("orderBook", copy.product.id, null);
  return (entries) => {
    for (const entry of entries)
      for (const message of marketMessages(copy, entry, (wanted) => wanted === topic)) {
        const text = `{"sequence":12345${message.text}`;
        for (const client of clients) client.send(text);
      }
  };
}

told = process.argv[2] === "bare" ? serveBare() : serveStream();
let orders = 0;

/** The nth order rests on one of the best 50 levels of a side: each changes one level. */
function order() {
  const n = orders++;
  const side = n % 2 === 0 ? ("BUY" as const) : ("SELL" as const);
  const price = String(side === "BUY" ? 50_000 - (n % 50) : 60_000 + (n % 50));
  return {
    kind: "PlaceOrder" as const,
    client: 0,
    clientOrderId: randomUUID(),
    product: "BTC-USD",
    side,
    type: "LIMIT" as const,
    baseQuantity: "0.001",
    price,
    stopPrice: null,
    quoteValue: null,
    fault: null,
  };
}

async function run({ ticks, perTick, pauseMs }: Wanted): Promise<void> {
  committedAt.length = 0;
  for (let tick = 0; tick < ticks; tick++) {
    await Promise.all(Array.from({ length: perTick }, () => sequencer.submit(order())));
    // Both have written everything before the next transaction begins.
    for (let turns = 0; turns < 12; turns++) await turn();
    if (pauseMs > 0) await pause(pauseMs);
  }
  process.send?.({ committedAt: [...committedAt] });
}

process.on("message", (message: Wanted | "cpu") => {
  if (message !== "cpu") return void run(message);
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
server.listen(0, "127.0.0.1", () => process.send?.(portOf(server)));
