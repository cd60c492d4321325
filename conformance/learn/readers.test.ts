import { describe, expect, it } from "vitest";
import { readJson } from "../check/lossless-json.ts";
import type { Exchange } from "../model/exchange.ts";
import { JsonObject } from "../model/json.ts";
import { readersOfAnswers } from "./readers-of-answers.ts";
import { readersOfOrders } from "./readers-of-orders.ts";
import { readersOfSignatures } from "./readers-of-signatures.ts";
import type { Between, Sample, Told } from "./sighting.ts";

const readers = [...readersOfSignatures, ...readersOfOrders, ...readersOfAnswers];

interface Given {
  readonly status?: number;
  readonly body?: unknown;
  readonly between?: Between;
  readonly order?: Readonly<Record<string, unknown>>;
}

function sample({ status = 200, body = {}, between, order }: Given): Sample {
  const parsed = (value: unknown) => {
    const reading = readJson(Buffer.from(JSON.stringify(value)));
    if (!reading.ok) throw new Error("the test writes JSON");
    return reading.json;
  };
  const exchange: Exchange = {
    request: { method: "GET", path: "/", headers: [], body: new Uint8Array(), role: "trader" },
    transport: "response",
    reply: { status, headers: [], body: Buffer.from(JSON.stringify(body)) },
    json: parsed(body),
    startedAt: 0,
    endedAt: 1,
  };
  const shown = order === undefined ? undefined : parsed(order);
  return {
    exchange,
    ...(between === undefined ? {} : { between }),
    ...(shown instanceof JsonObject ? { order: shown } : {}),
  };
}

/** The conclusion of the freedom's reader from these samples; `unknown` where it has none. */
function read(freedom: string, given: Readonly<Record<string, Given>>): string[] {
  const samples = new Map(Object.entries(given).map(([name, one]) => [name, sample(one)]));
  const told: readonly Told[] =
    readers.find((one) => one.freedom === freedom)?.read({ samples, missing: new Map() }) ?? [];
  return [...new Set(told.map((one) => ("option" in one ? one.option : "unknown")))];
}

const placed = (order: Given["order"] = { status: "OPEN", synced: false }): Given => ({
  body: { data: { type: "NEW_ORDER" } },
  order,
});
const clock = (past: Between, ahead: Between) => ({
  "clock: behind": { between: past },
  "clock: ahead": { between: ahead },
});
const query = (path: number, both: number, broken: number) => ({
  "query: path signed": { status: path },
  "query: path and query signed": { status: both },
  "query: signature broken": { status: broken },
});
const since = (name: string, between: Between) => ({ "order: placed": placed(), [name]: { between } });
const amounts = (baseQuantity: string, limitPrice: string) => placed({ baseQuantity, limitPrice });
const zeros = (plain: Given, padded: Given) => ({ "order: placed": plain, "zeros: placed": padded });

describe("a reader", () => {
  it.each([
    [
      "a window that is tried",
      "F-clock-window",
      clock({ low: 4500, high: 5500 }, { low: 4500, high: 5500 }),
      "5000",
    ],
    [
      "one in between",
      "F-clock-window",
      clock({ low: 5500, high: 9500 }, { low: 5500, high: 9500 }),
      "unknown",
    ],
    [
      "one to one side",
      "F-clock-window",
      clock({ low: 4500, high: 5500 }, { low: 9500, high: 10_500 }),
      "unknown",
    ],
    ["one form of a signature", "F-signed-path", query(400, 401, 401), "path"],
    ["both forms", "F-signed-path", query(200, 200, 401), "either"],
    ["signatures that nobody looks at", "F-signed-path", query(200, 200, 200), "unknown"],
    ["neither form", "F-signed-path", query(401, 401, 401), "unknown"],
    ["a delay of 50 ms", "F-sync-delay", since("order: synced", { low: 41, high: 58 }), "50"],
    ["a delay that could be 20 ms", "F-sync-delay", since("order: synced", { low: 12, high: 58 }), "unknown"],
    [
      "a quick answer that could hide 5 ms",
      "F-sync-delay",
      since("order: synced", { low: 0, high: 9 }),
      "unknown",
    ],
    ["no delay", "F-sync-delay", since("order: synced", { low: 0, high: 3 }), "0"],
    [
      "a list that lags half a second",
      "F-open-orders-lag",
      since("order: listed", { low: 420, high: 580 }),
      "unknown",
    ],
    [
      "a list that lags two",
      "F-open-orders-lag",
      since("order: listed", { low: 1900, high: 2080 }),
      "two-seconds",
    ],
    ["amounts as sent", "F-decimal-output", zeros(amounts("0.1", "5"), amounts("0.10", "5.0")), "unknown"],
    ["amounts trimmed", "F-decimal-output", zeros(amounts("0.1", "5"), amounts("0.1", "5")), "trimmed"],
    [
      "amounts padded",
      "F-decimal-output",
      zeros(amounts("0.10", "5.00"), amounts("0.10", "5.00")),
      "fixed-scale",
    ],
    [
      "a refusal, while the plain order is refused, too",
      "F-enum-case",
      { "order: placed": { status: 400 }, "words: side and type in lower case": { status: 400 } },
      "unknown",
    ],
    ["nothing", "F-enum-case", {}, "unknown"],
  ] as const)("of %s", (_, freedom, given, expected) => {
    expect(read(freedom, given)).toEqual([expected]);
  });
});
