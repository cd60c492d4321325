/**
 * Requests of clients with their answers, and the check whether one venue that loses nothing can have given all of them.
 *
 * Each order is judged by itself, by its client and client_order_id, so the check takes linear time. A request without
 * an answer stays open to the end of the history: it may have taken effect at any later moment, or never.
 */

/** An order as an answer shows it. */
export type OrderRecord = Readonly<Record<string, unknown>>;

export type Attempt = Readonly<{
  /** Moments of one counter: a smaller one happened before. */
  invokedAt: number;
  answeredAt: number | null;
  /**
   * `unknown`: no answer, or one that says that the outcome is unknown. `refused`: an answer that says that nothing was
   * done.
   */
  outcome: "new" | "replay" | "refused" | "unknown";
  order: OrderRecord | null;
}>;

export type Reading = Readonly<{
  invokedAt: number;
  answeredAt: number;
  /** Null: the venue said that there is no such order. */
  order: OrderRecord | null;
}>;

export interface OrderHistory {
  readonly client: string;
  readonly clientOrderId: string;
  readonly attempts: Attempt[];
  /** Reads and cancels by the order's id, in the order of their answers. */
  readonly readings: Reading[];
}

/** Fields of an order that never change. */
const fixed = [
  "id",
  "createdAt",
  "externalId",
  "userId",
  "portfolioId",
  "productId",
  "side",
  "clientOrderId",
  "type",
  "baseQuantity",
  "quoteValue",
  "limitPrice",
  "stopPrice",
  "timeInForce",
] as const; // prettier-ignore
/** Fields of an order that never change again once it is over. */
const final = ["status", "filledQuantity", "filledValue", "commission", "exchangeFee", "fees"] as const;
const overStatuses: ReadonlySet<unknown> = new Set(["FILLED", "CANCELLED", "EXPIRED", "FAILED"]);

export class History {
  readonly orders = new Map<string, OrderHistory>();
  #moment = 0;

  /** The next moment. */
  tick(): number {
    this.#moment += 1;
    return this.#moment;
  }

  of(client: string, clientOrderId: string): OrderHistory {
    const name = `${client} ${clientOrderId}`;
    let order = this.orders.get(name);
    if (order === undefined) {
      order = { client, clientOrderId, attempts: [], readings: [] };
      this.orders.set(name, order);
    }
    return order;
  }

  /** One sentence for each contradiction between answers of one venue. */
  problems(): string[] {
    const found = [...this.orders.values()].flatMap(problemsOf);
    return [...found, ...sharedIds(this.orders.values())];
  }
}

/** The order as it was last shown to a client, if it was. */
export const lastShown = (order: OrderHistory): OrderRecord | undefined => shownIn(order).at(-1)?.order;

export const isAcknowledged = (order: OrderHistory): boolean =>
  order.attempts.some(({ outcome }) => outcome === "new" || outcome === "replay");

export function problemsOf(order: OrderHistory): string[] {
  const name = `${order.client}'s order ${order.clientOrderId}`;
  return [...problemsOfAttempts(order), ...problemsOfReadings(order), ...problemsOfProgress(order)].map(
    (problem) => `${name} ${problem}`,
  );
}

function problemsOfAttempts(history: OrderHistory): string[] {
  const { attempts } = history;
  const problems: string[] = [];
  const made = attempts.filter(({ outcome }) => outcome === "new");
  if (made.length > 1) problems.push(`was answered NEW_ORDER ${made.length} times`);
  const ids = new Set(attempts.flatMap(({ order }) => (order === null ? [] : [order["id"]])));
  if (ids.size > 1) problems.push(`has ${ids.size} ids: ${[...ids].join(", ")}`);
  for (const replay of attempts.filter(({ outcome }) => outcome === "replay")) {
    const mayHaveMade = attempts.some(
      ({ outcome, invokedAt }) =>
        (outcome === "new" || outcome === "unknown") && invokedAt < (replay.answeredAt ?? 0),
    );
    if (!mayHaveMade) problems.push("was answered DUPLICATE_REPLAY before anybody had placed it");
  }
  const firstShown = Math.min(...shownIn(history).map(({ answeredAt }) => answeredAt));
  if (made.some(({ invokedAt }) => invokedAt > firstShown))
    problems.push("was shown to somebody, and a later request was answered NEW_ORDER");
  return problems;
}

function problemsOfReadings({ attempts, readings }: OrderHistory): string[] {
  const known = Math.min(
    ...attempts
      .filter(({ outcome }) => outcome === "new" || outcome === "replay")
      .map(({ answeredAt }) => answeredAt ?? Number.POSITIVE_INFINITY),
  );
  return readings.some(({ invokedAt, order }) => order === null && invokedAt > known)
    ? ["was acknowledged, and a later read did not find it"]
    : [];
}

/** Each answer against the furthest that had been shown when its request was sent. */
function problemsOfProgress(history: OrderHistory): string[] {
  const shown = shownIn(history);
  const byAnswer = shown.toSorted((one, other) => one.answeredAt - other.answeredAt);
  const problems: string[] = [];
  let next = 0;
  let known: OrderRecord | undefined;
  for (const { invokedAt, order } of shown) {
    for (let at = byAnswer[next]; at !== undefined && at.answeredAt < invokedAt; at = byAnswer[next]) {
      known = known === undefined ? at.order : further(known, at.order);
      next += 1;
    }
    if (known !== undefined) problems.push(...changesBetween(known, order));
  }
  return problems;
}

const further = (one: OrderRecord, other: OrderRecord): OrderRecord =>
  overStatuses.has(one["status"]) || Number(one["filledQuantity"]) > Number(other["filledQuantity"])
    ? one
    : other;

/** Contradictions between `before` and `after`, which was shown later. */
export function changesBetween(before: OrderRecord, after: OrderRecord): string[] {
  const problems = fixed
    .filter((field) => before[field] !== after[field])
    .map((field) => changed(field, before, after));
  if (Number(after["filledQuantity"]) < Number(before["filledQuantity"])) {
    problems.push(`lost a fill: ${changed("filledQuantity", before, after)}`);
  }
  if (overStatuses.has(before["status"])) {
    problems.push(
      ...final
        .filter((field) => before[field] !== after[field])
        .map((field) => `was over, and ${changed(field, before, after)}`),
    );
  }
  return problems;
}

const changed = (field: string, before: OrderRecord, after: OrderRecord): string =>
  `${field} went from ${String(before[field])} to ${String(after[field])}`;

interface Shown {
  readonly invokedAt: number;
  readonly answeredAt: number;
  readonly order: OrderRecord;
}

/** In the order in which the requests were sent. */
function shownIn({ attempts, readings }: OrderHistory): Shown[] {
  return [...attempts, ...readings]
    .flatMap(({ invokedAt, answeredAt, order }) =>
      order === null || answeredAt === null ? [] : [{ invokedAt, answeredAt, order }],
    )
    .sort((one, other) => one.invokedAt - other.invokedAt);
}

function sharedIds(orders: Iterable<OrderHistory>): string[] {
  const owners = new Map<unknown, string>();
  const problems: string[] = [];
  for (const order of orders) {
    const id = lastShown(order)?.["id"];
    if (id === undefined) continue;
    const name = `${order.client}'s ${order.clientOrderId}`;
    const owner = owners.get(id);
    if (owner !== undefined) problems.push(`the id ${String(id)} was given to ${owner} and to ${name}`);
    owners.set(id, name);
  }
  return problems;
}
