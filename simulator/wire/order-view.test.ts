/** Orders as clients read them, by type and stage. `engine/worked-examples.test.ts` has more sums of fills and fees. */
import { expect, it } from "vitest";
import type { Settings } from "../domain/settings.ts";
import { Table } from "../engine/testing/table.ts";
import type { RatesSpec } from "../engine/testing/venue-spec.ts";
import { schemaComponents } from "./components.ts";
import { Identities } from "./identities.ts";
import { orderJson } from "./order-view.ts";
import { ref } from "./schema.ts";
import { faults } from "./testing/ajv.ts";

const free: RatesSpec = { maker: "0", taker: "0" };
const allIn: RatesSpec = { maker: "0.0025", taker: "0.0025" };
const ids = new Identities(1);

/** Bob pays no fees and makes the market. */
function tableOf(rates: RatesSpec, settings: Partial<Settings> = {}): Table {
  const balances = { USD: "1000000", BTC: "100" };
  const increments = { priceIncrement: "0.01", baseIncrement: "0.00000001" };
  return new Table({
    assets: [{ symbol: "USD" }, { symbol: "BTC" }],
    products: [{ id: "BTC-USD", ...increments, reference: "60000" }],
    clients: [
      { name: "alice", rates, balances },
      { name: "bob", rates: free, balances },
    ],
    settings,
  });
}

/** The record, which is what its schema promises, with its keys in the order of the specification. */
function read({ drive }: Table, number: number): Readonly<Record<string, unknown>> {
  // as: the template writes one object.
  const record = JSON.parse(orderJson(drive.state, ids, drive.order(number))) as Record<string, unknown>;
  expect(faults(ref("Order"), record)).toEqual([]);
  expect(Object.keys(record)).toEqual(Object.keys(schemaComponents["Order"]?.properties ?? {}));
  return record;
}

/** Places an order of each line, and waits for what it is due. */
function settled(table: Table, client: string, ...lines: string[]): number[] {
  return lines.map((line) => {
    const number = table.place(client, line);
    table.drive.advance(1000);
    return number;
  });
}

it("an order is accepted unfilled and not synced, and keeps its identity when it is filled", () => {
  const table = tableOf(allIn);
  settled(table, "bob", "SELL LIMIT 0.2 @ 59900", "SELL LIMIT 0.3 @ 60000");
  const number = table.place("alice", "BUY LIMIT 0.5 @ 60000");
  const accepted = read(table, number);
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
    createdAt: "2026-01-01T00:00:02.000Z",
  });
  table.drive.advance(1000);
  const filled = read(table, number);
  expect(filled).toMatchObject({ status: "FILLED", synced: true, quoteValue: "30000" });
  const { id, externalId, userId, portfolioId, clientOrderId, createdAt, productId } = accepted;
  const identity = { id, externalId, userId, portfolioId, clientOrderId, createdAt, productId };
  for (const [name, value] of Object.entries(identity)) expect(value, name).toEqual(expect.any(String));
  expect(filled).toMatchObject(identity);
});

const plus: RatesSpec = {
  maker: "0.0005",
  taker: "0.0005",
  exchangeMaker: "0.0010",
  exchangeTaker: "0.0020",
};
it.each<[string, RatesSpec, readonly string[], string, object]>([
  [
    "a LIMIT BUY adds its fees to what it paid, and receives what it bought",
    allIn,
    ["SELL LIMIT 0.2 @ 59900", "SELL LIMIT 0.1 @ 60000"],
    "BUY LIMIT 0.5 @ 60000",
    {
      status: "OPEN",
      synced: true,
      filledQuantity: "0.3",
      filledValue: "17980",
      fees: "44.95",
      averageFilledPrice: "59933.33333333",
      netAverageFilledPrice: "60083.16666667",
      totalUserRecieveAmount: "0.3",
    },
  ],
  [
    "a MARKET SELL has a quantity and no value of its own, and receives what its fees leave",
    plus,
    ["BUY LIMIT 1 @ 59900"],
    "SELL MARKET 0.5",
    {
      type: "MARKET",
      status: "FILLED",
      baseQuantity: "0.5",
      quoteValue: null,
      limitPrice: null,
      commission: "14.975",
      exchangeFee: "59.9",
      fees: "74.875",
      netAverageFilledPrice: "59750.25",
      totalUserRecieveAmount: "29875.125",
    },
  ],
  [
    "a MARKET BUY has a value and no quantity of its own, and says why it ended early",
    { maker: "0.005", taker: "0.005" },
    ["SELL LIMIT 0.005 @ 60000", "SELL LIMIT 0.005 @ 60100"],
    "BUY MARKET for 1000",
    {
      status: "CANCELLED",
      baseQuantity: null,
      quoteValue: "1000",
      limitPrice: null,
      timeInForce: "IMMEDIATE_OR_CANCEL",
      filledQuantity: "0.01",
      filledValue: "600.5",
      fees: "3.0025",
      userContext: expect.stringContaining("No more asks in the book"),
    },
  ],
  [
    "a STOP_LIMIT shows both prices",
    allIn,
    [],
    "BUY STOP_LIMIT 0.00000001 @ 63000.5 stop 63000",
    {
      type: "STOP_LIMIT",
      status: "OPEN",
      baseQuantity: "0.00000001",
      limitPrice: "63000.5",
      stopPrice: "63000",
      quoteValue: "0.000630005",
    },
  ],
])("%s", (_, rates, market, line, expected) => {
  const table = tableOf(rates);
  settled(table, "bob", ...market);
  const [number = -1] = settled(table, "alice", line);
  expect(read(table, number)).toMatchObject(expected);
});

it("an order says who cancelled it, and what self-trade prevention took while it was open", () => {
  const table = tableOf(free, { stp: "decrement" });
  const [own = -1] = settled(table, "alice", "SELL LIMIT 5 @ 60000", "BUY LIMIT 2.5 @ 60000");
  expect(read(table, own)).toMatchObject({
    status: "OPEN",
    baseQuantity: "5",
    filledQuantity: "0",
    userContext: "Self-trade prevention took 2.5 BTC away",
  });
  table.cancel("alice", own);
  expect(read(table, own)).toMatchObject({
    status: "CANCELLED",
    filledQuantity: "0",
    userContext: "User initiated cancellation",
  });
});
