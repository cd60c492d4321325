import { listedIn } from "./expected.ts";
import { orderIn } from "./orders.ts";
import { type Turn, textAt } from "./turn.ts";

/** Requests that a scenario writes together: one alone, one that was repeated, or several at once. */
export type Group =
  | { readonly kind: "one"; readonly turn: Turn }
  | { readonly kind: "repeated"; readonly turns: readonly Turn[] }
  | { readonly kind: "together"; readonly branches: readonly (readonly Turn[])[] };

/** When the first of its requests began. */
export function beginOf(group: Group): number {
  if (group.kind === "one") return group.turn.from;
  const turns = group.kind === "repeated" ? group.turns : group.branches.flat();
  return Math.min(...turns.map(({ from }) => from));
}

/** In the order in which they began. */
export function groupsOf(turns: readonly Turn[]): Group[] {
  const groups: Group[] = [];
  let alone: Turn[] = [];
  const flush = (): void => {
    groups.push(...repeatedIn(alone));
    alone = [];
  };
  for (const cluster of clustersOf(turns)) {
    const [only] = cluster;
    if (cluster.length === 1 && only !== undefined) alone.push(only);
    else {
      flush();
      groups.push({ kind: "together", branches: branchesOf(cluster) });
    }
  }
  flush();
  return groups;
}

/** Requests of which each began before all others of its cluster had ended. */
function clustersOf(turns: readonly Turn[]): Turn[][] {
  const clusters: Turn[][] = [];
  let until = -1;
  for (const turn of turns) {
    const last = clusters.at(-1);
    if (last !== undefined && turn.from < until) last.push(turn);
    else clusters.push([turn]);
    until = Math.max(until, turn.to);
  }
  return clusters;
}

/** As many branches as there were requests at once; a request follows the one that ended last before it. */
function branchesOf(cluster: readonly Turn[]): Turn[][] {
  const branches: Turn[][] = [];
  for (const turn of cluster) {
    const free = branches.filter((branch) => (branch.at(-1)?.to ?? 0) <= turn.from);
    const nearest = free.toSorted((a, b) => (b.at(-1)?.to ?? 0) - (a.at(-1)?.to ?? 0))[0];
    if (nearest === undefined) branches.push([turn]);
    else nearest.push(turn);
  }
  return branches;
}

/** A read that a client repeats until it sees what it waits for is one step. */
function repeatedIn(turns: readonly Turn[]): Group[] {
  const groups: Group[] = [];
  let at = 0;
  while (at < turns.length) {
    const turn = turns[at];
    if (turn === undefined) break;
    let next = at + 1;
    while (next < turns.length && isRepeat(turn, turns[next])) next += 1;
    const same = turns.slice(at, next);
    const isWait = same.length > 2 || (same.length === 2 && stateOf(same[0]) !== stateOf(same[1]));
    groups.push(
      ...(isWait
        ? [{ kind: "repeated", turns: same } as const]
        : same.map((one) => ({ kind: "one", turn: one }) as const)),
    );
    at = next;
  }
  return groups;
}

const isRepeat = (one: Turn, other: Turn | undefined): boolean =>
  one.method === "GET" &&
  other?.method === "GET" &&
  one.exchange.request.target === other.exchange.request.target &&
  one.exchange.key === other.exchange.key &&
  one.status === 200 &&
  other.status === 200;

/** The parts of an answer that a client may wait for. */
function stateOf(turn: Turn | undefined): string {
  if (turn === undefined) return "";
  const order = orderIn(turn);
  const records = order === undefined ? listedIn(turn) : [order];
  return records
    .map((one) => ["id", "status", "filledQuantity"].map((key) => textAt(one, key)).join())
    .join(";");
}
