import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../model/json.ts";
import type { StreamPlan } from "../model/stream.ts";
import { readJsonText } from "./lossless-json.ts";
import { resolvePointer } from "./pointer.ts";
import { bookDifferences } from "./stream-book.ts";
import { eventOf, messagesIn } from "./stream-event.ts";
import { StreamNumbers } from "./stream-numbers.ts";

const plan: StreamPlan = {
  connections: 8,
  message: { type: "#/t", channel: "#/c", product: "#/p", sequence: "#/n", sequenceScope: "connection" },
  channels: { orderBook: { name: "depth", automatic: false }, trades: "absent" },
  events: {
    book: {
      when: { t: "image" },
      partial: false,
      fields: { bids: "#/b", asks: "#/a", version: "#/v", price: "#/0", quantity: "#/1" },
    },
    bookUpdate: {
      when: { t: "delta" },
      partial: false,
      fields: { bids: "#/b", asks: "#/a", version: "#/v", previous: "#/p", price: "#/0", quantity: "#/1" },
    },
  },
};

function json(value: unknown): Json {
  const reading = readJsonText(typeof value === "string" ? value : JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.problem);
  return reading.json;
}

const event = (value: unknown): JsonObject => eventOf(json(value), plan);

describe("a message in the kit's names", () => {
  it("is the first event that fits, with channel and fields by their pointers, numbers as they stood", () => {
    const seen = event('{"t":"image","c":"depth","n":7,"v":12345678901234567890,"b":[],"a":[]}');
    expect(["is", "channel", "bids"].map((name) => seen.get(name))).toEqual(["book", "orderBook", []]);
    expect(seen.get("version")).toMatchObject({ lexeme: "12345678901234567890" });
    expect(seen.get("product")).toBeUndefined();
  });

  it("is unknown when nothing fits, and keeps the target's word for a channel that is not mapped", () => {
    const seen = event({ t: "news", c: "weather" });
    expect(["is", "channel"].map((name) => seen.get(name))).toEqual(["unknown", "weather"]);
    expect(eventOf(undefined, plan).get("is")).toBe("unknown");
  });

  it("may be in a frame with others; shared members are read from the frame", () => {
    const batched = { ...plan, message: { ...plan.message, batch: "#/list" } };
    const whole = json({ n: 3, list: [{ t: "image" }, { t: "delta" }] });
    const parts = messagesIn(whole, batched).map((part) => eventOf(part, batched, whole));
    expect(parts.map((part) => part.get("is"))).toEqual(["book", "bookUpdate"]);
    expect(parts.map((part) => part.get("sequence"))).toMatchObject([{ lexeme: "3" }, { lexeme: "3" }]);
    expect(messagesIn(json({ t: "image" }), batched)).toHaveLength(1);
  });
});

describe("the numbers of messages", () => {
  const told = (scope: StreamPlan["message"]["sequenceScope"], ...messages: unknown[]) => {
    const numbers = new StreamNumbers({ ...plan.message, sequenceScope: scope });
    return messages.map((message) => numbers.differences(event(message)).map(({ actual }) => actual));
  };

  it("go up one by one from any first one, beyond what a double holds, in digits or in a string", () => {
    expect(told("connection", { n: 5 }, { n: 6 }, { n: "7" })).toEqual([[], [], []]);
    expect(told("connection", '{"n":9007199254740993}', '{"n":9007199254740994}')).toEqual([[], []]);
  });

  it("show a gap once, a repeat, and a message without one", () => {
    expect(told("connection", { n: 1 }, { n: 3 }, { n: 4 }, { n: 4 }, {}, { n: "x" })).toEqual([
      [],
      ["3"],
      [],
      ["4"],
      ["(missing)"],
      ['"x"'],
    ]);
  });

  it("may go on or begin anew in a channel that was left, if they count for each channel", () => {
    const numbers = new StreamNumbers({ ...plan.message, sequenceScope: "channel" });
    const said = (message: object) => numbers.differences(event(message)).map(({ actual }) => actual);
    expect(
      [
        { c: "a", n: 1 },
        { c: "b", n: 1 },
        { c: "a", n: 2 },
      ].map(said),
    ).toEqual([[], [], []]);
    numbers.leave("a");
    expect(
      [
        { c: "a", n: 3 },
        { c: "a", n: 9 },
        { c: "a", n: 1 },
        { c: "b", n: 3 },
      ].map(said),
    ).toEqual([[], [], [], ["3"]]);
    const whole = new StreamNumbers({ ...plan.message, sequenceScope: "connection" }, numbers.left);
    expect(
      [
        { c: "a", n: 1 },
        { c: "a", n: 3 },
      ].map((one) => whole.differences(event(one)).length),
    ).toEqual([0, 1]);
  });

  it("count for each channel if the profile says so, and only for messages with a channel", () => {
    expect(
      told("channel", { c: "a", n: 1 }, { c: "b", n: 1 }, { c: "a", n: 2 }, { c: "b" }, { c: "b", n: 3 }),
    ).toEqual([[], [], [], [], ["3"]]);
  });

  it("count for a channel with all its products, or for each product: a sequence that fits neither is a gap", () => {
    const confirmed = { c: "a", n: 4 };
    const ofOne = [2, 3].map((n) => ({ c: "a", p: "P", n }));
    const later = [5, 6, 8].map((n) => ({ c: "a", p: "P", n }));
    expect(told("channel", { c: "a", n: 1 }, ...ofOne, confirmed, ...later).flat()).toEqual(["8"]);
    const turns = [1, 2, 3].flatMap((n) => ["P", "Q"].map((p) => ({ c: "a", p, n })));
    expect(told("channel", ...turns).flat()).toEqual([]);
    expect(told("channel", ...turns, { c: "a", p: "Q", n: 5 }).flat()).toEqual(["5"]);
  });

  it("are not checked if the profile does not describe them", () => {
    const numbers = new StreamNumbers({ sequenceScope: "connection" });
    expect([numbers.declared, numbers.differences(event({}))]).toEqual([false, []]);
    expect(new StreamNumbers({ sequence: "none", sequenceScope: "connection" }).declared).toBe(false);
  });
});

describe("the book of a stream", () => {
  const image = {
    t: "image",
    v: 10,
    b: [
      ["100.0", "1"],
      ["99", "2"],
    ],
    a: [["101", "3"]],
  };
  const shown = (version: number, bids: unknown, asks: unknown = [{ price: "101", quantity: "3" }]) => {
    const reply = json({ bids, asks, version });
    const at = (name: string) => resolvePointer(reply, `#/${name}`);
    return { bids: at("bids"), asks: at("asks"), version: at("version") };
  };
  const level = (price: string, quantity: string) => ({ price, quantity });
  const found = (messages: unknown[], rest: ReturnType<typeof shown>) =>
    bookDifferences(messages.map(event), rest, plan)?.map(({ pointer, expected, actual }) => [
      pointer,
      expected,
      actual,
    ]);

  it("is that of the read at the same version, as numbers and best first", () => {
    const update = {
      t: "delta",
      v: 11,
      p: 10,
      b: [
        ["99", "0"],
        ["100", "1.50"],
        ["98.5", "4"],
      ],
    };
    expect(found([image, update], shown(11, [level("100", "1.5"), level("98.50", "4.0")]))).toEqual([]);
    expect(found([image, update], shown(10, [level("100", "1"), level("99", "2")]))).toEqual([]);
  });

  it("shows a level that it has lost, kept or sized wrongly", () => {
    expect(found([image], shown(10, [level("100", "1"), level("99", "2"), level("98", "1")]))).toEqual([
      ["bids", "3 levels", "2 levels from the stream"],
    ]);
    expect(found([image], shown(10, [level("99", "2")]))).toEqual([
      ["bids/0", "2 at 99", "1 at 100 from the stream"],
    ]);
    expect(found([image], shown(10, [level("100", "1")], [level("101", "4")]))).toEqual([
      ["asks/0", "4 at 101", "3 at 101 from the stream"],
    ]);
  });

  it("has a gap where a change does not follow the version before; an old one is dropped", () => {
    expect(found([image, { t: "delta", v: 13, p: 12 }], shown(13, []))).toEqual([
      ["event/previous", "10, the version before", "12"],
    ]);
    const rest = shown(10, [level("100", "1"), level("99", "2")]);
    expect(found([image, { t: "delta", v: 9, p: 8, b: [["100", "7"]] }], rest)).toEqual([]);
  });

  it("takes decimals in strings only, and begins anew with a whole book", () => {
    expect(found([{ ...image, b: [[100, 1]] }], shown(10, []))?.[0]?.[0]).toBe("event/bids");
    expect(found([image, { ...image, v: 20, b: [] }], shown(20, []))).toEqual([]);
  });

  it("says nothing when it never stood at the version of the read", () => {
    expect(found([image], shown(11, []))).toBeUndefined();
    expect(found([{ t: "delta", v: 11, p: 10 }], shown(11, []))).toBeUndefined();
  });
});
