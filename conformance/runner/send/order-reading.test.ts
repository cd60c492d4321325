import { describe, expect, it } from "vitest";
import { readJson } from "../../check/lossless-json.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Profile } from "../../model/profile.ts";
import type { ValueMap } from "../../model/value.ts";
import { readCall } from "../../plan/call.ts";
import type { Session } from "../session.ts";
import { OrderReading } from "./order-reading.ts";

const clients: Readonly<Record<string, string>> = { trader: "A", reader: "A", otherClient: "B" };

function readingWith(operations: object = {}): OrderReading {
  const profile = { operations } as unknown as Profile;
  const credential = (role: string) => ({ client: clients[role] });
  return new OrderReading({ profile, credential } as unknown as Session);
}

const sent = Buffer.from('{"client_order_id":"k"}');

function answered(type: string, status: string, operation = "placeOrder"): Exchange {
  const reading = readJson(Buffer.from(JSON.stringify({ data: { type, order: { id: "7", status } } })));
  const request = { operation, role: "trader", body: sent };
  return {
    request,
    reply: { status: 200 },
    json: reading.ok ? reading.json : undefined,
  } as unknown as Exchange;
}

const read = (more: ValueMap = {}) => readCall({ op: "readOrder", params: { id: "7" }, ...more });

describe("reading an order without a route", () => {
  it("repeats what was answered NEW_ORDER, byte for byte, by the key that placed it", () => {
    const reading = readingWith();
    reading.note(answered("NEW_ORDER", "OPEN"));
    const repeat = readCall({ op: "placeOrder", as: "trader", bodyBase64: sent.toString("base64") });
    expect(reading.translated(read())).toEqual(repeat);
    expect(reading.translated(read({ as: "reader" }))).toEqual(repeat);
  });

  it.each([
    ["never placed", undefined],
    ["only seen as a repeat", answered("DUPLICATE_REPLAY", "OPEN")],
    ["placed by a request that failed", answered("EXTERNAL_EXECUTION_FAILED", "OPEN")],
    ["shown by another operation", answered("NEW_ORDER", "OPEN", "openOrders")],
  ])("sends nothing for an order that was %s", (_, exchange) => {
    const reading = readingWith();
    if (exchange !== undefined) reading.note(exchange);
    expect(() => reading.translated(read())).toThrow("was not placed by this run");
  });

  it("sends nothing for another client, because the order would belong to it", () => {
    const reading = readingWith();
    reading.note(answered("NEW_ORDER", "OPEN"));
    expect(() => reading.translated(read({ as: "otherClient" }))).toThrow(
      "only the client that placed an order",
    );
  });

  it("leaves other calls alone, and a route that is there", () => {
    const other = readCall({ op: "openOrders" });
    expect(readingWith().translated(other)).toBe(other);
    expect(readingWith({ readOrder: {} }).translated(read())).toEqual(read());
  });

  it("shows nothing when a new order comes of it", () => {
    const reading = readingWith();
    expect(() => reading.answered(read(), answered("NEW_ORDER", "OPEN"))).toThrow("answered 200, NEW_ORDER");
    expect(() =>
      reading.answered(readCall({ op: "placeOrder" }), answered("NEW_ORDER", "OPEN")),
    ).not.toThrow();
  });

  it("believes an order that is over, and one that is not when a repeat has shown the change of another", () => {
    const reading = readingWith();
    const [open, over] = [answered("DUPLICATE_REPLAY", "OPEN"), answered("DUPLICATE_REPLAY", "FILLED")];
    for (const exchange of [open, over]) reading.answered(read(), exchange);
    expect(() => reading.assertTold(over)).not.toThrow();
    expect(() => reading.assertTold(open)).toThrow("it is not known whether a repeat shows");
    reading.note(answered("NEW_ORDER", "PENDING"));
    reading.note(over);
    expect(() => reading.assertTold(open)).not.toThrow();
  });
});
