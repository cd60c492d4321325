/**
 * Is a history of concurrent placements possible with one order per client_order_id (PLC-16)? The state is the order id
 * or nothing; NEW(x) is legal on nothing, DUP(x) only on x, a refusal always. An operation without an answer may or may
 * not have taken effect. The algorithm is Wing and Gong's search with memory.
 *
 * Known limit: the search can be exponential, so histories must be small.
 */
export type PlacementOutcome =
  | { readonly kind: "new"; readonly orderId: string }
  | { readonly kind: "duplicate"; readonly orderId: string }
  | { readonly kind: "refused" }
  /** A failed outcome may also have used up the id, with an order that was never shown (AS-13). */
  | { readonly kind: "unknown" };

export interface Placement {
  readonly key: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: PlacementOutcome;
}

export const maxHistory = 22;

/** Undefined if every key has a legal order of placements; otherwise the contradiction. */
export function placementProblem(history: readonly Placement[]): string | undefined {
  for (const [key, operations] of grouped(history)) {
    if (operations.length > maxHistory)
      return `${operations.length} operations on ${key}: at most ${maxHistory} can be checked`;
    if (!isLegal(operations))
      return `no order of events explains the answers for ${key}: ${operations.map(shown).join(", ")}`;
  }
  return undefined;
}

function isLegal(operations: readonly Placement[]): boolean {
  const dead = new Set<string>();
  const search = (done: number, order: string | undefined): boolean => {
    if (done === (1 << operations.length) - 1) return true;
    const key = `${done}:${order ?? ""}`;
    if (dead.has(key)) return false;
    const pending = operations.map((_, index) => index).filter((index) => (done & (1 << index)) === 0);
    const firstEnd = Math.min(...pending.map((index) => operations[index]?.endedAt ?? Infinity));
    const possible = pending.filter((index) => (operations[index]?.startedAt ?? 0) <= firstEnd);
    const found = possible.some((index) =>
      after(operations[index]?.outcome, order).some((next) => search(done | (1 << index), next)),
    );
    if (!found) dead.add(key);
    return found;
  };
  return search(0, undefined);
}

const unseen = "(an order that was never shown)";

/** The possible next states; none if the answer is impossible in this state. */
function after(outcome: PlacementOutcome | undefined, order: string | undefined): (string | undefined)[] {
  switch (outcome?.kind) {
    case "new":
      return order === undefined ? [outcome.orderId] : [];
    case "duplicate":
      return order === outcome.orderId || order === unseen ? [outcome.orderId] : [];
    case "unknown":
      return order === undefined ? [undefined, unseen] : [order];
    default:
      return [order];
  }
}

function shown({ outcome }: Placement): string {
  return outcome.kind === "new"
    ? `NEW(${outcome.orderId})`
    : outcome.kind === "duplicate"
      ? `DUPLICATE(${outcome.orderId})`
      : outcome.kind;
}

function grouped(history: readonly Placement[]): Map<string, Placement[]> {
  const groups = new Map<string, Placement[]>();
  for (const operation of history)
    groups.set(operation.key, [...(groups.get(operation.key) ?? []), operation]);
  return groups;
}
