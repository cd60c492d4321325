/** Orders as clients read them, worked by hand: averages, fees and amounts to the last digit. */
import { describe, expect, it } from "vitest";
import type { Side } from "../domain/order.ts";
import type { Settings } from "../domain/settings.ts";
import { Drive } from "../engine/testing/drive.ts";
import type { RatesSpec } from "../engine/testing/venue-spec.ts";
import { schemaComponents } from "./components.ts";
import { Identities } from "./identities.ts";
import { orderJson } from "./order-view.ts";
import { ref } from "./schema.ts";
import { faults } from "./testing/ajv.ts";

const alice = 0;
const bob = 1;

interface Asked {
  readonly side: Side;
  readonly quantity?: string;
  readonly price?: string;
  readonly stop?: string;
  readonly spend?: string;
}

/** Two clients and one pair; bob pays no fees and makes the market. */
class Venue {
  readonly #drive: Drive;
  readonly #ids = new Identities(1);
  #placed = 0;

  constructor(rates: RatesSpec, baseIncrement = "0.00000001", settings: Partial<Settings> = {}) {
    const balances = { USD: "1000000", BTC: "100" };
    this.#drive = new Drive({
      assets: [{ symbol: "USD" }, { symbol: "BTC" }],
      products: [{ id: "BTC-USD", priceIncrement: "0.01", baseIncrement, reference: "60000" }],
      clients: [
        { name: "alice", rates, balances },
        { name: "bob", rates: { maker: "0", taker: "0" }, balances },
      ],
      settings,
    });
  }

  /** Number of the order; it has not been matched yet. */
  place(client: number, { side, quantity, price, stop, spend }: Asked): number {
    this.#placed += 1;
    const outcome = this.#drive.submit({
      kind: "PlaceOrder",
      client,
      fault: null,
      clientOrderId: `3f0c2a52-7a3e-4c58-9a6e-${String(this.#placed).padStart(12, "0")}`,
      product: "BTC-USD",
      side,
      type: price === undefined ? "MARKET" : stop === undefined ? "LIMIT" : "STOP_LIMIT",
      baseQuantity: quantity ?? null,
      price: price ?? null,
      stopPrice: stop ?? null,
      quoteValue: spend ?? null,
    });
    if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
    return outcome.order.terms.number;
  }

  /** The order after everything that was due has happened. */
  settle(number: number): Readonly<Record<string, unknown>> {
    this.#drive.advance(1000);
    return this.read(number);
  }

  /** Also checks that the record is what the schema promises, with its keys in the order of the specification. */
  read(number: number): Readonly<Record<string, unknown>> {
    const { state } = this.#drive;
    // as: the template writes one object.
    const record = JSON.parse(orderJson(state, this.#ids, state.order(number))) as Record<string, unknown>;
    expect(faults(ref("Order"), record)).toEqual([]);
    expect(Object.keys(record)).toEqual(Object.keys(schemaComponents["Order"]?.properties ?? {}));
    return record;
  }

  cancel(client: number, number: number): void {
    this.#drive.submit({ kind: "CancelOrder", client, order: number });
  }
}

const allIn = { maker: "0.0025", taker: "0.0025" };

describe("A LIMIT BUY that takes and then rests", () => {
  const venue = new Venue(allIn);
  venue.place(bob, { side: "SELL", quantity: "0.2", price: "59900" });
  venue.settle(venue.place(bob, { side: "SELL", quantity: "0.1", price: "60000" }));
  const number = venue.place(alice, { side: "BUY", quantity: "0.5", price: "60000" });
  const accepted = venue.read(number);
  const resting = venue.settle(number);
  venue.place(bob, { side: "SELL", quantity: "0.2", price: "60000" });
  const filled = venue.settle(number);

  it("is accepted unfilled", () => {
    expect(accepted).toMatchObject({
      status: "OPEN",
      synced: false,
      baseQuantity: "0.5",
      quoteValue: "30000",
      limitPrice: "60000",
      stopPrice: null,
      timeInForce: "GOOD_UNTIL_CANCELLED",
      filledQuantity: "0",
      filledValue: "0",
      averageFilledPrice: null,
      netAverageFilledPrice: null,
      commission: "0",
      exchangeFee: "0",
      fees: "0",
      totalUserRecieveAmount: "0",
      userContext: null,
      createdAt: "2026-01-01T00:00:01.000Z",
    });
  });

  it("shows two fills while it is open", () => {
    expect(resting).toMatchObject({
      status: "OPEN",
      synced: true,
      filledQuantity: "0.3",
      filledValue: "17980",
      fees: "44.95",
      averageFilledPrice: "59933.33333333",
      netAverageFilledPrice: "60083.16666667",
      totalUserRecieveAmount: "0.3",
    });
  });

  it("ends with exact sums", () => {
    expect(filled).toMatchObject({
      status: "FILLED",
      synced: true,
      filledQuantity: "0.5",
      filledValue: "29980",
      commission: "74.95",
      exchangeFee: "0",
      fees: "74.95",
      averageFilledPrice: "59960",
      netAverageFilledPrice: "60109.9",
      totalUserRecieveAmount: "0.5",
      quoteValue: "30000",
    });
  });

  it("keeps its identity from first to last", () => {
    for (const name of [
      "id",
      "externalId",
      "userId",
      "portfolioId",
      "clientOrderId",
      "createdAt",
      "productId",
    ]) {
      expect(accepted[name]).toEqual(expect.any(String));
      expect(filled[name], name).toBe(accepted[name]);
    }
  });
});

it("a LIMIT SELL of a COST_PLUS client pays both components, each rounded up once", () => {
  const venue = new Venue({
    maker: "0.0005",
    taker: "0.0005",
    exchangeTaker: "0.0020",
    exchangeMaker: "0.0010",
  });
  venue.settle(venue.place(bob, { side: "BUY", quantity: "0.3", price: "60100.05" }));
  const number = venue.place(alice, { side: "SELL", quantity: "0.42345678", price: "60100.01" });
  expect(venue.settle(number)).toMatchObject({
    status: "OPEN",
    filledValue: "18030.015",
    commission: "9.0150075",
    exchangeFee: "36.06003",
  });
  venue.place(bob, { side: "BUY", quantity: "0.12345678", price: "60100.01" });
  expect(venue.settle(number)).toMatchObject({
    status: "FILLED",
    filledQuantity: "0.42345678",
    filledValue: "25449.7687125678",
    commission: "12.72488436",
    exchangeFee: "43.47978372",
    fees: "56.20466808",
    averageFilledPrice: "60100.03833819",
    netAverageFilledPrice: "59967.31011011",
    totalUserRecieveAmount: "25393.5640444878",
  });
});

describe("A MARKET BUY of 1000", () => {
  const asks = [
    ["0.005", "60000"],
    ["0.005", "60100"],
    ["1", "60250"],
  ] as const;

  const bought = (levels: number, increment?: string): Readonly<Record<string, unknown>> => {
    const venue = new Venue({ maker: "0.005", taker: "0.005" }, increment);
    for (const [quantity, price] of asks.slice(0, levels))
      venue.place(bob, { side: "SELL", quantity, price });
    const number = venue.place(alice, { side: "BUY", spend: "1000" });
    return venue.settle(number);
  };

  it("spends as much as its budget allows, fees included", () => {
    expect(bought(3)).toMatchObject({
      status: "FILLED",
      baseQuantity: null,
      quoteValue: "1000",
      limitPrice: null,
      timeInForce: "IMMEDIATE_OR_CANCEL",
      filledQuantity: "0.01654813",
      filledValue: "995.0248325",
      fees: "4.97512417",
      averageFilledPrice: "60129.14042251",
      netAverageFilledPrice: "60429.78612508",
      totalUserRecieveAmount: "0.01654813",
    });
  });

  it("stops before an increment that it cannot pay", () => {
    expect(bought(3, "0.0001")).toMatchObject({
      status: "FILLED",
      filledQuantity: "0.0165",
      filledValue: "992.125",
      fees: "4.960625",
    });
  });

  it("is cancelled with its fills where the book ends", () => {
    expect(bought(2)).toMatchObject({
      status: "CANCELLED",
      filledQuantity: "0.01",
      filledValue: "600.5",
      fees: "3.0025",
      averageFilledPrice: "60050",
      netAverageFilledPrice: "60350.25",
      userContext: "No more asks in the book: the unfilled remainder was cancelled",
    });
  });
});

describe("Other orders", () => {
  it("a MARKET SELL has a quantity and no value of its own", () => {
    const venue = new Venue(allIn);
    venue.place(bob, { side: "BUY", quantity: "1", price: "59900" });
    const number = venue.place(alice, { side: "SELL", quantity: "0.5" });
    expect(venue.settle(number)).toMatchObject({
      type: "MARKET",
      baseQuantity: "0.5",
      quoteValue: null,
      limitPrice: null,
      status: "FILLED",
      totalUserRecieveAmount: "29875.125",
      netAverageFilledPrice: "59750.25",
    });
  });

  it("a STOP_LIMIT shows both prices, and after a cancel its origin", () => {
    const venue = new Venue(allIn);
    const number = venue.place(alice, {
      side: "BUY",
      quantity: "0.00000001",
      price: "63000.5",
      stop: "63000",
    });
    expect(venue.settle(number)).toMatchObject({
      type: "STOP_LIMIT",
      status: "OPEN",
      baseQuantity: "0.00000001",
      limitPrice: "63000.5",
      stopPrice: "63000",
      quoteValue: "0.000630005",
    });
    venue.cancel(alice, number);
    expect(venue.settle(number)).toMatchObject({
      status: "CANCELLED",
      userContext: "User initiated cancellation",
      filledQuantity: "0",
    });
  });
});

describe("userContext", () => {
  it("shows the quantity that self-trade prevention took from a remaining order", () => {
    const venue = new Venue({ maker: "0", taker: "0" }, "0.5", { stp: "decrement" });
    const own = venue.place(alice, { side: "SELL", quantity: "5", price: "60000" });
    venue.settle(own);
    venue.settle(venue.place(alice, { side: "BUY", quantity: "2.5", price: "60000" }));
    expect(venue.read(own)).toMatchObject({
      status: "OPEN",
      baseQuantity: "5",
      filledQuantity: "0",
      userContext: "Self-trade prevention took 2.5 BTC away",
    });
    venue.cancel(alice, own);
    expect(venue.read(own)).toMatchObject({ status: "CANCELLED" });
  });
});
