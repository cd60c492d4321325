/** A store that answers a commit later: nothing is decided meanwhile, and nobody is answered before. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { NonceRecord } from "../domain/account.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { plain } from "../engine/testing/table.ts";
import type { JournalEntry, JournalWriter } from "./ports.ts";
import { MemoryJournal, onFire } from "./testing/memory-journal.ts";
import { type Running, start } from "./testing/running.ts";
import { VenueUnavailable } from "./unavailable.ts";

interface Answer {
  readonly resolve: () => void;
  readonly reject: (failure: Error) => void;
}

/** Each commit waits for `answer`, which stores it, or for `cut`, after which nobody knows. */
class RemoteJournal implements JournalWriter {
  readonly store = new MemoryJournal();
  readonly #waiting: Answer[] = [];

  get underWay(): number {
    return this.#waiting.length;
  }

  begin(): void {
    this.store.begin();
  }

  append(entry: JournalEntry): void {
    this.store.append(entry);
  }

  appendNonce(row: NonceRecord): void {
    this.store.appendNonce(row);
  }

  rollback(): void {
    this.store.rollback();
  }

  async commit(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.store.commit();
  }

  answer(): void {
    this.#waiting.shift()?.resolve();
  }

  cut(): void {
    this.#waiting.shift()?.reject(onFire("unknown"));
  }
}

const order = (line: number): PlaceOrder => ({
  kind: "PlaceOrder",
  client: line % 3,
  clientOrderId: `00000000-0000-4000-8000-${String(line).padStart(12, "0")}`,
  product: "COIN-USD",
  side: line % 2 === 0 ? "BUY" : "SELL",
  type: "LIMIT",
  baseQuantity: "1",
  price: "100",
  stopPrice: null,
  quoteValue: null,
  fault: null,
});

function remote(): Omit<Running, "journal"> & { readonly journal: RemoteJournal } {
  const journal = new RemoteJournal();
  return { ...start(plain, { journal: journal.store, writer: journal }), journal };
}

const begun = async (journal: RemoteJournal): Promise<void> => {
  for (let seen = 0; seen < 20 && journal.underWay === 0; seen++) await turn();
  expect(journal.underWay).toBe(1);
};

const turns = async (): Promise<void> => {
  for (let seen = 0; seen < 10; seen++) await turn();
};

test("what arrives while a commit is under way is decided after it, in the next batch", async () => {
  const { sequencer, journal, published } = remote();
  const answered: number[] = [];
  const submit = (line: number) => sequencer.submit(order(line)).then(() => answered.push(line));
  const all = [submit(1)];
  await begun(journal);
  all.push(submit(2), submit(3));
  await turns();
  expect({ decided: sequencer.state.seq, answered, published: published.length }).toEqual({
    decided: 1,
    answered: [],
    published: 0,
  });
  journal.answer();
  await begun(journal);
  expect({ decided: sequencer.state.seq, answered, published: published.length }).toEqual({
    decided: 3,
    answered: [1],
    published: 1,
  });
  journal.answer();
  await Promise.all(all);
  expect(journal.store.log).toEqual(["commit 1", "published 1", "commit 2", "published 2"]);
});

test("an answered caller reads the state of its own batch, whatever waits", async () => {
  const { sequencer, journal } = remote();
  const seen: number[] = [];
  const first = sequencer.submit(order(1)).then(async () => {
    await Promise.resolve();
    seen.push(sequencer.state.seq);
  });
  await begun(journal);
  const second = sequencer.submit(order(2));
  const settled = sequencer.settled();
  journal.answer();
  await first;
  const answers = setInterval(() => journal.answer(), 0);
  await Promise.all([second, settled]);
  clearInterval(answers);
  expect(seen).toEqual([1]);
});

test("a commit whose outcome is unknown ends the sequencer: its batch unknown, what waits not done", async () => {
  const { sequencer, journal, failures, published } = remote();
  const first = sequencer.submit(order(1));
  await begun(journal);
  const second = sequencer.submit(order(2));
  const told = Promise.allSettled([first, second]);
  await turns();
  journal.cut();
  const outcomes = (await told).map((one) =>
    one.status === "rejected" && one.reason instanceof VenueUnavailable ? one.reason.outcome : "answered",
  );
  expect(outcomes).toEqual(["unknown", "not-done"]);
  expect(failures).toEqual([onFire("unknown")]);
  expect(published).toEqual([]);
});

test("a clock that is moved waits for the commit under way, and requests wait for that of its piece", async () => {
  const { sequencer, journal, clock } = remote();
  const begin = clock.now();
  const first = sequencer.submit(order(1));
  await begun(journal);
  const entries: number[] = [];
  const moved = sequencer.advanceTo(begin + 10, {
    committed: (more) => entries.push(...more.map(({ seq }) => seq)),
  });
  await turns();
  expect(clock.now()).toBe(begin);
  journal.answer();
  await first;
  await begun(journal);
  const second = sequencer.submit(order(2));
  await turns();
  expect({ entries, clock: clock.now() }).toEqual({ entries: [], clock: begin + 10 });
  journal.answer();
  expect(await moved).toBe("there");
  expect(entries).toEqual([2]);
  await begun(journal);
  journal.answer();
  await second;
});

test("settling commits what waits, one batch after the other", async () => {
  const { sequencer, journal } = remote();
  const first = sequencer.submit(order(1));
  await begun(journal);
  const second = sequencer.submit(order(2));
  const settled = sequencer.settled();
  journal.answer();
  await begun(journal);
  journal.answer();
  await Promise.all([first, second, settled]);
  expect(journal.store.log.filter((line) => line.startsWith("commit"))).toEqual(["commit 1", "commit 1"]);
});

test("stopping while a commit is under way answers its batch truthfully and begins nothing", async () => {
  const { sequencer, journal } = remote();
  const first = sequencer.submit(order(1));
  await begun(journal);
  const second = sequencer.submit(order(2));
  sequencer.stop();
  await expect(second).rejects.toThrow(/nothing was done/);
  journal.answer();
  expect(await first).toMatchObject({ kind: "accepted" });
  await turns();
  expect(journal.underWay).toBe(0);
});

test("what is due at the start is committed before the first request is decided", async () => {
  const { sequencer, journal } = remote();
  sequencer.catchUp([order(1)]);
  const second = sequencer.submit(order(2));
  await begun(journal);
  expect(sequencer.state.seq).toBe(1);
  const settled = sequencer.settled();
  journal.cut();
  await expect(second).rejects.toThrow(/Nothing was done/);
  await expect(settled).rejects.toThrow(/outcome is unknown/);
});

test("the entries are those of a store that answers at once", async () => {
  const near = start(plain);
  const far = remote();
  const answers = setInterval(() => far.journal.answer(), 0);
  for (const line of [1, 2, 3, 4, 5]) {
    await near.sequencer.submit(order(line));
    await far.sequencer.submit(order(line));
  }
  clearInterval(answers);
  expect(far.journal.store.committed).toEqual(near.journal.committed);
  expect(far.sequencer.hash).toBe(near.sequencer.hash);
});
