import { fixed } from "./amounts.ts";
import { startGateway } from "./bugs.ts";
import { Caller, type Reply } from "./caller.ts";
import type { keys } from "./world.ts";

/** The clients of one gateway, and what several of them do together. */
export class Site {
  readonly trader: Caller;
  readonly second: Caller;
  readonly reader: Caller;
  readonly other: Caller;
  readonly counter: Caller;
  readonly revoked: Caller;
  readonly readOrders: Caller;
  readonly noClaim: Caller;
  constructor(caller: (role: keyof typeof keys) => Caller) {
    this.trader = caller("trader");
    this.second = caller("second");
    this.reader = caller("reader");
    this.other = caller("otherClient");
    this.counter = caller("counterparty");
    this.revoked = caller("revoked");
    this.readOrders = caller("readOrders");
    this.noClaim = caller("noClaim");
  }

  /** An order of the trader that is filled in part. */
  async started(other: Record<string, unknown> = {}): Promise<Reply> {
    const placed = await this.trader.sell("50050", "0.002", other);
    await this.counter.buy("50050", "0.001");
    return placed;
  }

  async offers(...levels: readonly (readonly [price: string, quantity: string])[]): Promise<void> {
    for (const [price, quantity] of levels) await this.counter.sell(price, quantity);
  }

  /** Somebody buys at the market: the last price is 50100. */
  rise(): Promise<Reply> {
    return this.counter.place({ type: "MARKET", quote_value: "100", price: undefined });
  }
}

export const isIn = (list: Reply, { order }: Reply): boolean =>
  list.list.some(({ id }) => id === order["id"]);
/** Is this one of the values inside, however deep? */
export const mentions = (inside: unknown, value: unknown): boolean =>
  typeof inside === "object" && inside !== null
    ? Object.values(inside).some((item) => mentions(item, value))
    : inside === value;
export const number = (value: unknown): bigint => fixed(String(value));
export const status = async (reply: Promise<Reply>): Promise<unknown> => (await reply).order["status"];
export const market = { type: "MARKET", price: undefined };
export const stop = { type: "STOP_LIMIT" };
export const letters = "abcdefab-cdef-4abc-8def-abcdefabcdef";

/** A plain order, from its placing to its cancel. */
export const serves: Misbehaves = async ({ trader }) => {
  const placed = await trader.place();
  const isOpen = isIn(await trader.get("/order/open"), placed);
  const { order } = await trader.cancel(placed);
  return isOpen && order["status"] === "CANCELLED" && order["id"] === placed.order["id"];
};

/** Does what a client may do, and says whether the gateway did what its bug says. */
export type Misbehaves = (site: Site) => Promise<boolean>;

export async function shows(
  misbehaves: Misbehaves | undefined,
  ...installed: readonly string[]
): Promise<boolean> {
  await using gateway = await startGateway(...installed);
  const callers: Caller[] = [];
  const site = new Site((role) => {
    const caller = new Caller(gateway, role);
    callers.push(caller);
    return caller;
  });
  try {
    return (await misbehaves?.(site)) ?? false;
  } finally {
    for (const caller of callers) caller.close();
  }
}
