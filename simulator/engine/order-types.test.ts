/** End states by order type, each with book and wallets afterwards. */
import { describe, expect, test } from "vitest";
import { plain, plainWith, Table } from "./testing/table.ts";

interface Row {
  readonly name: string;
  readonly book: readonly string[];
  readonly order: string;
  readonly ends: string;
  readonly bids?: readonly string[];
  readonly asks?: readonly string[];
  readonly usd: string;
  readonly coin: string;
}

const rows: readonly Row[] = [
  {
    name: "a LIMIT that does not cross rests",
    book: ["SELL 5 @ 102"],
    order: "BUY LIMIT 4 @ 101",
    ends: "OPEN 0 of 4 for 0, fees 0 + 0, hold 404",
    bids: ["ann 4 @ 101"],
    asks: ["market 5 @ 102"],
    usd: "1000000, 404 on hold",
    coin: "100000, 0 on hold",
  },
  {
    name: "a LIMIT that crosses enough liquidity is FILLED at the makers' prices",
    book: ["SELL 5 @ 100", "SELL 5 @ 101"],
    order: "BUY LIMIT 7 @ 105",
    ends: "FILLED 7 of 7 for 702, fees 0 + 0, hold 0",
    asks: ["market 3 @ 101"],
    usd: "999298, 0 on hold",
    coin: "100007, 0 on hold",
  },
  {
    name: "a LIMIT that crosses too little rests with what is left",
    book: ["SELL 5 @ 100", "SELL 5 @ 103"],
    order: "BUY LIMIT 7 @ 102",
    ends: "OPEN 5 of 7 for 500, fees 0 + 0, hold 214",
    bids: ["ann 2 @ 102"],
    asks: ["market 5 @ 103"],
    usd: "999500, 214 on hold",
    coin: "100005, 0 on hold",
  },
  {
    name: "a MARKET SELL with enough bids is FILLED",
    book: ["BUY 5 @ 99", "BUY 5 @ 98"],
    order: "SELL MARKET 6",
    ends: "FILLED 6 of 6 for 593, fees 0 + 0, hold 0",
    bids: ["market 4 @ 98"],
    usd: "1000593, 0 on hold",
    coin: "99994, 0 on hold",
  },
  {
    name: "a MARKET SELL whose bids run out is CANCELLED with its fills",
    book: ["BUY 5 @ 99"],
    order: "SELL MARKET 6",
    ends: "CANCELLED 5 of 6 for 495, fees 0 + 0, hold 0",
    usd: "1000495, 0 on hold",
    coin: "99995, 0 on hold",
  },
  {
    name: "a MARKET SELL into an empty side is CANCELLED with nothing",
    book: [],
    order: "SELL MARKET 6",
    ends: "CANCELLED 0 of 6 for 0, fees 0 + 0, hold 0",
    usd: "1000000, 0 on hold",
    coin: "100000, 0 on hold",
  },
  {
    name: "a MARKET BUY into an empty side is CANCELLED with nothing",
    book: ["BUY 5 @ 99"],
    order: "BUY MARKET for 500",
    ends: "CANCELLED 0 of 500 quote for 0, fees 0 + 0, hold 0",
    bids: ["market 5 @ 99"],
    usd: "1000000, 0 on hold",
    coin: "100000, 0 on hold",
  },
  {
    name: "a MARKET BUY whose budget is used up to less than one increment is FILLED",
    book: ["SELL 3 @ 100", "SELL 9 @ 101"],
    order: "BUY MARKET for 550",
    ends: "FILLED 5 of 550 quote for 502, fees 0 + 0, hold 0",
    asks: ["market 7 @ 101"],
    usd: "999498, 0 on hold",
    coin: "100005, 0 on hold",
  },
  {
    name: "a MARKET BUY whose asks run out is CANCELLED with its fills",
    book: ["SELL 3 @ 100"],
    order: "BUY MARKET for 550",
    ends: "CANCELLED 3 of 550 quote for 300, fees 0 + 0, hold 0",
    usd: "999700, 0 on hold",
    coin: "100003, 0 on hold",
  },
  {
    name: "a MARKET BUY whose asks end exactly when its budget does is FILLED",
    book: ["SELL 3 @ 100"],
    order: "BUY MARKET for 399",
    ends: "FILLED 3 of 399 quote for 300, fees 0 + 0, hold 0",
    usd: "999700, 0 on hold",
    coin: "100003, 0 on hold",
  },
  {
    name: "a STOP_LIMIT that is not triggered waits outside the book with its hold",
    book: ["SELL 5 @ 101"],
    order: "BUY STOP_LIMIT 4 @ 110 stop 105",
    ends: "OPEN 0 of 4 for 0, fees 0 + 0, hold 440",
    asks: ["market 5 @ 101"],
    usd: "1000000, 440 on hold",
    coin: "100000, 0 on hold",
  },
];

describe("the end of an order", () => {
  test.each(rows)("$name", (row) => {
    const table = new Table();
    table.refresh(...row.book);
    const order = table.place("ann", row.order);
    expect(table.order(order)).toBe(row.ends);
    expect(table.side("BUY")).toEqual(row.bids ?? []);
    expect(table.side("SELL")).toEqual(row.asks ?? []);
    expect(table.wallet("ann", "USD")).toBe(row.usd);
    expect(table.wallet("ann", "COIN")).toBe(row.coin);
    table.drive.audit();
  });

  test("a MARKET BUY that cannot pay for one increment at the best ask is refused at placement", () => {
    const table = new Table();
    table.refresh("SELL 5 @ 101");
    expect(table.refused("ann", "BUY MARKET for 100.99")).toMatchObject({
      code: "EXCHANGE_REJECTED",
      reason: "QUOTE_SIZE_OUT_OF_RANGE",
    });
  });

  test("a MARKET BUY that the market left behind while it was queued is CANCELLED and says why", () => {
    const table = new Table(plainWith({ matchDelayMs: 50 }));
    table.refresh("SELL 5 @ 100");
    const order = table.place("ann", "BUY MARKET for 101");
    table.refresh("SELL 5 @ 102");
    table.drive.advance(50);
    expect(table.order(order)).toBe("CANCELLED 0 of 101 quote for 0, fees 0 + 0, hold 0");
    expect(table.drive.order(order).reason).toBe(
      "The budget, fees included, does not pay for one increment at the best ask",
    );
  });

  test("price has priority over time, and at one price the earlier order trades first", () => {
    const table = new Table();
    const late = table.place("bob", "SELL LIMIT 2 @ 101");
    const first = table.place("bob", "SELL LIMIT 2 @ 100");
    const second = table.place("cleo", "SELL LIMIT 2 @ 100");
    const taker = table.place("ann", "BUY LIMIT 5 @ 101");
    const expected = [
      `${taker} <- ${first}: 2 @ 100`,
      `${taker} <- ${second}: 2 @ 100`,
      `${taker} <- ${late}: 1 @ 101`,
    ];
    expect(table.trades()).toEqual(expected);
  });

  test("a MARKET order stops at the price collar and reports it", () => {
    const table = new Table(plainWith({ slippageCollarBps: 500 }));
    table.refresh("SELL 1 @ 1000", "SELL 1 @ 1050", "SELL 1 @ 1051");
    const order = table.place("ann", "BUY MARKET for 9000");
    expect(table.order(order)).toBe("CANCELLED 2 of 9000 quote for 2050, fees 0 + 0, hold 0");
    expect(table.drive.order(order).reason).toMatch(/collar/);
  });

  test("price improvement leaves the hold with the fill when the venue is set so, and at the end otherwise", () => {
    const holdAfterFill = (releaseImprovement: "at-end" | "per-fill"): string => {
      const table = new Table(plainWith({ releaseImprovement }));
      table.refresh("SELL 5 @ 90");
      table.place("ann", "BUY LIMIT 10 @ 100");
      return table.wallet("ann", "USD");
    };
    expect(holdAfterFill("at-end")).toBe("999550, 550 on hold");
    expect(holdAfterFill("per-fill")).toBe("999550, 500 on hold");
  });

  test("with per-fill the fee share of the improvement leaves the hold, too", () => {
    const rates = { maker: "0.0025", taker: "0.0025" };
    const table = new Table({
      ...plainWith({ releaseImprovement: "per-fill" }),
      clients: [{ name: "ann", rates, balances: { USD: "9000" } }],
    });
    table.refresh("SELL 4 @ 100");
    const order = table.place("ann", "BUY LIMIT 10 @ 120");
    expect(table.order(order)).toBe("OPEN 4 of 10 for 400, fees 1 + 0, hold 721.8");
    table.drive.audit();
  });

  test("with a matching delay an order is answered unmatched and matches when it is due", () => {
    const table = new Table({ ...plain, settings: { matchDelayMs: 50 } });
    table.refresh("SELL 5 @ 100");
    const order = table.place("ann", "BUY MARKET for 300");
    expect(table.order(order)).toBe("OPEN 0 of 300 quote for 0, fees 0 + 0, hold 300");
    table.drive.advance(49);
    expect(table.drive.order(order).status).toBe("OPEN");
    table.drive.advance(1);
    expect(table.order(order)).toBe("FILLED 3 of 300 quote for 300, fees 0 + 0, hold 0");
  });
});
