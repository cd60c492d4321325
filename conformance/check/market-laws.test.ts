import { describe, expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import { readJson } from "./lossless-json.ts";
import { checkMarket } from "./market-laws.ts";

const places = { bids: "#/data/bids", asks: "#/data/asks", items: ["#/data"] };

function found(operation: string, data: unknown): string[] {
  const reading = readJson(Buffer.from(JSON.stringify({ data })));
  if (!reading.ok) throw new Error("the sample is no JSON");
  // as: the laws look at nothing else of an exchange.
  const exchange = { request: { operation }, json: reading.json } as unknown as Exchange;
  return checkMarket(exchange, places).differences.map(
    ({ clause, pointer, expected, actual }) => `${clause} ${pointer}: ${expected} | ${actual}`,
  );
}

describe("a book", () => {
  const level = (price: string, quantity = "1"): object => ({ price, quantity });

  it.each([
    ["in any order", { bids: [level("99"), level("100")], asks: [level("102"), level("101")] }],
    ["of single orders", { bids: [level("100"), level("100")], asks: [level("101")] }],
    ["as pairs", { bids: [["100", "1"]], asks: [["100.5", "2"]] }],
    ["with one side", { bids: [], asks: [level("1")] }],
    ["that cannot be read", { bids: "none", asks: [{ rate: "1" }] }],
  ])("%s is right", (_, data) => {
    expect(found("orderBook", data)).toEqual([]);
  });

  it.each([
    [
      "crossed",
      { bids: [level("99"), level("101.0")], asks: [level("102"), level("100.5")] },
      "/data/bids: a best bid below the best ask, 100.5 | 101",
    ],
    [
      "locked",
      { bids: [["100.0", "1"]], asks: [["100", "1"]] },
      "/data/bids: a best bid below the best ask, 100 | 100",
    ],
    [
      "with a level of nothing",
      { bids: [level("99", "0.000")], asks: [] },
      '/data/bids/0: a quantity above zero | "0.000"',
    ],
  ])("%s is wrong", (_, data, said) => {
    expect(found("orderBook", data)).toEqual([`EPT-13 #${said}`]);
  });

  it.each([
    [
      "prices",
      { bids: [[100, "1"]], asks: [["101", "1"]] },
      "bids/0: decimals as strings, not numbers | 100",
    ],
    [
      "quantities",
      { bids: [], asks: [level("9"), { price: "10", quantity: 2.5 }] },
      "asks/1: decimals as strings, not numbers | 2.5",
    ],
  ])("whose %s are JSON numbers is wrong", (_, data, said) => {
    expect(found("orderBook", data)).toEqual([`GEN-04 #/data/${said}`]);
  });
});

describe("candles", () => {
  const candle = (time: unknown, prices = "10 12 9 11"): object => {
    const [open, high, low, close] = prices.split(" ");
    return { time, open, high, low, close };
  };

  it.each([
    ["that run backwards", [candle("2026-01-01T00:02:00Z"), candle("2026-01-01T00:01:00Z")]],
    ["with periods left out", [candle(1767225600), candle(1767225720), candle(1767225900)]],
    ["of five seconds", [candle(1767225600000), candle(1767225605000), candle(1767225610000)]],
    [
      "the newest at its last trade",
      [
        candle("2026-01-01T00:00:00Z"),
        candle("2026-01-01T00:01:00Z"),
        candle("2026-01-01T00:02:00Z"),
        candle("2026-01-01T00:02:31Z"),
      ],
    ],
    ["of one price", [candle("2026-01-01T00:00:00Z", "1 1.0 1.00 1")]],
    ["without a time", [candle(undefined), candle(undefined)]],
    ["as lists", [[1767225600, "1", "0", "2", "3"]]],
  ])("%s are right", (_, data) => {
    expect(found("candles", data)).toEqual([]);
  });

  const minutes = ["00:00", "00:01", "00:02", "00:03"].map((time) => `2026-01-01T${time}:00Z`);

  it.each([
    [
      "the open above the high",
      [candle(minutes[0], "13 12 9 11")],
      "0: open: from 9 to 12, its low and its high | 13",
    ],
    [
      "the close below the low",
      [candle(minutes[0], "10 12 9 8.99")],
      "0: close: from 9 to 12, its low and its high | 8.99",
    ],
    [
      "one twice",
      [candle(minutes[0]), candle(minutes[1]), candle(minutes[1])],
      '2: time: a time that no other candle has | "2026-01-01T00:01:00Z"',
    ],
    [
      "one out of order",
      [candle(minutes[0]), candle(minutes[2]), candle(minutes[1])],
      '2: time: times that run one way | "2026-01-01T00:01:00Z"',
    ],
    [
      "all shifted",
      minutes.map((time) => candle(time.replace(":00Z", ":07Z"))),
      '0: time: a whole minute | "2026-01-01T00:00:07Z"',
    ],
    [
      "one shifted",
      minutes
        .map((time, index) => candle(index === 1 ? time.replace(":00Z", ":30Z") : time))
        .concat(candle("2026-01-01T00:04:00Z"), candle("2026-01-01T00:05:00Z")),
      '1: time: a whole minute | "2026-01-01T00:01:30Z"',
    ],
  ])("%s are wrong", (_, data, said) => {
    expect(found("candles", data)).toEqual([`EPT-14 candle ${said}`]);
  });
});
