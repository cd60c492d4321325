/** Each rule, with evidence that keeps it and evidence that breaks it. */
import { describe, expect, it } from "vitest";
import type { Evidence } from "./evidence.ts";
import { rules } from "./rules/all-rules.ts";
import { book, end, evidence, inBook, inCancel, order, sent, tries, wanted } from "./testing/evidence.ts";

/** The rules that it breaks, by id. */
const broken = (one: Evidence): string[] =>
  rules
    .filter(({ tasks }) => tasks?.includes(one.situation.task) !== false)
    .filter(({ judge }) => (judge(one) ?? []).length > 0)
    .map(({ id }) => id);

const said = (status: unknown, filledQuantity: unknown = "0"): Evidence["said"] => ({
  kind: "orders",
  orders: [{ clientOrderId: "c-1", status, filledQuantity }],
});
const other = { ...wanted, client_order_id: "c-2" };

describe("the rules of the exam", () => {
  it("are all kept by a client that places its order", () => {
    expect(broken(evidence())).toEqual([]);
  });

  it.each<readonly [string, Evidence, readonly string[]]>([
    ["an order twice", evidence({ orders: [order(), order({ id: "o-2" })] }), ["EX-01"]],
    [
      "an order beside a failed one",
      evidence({ orders: [order(), order({ id: "o-2", status: "FAILED" })] }),
      ["EX-08"],
    ],
    ["an order that nobody wanted", evidence({ orders: [order(), order({ side: "SELL" })] }), ["EX-01"]],
    ["no order", evidence({ orders: [], said: { kind: "orders", orders: [] } }), ["EX-02"]],
    ["another client_order_id", evidence({ sent: [sent(), sent({ body: other })] }), ["EX-03"]],
    [
      "another one after a failure that is known",
      evidence({ sent: [sent({ answeredStatuses: ["FAILED"] }), sent({ body: other })] }),
      [],
    ],
    ["a nonce twice", evidence({ sent: [sent({ nonce: "n" }), sent({ nonce: "n" })] }), ["EX-04"]],
    ["no nonce", evidence({ sent: [sent(), sent({ nonce: "" })] }), ["EX-04"]],
    ["too little patience", evidence({ sent: tries([0, 500], { status: 429, retryAfterS: 1 }) }), ["EX-05"]],
    ["patience", evidence({ sent: tries([0, 1010], { status: 429, retryAfterS: 1 }) }), []],
    [
      "patience, after an answer that was noted late",
      evidence({
        sent: tries([0, 1010], { status: 429, retryAfterS: 1 }).map((one) => ({
          ...one,
          answeredAt: one.cameAt + 300,
        })),
      }),
      [],
    ],
    [
      "a storm",
      evidence({
        sent: tries(
          [...Array(12).keys()].map((n) => n * (n + 1)),
          { status: 500 },
        ),
      }),
      ["EX-06"],
    ],
    ["tries at the same pace", evidence({ sent: tries([0, 200, 400, 600, 800], { status: 0 }) }), ["EX-07"]],
    [
      "tries at the same pace, the last a little later",
      evidence({ sent: tries([0, 200, 400, 600, 810], { status: 0 }) }),
      ["EX-07"],
    ],
    [
      "tries at a growing pace, the second late",
      evidence({ sent: tries([0, 100, 800, 1200, 2000], { status: 0 }) }),
      [],
    ],
    ["tries at a growing pace", evidence({ sent: tries([0, 200, 600, 1400, 3000], { status: 0 }) }), []],
    ["too few tries, the second late", evidence({ sent: tries([0, 600, 800, 1200], { status: 0 }) }), []],
    ["another status", evidence({ said: said("FILLED", "0.3") }), ["EX-08"]],
    ["nothing about an order", evidence({ said: { kind: "orders", orders: [] } }), ["EX-08"]],
    ["an order that is not there", evidence({ orders: [], said: said("OPEN") }), ["EX-02", "EX-08"]],
    [
      "PENDING as an end",
      evidence({ orders: [order({ status: "PENDING" })], said: said("PENDING") }),
      ["EX-08"],
    ],
    [
      "PENDING, and that it cannot know",
      evidence({ orders: [order({ status: "PENDING" })], end: { ...end, code: 3 } }),
      ["EX-13"],
    ],
    ["the secret in a URL", evidence({ sent: [sent({ target: "/order?key=s3cret" })] }), ["EX-10"]],
    ["the secret in a log", evidence({ end: { ...end, stderr: "signing with s3cret" } }), ["EX-10"]],
    [
      "dust in a request",
      evidence({ sent: [sent({ body: { ...wanted, base_quantity: "0.30000000000000004" } })] }),
      ["EX-11"],
    ],
    [
      "a number in a request",
      evidence({ sent: [sent({ body: { ...wanted, base_quantity: 0.3 } })] }),
      ["EX-11"],
    ],
    [
      "dust in what is said",
      evidence({
        orders: [order({ status: "FILLED", filledQuantity: "0.3" })],
        said: said("FILLED", "0.30000000000000004"),
      }),
      ["EX-11"],
    ],
    [
      "other zeros",
      evidence({
        orders: [order({ status: "FILLED", filledQuantity: "0.3000" })],
        said: said("FILLED", "0.3"),
      }),
      [],
    ],
    ["an order left open", inCancel({}), ["EX-12"]],
    ["a crash", evidence({ end: { ...end, code: 1 } }), ["EX-14"]],
    [
      "an endless program",
      evidence({ end: { ...end, kind: "hung", code: null, signal: "SIGKILL" } }),
      ["EX-14"],
    ],
    ["a flood", evidence({ end: { ...end, kind: "flooded", code: null, signal: "SIGKILL" } }), ["EX-14"]],
    ["no line", evidence({ said: { kind: "nothing", why: "it printed nothing" } }), ["EX-14"]],
    [
      "the same refusal for ever",
      evidence({ sent: tries([0, 200, 600, 1400, 3000, 6000], { status: 401, code: "INVALID_SIGNATURE" }) }),
      ["EX-15"],
    ],
    [
      "another book",
      inBook({ said: { kind: "book", book: { ...book, bids: [{ price: "99", quantity: "3" }] } } }),
      ["EX-09"],
    ],
    ["an old book", inBook({ said: { kind: "book", book: { ...book, bookSequence: 6 } } }), ["EX-09"]],
    ["half a book", inBook({ said: { kind: "book", book: { ...book, asks: [] } } }), ["EX-09"]],
    [
      "a book with other zeros",
      inBook({ said: { kind: "book", book: { ...book, bids: [{ price: "99.0", quantity: "2.00" }] } } }),
      [],
    ],
    ["a client that does not listen to the end", inBook({ end: { ...end, durationMs: 900 } }), ["EX-14"]],
    ["a process left behind", evidence({ end: { ...end, leftRunning: 1 } }), ["EX-16"]],
  ])("see %s", (_what, one, ids) => {
    expect(broken(one)).toEqual(ids);
  });

  it("say nothing where nothing could have broken them", () => {
    const silent = rules
      .filter(({ tasks }) => tasks?.includes("place") !== false)
      .filter(({ judge }) => judge(evidence()) === undefined)
      .map(({ id }) => id);
    expect(silent).toEqual(["EX-03", "EX-04", "EX-05", "EX-06", "EX-07", "EX-15"]);
  });
});
