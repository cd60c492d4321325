import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Placement, type PlacementOutcome, placementProblem } from "./linearizable.ts";

const at = (startedAt: number, endedAt: number, outcome: PlacementOutcome, key = "k"): Placement => ({
  key,
  startedAt,
  endedAt,
  outcome,
});
const fresh = (orderId: string): PlacementOutcome => ({ kind: "new", orderId });
const again = (orderId: string): PlacementOutcome => ({ kind: "duplicate", orderId });

describe("a history of placements", () => {
  it("is legal when one is new and the others repeat it", () => {
    expect(
      placementProblem([at(0, 9, again("x")), at(0, 9, fresh("x")), at(0, 9, { kind: "refused" })]),
    ).toBeUndefined();
  });

  it("is illegal with two new orders, with a duplicate of another order, or with a duplicate before the original", () => {
    expect(placementProblem([at(0, 9, fresh("x")), at(0, 9, fresh("y"))])).toContain("NEW(x), NEW(y)");
    expect(placementProblem([at(0, 9, fresh("x")), at(0, 9, again("y"))])).toBeDefined();
    expect(placementProblem([at(0, 1, again("x")), at(2, 3, fresh("x"))])).toBeDefined();
  });

  it("judges each client_order_id on its own", () => {
    expect(placementProblem([at(0, 9, fresh("x"), "a"), at(0, 9, fresh("y"), "b")])).toBeUndefined();
  });

  it("lets an unanswered placement have taken effect or not", () => {
    expect(placementProblem([at(0, 1, { kind: "unknown" }), at(2, 3, again("x"))])).toBeUndefined();
    expect(placementProblem([at(0, 1, { kind: "unknown" }), at(2, 3, fresh("x"))])).toBeUndefined();
    expect(
      placementProblem([at(0, 1, { kind: "unknown" }), at(2, 3, fresh("x")), at(4, 5, fresh("y"))]),
    ).toBeDefined();
  });

  it("knows the textbook histories: a late repeat, an early one, and an order that was lost", () => {
    const [first, lost] = [fresh("x"), { kind: "unknown" } as const];
    expect(placementProblem([at(0, 3, first), at(1, 2, again("x"))])).toBeUndefined();
    expect(placementProblem([at(0, 1, again("x")), at(0, 9, first)])).toBeUndefined();
    expect(placementProblem([at(2, 3, first), at(0, 1, again("x"))])).toContain("no order of events");
    expect(placementProblem([at(0, Infinity, lost), at(1, 2, first), at(3, 4, again("x"))])).toBeUndefined();
    expect(
      placementProblem([at(0, Infinity, lost), at(1, 2, again("x")), at(3, 4, fresh("x"))]),
    ).toBeDefined();
    expect(
      placementProblem([at(0, Infinity, lost), at(1, 2, again("x")), at(3, 4, again("y"))]),
    ).toBeDefined();
  });

  it("agrees with trying every order, for histories of up to six that overlap in any way", () => {
    const outcome = fc.oneof(
      fc.constantFrom("x", "y").map(fresh),
      fc.constantFrom("x", "y").map(again),
      fc.constant<PlacementOutcome>({ kind: "refused" }),
      fc.constant<PlacementOutcome>({ kind: "unknown" }),
    );
    const placement = fc
      .record({ outcome, startedAt: fc.nat({ max: 8 }), lasting: fc.nat({ max: 6 }) })
      .map(({ outcome: what, startedAt, lasting }) => at(startedAt, startedAt + lasting, what));
    fc.assert(
      fc.property(fc.array(placement, { maxLength: 6 }), (history) => {
        const legal = placementProblem(history) === undefined;
        expect(legal).toBe(permutations(history).some(isSequential));
      }),
      { numRuns: 400 },
    );
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** Every placement comes after all that had ended when it began, and every answer is the only possible one. */
function isSequential(history: readonly Placement[]): boolean {
  const inTime = history.every((one, index) =>
    history.slice(index + 1).every((later) => later.endedAt >= one.startedAt),
  );
  return inTime && worlds(history).length > 0;
}

/** All possible states of the key afterwards; "?" is an order with an unknown id. */
function worlds(history: readonly Placement[]): (string | undefined)[] {
  return history.reduce<(string | undefined)[]>(
    (known, { outcome }) =>
      known.flatMap((order): (string | undefined)[] => {
        if (outcome.kind === "refused") return [order];
        if (outcome.kind === "unknown") return order === undefined ? [undefined, "?"] : [order];
        if (outcome.kind === "new") return order === undefined ? [outcome.orderId] : [];
        return order === outcome.orderId || order === "?" ? [outcome.orderId] : [];
      }),
    [undefined],
  );
}
