/** One client at work: places, cancels, reads and repeats, one request at a time, and writes down every answer. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../simulator/engine/testing/random.ts";
import {
  type Attempt,
  History,
  isAcknowledged,
  lastShown,
  type OrderHistory,
  type OrderRecord,
} from "./history.ts";
import { type OrderBody, randomOrder } from "./market.ts";
import { type Answer, type SignedClient, Unanswered } from "./signed-client.ts";

/** An answer about money that a client was given. */
export interface BalanceSeen {
  readonly client: string;
  readonly asset: string;
  readonly balance: string;
}

/** The knowledge of the clients of all rounds. */
export interface Memory {
  readonly history: History;
  readonly bodies: Map<OrderHistory, OrderBody>;
  readonly balances: BalanceSeen[];
  /** Answers that no venue may give in any situation: a 500, a refusal of a correct request. */
  readonly oddities: string[];
  acknowledged: number;
  /** The longest that an order waited for its answer. */
  longestAnswerMs: number;
}

export const emptyMemory = (): Memory => ({
  history: new History(),
  bodies: new Map(),
  balances: [],
  oddities: [],
  acknowledged: 0,
  longestAnswerMs: 0,
});

export interface Worker {
  /** Another one after each start: addresses change. */
  client: SignedClient;
  /** Name of the account. */
  readonly account: string;
  readonly random: Random;
  /** The orders that this worker placed in this round. */
  readonly placed: OrderHistory[];
  /** Requests of this round that were not answered, or answered "unknown". */
  readonly open: (() => Promise<void>)[];
}

/** Between two requests, where the load goes on for seconds. */
const pauseMs = 10;

/** Sends until the connection breaks, or so many requests. */
export async function work(
  worker: Worker,
  memory: Memory,
  requests = Number.POSITIVE_INFINITY,
): Promise<void> {
  try {
    for (let sent = 0; sent < requests; sent++) await step(worker, memory);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  } finally {
    worker.client.close();
  }
}

/** As `work`, until `over`. `goesOn`: where the connection broke, it is made again. */
export async function workUntil(
  over: AbortSignal,
  worker: Worker,
  memory: Memory,
  goesOn: boolean,
): Promise<void> {
  try {
    while (!over.aborted) {
      try {
        await step(worker, memory);
      } catch (error) {
        if (!goesOn || !(error instanceof Unanswered)) throw error;
      }
      if (goesOn) await sleep(pauseMs);
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  } finally {
    worker.client.close();
  }
}

function step(worker: Worker, memory: Memory): Promise<unknown> {
  const { random, placed } = worker;
  const choice = random.next();
  if (choice < 0.6 || placed.length === 0) return placeNew(worker, memory);
  const order = random.pick(placed);
  if (choice < 0.75) return cancel(worker, memory, order);
  if (choice < 0.85) return read(worker, memory, order);
  if (choice < 0.92) return repeat(worker, memory, order);
  return readWallets(worker, memory);
}

function placeNew(worker: Worker, memory: Memory): Promise<Attempt> {
  const body = randomOrder(worker.random);
  const order = memory.history.of(worker.account, body.client_order_id);
  memory.bodies.set(order, body);
  worker.placed.push(order);
  return place(worker, memory, order, body);
}

/** The same order again, under a new signature. */
export async function repeat(worker: Worker, memory: Memory, order: OrderHistory): Promise<Attempt> {
  const body = memory.bodies.get(order);
  if (body === undefined) throw new RangeError("this order was not placed");
  return place(worker, memory, order, body);
}

async function place(worker: Worker, memory: Memory, order: OrderHistory, body: OrderBody): Promise<Attempt> {
  const invokedAt = memory.history.tick();
  const unknown: Attempt = { invokedAt, answeredAt: null, outcome: "unknown", order: null };
  const isOpen = (): void => {
    worker.open.push(async () => {
      await repeat(worker, memory, order);
    });
  };
  const began = performance.now();
  let answer: Answer;
  try {
    answer = await worker.client.post("/order", body);
  } catch (error) {
    order.attempts.push(unknown);
    isOpen();
    throw error;
  } finally {
    memory.longestAnswerMs = Math.max(memory.longestAnswerMs, performance.now() - began);
  }
  const attempt = readAttempt(answer, invokedAt, memory, order.clientOrderId);
  order.attempts.push(attempt);
  if (attempt.outcome === "unknown") isOpen();
  if (attempt.outcome === "new" || attempt.outcome === "replay") memory.acknowledged += 1;
  return attempt;
}

function readAttempt(answer: Answer, invokedAt: number, memory: Memory, id: string): Attempt {
  const answeredAt = memory.history.tick();
  const { status, body } = answer;
  // as: `data` of an OrderResult, as the specification has it.
  const result = (body["data"] ?? {}) as { readonly type?: string; readonly order?: OrderRecord };
  if (status === 200 && result.order !== undefined) {
    const outcome = result.type === "NEW_ORDER" ? "new" : "replay";
    return { invokedAt, answeredAt, outcome, order: result.order };
  }
  if (status === 503 && body["code"] === "OUTCOME_UNKNOWN")
    return { invokedAt, answeredAt, outcome: "unknown", order: null };
  // A market without the other side, or one of our own orders in the way: a sound order may be refused.
  const mayRefuse = status === 503 || (status === 400 && body["code"] === "EXCHANGE_REJECTED");
  if (!mayRefuse) memory.oddities.push(`order ${id} was answered ${status} ${JSON.stringify(body)}`);
  return { invokedAt, answeredAt, outcome: "refused", order: null };
}

const idOf = (order: OrderHistory): string | undefined => {
  const id = lastShown(order)?.["id"];
  return typeof id === "string" ? id : undefined;
};

async function cancel(worker: Worker, memory: Memory, order: OrderHistory): Promise<void> {
  const id = idOf(order);
  if (id === undefined) return;
  const invokedAt = memory.history.tick();
  let answer: Answer;
  try {
    answer = await worker.client.delete(`/order/${id}`);
  } catch (error) {
    worker.open.push(() => cancel(worker, memory, order));
    throw error;
  }
  if (answer.status === 200) {
    memory.acknowledged += 1;
    // as: `data` of a cancel is the order.
    const record = answer.body["data"] as OrderRecord;
    order.readings.push({ invokedAt, answeredAt: memory.history.tick(), order: record });
  } else if (answer.status !== 409 && answer.status !== 503) {
    memory.oddities.push(`the cancel of ${id} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

export async function read(worker: Worker, memory: Memory, order: OrderHistory): Promise<void> {
  const id = idOf(order);
  if (id === undefined) return;
  const invokedAt = memory.history.tick();
  const { status, body } = await worker.client.get(`/order/${id}`);
  const answeredAt = memory.history.tick();
  if (status === 200) {
    // as: `data` of a read is the order.
    order.readings.push({ invokedAt, answeredAt, order: body["data"] as OrderRecord });
  } else if (status === 404 && isAcknowledged(order)) {
    order.readings.push({ invokedAt, answeredAt, order: null });
  } else if (status !== 503) {
    memory.oddities.push(`the read of ${id} was answered ${status} ${JSON.stringify(body)}`);
  }
}

/** All orders of the account, page by page; missing ones are recorded as not found. */
export async function readAll({ client, account }: Worker, memory: Memory): Promise<void> {
  const missing = new Set(
    [...memory.history.orders.values()].filter((order) => order.client === account && isAcknowledged(order)),
  );
  const invokedAt = memory.history.tick();
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const { status, body } = await client.get(`/order?limit=500${cursor}`);
    if (status !== 200) throw new Error(`the list of orders was answered ${status} ${JSON.stringify(body)}`);
    // as: `data` of a page of orders.
    const { items, pagination } = body["data"] as OrderPage;
    const answeredAt = memory.history.tick();
    for (const record of items) {
      const order = memory.history.of(account, String(record["clientOrderId"]));
      order.readings.push({ invokedAt, answeredAt, order: record });
      missing.delete(order);
    }
    const { nextCursor } = pagination;
    cursor = nextCursor === null ? undefined : `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  const answeredAt = memory.history.tick();
  for (const order of missing) order.readings.push({ invokedAt, answeredAt, order: null });
}

interface OrderPage {
  readonly items: readonly OrderRecord[];
  readonly pagination: { readonly nextCursor: string | null };
}

export async function readWallets(
  { client, account }: Pick<Worker, "client" | "account">,
  memory: Memory,
): Promise<void> {
  const { status, body } = await client.get("/wallet");
  if (status !== 200) {
    if (status !== 503) memory.oddities.push(`the wallets were answered ${status} ${JSON.stringify(body)}`);
    return;
  }
  // as: `data` of the list of wallets.
  for (const { asset, balance } of body["data"] as readonly BalanceSeen[]) {
    memory.balances.push({ client: account, asset, balance });
  }
}
