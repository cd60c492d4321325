/** Self-trade prevention (F-self-trade), mode by mode. */
import { describe, expect, test } from "vitest";
import type { SelfTradePrevention } from "../domain/settings.ts";
import { plainWith, Table } from "./testing/table.ts";

interface Row {
  readonly stp: SelfTradePrevention;
  readonly incoming: string;
  readonly resting: string;
  readonly asks: readonly string[];
  readonly bids: readonly string[];
}

const rows: readonly Row[] = [
  {
    stp: "cancel-newest",
    incoming: "CANCELLED 2 of 6 for 200, fees 0 + 0, hold 0",
    resting: "OPEN 0 of 3 for 0, fees 0 + 0, hold 3",
    asks: ["ann 3 @ 100", "bob 3 @ 101"],
    bids: [],
  },
  {
    stp: "cancel-oldest",
    incoming: "OPEN 5 of 6 for 503, fees 0 + 0, hold 103",
    resting: "CANCELLED 0 of 3 for 0, fees 0 + 0, hold 0",
    asks: [],
    bids: ["ann 1 @ 101"],
  },
  {
    stp: "cancel-both",
    incoming: "CANCELLED 2 of 6 for 200, fees 0 + 0, hold 0",
    resting: "CANCELLED 0 of 3 for 0, fees 0 + 0, hold 0",
    asks: ["bob 3 @ 101"],
    bids: [],
  },
  {
    // Four meet three: three go from both, the last one is bought from bob. Three of six were never traded.
    stp: "decrement",
    incoming: "CANCELLED 3 of 6 for 301, fees 0 + 0, hold 0",
    resting: "CANCELLED 0 of 3 for 0, fees 0 + 0, hold 0",
    asks: ["bob 2 @ 101"],
    bids: [],
  },
  {
    stp: "none",
    incoming: "FILLED 6 of 6 for 601, fees 0 + 0, hold 0",
    resting: "FILLED 3 of 3 for 300, fees 0 + 0, hold 0",
    asks: ["bob 2 @ 101"],
    bids: [],
  },
];

describe("an order that meets one of the same client", () => {
  test.each(rows)("under $stp", ({ stp, incoming, resting, asks, bids }) => {
    const table = new Table(plainWith({ stp }));
    table.place("bob", "SELL LIMIT 2 @ 100");
    const own = table.place("ann", "SELL LIMIT 3 @ 100");
    table.place("bob", "SELL LIMIT 3 @ 101");
    const order = table.place("ann", "BUY LIMIT 6 @ 101");
    expect(table.order(order)).toBe(incoming);
    expect(table.order(own)).toBe(resting);
    expect(table.side("SELL")).toEqual(asks);
    expect(table.side("BUY")).toEqual(bids);
    const closed = [order, own].filter((number) => table.drive.order(number).status === "CANCELLED");
    for (const number of closed) expect(table.drive.order(number).reason).toBe("Self-trade prevention");
    table.drive.audit();
  });

  test.each(rows)("a MARKET BUY under $stp: decrement acts as cancel-newest", ({ stp }) => {
    const table = new Table(plainWith({ stp }));
    const own = table.place("ann", "SELL LIMIT 3 @ 100");
    table.place("bob", "SELL LIMIT 3 @ 101");
    const order = table.place("ann", "BUY MARKET for 410");
    const expected = {
      "cancel-newest": ["CANCELLED 0 of 410 quote for 0", "OPEN 0 of 3 for 0"],
      "cancel-oldest": ["CANCELLED 3 of 410 quote for 303", "CANCELLED 0 of 3 for 0"],
      "cancel-both": ["CANCELLED 0 of 410 quote for 0", "CANCELLED 0 of 3 for 0"],
      decrement: ["CANCELLED 0 of 410 quote for 0", "OPEN 0 of 3 for 0"],
      none: ["FILLED 4 of 410 quote for 401", "FILLED 3 of 3 for 300"],
    }[stp];
    expect([order, own].map((number) => table.order(number).split(",")[0])).toEqual(expected);
  });

  test.each(["cancel-newest", "cancel-oldest", "cancel-both", "decrement"] as const)(
    "a MARKET BUY whose budget is used up does not meet its own order behind (%s)",
    (stp) => {
      const table = new Table(plainWith({ stp }));
      table.place("bob", "SELL LIMIT 3 @ 100");
      const own = table.place("ann", "SELL LIMIT 3 @ 101");
      const order = table.place("ann", "BUY MARKET for 400");
      expect(table.order(order)).toBe("FILLED 3 of 400 quote for 300, fees 0 + 0, hold 0");
      expect(table.order(own)).toBe("OPEN 0 of 3 for 0, fees 0 + 0, hold 3");
    },
  );

  test("a decremented order keeps its place, gives back the hold of what was taken, and ends CANCELLED", () => {
    const table = new Table(plainWith({ stp: "decrement" }));
    const own = table.place("ann", "SELL LIMIT 10 @ 100");
    table.place("bob", "SELL LIMIT 1 @ 100");
    const order = table.place("ann", "BUY LIMIT 4 @ 100");
    expect(table.order(order)).toBe("CANCELLED 0 of 4 for 0, fees 0 + 0, hold 0");
    expect(table.order(own)).toBe("OPEN 0 of 10 for 0, fees 0 + 0, hold 6");
    expect(table.side("SELL")).toEqual(["ann 6 @ 100", "bob 1 @ 100"]);
    table.place("bob", "BUY LIMIT 6 @ 100");
    expect(table.order(own)).toBe("CANCELLED 6 of 10 for 600, fees 0 + 0, hold 0");
    expect(table.wallet("ann", "COIN")).toBe("99994, 0 on hold");
  });

  test.each(["at-end", "per-fill"] as const)(
    "a decremented BUY holds what the rest can cost, improvement released %s",
    (releaseImprovement) => {
      const table = new Table({
        ...plainWith({ stp: "decrement", releaseImprovement }),
        clients: [
          { name: "ann", rates: { maker: "0.0025", taker: "0.0025" }, balances: { USD: "9000", COIN: "90" } },
        ],
      });
      table.refresh("SELL 4 @ 80");
      const own = table.place("ann", "BUY LIMIT 9 @ 100");
      const hold = { "at-end": "581.45", "per-fill": "501.25" }[releaseImprovement];
      expect(table.order(own)).toBe(`OPEN 4 of 9 for 320, fees 0.8 + 0, hold ${hold}`);
      table.place("ann", "SELL LIMIT 3 @ 100");
      const left = { "at-end": "280.7", "per-fill": "200.5" }[releaseImprovement];
      expect(table.order(own)).toBe(`OPEN 4 of 9 for 320, fees 0.8 + 0, hold ${left}`);
      expect(table.wallet("ann", "USD")).toBe(`8679.2, ${left} on hold`);
      table.drive.audit();
    },
  );

  test("a decremented order that the synthetic market completes ends CANCELLED as well", () => {
    const table = new Table(plainWith({ stp: "decrement" }));
    const own = table.place("ann", "SELL LIMIT 10 @ 100");
    table.place("ann", "BUY LIMIT 4 @ 100");
    table.refresh("BUY 6 @ 100");
    expect(table.order(own)).toBe("CANCELLED 6 of 10 for 600, fees 0 + 0, hold 0");
  });

  test("a triggered stop is an incoming order too", () => {
    const table = new Table();
    const own = table.place("ann", "SELL LIMIT 3 @ 106");
    const stop = table.place("ann", "BUY STOP_LIMIT 2 @ 107 stop 105");
    table.print("105");
    expect(table.order(stop)).toBe("CANCELLED 0 of 2 for 0, fees 0 + 0, hold 0");
    expect(table.order(own)).toBe("OPEN 0 of 3 for 0, fees 0 + 0, hold 3");
  });

  test.each(rows)("an order of the synthetic market is never a self-trade ($stp)", ({ stp }) => {
    const table = new Table(plainWith({ stp }));
    table.refresh("SELL 5 @ 100");
    const order = table.place("ann", "BUY LIMIT 5 @ 100");
    expect(table.drive.order(order).status).toBe("FILLED");
  });
});
