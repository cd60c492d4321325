import { setTimeout as wait } from "node:timers/promises";
import { isAccepted } from "../../check/accepted-cancels.ts";
import { objectsIn } from "../../check/pointer.ts";
import type { OrderLedger, PlacedOrder } from "../../client/order-ledger.ts";
import type { RequestPlan } from "../../client/prepare.ts";
import { type Exchange, isSuccess } from "../../model/exchange.ts";
import type { JsonObject } from "../../model/json.ts";
import { Blocked } from "../../model/outcome.ts";
import { isOurs, type Profile } from "../../model/profile.ts";
import { plainPlan } from "../../signing/tamper.ts";
import type { CleanUpWaits } from "./clean-up-waits.ts";

/** The parts of a run that the clean-up needs; `gatewright cleanup` has them without a run. */
export interface CleanUpMeans {
  readonly profile: Profile;
  readonly ledger: OrderLedger;
  readonly basePath: string;
  /** Signs and sends in the budget of the clean-up: counted, but never refused. */
  readonly ask: (plan: RequestPlan) => Promise<Exchange>;
  /** Shared by all clean-ups of a run. */
  readonly waits: CleanUpWaits;
}

export interface CleanUpResult {
  readonly cancelled: readonly PlacedOrder[];
  /**
   * Orders that are not open any more and were not cancelled here: filled, cancelled or expired before. Each has the
   * evidence.
   */
  readonly gone: readonly { readonly order: PlacedOrder; readonly seen: string }[];
  /** Sent, but neither shown in an answer nor seen among the open orders. */
  readonly neverSeen: readonly PlacedOrder[];
  /** Still open, each with the reason. */
  readonly left: readonly { readonly order: PlacedOrder; readonly reason: string }[];
}

const looks = 3;
const betweenLooksMs = 300;

/**
 * Cancels orders, newest first, and continues after an error (docs/live-safety.md): on a remote machine one after the
 * other, on this machine as many at once as the profile allows. With `thorough` it first finds the orders that no
 * answer showed, by their client_order_id among the open orders. A refused cancel is sent again as long as the order is
 * among the open ones, a few times. A target may confirm a cancel later than it accepts it; with `patient` the clean-up waits
 * until such an order can no longer trade.
 */
export async function cancelLeft(
  means: CleanUpMeans,
  which: (order: PlacedOrder) => boolean,
  { thorough, patient }: { readonly thorough: boolean; readonly patient: boolean },
): Promise<CleanUpResult> {
  const { ledger, profile } = means;
  const left: { order: PlacedOrder; reason: string }[] = [];
  const neverSeen = thorough ? await findLost(means, which, left) : [];
  // A look costs a request, so it waits until places are taken.
  if (!thorough && ledger.openCount * 4 >= profile.safety.budget.openOrders) await freePlaces(means, which);
  const cancelled: PlacedOrder[] = [];
  const gone: { order: PlacedOrder; seen: string }[] = [];
  /** Cancels whose answer did not show the order in a final state. */
  const accepted: PlacedOrder[] = [];
  const end = async (order: PlacedOrder): Promise<void> => {
    const ending = await cancel(means, order);
    const open = ledger.open().some(({ n }) => n === order.n);
    if ("cancelled" in ending && open) accepted.push(order);
    if ("left" in ending && open) left.push({ order, reason: ending.left });
    else if ("left" in ending) gone.push({ order, seen: "a later answer showed it in a final state" });
    else {
      ledger.closed(order.n);
      if ("gone" in ending) gone.push({ order, seen: ending.gone });
      else cancelled.push(order);
    }
  };
  const toCancel = ledger.open().filter((order) => which(order) && order.id !== "");
  const { retries } = means.waits;
  const first = thorough || retries.isLeft ? undefined : toCancel.shift();
  if (first !== undefined) {
    await end(first);
    // One order of each case shows whether cancels are accepted again. The last clean-up tries all.
    if (!retries.isLeft) for (const order of toCancel.splice(0)) left.push({ order, reason: refusing });
  }
  await inLanes(toCancel, isOurs(profile) ? profile.safety.budget.concurrency : 1, end);
  for (const order of patient ? await unconfirmed(means, accepted) : []) ledger.left(order);
  for (const { order } of left) ledger.left(order);
  return { cancelled, gone, neverSeen, left };
}

/** Begins the tasks in order. An error is thrown after all running tasks have ended. */
async function inLanes(
  orders: readonly PlacedOrder[],
  width: number,
  end: (order: PlacedOrder) => Promise<void>,
): Promise<void> {
  const waiting = [...orders];
  const lane = async (): Promise<void> => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) await end(order);
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(width, orders.length) }, lane));
  for (const one of ends) if (one.status === "rejected") throw one.reason;
}

const confirmedWithinMs = 5_000;
const betweenConfirmsMs = 100;

/** Waits until the orders are closed; the result has those that were still open in the last look, or that nobody looked for. */
async function unconfirmed(
  means: CleanUpMeans,
  orders: readonly PlacedOrder[],
): Promise<readonly PlacedOrder[]> {
  const { confirmations } = means.waits;
  const open: PlacedOrder[] = [];
  for (const role of new Set(orders.map((order) => roleOf(means, order)))) {
    let left = orders.filter((order) => roleOf(means, order) === role);
    const deadline = performance.now() + confirmedWithinMs;
    const waits = confirmations.isLeft;
    while (waits && left.length > 0) {
      const listed = (await openOrders(means, role)).ids;
      left = left.filter(({ id }) => listed?.has(id) === true);
      const isLate = performance.now() > deadline;
      if (left.length === 0 || isLate) confirmations.note(left.length === 0);
      if (isLate) break;
      if (left.length > 0) await wait(betweenConfirmsMs);
    }
    open.push(...left);
  }
  return open;
}

/** One look at the open orders after a failed outcome: an order that is not there takes no place among those of the run. */
async function freePlaces(means: CleanUpMeans, which: (order: PlacedOrder) => boolean): Promise<void> {
  const withoutOrder = means.ledger.withoutOrder().filter(which);
  for (const role of new Set(withoutOrder.map((order) => roleOf(means, order)))) {
    const { problem } = await openOrders(means, role);
    if (problem !== undefined) continue;
    for (const order of withoutOrder) if (roleOf(means, order) === role) means.ledger.unseen(order.n);
  }
}

/** Only requests the orders; the ledger reads every reply by itself. */
async function findLost(
  means: CleanUpMeans,
  which: (order: PlacedOrder) => boolean,
  left: { order: PlacedOrder; reason: string }[],
): Promise<PlacedOrder[]> {
  const lost = () => means.ledger.open().filter((order) => which(order) && order.id === "");
  const problems = new Map<string, string>();
  const isProblem = (order: PlacedOrder): boolean => problems.has(roleOf(means, order));
  for (let look = 1; look <= looks && lost().some((order) => !isProblem(order)); look += 1) {
    if (look > 1) await wait(betweenLooksMs);
    for (const role of new Set(lost().map((order) => roleOf(means, order)))) {
      if (problems.has(role)) continue;
      const { problem } = await openOrders(means, role);
      if (problem !== undefined) problems.set(role, problem);
    }
  }
  const neverSeen: PlacedOrder[] = [];
  for (const order of lost()) {
    const problem = problems.get(roleOf(means, order));
    if (problem === undefined) {
      means.ledger.closed(order.n);
      neverSeen.push(order);
    } else left.push({ order, reason: `no answer showed the order, and ${problem}` });
  }
  return neverSeen;
}

/** The order was cancelled here, it was gone before, or it is left with a reason. */
type End = { readonly cancelled: true } | { readonly gone: string } | { readonly left: string };

async function cancel(means: CleanUpMeans, order: PlacedOrder): Promise<End> {
  const operation = means.profile.operations["cancelOrder"];
  const role = roleOf(means, order);
  if (typeof operation !== "object") {
    const gone = order.market && (await openOrders(means, role)).ids?.has(order.id) === false;
    return gone
      ? { gone: "a MARKET order that is not among the open orders; the profile maps no cancelOrder" }
      : { left: "the profile maps no cancelOrder" };
  }
  const target = means.basePath + operation.path.replace("{id}", encodeURIComponent(order.id));
  const writer = holderOf("write:orders", means, role);
  const { retries } = means.waits;
  for (let attempt = 1; ; attempt += 1) {
    const exchange = await asked(means, writer, "cancelOrder", operation.method, target);
    if (typeof exchange === "string") return { left: exchange };
    if (isAccepted(exchange)) {
      retries.note(true);
      return { cancelled: true };
    }
    const status = exchange.reply?.status ?? 0;
    const refused = `the cancel was answered ${exchange.reply === undefined ? (exchange.problem ?? exchange.transport) : status}`;
    if (!isSuccess(exchange) && (status < 400 || status >= 500)) return { left: refused };
    const { ids } = await openOrders(means, role);
    if (ids?.has(order.id) === false) return { gone: `${refused}, and it is not among the open orders` };
    // A target may refuse to cancel an order that it has not acknowledged yet.
    if (attempt === mostAttempts || !retries.isLeft) {
      retries.note(false);
      return { left: refused };
    }
    await wait(betweenAttemptsMs);
  }
}

const mostAttempts = 3;
const betweenAttemptsMs = 150;
const refusing = "the target refused to cancel other orders";

/** If a key lacks the claim, another key of its client is used. */
function holderOf(claim: string, { profile }: CleanUpMeans, role: string): string {
  const own = profile.credentials[role];
  if (own === undefined || own.claims.length === 0 || own.claims.includes(claim)) return role;
  const others = Object.values(profile.credentials).filter(({ client }) => client === own.client);
  return others.find(({ claims }) => claims.includes(claim))?.role ?? role;
}

/** The open orders of this key's client. */
async function openOrders(
  means: CleanUpMeans,
  role: string,
): Promise<{ readonly ids?: ReadonlySet<string>; readonly problem?: string }> {
  const operation = means.profile.operations["openOrders"];
  if (typeof operation !== "object") return { problem: "the open orders cannot be read" };
  const reader = holderOf("read:orders", means, role);
  const exchange = await asked(
    means,
    reader,
    "openOrders",
    operation.method,
    means.basePath + operation.path,
  );
  if (typeof exchange === "string") return { problem: exchange };
  if (!isSuccess(exchange) || exchange.json === undefined)
    return { problem: `the open orders were answered ${exchange.reply?.status ?? exchange.transport}` };
  const ids = objectsIn(exchange.json, hasId).map(([, object]) => object.get("id"));
  return { ids: new Set(ids.filter((id) => typeof id === "string")) };
}

const hasId = (object: JsonObject): boolean => typeof object.get("id") === "string";

async function asked(
  means: CleanUpMeans,
  role: string,
  operation: string,
  method: string,
  target: string,
): Promise<Exchange | string> {
  const credential = means.profile.credentials[role];
  if (credential === undefined) return `there is no credential "${role}"`;
  try {
    return await means.ask({
      operation,
      method,
      target,
      role,
      credential,
      headers: [],
      body: new Uint8Array(),
      sign: plainPlan,
      mutation: {},
      clockOffsetMs: 0,
    });
  } catch (error) {
    if (error instanceof Blocked) return error.message;
    throw error;
  }
}

/** An unsigned order that was accepted belongs to an unknown client: the trader's key is tried. */
function roleOf({ profile }: CleanUpMeans, order: PlacedOrder): string {
  return profile.credentials[order.role] === undefined ? "trader" : order.role;
}
