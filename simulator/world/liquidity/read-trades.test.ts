// tidy-allow-file whitespace: the messages that are compared end their source lines as they stand
import { describe, expect, it } from "vitest";
import { formatProblems } from "../problem.ts";
import { readTrades } from "./read-trades.ts";

const grid = { id: "BTC-USD", baseIncrement: "0.001", priceIncrement: "0.05" };

function read(text: string): unknown {
  const trades = readTrades(text, "market.csv", grid);
  return trades.ok ? trades.value : `\n${formatProblems(trades.error)}\n`;
}

describe("A recorded market", () => {
  it("has the times of its trades, given in UTC or in milliseconds", () => {
    const trades = [
      { at: 1_767_225_600_000, price: "60000.05", quantity: "0.5" },
      { at: 1_767_225_601_500, price: "60000", quantity: "1" },
    ];
    const times = [
      ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01.500Z"],
      ["1767225600000", "1767225601500"],
    ];
    for (const [first, second] of times) {
      expect(read(`time,price,quantity\n${first},60000.050,0.5\n${second},60000.00,1\n`)).toEqual(trades);
      expect(read(`time,price,quantity\r\n${first},60000.05,0.5\r\n${second},60000,1`)).toEqual(trades);
    }
  });

  it.each([
    ["1672531436", "1672531436 looks like seconds. Add 000 to it"],
    ["1672531436.25", "1672531436.25 looks like seconds. Multiply it by 1000"],
    ["1672531436000000", "1672531436000000 looks like microseconds or nanoseconds"],
    ["1672531436000000000", "1672531436000000000 looks like microseconds or nanoseconds"],
  ])("refuses %s, and says of which unit it is", (time, said) => {
    expect(read(`time,price,quantity\n${time},60000,1\n`)).toContain(
      `2026-01-01T09:30:00.000Z, or whole milliseconds since 1970: ${said}`,
    );
  });

  it.each(["0", "1500", "12.5", "-5"])("refuses %s, which is a time of no clock", (time) => {
    expect(read(`time,price,quantity\n${time},60000,1\n`)).toContain("milliseconds since 1970\n");
  });

  it("must begin with its header", () => {
    expect(read("price,time,quantity\n1,2,3\n")).toMatchInlineSnapshot(`
      "
      market.csv:1:1: the first line must be time,price,quantity
        1 | price,time,quantity
          | ^
      "
    `);
  });

  it("must have a trade", () => {
    expect(read("time,price,quantity\n")).toMatchInlineSnapshot(`
      "
      market.csv:1:1: the file has no trades
        1 | time,price,quantity
          | ^
      "
    `);
  });

  it("points at every value that is wrong", () => {
    const rows = [
      "now,60000,1",
      "1767225600005,60000.01,1",
      "1767225600006,6e4,1",
      "1767225600007,60000,0.0005",
      "1767225600008,60000,0",
      "1767225600009,60000",
      "1767225600010,60000,1",
      "1767225600009,60000,1",
    ];
    expect(read(["time,price,quantity", ...rows].join("\n"))).toMatchInlineSnapshot(`
      "
      market.csv:2:1: time must be in UTC, such as 2026-01-01T09:30:00.000Z, or whole milliseconds since 1970
        2 | now,60000,1
          | ^^^

      market.csv:3:15: price must be a whole multiple of 0.05 (BTC-USD), was 60000.01
        3 | 1767225600005,60000.01,1
          |               ^^^^^^^^

      market.csv:4:15: price must be a decimal such as 0.01, was "6e4"
        4 | 1767225600006,6e4,1
          |               ^^^

      market.csv:5:21: quantity must be a whole multiple of 0.001 (BTC-USD), was 0.0005
        5 | 1767225600007,60000,0.0005
          |                     ^^^^^^

      market.csv:6:21: quantity must be greater than zero
        6 | 1767225600008,60000,0
          |                     ^

      market.csv:7:1: must have three values, time,price,quantity, has 2
        7 | 1767225600009,60000
          | ^^^^^^^^^^^^^^^^^^^

      market.csv:9:1: the time is earlier than that of the line before
        9 | 1767225600009,60000,1
          | ^^^^^^^^^^^^^
      "
    `);
  });

  it("refuses a date that does not exist, and an empty line", () => {
    expect(
      read("time,price,quantity\n2026-13-01T00:00:00Z,60000,1\n\n1767225600000,60000,1\n"),
    ).toMatchInlineSnapshot(`
      "
      market.csv:2:1: time must be in UTC, such as 2026-01-01T09:30:00.000Z, or whole milliseconds since 1970
        2 | 2026-13-01T00:00:00Z,60000,1
          | ^^^^^^^^^^^^^^^^^^^^

      market.csv:3:1: must have three values, time,price,quantity, has 1
        3 | 
          | ^
      "
    `);
  });

  it("stops after twenty problems", () => {
    const text = `time,price,quantity\n${"x,60000,1\n".repeat(500)}`;
    const trades = readTrades(text, "market.csv", grid);
    expect(trades.ok ? 0 : trades.error.length).toBe(20);
  });

  it("may not be larger than a venue can keep in its header", () => {
    expect(read(`time,price,quantity\n${"1767225600000,60000,1\n".repeat(20_001)}`)).toMatchInlineSnapshot(`
      "
      market.csv:1:1: the file has 20001 trades; at most 20000 are read
        1 | time,price,quantity
          | ^
      "
    `);
  });
});
