/**
 * The crash test: clients at work, SIGKILL at a random moment, a new start on the same file, and an oracle that has
 * seen every answer.
 *
 * After each kill it asks the file (on a copy, before it is opened) and then the new venue: is every acknowledged
 * order, fill and balance there, are funds conserved, is every accepted nonce refused, is a repeated order recognised,
 * and does every request that was not answered resolve when it is repeated?
 */
import { mkdirSync } from "node:fs";
import { Random } from "../../simulator/engine/testing/random.ts";
import type { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { balancesIn, differences, problemsInBooks } from "./books.ts";
import { isAcknowledged, type OrderHistory, problemsOf } from "./history.ts";
import { killAllVenues, type ServedVenue } from "./served-venue.ts";
import { type Sent, SignedClient } from "./signed-client.ts";
import { type Target, VenueOverFile } from "./target.ts";
import { type Fault, TwoNodes } from "./two-nodes.ts";
import {
  emptyMemory,
  type Memory,
  read,
  readAll,
  readWallets,
  repeat,
  type Worker,
  workUntil,
} from "./workload.ts";

export interface KillOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Where the database lives; made when it is not there. */
  readonly folder: string;
  readonly launcher?: string;
  /** Two nodes over a PostgreSQL in the place of the file. It is removed in the end. */
  readonly nodes?: { readonly server: PostgresServer; readonly fault: Fault };
  /** Hears of each round. */
  readonly say?: (sentence: string) => void;
}

export interface KillFigures {
  rounds: number;
  /** Answers that said "done". */
  acknowledged: number;
  orders: number;
  /** Requests without an answer, and the results of their repetitions. */
  unanswered: number;
  unansweredAndDone: number;
  unansweredAndNotDone: number;
  noncesRefused: number;
  replaysRecognised: number;
  balancesChecked: number;
  /** Starts that were killed while they recovered. */
  startsKilled: number;
  /** The longest that a client waited for an answer to an order. */
  longestAnswerMs: number;
  startMs: readonly number[];
  problems: string[];
}

const keys = ["trader", "trader", "trader", "other", "other", "other", "counterparty", "counterparty"];
/** Of each kind, in each round. */
const sample = 6;
/** In each round, before the kill. */
const leastAcknowledged = 20;
/** After so many rounds, and at the end, all orders of all rounds are looked at. */
const fullEvery = 25;
const mostRefusedMs = 60_000;
/** How often a start is killed, too: in the first of so many rounds. */
const killStartEvery = 3;

export async function killRounds(options: KillOptions): Promise<KillFigures> {
  const { folder, nodes, launcher } = options;
  mkdirSync(folder, { recursive: true });
  const twoNodes = nodes === undefined ? null : new TwoNodes(folder, nodes.server, nodes.fault);
  const target = twoNodes ?? new VenueOverFile(folder, launcher);
  const run = new Run(new Random(options.seed), target);
  const killsStarts = nodes === undefined || nodes.fault === "kill";
  try {
    for (let round = 1; round <= options.rounds && run.figures.problems.length === 0; round++) {
      await run.round(killsStarts && round % killStartEvery === 1);
      if (round % fullEvery === 0 || round === options.rounds) await run.lookAtAll();
      options.say?.(run.line(round));
    }
    if (run.figures.problems.length === 0) await run.finish();
  } catch (error) {
    // A venue that does not start again is a finding; in no case may it look like success.
    run.figures.problems.push(error instanceof Error ? error.message : String(error));
  } finally {
    killAllVenues();
    await twoNodes?.remove();
  }
  return run.figures;
}

class Run {
  readonly figures: KillFigures = {
    rounds: 0,
    acknowledged: 0,
    orders: 0,
    unanswered: 0,
    unansweredAndDone: 0,
    unansweredAndNotDone: 0,
    noncesRefused: 0,
    replaysRecognised: 0,
    balancesChecked: 0,
    startsKilled: 0,
    longestAnswerMs: 0,
    startMs: [],
    problems: [],
  };
  readonly #random: Random;
  readonly #target: Target;
  readonly #memory = emptyMemory();

  constructor(random: Random, target: Target) {
    this.#random = random;
    this.#target = target;
    this.figures.startMs = target.startMs;
  }

  async round(killsStart: boolean): Promise<void> {
    const venues = await this.#target.venues();
    const workers = keys.map((name, n) => workerFor(venues[n % venues.length], name, this.#random));
    const { acknowledged } = this.#memory;
    const over = new AbortController();
    const working = Promise.all(
      workers.map((worker) => workUntil(over.signal, worker, this.#memory, this.#target.outlives)),
    );
    let hasEnded = false;
    void working.catch(() => undefined).then(() => (hasEnded = true));
    await sleep(this.#random.int(20, 170));
    while (!hasEnded && !this.#hasMuchToLose(acknowledged)) await sleep(2);
    this.#note(await this.#target.fail(this.#random));
    over.abort();
    await working;
    await this.#askBooks();
    if (killsStart) await this.#killStart();
    await this.#askVenue(await this.#first(), workers);
    const { history, longestAnswerMs, oddities } = this.#memory;
    this.figures.rounds += 1;
    this.figures.acknowledged = this.#memory.acknowledged;
    this.figures.longestAnswerMs = Math.round(longestAnswerMs);
    this.figures.orders = history.orders.size;
    this.#note(oddities.splice(0));
  }

  /** On a busy machine little happens in a given time, and a kill with nothing at stake proves nothing. */
  #hasMuchToLose(before: number): boolean {
    const { acknowledged, balances } = this.#memory;
    return acknowledged >= before + leastAcknowledged && balances.length > 0;
  }

  line(round: number): string {
    const { acknowledged, unanswered, problems } = this.figures;
    return `round ${round}: ${acknowledged} acknowledged, ${unanswered} unanswered, ${problems.length} problems`;
  }

  /** Every acknowledged order of all rounds, over HTTP; and the whole history, order by order. */
  async lookAtAll(): Promise<void> {
    const venue = await this.#first();
    for (const name of new Set(keys)) {
      const worker = workerFor(venue, name, this.#random);
      await readAll(worker, this.#memory);
      worker.client.close();
    }
    this.#note(this.#memory.history.problems());
    this.#note(this.#memory.oddities.splice(0));
  }

  /** After an orderly stop, the wallets over HTTP and those in the books are the same. */
  async finish(): Promise<void> {
    const venue = await this.#first();
    await sleep(50);
    const last: Memory = { ...this.#memory, balances: [] };
    const workers = [...new Set(keys)].map((name) => workerFor(venue, name, this.#random));
    for (const worker of workers) await readWallets(worker, last);
    for (const worker of workers) worker.client.close();
    this.#note(await this.#target.stop());
    this.#note(await this.#target.inBooks((books) => differences(balancesIn(books), last.balances)));
  }

  async #first(): Promise<ServedVenue> {
    const [first] = await this.#target.venues();
    if (first === undefined) throw new Error("nothing was started");
    return first;
  }

  async #killStart(): Promise<void> {
    await this.#target.killStart(this.#random.int(30, 250));
    this.figures.startsKilled += 1;
  }

  async #askBooks(): Promise<void> {
    const { history, balances } = this.#memory;
    this.figures.balancesChecked += balances.length;
    this.#note(await this.#target.inBooks((books) => problemsInBooks(books, history, balances)));
    balances.length = 0;
  }

  async #askVenue(venue: ServedVenue, before: readonly Worker[]): Promise<void> {
    const seen = this.#memory.history.tick();
    await Promise.all(before.map((worker) => this.#askFor(venue, worker)));
    // Only the orders of this round were added to; those of all rounds are judged in `lookAtAll`.
    const touched = [...this.#memory.history.orders.values()].filter(({ attempts }) =>
      attempts.some(({ invokedAt }) => invokedAt > seen),
    );
    const placed = before.flatMap((worker) => worker.placed);
    this.#note([...new Set([...touched, ...placed])].flatMap(problemsOf));
  }

  async #askFor(venue: ServedVenue, old: Worker): Promise<void> {
    const { lastAccepted } = old.client;
    const client = new SignedClient(venue.ready, old.client.key);
    if (lastAccepted !== undefined) await this.#askOldNonce(client, lastAccepted);
    await this.#askUnanswered(old, client);
    const worker: Worker = { ...old, client, open: [] };
    await this.#askReplays(worker);
    for (const order of old.placed.filter(isAcknowledged)) await read(worker, this.#memory, order);
    client.close();
  }

  async #askOldNonce(client: SignedClient, sent: Sent): Promise<void> {
    const { status, body } = await untilServed(
      () => client.send(sent),
      (answer) => answer.status === 503,
    );
    if (status === 401 && body["code"] === "NONCE_REUSED") this.figures.noncesRefused += 1;
    else this.#note([`an accepted nonce was answered ${status} ${JSON.stringify(body)} after the restart`]);
  }

  /** The worker's own way of asking again, over the new connection. */
  async #askUnanswered(old: Worker, client: SignedClient): Promise<void> {
    const { placed, open } = old;
    const unknown = placed.filter(({ attempts }) => attempts.at(-1)?.outcome === "unknown");
    this.figures.unanswered += open.length;
    old.client = client;
    // One that stays without an answer is open again.
    for (let ask = open.shift(); ask !== undefined; ask = open.shift()) await ask();
    for (const { attempts, clientOrderId } of unknown) {
      const outcome = attempts.at(-1)?.outcome;
      if (outcome === "new") this.figures.unansweredAndNotDone += 1;
      else if (outcome === "replay") this.figures.unansweredAndDone += 1;
      else if (outcome === "unknown") this.#note([`the outcome of ${clientOrderId} stays unknown`]);
    }
  }

  async #askReplays(worker: Worker): Promise<void> {
    const known = worker.placed.filter(isAcknowledged);
    const older = [...this.#memory.history.orders.values()].filter(
      (order) => order.client === worker.account && isAcknowledged(order),
    );
    for (let count = 0; count < sample; count++) {
      const pool: readonly OrderHistory[] = count % 2 === 0 && known.length > 0 ? known : older;
      if (pool.length === 0) return;
      const order = this.#random.pick(pool);
      const { outcome } = await untilServed(
        () => repeat(worker, this.#memory, order),
        (attempt) => attempt.outcome === "refused" || attempt.outcome === "unknown",
      );
      if (outcome === "replay") this.figures.replaysRecognised += 1;
      else this.#note([`the repeated order ${order.clientOrderId} was answered "${outcome}"`]);
    }
  }

  #note(problems: readonly string[]): void {
    this.figures.problems.push(...problems);
  }
}

function workerFor(venue: ServedVenue | undefined, name: string, random: Random): Worker {
  if (venue === undefined) throw new RangeError("there is no venue to work at");
  const { ready } = venue;
  const key = ready.keys.find((each) => each.name === name);
  if (key === undefined || key.client === null)
    throw new RangeError(`no key ${name} with a client behind it`);
  return { client: new SignedClient(ready, key), account: key.client, random, placed: [], open: [] };
}

/** A node that comes back may lose its server again on a busy machine: that is no answer to the question. */
async function untilServed<T>(ask: () => Promise<T>, isRefused: (answer: T) => boolean): Promise<T> {
  const latest = performance.now() + mostRefusedMs;
  for (;;) {
    const answer = await ask();
    if (!isRefused(answer) || performance.now() > latest) return answer;
    await sleep(50);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
