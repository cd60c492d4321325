/** The oracle of the crash test must be able to convict: each kind of wrong answer is given to it once. */
import { describe, expect, it } from "vitest";
import { type Attempt, History, type OrderHistory, problemsOf } from "./history.ts";

const id = "11111111-2222-4333-8444-555555555555";

const record = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  id: "A",
  createdAt: "2026-01-01T00:00:00.000Z",
  clientOrderId: id,
  status: "OPEN",
  filledQuantity: "0",
  limitPrice: "100",
  ...more,
});

const attempt = (at: number, outcome: Attempt["outcome"], more = {}): Attempt => ({
  invokedAt: at,
  answeredAt: outcome === "unknown" ? null : at + 1,
  outcome,
  order: outcome === "new" || outcome === "replay" ? record(more) : null,
});

const reading = (at: number, order: ReturnType<typeof record> | null) => ({
  invokedAt: at,
  answeredAt: at + 1,
  order,
});

const history = (
  attempts: readonly Attempt[],
  readings: readonly ReturnType<typeof reading>[] = [],
): OrderHistory => ({ client: "alice", clientOrderId: id, attempts: [...attempts], readings: [...readings] });

describe("a history that one venue can have told", () => {
  it.each<[string, OrderHistory]>([
    ["placed, repeated, read", history([attempt(1, "new"), attempt(3, "replay")], [reading(5, record())])],
    ["unanswered, and done", history([attempt(1, "unknown"), attempt(3, "replay")])],
    ["unanswered, and not done", history([attempt(1, "unknown"), attempt(3, "new")])],
    ["refused, then placed", history([attempt(1, "refused"), attempt(3, "new")])],
    [
      "filled step by step",
      history(
        [attempt(1, "new")],
        [
          reading(3, record({ filledQuantity: "0.1" })),
          reading(5, record({ filledQuantity: "0.25", status: "FILLED" })),
        ],
      ),
    ],
    [
      "two at once, the replay answered first",
      history([
        { ...attempt(1, "replay"), answeredAt: 3 },
        { ...attempt(2, "new"), answeredAt: 4 },
      ]),
    ],
    [
      "a fill seen by one of two at once",
      history(
        [attempt(1, "new")],
        [
          { ...reading(3, record({ filledQuantity: "1" })), answeredAt: 8 },
          { ...reading(4, record()), answeredAt: 9 },
        ],
      ),
    ],
  ])("is not objected to: %s", (_what, told) => {
    expect(problemsOf(told)).toEqual([]);
  });
});

describe("a history that no venue can have told", () => {
  it.each<[string, OrderHistory, RegExp]>([
    ["made twice", history([attempt(1, "new"), attempt(3, "new")]), /NEW_ORDER 2 times/],
    ["two ids", history([attempt(1, "new"), attempt(3, "replay", { id: "B" })]), /has 2 ids: A, B/],
    ["replayed before it was placed", history([attempt(1, "replay"), attempt(3, "new")]), /before anybody/],
    ["replayed and never placed", history([attempt(1, "replay")]), /before anybody had placed it/],
    ["forgotten", history([attempt(1, "new")], [reading(3, null)]), /later read did not find it/],
    [
      "shown, and made anew",
      history([attempt(1, "unknown"), attempt(9, "new")], [reading(3, record())]),
      /was shown to somebody, and a later request was answered NEW_ORDER/,
    ],
    [
      "another price",
      history([attempt(1, "new")], [reading(3, record({ limitPrice: "101" }))]),
      /limitPrice went from 100 to 101/,
    ],
    [
      "a lost fill",
      history([attempt(1, "new")], [reading(3, record({ filledQuantity: "1" })), reading(5, record())]),
      /lost a fill/,
    ],
    [
      "risen from the dead",
      history([attempt(1, "new")], [reading(3, record({ status: "CANCELLED" })), reading(5, record())]),
      /was over, and status went from CANCELLED to OPEN/,
    ],
  ])("is objected to: %s", (_what, told, sentence) => {
    expect(problemsOf(told)).toContainEqual(expect.stringMatching(sentence));
  });

  it("is objected to: one id for two orders", () => {
    const all = new History();
    all.of("alice", "one").attempts.push(attempt(1, "new"));
    all.of("bob", "two").attempts.push(attempt(3, "new"));
    expect(all.problems()).toEqual(["the id A was given to alice's one and to bob's two"]);
  });
});
