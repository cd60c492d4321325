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

  it("agrees with trying every order, for overlapping histories of up to five", () => {
    const outcome = fc.oneof(
      fc.constantFrom("x", "y").map(fresh),
      fc.constantFrom("x", "y").map(again),
      fc.constant<PlacementOutcome>({ kind: "refused" }),
    );
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 5 }), (outcomes) => {
        const legal = placementProblem(outcomes.map((item) => at(0, 9, item))) === undefined;
        expect(legal).toBe(permutations(outcomes).some(isSequential));
      }),
    );
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

function isSequential(outcomes: readonly PlacementOutcome[]): boolean {
  let order: string | undefined;
  return outcomes.every((outcome) => {
    if (outcome.kind === "new") {
      if (order !== undefined) return false;
      order = outcome.orderId;
    }
    return outcome.kind !== "duplicate" || outcome.orderId === order;
  });
}
