/**
 * One fixed script of requests against a venue with a seed and a manual clock. The answers, the chain hash of the
 * journal and the hash of the state are a fingerprint that has to be the same in every run, on any machine, Node version,
 * time zone and language. As a program it prints the fingerprint as one JSON line:
 *
 *     node tools/bench.mjs simulator/testing/determinism [database file]
 *
 * On another version of Node, run what that has compiled: `dist/bench/simulator/testing/`.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";
import { asObject, type JsonObject, type Reply, sha256 } from "./client.ts";
import { startVenue, type Venue } from "./venue.ts";

export interface Fingerprint {
  readonly seed: number;
  readonly answers: number;
  /** SHA-256 over status and body of every answer, in order. */
  readonly bodies: string;
  readonly seq: number;
  readonly chainHash: string;
  readonly stateHash: string;
}

const start = Date.parse("2026-03-28T23:30:00.000Z");

/** A world with everything that moves by itself: a ladder, a walk, faults by chance. */
const world = {
  extends: "demo",
  clock: { mode: "manual", start: new Date(start).toISOString() },
  settings: { rateLimit: { enabled: false }, syncDelayMs: 120 },
  faults: [
    {
      id: "sometimes-unknown",
      percent: 7,
      fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 700 },
    },
    { id: "sometimes-refused", percent: 5, fault: { kind: "rejectByExchange", reason: "TRADING_HALTED" } },
  ],
} as const;

const clients = ["trader", "other", "counterparty"] as const;

/** Numbers from 0 up to `below`, the same on every machine. */
class Dice {
  #state = 20_260_101;

  next(below: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % below;
  }

  /** A UUID v4 made of the dice. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.next(16).toString(16)).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

interface Run {
  readonly venue: Venue;
  readonly dice: Dice;
  readonly log: string[];
  readonly ids: string[];
  readonly sent: JsonObject[];
}

/** The answers to everything that is sent, one after the other. `steps`: of the script, before everything is read. */
export async function fingerprint(
  options: { readonly seed?: number; readonly db?: string; readonly steps?: number } = {},
): Promise<{ readonly fingerprint: Fingerprint; readonly log: readonly string[] }> {
  const { seed = 7, db = ":memory:", steps = 150 } = options;
  let tick = 1_800_000_000_000;
  const venue = await startVenue({ world: world, clock: "manual", seed, db, authClock: () => tick++ });
  const run: Run = { venue, dice: new Dice(), log: [], ids: [], sent: [] };
  try {
    for (let step = 0; step < steps; step++) await oneStep(run, step);
    await readEverything(run);
    const { seq, chainHash, stateHash } = await venue.control("/state-hash", {}, "GET");
    return {
      log: run.log,
      fingerprint: {
        seed,
        answers: run.log.length,
        bodies: sha256(run.log.join("\n")),
        seq: Number(seq),
        chainHash: String(chainHash),
        stateHash: String(stateHash),
      },
    };
  } finally {
    await venue.close();
  }
}

function note({ log }: Run, reply: Reply): Reply {
  log.push(`${reply.status} ${reply.text}`);
  return reply;
}

async function oneStep(run: Run, step: number): Promise<void> {
  const { venue, dice, ids, sent } = run;
  const client = venue.as(clients[dice.next(clients.length)] ?? "trader");
  const signed = { sign: { nonce: dice.uuid() } };
  switch (dice.next(8)) {
    case 0:
    case 1:
    case 2: {
      const order = randomOrder(dice);
      sent.push(order);
      const reply = note(run, await client.place(order, signed));
      const { id } = asObject(reply.data["order"]);
      if (typeof id === "string") ids.push(id);
      return;
    }
    case 3:
      if (sent.length > 0) note(run, await client.place(sent[dice.next(sent.length)], signed));
      return;
    case 4:
      if (ids.length > 0)
        note(run, await client.delete(`/order/${ids[dice.next(ids.length)] ?? ""}`, signed));
      return;
    case 5:
      note(
        run,
        await venue.controlReply("/clock", { advanceMs: [1, 49, 50, 333, 5000, 61_000][dice.next(6)] ?? 1 }),
      );
      return;
    case 6:
      note(run, await useControl(run, step));
      return;
    default:
      note(run, await client.get(reads[dice.next(reads.length)] ?? "/order", signed));
  }
}

const reads = ["/order/open", "/order", "/wallet", "/product", "/order-book/BTC-USD", "/order-book/SOL-USD"];

function randomOrder(dice: Dice): JsonObject {
  const side = dice.next(2) === 0 ? "BUY" : "SELL";
  const [product, price, quantity] =
    dice.next(3) === 0 ? ["SOL-USD", 150, "1.5"] : ["BTC-USD", 60_000, "0.0123"];
  const near = (permille: number): string => `${(price * (1000 + permille)) / 1000}`;
  const base = { side, product, client_order_id: dice.uuid() };
  const kind = dice.next(10);
  if (kind < 6) return { ...base, type: "LIMIT", base_quantity: quantity, price: near(dice.next(7) - 3) };
  if (kind < 8) {
    const size = side === "BUY" ? { quote_value: "123.45" } : { base_quantity: quantity };
    return { ...base, type: "MARKET", ...size };
  }
  if (kind < 9) {
    const away = near(side === "BUY" ? 5 : -5);
    return { ...base, type: "STOP_LIMIT", base_quantity: quantity, price: away, stop_price: away };
  }
  return { ...base, type: "LIMIT", base_quantity: "1e-8", price: "ı̇ŞŸ" };
}

function useControl({ venue, dice }: Run, step: number): Promise<Reply> {
  switch (dice.next(5)) {
    case 0:
      return venue.controlReply("/products/BTC-USD/trades", {
        price: `${59_700 + dice.next(600)}`,
        quantity: "0.5",
      });
    case 1:
      return venue.controlReply("/clients/alice/deposits", {
        asset: "ETH",
        amount: "1.25",
        confirmations: step % 15,
      });
    case 2:
      return venue.controlReply("/settings", { matchDelayMs: step % 2 === 0 ? 0 : 50 });
    case 3:
      return venue
        .as("trader")
        .post("/wallet/deposit-address", { asset: "XRP" }, { sign: { nonce: dice.uuid() } });
    default:
      return venue.controlReply("/products/SOL-USD/halted", { halted: step % 3 === 0 });
  }
}

/** At the end: every record that can be read, and errors of each kind. */
async function readEverything(run: Run): Promise<void> {
  const { venue, dice } = run;
  note(run, await venue.controlReply("/clock", { advanceMs: 3_700_000 }));
  const queries: readonly (readonly [string, string])[] = [
    ["/order", "limit=1000"],
    ["/order/open", ""],
    ["/wallet", ""],
    ["/wallet/deposits", ""],
    ["/wallet/deposit-address", ""],
    ["/account/fee", "product=BTC-USD"],
    ["/account/settings", ""],
    ["/asset", ""],
    ["/product", ""],
    ["/product/pairs", ""],
    ["/product/BTC-USD/candles", "granularity=ONE_MINUTE"],
    ["/product/SOL-USD/candles", "granularity=ONE_HOUR"],
    ["/product/SOL-USD/candles", "granularity=ONE_DAY"],
    ["/order-book/BTC-USD", "depth=100"],
    ["/order-book/SHIB-USD", "depth=100"],
    ["/order/no-uuid", ""],
    ["/nothing", ""],
    ["/order", "cursor=x"],
  ];
  for (const name of clients) {
    for (const [route, query] of queries)
      note(run, await venue.as(name).get(route, { sign: { nonce: dice.uuid() }, query }));
  }
  note(run, await venue.open("/order/open"));
  note(run, await venue.open("/health/ready"));
}

const [, program = "", db] = process.argv;
if (program !== "" && pathToFileURL(program).href === import.meta.url) {
  const { fingerprint: result } = await fingerprint(db === undefined ? {} : { db });
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
