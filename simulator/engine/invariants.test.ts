/** The audit must be able to fail: each sound state below is damaged in one place, and the damage is named. */
import { describe, expect, test } from "vitest";
import type { Wallet } from "../domain/account.ts";
import { lots, ticks, units } from "../domain/amount.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { apply, beginEntry } from "./apply.ts";
import { audit, checkTouched } from "./invariants.ts";
import { feeAccount } from "./ledger.ts";
import type { VenueState } from "./state.ts";
import { Table } from "./testing/table.ts";

/** Orders in every phase: 1 filled in part and resting, 2 over, 3 waiting for its stop. */
function busy(): {
  readonly state: VenueState;
  readonly resting: number;
  readonly over: number;
  readonly waiting: number;
} {
  const table = new Table();
  const resting = table.place("ann", "SELL LIMIT 5 @ 100");
  const over = table.place("bob", "BUY LIMIT 2 @ 100");
  const waiting = table.place("bob", "BUY STOP_LIMIT 2 @ 100 stop 120");
  audit(table.drive.state);
  return { state: table.drive.state, resting, over, waiting };
}

type Damage = readonly [what: string, damage: (venue: ReturnType<typeof busy>) => void, message: RegExp];

const damages: readonly Damage[] = [
  [
    "money out of nothing",
    ({ state }) => addTo(state, 0, 1, 1n),
    /USD is not conserved: the ledger is off by 1/,
  ],
  [
    "a fee without a payer",
    ({ state }) => state.ledger.venue.get(feeAccount)?.set(0, units(-5n)),
    /COIN is not conserved: the ledger is off by -5/,
  ],
  [
    "a hold without an order",
    ({ state }) => setWallet(state, 2, 1, { hold: units(7n) }),
    /client cleo holds 7 where open orders commit 0/,
  ],
  [
    "an order that holds less than its wallet",
    ({ state, waiting }) => {
      state.order(waiting).hold = units(1n);
    },
    /client bob holds 20000000000 where open orders commit 1/,
  ],
  [
    "an order that is over and listed as open",
    ({ state, over }) => state.client(2).openOrders.add(over),
    /is listed as open and is FILLED/,
  ],
  [
    "an order that the book does not know any more",
    ({ state, resting }) => {
      state.order(resting).slot = -1;
    },
    /and its place in the book disagree/,
  ],
  [
    "an order that rests nowhere",
    ({ state, resting }) => {
      const order = state.order(resting);
      state.market(0).book.remove(order.slot);
      order.slot = -1;
    },
    /and its place in the book disagree/,
  ],
  [
    "an open order that does not exist",
    ({ state }) => state.client(2).openOrders.add(999),
    /open order 999 does not exist/,
  ],
  [
    "an order whose side is not the side it stands on",
    ({ state, resting }) => {
      const { terms, ...rest } = state.order(resting);
      state.orders.set(resting, { ...rest, hold: units(0n), terms: { ...terms, side: "BUY" } });
      for (const asset of state.client(0).wallets.keys()) setWallet(state, 0, asset, { hold: units(0n) });
    },
    /and its place in the book disagree/,
  ],
  [
    "an order that filled without its place in the book",
    ({ state, resting }) => {
      state.order(resting).filled = lots(3);
    },
    /has 2 lots left and 3 in the book/,
  ],
  [
    "a crossed book",
    ({ state }) => state.market(0).book.add("BUY", ticks(101), lots(1), -1, 0),
    /the book of COIN-USD is crossed: 101 >= 100/,
  ],
  [
    "an order in the book that the index of ids does not know",
    ({ state, resting }) => {
      const order = state.order(resting);
      state.orders.set(999, { ...order, terms: { ...order.terms, number: 999 } });
    },
    /every order has its client_order_id in the index/,
  ],
];

function addTo(state: VenueState, client: number, asset: number, amount: bigint): void {
  const balance = state.client(client).wallets.get(asset)?.balance ?? 0n;
  setWallet(state, client, asset, { balance: units(balance + amount) });
}

function setWallet(state: VenueState, client: number, asset: number, wrong: Partial<Wallet>): void {
  const { wallets } = state.client(client);
  const wallet = wallets.get(asset);
  if (wallet !== undefined) wallets.set(asset, { ...wallet, ...wrong });
}

describe("the audit", () => {
  test.each(damages)("finds %s", (_what, damage, message) => {
    const venue = busy();
    damage(venue);
    expect(() => audit(venue.state)).toThrow(InvariantViolation);
    expect(() => audit(venue.state)).toThrow(message);
  });

  test("finds nothing in a sound state, however often it looks", () => {
    const { state } = busy();
    for (let look = 0; look < 3; look++) audit(state);
  });
});

describe("the check behind each command", () => {
  const traded = {
    kind: "Traded",
    trade: 1,
    product: 0,
    price: ticks(100),
    quantity: lots(1),
    takerSide: "BUY",
  } as const;
  const free = { commission: units(0n), exchangeFee: units(0n) };

  test.each([
    [
      "filled beyond its quantity",
      (venue: ReturnType<typeof busy>) => Object.assign(venue.state.order(venue.over), { filled: lots(3) }),
    ],
    [
      "has a negative hold",
      (venue: ReturnType<typeof busy>) => Object.assign(venue.state.order(venue.over), { hold: units(-1n) }),
    ],
    [
      "has ended and still holds funds",
      (venue: ReturnType<typeof busy>) => Object.assign(venue.state.order(venue.over), { hold: units(1n) }),
    ],
    [
      "is FILLED with 1 of 2 lots",
      (venue: ReturnType<typeof busy>) => Object.assign(venue.state.order(venue.over), { filled: lots(1) }),
    ],
    [
      "failed after a fill",
      (venue: ReturnType<typeof busy>) => Object.assign(venue.state.order(venue.over), { status: "FAILED" }),
    ],
    [
      "paid more fees than it sold for",
      (venue: ReturnType<typeof busy>) =>
        Object.assign(venue.state.order(venue.resting), { commission: units(10n ** 20n) }),
    ],
    [
      "can still cost",
      (venue: ReturnType<typeof busy>) =>
        Object.assign(venue.state.order(venue.resting), { hold: units(0n) }),
    ],
    ["client 1 holds", (venue: ReturnType<typeof busy>) => addTo(venue.state, 1, 1, -(10n ** 20n))],
    [
      "is crossed",
      (venue: ReturnType<typeof busy>) => venue.state.market(0).book.add("BUY", ticks(101), lots(1), -1, 0),
    ],
  ])("stops at an order or a book that %s", (message, damage) => {
    const venue = busy();
    damage(venue);
    const event = {
      ...traded,
      taker: venue.over,
      maker: venue.resting,
      takerCharge: free,
      makerCharge: free,
    };
    expect(() => checkTouched(venue.state, [event])).toThrow(message);
  });

  test("stops at a MARKET BUY that spent more than its budget", () => {
    const table = new Table();
    table.refresh("SELL 5 @ 100");
    const order = table.place("ann", "BUY MARKET for 300");
    table.drive.order(order).filledValue = units(300_00000001n);
    const closed = { kind: "OrderClosed", order, status: "FILLED", reason: null } as const;
    expect(() => checkTouched(table.drive.state, [closed])).toThrow(
      /spent 30000000001, its budget was 30000000000/,
    );
  });
});

describe("an entry", () => {
  test.each([
    [2, 0, /entry 5 does not follow entry 3/],
    [0, 0, /entry 3 does not follow entry 3/],
    [1, -1, /entry 4 goes back in time/],
  ])("%i ahead and %i ms later does not begin", (ahead, later, message) => {
    const { state } = busy();
    expect(() => beginEntry(state, state.seq + ahead, state.now + later)).toThrow(message);
  });

  test.each([
    ["a trade out of turn", { trade: 9 }, /trade 9 does not follow trade 1/],
    ["a trade of more than the maker has", { trade: 2, quantity: lots(4) }, /trade of more than the maker/],
    [
      "a trade with somebody who is not in the book",
      { trade: 2, maker: 0 },
      /which is not in the book at 100/,
    ],
    [
      "a charge that the fee rule does not give",
      { trade: 2, makerCharge: { commission: units(1n), exchangeFee: units(0n) } },
      /was charged other fees than the 0 \+ 0 that are due/,
    ],
    [
      "an exchange fee that the fee rule does not give",
      { trade: 2, makerCharge: { commission: units(0n), exchangeFee: units(1n) } },
      /was charged other fees than the 0 \+ 0 that are due/,
    ],
  ])("with %s is not applied", (_what, change, message) => {
    const { state, resting } = busy();
    const free = { commission: units(0n), exchangeFee: units(0n) };
    const event = {
      kind: "Traded",
      trade: 2,
      product: 0,
      price: ticks(100),
      quantity: lots(1),
      takerSide: "BUY",
    } as const;
    const parties = { taker: 0, maker: resting, takerCharge: free, makerCharge: free };
    expect(() => apply(state, { ...event, ...parties, ...change }, state.now)).toThrow(message);
  });
});
