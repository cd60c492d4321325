import { fixed } from "./amounts.ts";
import type { Caller, Feed, Reply } from "./caller.ts";
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

export const atMarket = { type: "MARKET", price: undefined };
export const stopLimit = { type: "STOP_LIMIT" };
/** A stop that goes off as soon as it is placed, one that waits until the market rises, and one that goes on waiting. */
export const atOnce = { ...stopLimit, stop_price: "49000" };
export const onRise = { ...stopLimit, stop_price: "50080" };
export const waits = { ...stopLimit, stop_price: "60000" };

/** A nonce in lower case. */
export const letters = "abcdefab-cdef-4abc-8def-abcdefabcdef";
export const used = { nonce: letters };
/** On a connection of its own. */
export const apart = { apart: true };
export const as = ({ id, secret }: { id: string; secret: string }) => ({ keyId: id, secret });

export const bookPath = "/books/BTC-USD";
/** The price of 50050 as a record or a book shows it, and an amount of nothing. */
export const shownPrice = "50050.00000000";
export const none = "0.00000000";

export const turns = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
export const number = (value: unknown): bigint => fixed(String(value));
export const isIn = (list: Reply, { order }: Reply): boolean =>
  list.list.some(({ id }) => id === order["id"]);
/** Is this one of the values inside, however deep? */
export const mentions = (inside: unknown, value: unknown): boolean =>
  typeof inside === "object" && inside !== null
    ? Object.values(inside).some((item) => mentions(item, value))
    : inside === value;
export const statusOf = async (reply: Promise<Reply>): Promise<unknown> => (await reply).order["status"];
export const filledOf = async (reply: Promise<Reply>): Promise<bigint> =>
  number((await reply).order["filledQuantity"]);
/** The balance of the trader in an asset at first, less its balance now. */
export const gone = async ({ trader }: Site, asset: string): Promise<bigint> =>
  number("900000000") - number((await trader.wallet(asset))["balance"]);

export const twoOffers = (site: Site): Promise<void> => site.offers(["50010", "0.001"], ["50020", "0.001"]);

export async function places({ trader }: Site, count: number): Promise<void> {
  for (const _ of turns(count)) await trader.place();
}

export async function placesAndCancels({ trader }: Site, count: number): Promise<void> {
  for (const _ of turns(count)) await trader.cancel(await trader.place());
}

export async function bookFeed({ trader }: Site, ...pairs: readonly string[]): Promise<Feed | undefined> {
  const feed = await trader.feed();
  await feed?.join("depth", pairs.length === 0 ? ["BTC-USD"] : pairs);
  return feed;
}

/** The messages of a book that a stream had. */
export async function toldOfBook(
  feed: Feed | undefined,
  kind = "delta",
  of = "BTC-USD",
): Promise<Record<string, unknown>[]> {
  await feed?.heard();
  return (feed?.messages ?? []).filter((message) => message["kind"] === kind && message["pair"] === of);
}
