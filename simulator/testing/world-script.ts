/**
 * One fixed script of what a sandbox can do to a world: clock, outcomes, faults, actions on orders, forks, hostile mode. Each step is
 * played in the main world and in all of its forks, and what comes of it is noted: the answer and the head of the journal.
 */
import type { Json, JsonObject } from "./client.ts";
import { ScriptedWorld, type Step } from "./scripted-world.ts";
import { withVenue } from "./venue.ts";

const start = Date.parse("2026-03-28T23:30:00.000Z");
const now = (): number => start;

/** A world with everything that moves by itself. */
const world = {
  extends: "demo",
  clock: { mode: "manual", start: new Date(start).toISOString() },
  settings: { rateLimit: { enabled: false }, syncDelayMs: 120, acceptance: "async", confirmDelayMs: 80 },
};

/** `at`: the step after which the two part; else they part now. `first`: the steps that only the fork makes. */
interface Fork {
  readonly kind: "fork";
  readonly from: string;
  readonly name: string;
  readonly at?: number;
  readonly first: Step;
}

const control = (method: string, path: string, body: Json): Step => ({ kind: "control", method, path, body });
const advance = (advanceMs: number): Step => control("POST", "/clock", { advanceMs });
const act = (action: string, which: number, body: Json = {}): Step => ({ kind: "act", action, which, body });
const cancel = (which: number): Step => ({ kind: "cancel", key: "trader", which });

function place(price: string, more: JsonObject = {}, idGroup?: string): Step {
  const order = { product: "BTC-USD", side: "BUY", type: "LIMIT", base_quantity: "0.0123", price, ...more };
  return { kind: "place", key: more["side"] === "SELL" ? "counterparty" : "trader", order, idGroup };
}

/** Orders around the market, which rest, trade with each other and with what the market lays. */
const many = (count: number): Step[] =>
  Array.from({ length: count }, (_, at) =>
    place(String(60_000 + 30 * ((at * 7) % 11) - 150), at % 3 === 0 ? { side: "SELL" } : {}),
  );

const percent = {
  rules: [
    {
      id: "some-unknown",
      percent: 30,
      fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 700 },
    },
    { id: "third-refused", nth: 3, fault: { kind: "rejectByExchange", reason: "TRADING_HALTED" } },
    { id: "some-busy", percent: 20, route: "POST /order", fault: { kind: "status", status: 503 } },
    { id: "fifth-lost", nth: 5, route: "POST /order", fault: { kind: "dropConnectionAfter" } },
  ],
};

const script: readonly (Step | Fork)[] = [
  place("59000"),
  place("60500", { side: "SELL" }),
  advance(79),
  act("confirm", 0),
  act("hold", 1),
  advance(1000),
  act("confirm", 1),
  place("58000"),
  act("reject", 2),
  place("59000"),
  advance(200),
  act("fill", 3, { quantity: "0.005" }),
  { kind: "fork", from: "main", name: "now", first: cancel(1) },
  cancel(3),
  control("PUT", "/faults", percent),
  ...many(8),
  advance(333),
  { kind: "fork", from: "main", name: "faulty", first: advance(20) },
  { kind: "fork", from: "main", name: "then", at: 7, first: control("PUT", "/faults", percent) },
  ...many(6),
  control("POST", "/outcomes/next", { code: "STUCK_PENDING", key: "trader", count: 2 }),
  control("POST", "/outcomes/next", { code: "EXTERNAL_FAILURE", key: "counterparty", count: 1 }),
  ...many(4),
  { kind: "fork", from: "now", name: "queued", first: place("59970") },
  place("59990", {}, "00000e02"),
  place("59990", {}, "00000e05"),
  place("60010", { side: "SELL" }, "00000e08"),
  place("61000", { type: "STOP_LIMIT", stop_price: "60600" }),
  control("POST", "/clock", { until: { product: "BTC-USD", price: "60030" }, withinMs: 5000 }),
  control("POST", "/products/BTC-USD/trades", { price: "60600", quantity: "0.5" }),
  control("POST", "/clock", { to: new Date(start + 120_000).toISOString() }),
  act("expire", 0),
  act("cancel", 4),
  act("fill", 5),
  control("PUT", "/settings", { matchDelayMs: 0, stp: "none" }),
  control("POST", "/clients/alice/deposits", { asset: "ETH", amount: "1.25", confirmations: 2 }),
  ...many(4),
  control("DELETE", "/faults", {}),
  { kind: "fork", from: "queued", name: "late", first: advance(5) },
  ...many(4),
  advance(61_000),
  control("PUT", "/hostile", { seed: 3 }),
  ...many(4),
  { kind: "fork", from: "main", name: "hostile", first: advance(300) },
  control("PUT", "/freedoms/F-self-trade", { option: "cancel-both" }),
  ...many(4),
  advance(900),
  control("PUT", "/hostile", { seed: null }),
  ...many(2),
  advance(900),
  { kind: "read", key: "trader", path: "/order" },
  { kind: "read", key: "trader", path: "/wallet" },
];

export interface Note {
  readonly step: number;
  readonly world: string;
  /** Number and chain hash of the last entry, before the step and after it. */
  readonly before: string;
  readonly head: string;
  readonly answer: string;
}

/** Plays the script in a sandbox of its own. */
export async function playScript(): Promise<readonly Note[]> {
  const notes: Note[] = [];
  await withVenue({ world, authClock: now }, async (venue) => {
    const worlds = [await ScriptedWorld.main(venue, now)];
    const heads = new Map<string, string>();
    for (const [at, step] of script.entries()) {
      if (step.kind === "fork") worlds.push(await forked(step, worlds, notes));
      const playing = step.kind === "fork" ? worlds.slice(-1) : worlds;
      for (const one of playing) {
        const before = heads.get(one.name) ?? (await one.head());
        const answer = await one.play(step.kind === "fork" ? step.first : step);
        const head = await one.head();
        heads.set(one.name, head);
        notes.push({ step: at, world: one.name, before, head, answer });
      }
    }
  });
  return notes;
}

function forked(
  { from, name, at }: Fork,
  worlds: readonly ScriptedWorld[],
  notes: readonly Note[],
): Promise<ScriptedWorld> {
  const parent = worlds.find((one) => one.name === from);
  if (parent === undefined) throw new Error(`no world ${from}`);
  if (at === undefined) return parent.fork(name);
  const then = notes.find((note) => note.step === at && note.world === from);
  return parent.fork(name, Number(then?.head.split(" ")[0]));
}
