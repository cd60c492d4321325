/** Random sessions of clients and controls, each in a world of its own, and the capsule of each. */
import type { ControlledSimulator, SimulatorWorld } from "../../index.ts";
import { asObject, Client, type JsonObject, type Reply } from "../../testing/client.ts";

/** Numbers from 0 up to `below`, the same for one seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  next(below: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % below;
  }

  among<T>(list: readonly [T, ...T[]]): T {
    return list[this.next(list.length)] ?? list[0];
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.next(16).toString(16)).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

export interface Session {
  readonly file: Buffer;
  /** Orders that clients sent. */
  readonly orders: number;
}

interface Run {
  readonly world: SimulatorWorld;
  readonly dice: Dice;
  readonly clients: readonly [Client, ...Client[]];
  readonly ids: string[];
  readonly sent: JsonObject[];
}

const faults = [
  {
    id: "unknown",
    percent: 5,
    fault: { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 700 },
  },
  { id: "refused", percent: 5, fault: { kind: "rejectByExchange", reason: "TRADING_HALTED" } },
  { id: "busy", percent: 4, route: "POST /order", fault: { kind: "status", status: 503 } },
  { id: "lost", percent: 4, route: "POST /order", fault: { kind: "dropConnectionAfter" } },
  { id: "behind", percent: 2, fault: { kind: "staleReads", ms: 400 } },
] as const;

/** The differences between sessions: the clock, faults by chance, settings. */
const worldOf = (dice: Dice) => ({
  extends: "demo",
  clock: { mode: dice.among(["manual", "manual", "real", "skip-idle"] as const) },
  settings: {
    matchDelayMs: dice.among([0, 50]),
    syncDelayMs: 120,
    acceptance: dice.among(["sync", "async"]),
  },
  faults: dice.next(3) === 0 ? faults.slice(0, 1 + dice.next(faults.length)) : [],
});

/** Plays `steps` steps of the session with this seed. */
export async function playSession(
  simulator: ControlledSimulator,
  seed: number,
  steps: number,
): Promise<Session> {
  const dice = new Dice(seed);
  await using world = await simulator.world({ world: worldOf(dice), seed });
  const [trader, ...others] = ["trader", "other", "counterparty"].map((name) => {
    const key = world.keys.find((one) => one.name === name);
    if (key === undefined) throw new Error(`no key ${name}`);
    return new Client(world.baseUrl, key, Date.now, () => dice.uuid());
  });
  if (trader === undefined) throw new Error("no clients");
  const run: Run = { world, dice, clients: [trader, ...others], ids: [], sent: [] };
  for (let step = 0; step < steps; step += 1) {
    const together = dice.next(4) === 0 ? 1 + dice.next(6) : 1;
    // Many at once share a batch, and a batch may meet a move of the clock.
    await Promise.all(Array.from({ length: together }, () => oneStep(run)));
  }
  const { file } = await world.control.capsule.read();
  return { file: Buffer.from(file, "base64"), orders: run.sent.length };
}

/** One long session: `orders` orders, of which every fourth is cancelled and every fourth is read. */
export async function playOrders(
  simulator: ControlledSimulator,
  seed: number,
  orders: number,
): Promise<Session> {
  const dice = new Dice(seed);
  await using world = await simulator.world({ seed, clock: "manual" });
  const key = world.keys.find(({ name }) => name === "trader");
  if (key === undefined) throw new Error("no key trader");
  const client = new Client(world.baseUrl, key, Date.now, () => dice.uuid());
  for (let at = 0; at < orders; at += 1) {
    const id = asObject((await client.place(soundOrder(dice))).data["order"])["id"];
    if (typeof id === "string" && at % 4 === 0) await client.delete(`/order/${id}`);
    if (typeof id === "string" && at % 4 === 1) await client.get(`/order/${id}`);
    if (at % 8 === 0) await world.control.clock.advance({ ms: 200 });
  }
  const { file } = await world.control.capsule.read();
  return { file: Buffer.from(file, "base64"), orders };
}

/** Small enough for the money of the demo world. */
function soundOrder(dice: Dice): JsonObject {
  const side = dice.among(["BUY", "SELL"]);
  const price = String(60_000 + 10 * (dice.next(200) - 100));
  const quantity = `0.00${String(10 + dice.next(90))}`;
  const id = dice.uuid();
  return { product: "BTC-USD", side, type: "LIMIT", base_quantity: quantity, price, client_order_id: id };
}

async function oneStep(run: Run): Promise<void> {
  const { dice, clients, ids, sent } = run;
  const client = dice.among(clients);
  switch (dice.next(10)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const order = randomOrder(dice);
      sent.push(order);
      const id = asObject((await answered(client.place(order)))?.data["order"])["id"];
      if (typeof id === "string") ids.push(id);
      return;
    }
    case 4:
      await answered(client.place(sent[dice.next(sent.length)] ?? {}));
      return;
    case 5:
      await answered(client.delete(`/order/${ids[dice.next(ids.length)] ?? "no-uuid"}`));
      return;
    case 6:
    case 7:
      await answered(client.get(dice.among(reads), { query: dice.among(["", "", "limit=2", "nonsense=1"]) }));
      return;
    case 8:
      await answered(
        client.get(
          `/order/${ids[dice.next(ids.length)] ?? ""}`,
          dice.next(5) === 0 ? { secret: "wrong" } : {},
        ),
      );
      return;
    default:
      await useControl(run);
  }
}

/** A fault may have cost the answer. */
const answered = (reply: Promise<Reply>): Promise<Reply | undefined> => reply.catch(() => undefined);

const reads: readonly [string, ...string[]] = [
  "/order",
  "/order/open",
  "/wallet",
  "/wallet/deposits",
  "/account/settings",
  "/account/fee",
  "/product/pairs",
  "/order-book/BTC-USD",
  "/product/BTC-USD/candles",
  "/health/ready",
  "/nothing",
];

function randomOrder(dice: Dice): JsonObject {
  const side = dice.among(["BUY", "SELL"]);
  const near = (permille: number): string => String((60_000 * (1000 + permille)) / 1000);
  const base = { side, product: "BTC-USD", client_order_id: dice.uuid() };
  const quantity = `0.${String(1 + dice.next(99)).padStart(3, "0")}`;
  const kind = dice.next(10);
  if (kind < 6) return { ...base, type: "LIMIT", base_quantity: quantity, price: near(dice.next(9) - 4) };
  if (kind < 8)
    return {
      ...base,
      type: "MARKET",
      ...(side === "BUY" ? { quote_value: "123.45" } : { base_quantity: quantity }),
    };
  if (kind === 8)
    return {
      ...base,
      type: "STOP_LIMIT",
      base_quantity: quantity,
      price: near(5),
      stop_price: near(dice.next(9) - 4),
    };
  return { ...base, type: "LIMIT", base_quantity: "1e-8", price: "?" };
}

async function useControl({ world: { control }, dice }: Run): Promise<void> {
  const { mode } = await control.clock.read();
  const moved = (): Promise<unknown> =>
    mode === "manual" ? control.clock.advance({ ms: 1 + dice.next(2000) }) : Promise.resolve();
  switch (dice.next(5)) {
    case 0:
      await control.deposit.create({
        client: "alice",
        asset: "ETH",
        amount: "1.25",
        confirmations: dice.next(15),
      });
      return;
    case 1:
      await control.settings.set({ matchDelayMs: dice.among([0, 50]) });
      return;
    case 2:
      await control.product.trade({
        product: "BTC-USD",
        price: String(59_700 + dice.next(600)),
        quantity: "0.5",
      });
      return;
    default:
      await moved();
  }
}

/** Puts one of `values` in the place of something in the object, at any depth. */
export function corrupt(object: object, dice: Dice, values: readonly unknown[]): void {
  const names = Object.keys(object);
  const name = names[dice.next(names.length)];
  if (name === undefined) return;
  const member: unknown = Reflect.get(object, name);
  const isDeeper = typeof member === "object" && member !== null && dice.next(4) > 0;
  if (isDeeper) corrupt(member, dice, values);
  else Reflect.set(object, name, values[dice.next(values.length)]);
}
