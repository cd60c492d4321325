/** Worked numbers, through the engine and onto the wire, to the digit. */
import { describe, expect, test } from "vitest";
import { Identities } from "../wire/identities.ts";
import { orderJson } from "../wire/order-view.ts";
import { Table } from "./testing/table.ts";
import type { ClientSpec, RatesSpec, VenueSpec } from "./testing/venue-spec.ts";

const rich = { USD: "10000000", BTC: "1000" };
const other: ClientSpec = { name: "other", rates: { maker: "0", taker: "0" }, balances: rich };

interface Market {
  readonly priceIncrement?: string;
  readonly baseIncrement?: string;
  readonly feeScale?: number;
}

function venue(rates: RatesSpec, market: Market = {}): Table {
  const spec: VenueSpec = {
    assets: [{ symbol: "BTC" }, { symbol: "USD", feeScale: market.feeScale ?? 8 }],
    products: [
      {
        id: "BTC-USD",
        priceIncrement: market.priceIncrement ?? "0.01",
        baseIncrement: market.baseIncrement ?? "0.00000001",
        reference: "60000",
      },
    ],
    clients: [{ name: "client", rates, balances: rich }, other],
    settings: { matchDelayMs: 0 },
  };
  return new Table(spec);
}

/** Fields of the Order record as a client reads them. */
function record(table: Table, number: number): Record<string, unknown> {
  const order = table.drive.order(number);
  return JSON.parse(orderJson(table.drive.state, new Identities(1), order)) as Record<string, unknown>;
}

describe("worked examples of fees and sizes", () => {
  test("1: a LIMIT BUY takes, rests and is hit later, with price improvement given back at the end", () => {
    const table = venue({ maker: "0.0025", taker: "0.0025" });
    table.place("other", "SELL LIMIT 0.2 @ 59900");
    table.place("other", "SELL LIMIT 0.1 @ 60000");
    const order = table.place("client", "BUY LIMIT 0.5 @ 60000");
    expect(record(table, order)).toMatchObject({
      status: "OPEN",
      filledQuantity: "0.3",
      filledValue: "17980",
      fees: "44.95",
      averageFilledPrice: "59933.33333333",
      netAverageFilledPrice: "60083.16666667",
      totalUserRecieveAmount: "0.3",
      quoteValue: "30000",
    });
    expect(table.wallet("client", "USD")).toBe("9981975.05, 12050.05 on hold");
    table.place("other", "SELL LIMIT 0.2 @ 60000");
    expect(record(table, order)).toMatchObject({
      status: "FILLED",
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
    expect(table.wallet("client", "USD")).toBe("9969945.05, 0 on hold");
  });

  test("1: the hold at placement is the whole price with the dearer fee", () => {
    const table = venue({ maker: "0.0025", taker: "0.0025" });
    table.place("client", "BUY LIMIT 0.5 @ 60000");
    expect(table.wallet("client", "USD")).toBe("10000000, 30075 on hold");
  });

  test("2: a COST_PLUS LIMIT SELL pays both components at their own roles", () => {
    const rates = { maker: "0.0005", taker: "0.0005", exchangeMaker: "0.0010", exchangeTaker: "0.0020" };
    const table = venue(rates);
    table.place("other", "BUY LIMIT 0.3 @ 60100.05");
    const order = table.place("client", "SELL LIMIT 0.42345678 @ 60100.01");
    expect(record(table, order)).toMatchObject({
      filledValue: "18030.015",
      commission: "9.0150075",
      exchangeFee: "36.06003",
    });
    table.place("other", "BUY LIMIT 0.12345678 @ 60100.01");
    expect(record(table, order)).toMatchObject({
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
    expect(table.wallet("client", "USD")).toBe("10025393.5640444878, 0 on hold");
  });

  test("3: a MARKET BUY spends its budget down to less than one increment", () => {
    const table = venue({ maker: "0.005", taker: "0.005" });
    table.refresh("SELL 0.005 @ 60000", "SELL 0.005 @ 60100", "SELL 1 @ 60250");
    const order = table.place("client", "BUY MARKET for 1000");
    expect(record(table, order)).toMatchObject({
      status: "FILLED",
      filledQuantity: "0.01654813",
      filledValue: "995.0248325",
      fees: "4.97512417",
      averageFilledPrice: "60129.14042251",
      netAverageFilledPrice: "60429.78612508",
      totalUserRecieveAmount: "0.01654813",
      quoteValue: "1000",
      baseQuantity: null,
    });
    expect(table.wallet("client", "USD")).toBe("9999000.00004333, 0 on hold");
  });

  test("4: a coarser increment leaves a larger residue, and the order is FILLED all the same", () => {
    const table = venue({ maker: "0.005", taker: "0.005" }, { baseIncrement: "0.0001" });
    table.refresh("SELL 0.005 @ 60000", "SELL 0.005 @ 60100", "SELL 1 @ 60250");
    const order = table.place("client", "BUY MARKET for 1000");
    const expected = { status: "FILLED", filledQuantity: "0.0165", filledValue: "992.125", fees: "4.960625" };
    expect(record(table, order)).toMatchObject(expected);
    expect(table.wallet("client", "USD")).toBe("9999002.914375, 0 on hold");
  });

  test("5: asks that run out cancel the MARKET BUY with its fills", () => {
    const table = venue({ maker: "0.005", taker: "0.005" });
    table.refresh("SELL 0.005 @ 60000", "SELL 0.005 @ 60100");
    const order = table.place("client", "BUY MARKET for 1000");
    expect(record(table, order)).toMatchObject({
      status: "CANCELLED",
      filledQuantity: "0.01",
      filledValue: "600.5",
      fees: "3.0025",
      averageFilledPrice: "60050",
      netAverageFilledPrice: "60350.25",
      userContext: "No more asks in the book: the unfilled remainder was cancelled",
    });
    expect(table.wallet("client", "USD")).toBe("9999396.4975, 0 on hold");
  });

  test("6: a hundred spent with the fee inside", () => {
    const table = venue({ maker: "0.005", taker: "0.005" });
    table.refresh("SELL 1 @ 60000");
    const order = table.place("client", "BUY MARKET for 100");
    const expected = {
      filledQuantity: "0.00165837",
      filledValue: "99.5022",
      fees: "0.497511",
      status: "FILLED",
    };
    expect(record(table, order)).toMatchObject(expected);
  });

  test("7: ten small fills pay one cent in all, on the first of them", () => {
    const table = venue({ maker: "0.0025", taker: "0.0025" }, { feeScale: 2, baseIncrement: "0.00001" });
    const order = table.place("client", "BUY LIMIT 0.0001 @ 10000");
    const paid: unknown[] = [];
    for (let fill = 0; fill < 10; fill++) {
      table.place("other", "SELL LIMIT 0.00001 @ 10000");
      paid.push(record(table, order)["fees"]);
    }
    expect(paid).toEqual(Array.from({ length: 10 }, () => "0.01"));
    expect(record(table, order)["status"]).toBe("FILLED");
  });

  test("8: an average with a repeating fraction is rounded half up and never used again", () => {
    const table = venue({ maker: "0", taker: "0" }, { baseIncrement: "1" });
    table.refresh("SELL 1 @ 10", "SELL 2 @ 11");
    const order = table.place("client", "BUY LIMIT 3 @ 11");
    const expected = { filledValue: "32", filledQuantity: "3", averageFilledPrice: "10.66666667" };
    expect(record(table, order)).toMatchObject(expected);
  });

  test("9: a partly filled order that is cancelled keeps its fills and gives the rest of its hold back", () => {
    const table = venue({ maker: "0.0025", taker: "0.0025" });
    table.refresh("SELL 0.2 @ 59900", "SELL 0.1 @ 60000");
    const order = table.place("client", "BUY LIMIT 0.5 @ 60000");
    table.cancel("client", order);
    expect(record(table, order)).toMatchObject({
      status: "CANCELLED",
      filledQuantity: "0.3",
      filledValue: "17980",
      fees: "44.95",
      totalUserRecieveAmount: "0.3",
      userContext: "User initiated cancellation",
    });
    expect(table.wallet("client", "USD")).toBe("9981975.05, 0 on hold");
  });

  test("10: without fees and with a coarse increment the residue is what one unit costs too much", () => {
    const table = venue({ maker: "0", taker: "0" }, { priceIncrement: "1", baseIncrement: "1" });
    table.refresh("SELL 50 @ 3");
    const order = table.place("client", "BUY MARKET for 100");
    const expected = { status: "FILLED", filledQuantity: "33", filledValue: "99", fees: "0" };
    expect(record(table, order)).toMatchObject(expected);
    expect(table.wallet("client", "USD")).toBe("9999901, 0 on hold");
  });

  test("an order without fills shows zeros and no averages (d.5)", () => {
    const table = venue({ maker: "0.005", taker: "0.005" });
    const order = table.place("client", "BUY LIMIT 1 @ 100");
    expect(record(table, order)).toMatchObject({
      filledQuantity: "0",
      filledValue: "0",
      commission: "0",
      exchangeFee: "0",
      fees: "0",
      totalUserRecieveAmount: "0",
      averageFilledPrice: null,
      netAverageFilledPrice: null,
    });
  });
});
