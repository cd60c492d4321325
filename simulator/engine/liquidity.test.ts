/** The synthetic market: it replaces itself, fills who waited for it, pays nothing, and cannot break the book. */
import { describe, expect, test } from "vitest";
import { plain, rejectionOf, Table } from "./testing/table.ts";

describe("a refresh of the synthetic market", () => {
  test("replaces every level of one product and leaves clients' orders in place", () => {
    const table = new Table();
    const own = table.place("ann", "BUY LIMIT 1 @ 98");
    table.refresh("BUY 5 @ 99", "BUY 5 @ 98", "SELL 5 @ 101");
    expect(table.side("BUY")).toEqual(["market 5 @ 99", "ann 1 @ 98", "market 5 @ 98"]);
    table.refresh("BUY 2 @ 98", "SELL 3 @ 103", "SELL 2 @ 102");
    expect(table.side("BUY")).toEqual(["ann 1 @ 98", "market 2 @ 98"]);
    expect(table.side("SELL")).toEqual(["market 2 @ 102", "market 3 @ 103"]);
    expect(table.drive.order(own).filled).toBe(0);
    table.refresh();
    expect([...table.side("BUY"), ...table.side("SELL")]).toEqual(["ann 1 @ 98"]);
  });

  test("fills crossing clients at their own prices, best level first, and rests with what is left", () => {
    const table = new Table();
    const near = table.place("ann", "SELL LIMIT 2 @ 100");
    const far = table.place("bob", "SELL LIMIT 3 @ 102");
    table.drive.takeEvents();
    table.refresh("BUY 1 @ 101", "BUY 4 @ 103", "BUY 9 @ 102");
    expect(table.trades()).toEqual([`0 <- ${near}: 2 @ 100`, `0 <- ${far}: 2 @ 102`, `0 <- ${far}: 1 @ 102`]);
    expect(table.side("BUY")).toEqual(["market 8 @ 102", "market 1 @ 101"]);
    expect(table.wallet("ann", "USD")).toBe("1000200, 0 on hold");
    expect(table.wallet("bob", "USD")).toBe("1000306, 0 on hold");
    table.drive.audit();
  });

  test("fills resting orders on either side, at their prices", () => {
    const table = new Table();
    const ask = table.place("ann", "SELL LIMIT 1 @ 100");
    const bid = table.place("bob", "BUY LIMIT 1 @ 97");
    table.drive.takeEvents();
    table.refresh("SELL 1 @ 97", "SELL 1 @ 105");
    table.refresh("BUY 1 @ 100");
    expect(table.trades()).toEqual([`0 <- ${bid}: 1 @ 97`, `0 <- ${ask}: 1 @ 100`]);
  });

  test("charges the client as maker and the market nothing", () => {
    const clients = plain.clients.map((client) => ({ ...client, rates: { maker: "0.01", taker: "0.05" } }));
    const table = new Table({ ...plain, clients });
    const order = table.place("ann", "SELL LIMIT 2 @ 100");
    table.refresh("BUY 2 @ 100");
    expect(table.order(order)).toBe("FILLED 2 of 2 for 200, fees 2 + 0, hold 0");
    table.refresh("SELL 2 @ 100");
    const taker = table.place("bob", "BUY LIMIT 2 @ 100");
    expect(table.order(taker)).toBe("FILLED 2 of 2 for 200, fees 10 + 0, hold 0");
    table.drive.audit();
  });

  test("wakes stops, since its fills are trades", () => {
    const table = new Table();
    const stop = table.place("cleo", "BUY STOP_LIMIT 1 @ 90 stop 105");
    table.place("ann", "SELL LIMIT 1 @ 105");
    table.refresh("BUY 1 @ 106");
    expect(table.drive.order(stop).phase).toBe("resting");
  });

  test.each([
    ["a price off the grid", ["BUY 1 @ 99.5"], "levels[0].price"],
    ["a size off the grid", ["BUY 1 @ 98", "BUY 1.5 @ 99"], "levels[1].quantity"],
    ["a size of nothing", ["BUY 0 @ 99"], "levels[0].quantity"],
    ["a price of nothing", ["BUY 1 @ 0"], "levels[0].price"],
    ["a price that is no decimal", ["BUY 1 @ -99"], "levels[0].price"],
    ["sides that cross each other", ["BUY 1 @ 101", "SELL 1 @ 100"], "levels"],
    ["sides that touch each other", ["BUY 1 @ 100", "SELL 1 @ 101", "SELL 1 @ 100"], "levels"],
  ])("with %s is refused as a whole, by name", (_what, levels, field) => {
    const table = new Table();
    table.refresh("BUY 5 @ 99");
    const before = table.stateHash();
    expect(rejectionOf(table.refresh(...levels))).toMatchObject({ code: "INVALID_COMMAND", field });
    expect(table.stateHash()).toBe(before);
  });

  test("may name a price twice: the sizes rest and trade together", () => {
    const table = new Table();
    table.refresh("SELL 2 @ 100", "SELL 3 @ 100");
    const order = table.place("ann", "BUY LIMIT 4 @ 100");
    expect(table.drive.order(order).status).toBe("FILLED");
    expect(table.drive.state.market(0).book.depth("SELL", 5)).toEqual([{ price: 100, quantity: 1 }]);
    table.drive.audit();
  });
});

describe("a printed trade", () => {
  test("moves the last price and no money", () => {
    const table = new Table();
    table.refresh("BUY 5 @ 99", "SELL 5 @ 101");
    table.print("250");
    expect(table.drive.state.market(0).tape.last).toBe(250);
    expect([...table.side("BUY"), ...table.side("SELL")]).toEqual(["market 5 @ 99", "market 5 @ 101"]);
    table.drive.audit();
  });

  test("takes clients' better orders first, by price and then time, up to its quantity", () => {
    const clients = plain.clients.map((client) => ({ ...client, rates: { maker: "0.01", taker: "0.05" } }));
    const table = new Table({ ...plain, clients });
    table.refresh("BUY 5 @ 99", "BUY 5 @ 97", "SELL 5 @ 103");
    const later = table.place("ann", "BUY LIMIT 2 @ 98");
    const best = table.place("bob", "BUY LIMIT 3 @ 102");
    const last = table.place("cleo", "BUY LIMIT 4 @ 98");
    table.drive.takeEvents();
    table.print("98", "7");
    expect(table.trades()).toEqual([
      `0 <- ${best}: 3 @ 102`,
      `0 <- ${later}: 2 @ 98`,
      `0 <- ${last}: 2 @ 98`,
    ]);
    expect(table.order(best)).toBe("FILLED 3 of 3 for 306, fees 3.06 + 0, hold 0");
    expect(table.order(last)).toBe("OPEN 2 of 4 for 196, fees 1.96 + 0, hold 213.64");
    expect(table.side("BUY")).toEqual(["market 5 @ 99", "cleo 2 @ 98", "market 5 @ 97"]);
    table.drive.audit();
  });

  test("prints at its own price what no client's order takes, and wakes stops with each price", () => {
    const table = new Table();
    table.refresh("BUY 5 @ 95", "SELL 5 @ 106");
    const ask = table.place("ann", "SELL LIMIT 2 @ 104");
    const stop = table.place("cleo", "BUY STOP_LIMIT 1 @ 90 stop 104");
    const far = table.place("cleo", "BUY STOP_LIMIT 1 @ 90 stop 105");
    table.drive.takeEvents();
    table.print("105", "3");
    const printed = table.drive.takeEvents().filter((event) => event.kind === "TradePrinted");
    expect(table.drive.order(ask).status).toBe("FILLED");
    expect(printed).toMatchObject([{ price: 105, quantity: 1 }]);
    expect([stop, far].map((order) => table.drive.order(order).phase)).toEqual(["resting", "resting"]);
    expect(table.drive.state.market(0).tape.last).toBe(105);
  });

  test("leaves clients' orders that it does not reach", () => {
    const table = new Table();
    const [bid, ask] = [table.place("ann", "BUY LIMIT 2 @ 98"), table.place("bob", "SELL LIMIT 2 @ 104")];
    table.print("99", "9");
    table.print("103", "9");
    expect([bid, ask].map((order) => table.drive.order(order).filled)).toEqual([0, 0]);
  });

  test.each(["0", "99.5", "-1", "x"])("at %j is refused", (price) => {
    expect(rejectionOf(new Table().print(price))).toMatchObject({ code: "INVALID_COMMAND", field: "price" });
  });
});
