/** One writer, group commit, fail-stop (design decision 5), over a journal in memory. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { units } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { stateHash } from "../engine/snapshot.ts";
import { Drive } from "../engine/testing/drive.ts";
import { recordScript } from "../engine/testing/script.ts";
import { plain, plainWith } from "../engine/testing/table.ts";
import { MarketClock } from "./clock.ts";
import type { Move, Schedule } from "./sequencer.ts";
import { onFire } from "./testing/memory-journal.ts";
import { type Running, start } from "./testing/running.ts";
import { VenueUnavailable } from "./unavailable.ts";

const order = (line: number, change: Partial<PlaceOrder> = {}): PlaceOrder => ({
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
  ...change,
});

const nonce = (count: number) => ({
  key: 0,
  nonce: String(count).padStart(32, "0"),
  timestamp: 1,
  receivedAt: 1,
});

/** How each promise of a batch ended: the outcome's kind, or what the refusal says of it. */
async function endings(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one): unknown => {
    if (one.status === "fulfilled") return one.value;
    const reason: unknown = one.reason;
    return reason instanceof VenueUnavailable ? reason.outcome : reason;
  });
}

async function run(
  running: Running,
  steps: readonly { readonly wait: number; readonly command: Parameters<Drive["submit"]>[0] }[],
): Promise<void> {
  for (const { wait, command } of steps) {
    running.clock.set(running.clock.now() + wait);
    await running.sequencer.submit(command);
  }
}

describe("determinism", () => {
  test.each([1, 2, 3])(
    "script %i played twice gives the same chain, the same state, and the state of the bare engine",
    async (seed) => {
      const { spec, steps } = recordScript(seed, 200);
      const one = start(spec);
      const other = start(spec);
      await run(one, steps);
      await run(other, steps);
      expect(other.journal.committed).toEqual(one.journal.committed);
      expect(other.sequencer.hash).toBe(one.sequencer.hash);
      expect(stateHash(other.sequencer.state)).toBe(stateHash(one.sequencer.state));

      const drive = new Drive(spec);
      for (const { wait, command } of steps) {
        drive.advance(wait);
        drive.submit(command);
      }
      expect(stateHash(one.sequencer.state)).toBe(stateHash(drive.state));
    },
  );

  test("commands of one turn give the same entries as commands of many turns", async () => {
    const together = start(plain);
    const apart = start(plain);
    await Promise.all([1, 2, 3, 4, 5].map((line) => together.sequencer.submit(order(line))));
    for (const line of [1, 2, 3, 4, 5]) await apart.sequencer.submit(order(line));
    expect(together.sequencer.hash).toBe(apart.sequencer.hash);
    expect(together.journal.log).toEqual(["commit 5", "published 5"]);
    expect(apart.journal.log.length).toBe(10);
  });

  test("another seed or another epoch begins another chain", async () => {
    const { genesisHash } = await import("./chain.ts");
    const header = { worldDigest: "a", seed: 1, epoch: 0 };
    const hashes = [
      header,
      { ...header, seed: 2 },
      { ...header, epoch: 1 },
      { ...header, worldDigest: "b" },
    ].map(genesisHash);
    expect(new Set(hashes).size).toBe(4);
  });
});

describe("group commit", () => {
  test("commands wait while turns bring more of them, and no longer", async () => {
    const { sequencer, journal } = start(plain);
    const first = sequencer.submit(order(1));
    await turn();
    const second = sequencer.submit(order(2));
    await turn();
    expect(journal.log).toEqual([]);
    await turn();
    expect(journal.log).toEqual(["commit 2", "published 2"]);
    await Promise.all([first, second]);
  });

  test("all commands of a turn are in one transaction, and none is answered before it is committed", async () => {
    const { sequencer, journal } = start(plain);
    const answers = [1, 2, 3].map((line) =>
      sequencer.submit(order(line), nonce(line)).then(() => journal.log.push(`answer ${line}`)),
    );
    expect(journal.log).toEqual([]);
    await Promise.all(answers);
    expect(journal.log).toEqual(["commit 3", "published 3", "answer 1", "answer 2", "answer 3"]);
    expect(journal.committed.nonces.length).toBe(3);
  });

  test("a refused command leaves its nonce and nothing else", async () => {
    const { sequencer, journal } = start(plain);
    expect(await sequencer.submit(order(1, { product: "NO-USD" }), nonce(1))).toMatchObject({
      kind: "rejected",
    });
    expect(journal.committed.entries).toEqual([]);
    expect(journal.committed.nonces.length).toBe(1);
    expect(sequencer.state.seq).toBe(0);
  });

  test("the nonce of a read is durable before the read is answered", async () => {
    const { sequencer, journal } = start(plain);
    await sequencer.submit(null, nonce(1));
    expect(journal.log).toEqual(["commit 0", "published 0"]);
    expect(journal.committed.nonces).toEqual([nonce(1)]);
  });

  test("more commands than a batch holds are committed in several, in order", async () => {
    const { sequencer, journal } = start(plain);
    const outcomes = await Promise.all(
      Array.from({ length: 1100 }, (_, line) => sequencer.submit(order(line + 1))),
    );
    expect(outcomes.every((outcome) => outcome.kind === "accepted")).toBe(true);
    expect(journal.log.filter((line) => line.startsWith("commit"))).toEqual([
      "commit 512",
      "commit 512",
      "commit 76",
    ]);
    expect(journal.committed.entries.map((entry) => entry.seq)).toEqual(
      Array.from({ length: 1100 }, (_, index) => index + 1),
    );
  });

  test("concurrent duplicates make one order and one hold", async () => {
    const { sequencer } = start(plainWith({ matchDelayMs: 50 }));
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => sequencer.submit(order(2))));
    expect(outcomes.filter((outcome) => outcome.kind === "accepted").length).toBe(1);
    expect(outcomes.filter((outcome) => outcome.kind === "replayed").length).toBe(49);
    expect(sequencer.state.orders.size).toBe(1);
    expect(sequencer.state.client(2).wallets.get(1)?.hold).toBe(100_00000000n);
  });
});

describe("an error at commit", () => {
  test("is an unknown outcome for all requests of the batch, and no outcome leaks", async () => {
    const { sequencer, journal, published, failures } = start(plain);
    await sequencer.submit(order(1));
    const before = sequencer.hash;
    journal.failAt = "commit";
    const batch = [
      sequencer.submit(order(2)),
      sequencer.submit(order(3, { product: "NO-USD" })),
      sequencer.submit(null, nonce(9)),
    ];
    expect(await endings(batch)).toEqual(["unknown", "unknown", "unknown"]);
    expect(published.length).toBe(1);
    expect(failures).toEqual([onFire("unknown")]);
    expect(sequencer.hash).toBe(before);
    expect(journal.log.at(-1)).toBe("rollback");
    expect(await endings([sequencer.submit(order(4))])).toEqual(["unknown"]);
  });

  test("before the commit says that nothing was done", async () => {
    for (const failAt of ["begin", "append"] as const) {
      const { sequencer, journal, published } = start(plain);
      journal.failAt = failAt;
      journal.failure = onFire("none");
      expect(await endings([sequencer.submit(order(1)), sequencer.submit(order(2))])).toEqual([
        "not-done",
        "not-done",
      ]);
      expect(published).toEqual([]);
      expect(journal.committed.entries).toEqual([]);
    }
  });

  test("is forgotten by a venue that recovers from the journal: the same command then is a new order", async () => {
    const failing = start(plain);
    await failing.sequencer.submit(order(1));
    failing.journal.failAt = "commit";
    await endings([failing.sequencer.submit(order(2))]);
    const again = start(plain, { journal: failing.journal });
    expect(again.sequencer.state.seq).toBe(1);
    expect(await again.sequencer.submit(order(2))).toMatchObject({ kind: "accepted" });
    const untroubled = start(plain);
    await untroubled.sequencer.submit(order(1));
    await untroubled.sequencer.submit(order(2));
    expect(again.sequencer.hash).toBe(untroubled.sequencer.hash);
  });

  test("does not answer later requests with a success", async () => {
    const { sequencer, journal } = start(plain);
    journal.failAt = "commit";
    const all = Array.from({ length: 600 }, (_, line) => sequencer.submit(order(line + 1)));
    const told = await endings(all);
    expect(new Set(told.slice(0, 512))).toEqual(new Set(["unknown"]));
    // The rest was not begun, and is told so.
    expect(new Set(told.slice(512))).toEqual(new Set(["not-done"]));
    expect(journal.committed.entries).toEqual([]);
  });
});

describe("a violated invariant", () => {
  test("stops the venue permanently, and the batch is not written", async () => {
    const { sequencer, journal, failures } = start(plain);
    await sequencer.submit(order(1));
    const { wallets } = sequencer.state.client(2);
    const wallet = wallets.get(1);
    if (wallet !== undefined) wallets.set(1, { ...wallet, hold: units(wallet.balance + 1n) });
    expect(await endings([sequencer.submit(order(5, { baseQuantity: "2", side: "SELL" }))])).toEqual([
      "stopped",
    ]);
    expect(failures[0]).toBeInstanceOf(InvariantViolation);
    expect(journal.committed.entries.length).toBe(1);
    expect(await endings([sequencer.submit(order(4))])).toEqual(["stopped"]);
  });
});

describe("commands that fall due", () => {
  test("runs at its own time when a manual clock is moved, and is committed when the move returns", async () => {
    const { sequencer, journal, clock } = start(plainWith({ matchDelayMs: 50, syncDelayMs: 30 }));
    await Promise.all([sequencer.submit(order(1)), sequencer.submit(order(2))]);
    const begin = clock.now();
    let entries = 0;
    const there = await sequencer.advanceTo(begin + 1000, { committed: (more) => (entries += more.length) });
    const due = journal.committed.entries.slice(2).map((entry) => `${entry.kind} +${entry.at - begin}`);
    // Synced after 30, matched after 50, synced again 30 later.
    expect(due).toEqual([
      "SyncOrders +30",
      "MatchOrder +50",
      "MatchOrder +50",
      "SyncOrders +80",
      "MoveClock +1000",
    ]);
    expect([entries, there]).toEqual([due.length, "there"]);
    expect([...sequencer.state.orders.values()].map((one) => one.status)).toEqual(["FILLED", "FILLED"]);
  });

  test("does not depend on the size of the steps in which a clock is moved", async () => {
    const { spec, steps } = recordScript(21, 120);
    const coarse = start(spec);
    const fine = start(spec);
    await run(coarse, steps);
    await run(fine, steps);
    const to = coarse.clock.now() + 500;
    await coarse.sequencer.advanceTo(to);
    for (let at = fine.clock.now() + 1; at <= to; at += 7) {
      fine.clock.set(at);
      fine.sequencer.catchUp();
    }
    await fine.sequencer.advanceTo(to);
    expect(stateHash(fine.sequencer.state)).toBe(stateHash(coarse.sequencer.state));
  });

  test("runs by itself under a clock that moves by itself", async () => {
    const clock = new MarketClock("real", 0, () => Date.UTC(2030, 0, 1) + performance.now());
    const { sequencer } = start(plainWith({ matchDelayMs: 5, syncDelayMs: 5 }), { marketClock: clock });
    await sequencer.submit(order(1));
    await sequencer.submit(order(2));
    while ([...sequencer.state.orders.values()].some((one) => !one.synced || one.status === "OPEN"))
      await turn();
    expect([...sequencer.state.orders.values()].map((one) => one.status)).toEqual(["FILLED", "FILLED"]);
    sequencer.stop();
  });

  test("shares the transaction of the commands that arrive in its turn", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let now = Date.UTC(2030, 0, 1);
    const marketClock = new MarketClock("real", 0, () => now);
    const { sequencer, journal } = start(plainWith({ syncDelayMs: 30 }), { marketClock });
    await sequencer.submit(order(1));
    now += 30;
    vi.advanceTimersByTime(30);
    await sequencer.submit(order(3));
    vi.useRealTimers();
    expect(journal.committed.entries.map(({ kind }) => kind)).toEqual([
      "PlaceOrder",
      "SyncOrders",
      "PlaceOrder",
    ]);
    expect(journal.log).toEqual(["commit 1", "published 1", "commit 2", "published 2"]);
    sequencer.stop();
  });

  test("during a long move of the clock, requests are served between two pieces, at the time reached so far", async () => {
    const { sequencer, clock, journal } = start(plain, { schedule: everyMillisecond });
    const begin = clock.now();
    let arrived = false;
    let entries = 0;
    const committed: Move["committed"] = (more) => (entries += more.length);
    const moved = sequencer.advanceTo(begin + 20_000, { committed }).then(() => (arrived = true));
    const outcome = await sequencer.submit(order(1));
    expect([outcome.kind, arrived]).toEqual(["accepted", false]);
    const placed = journal.committed.entries.find(({ kind }) => kind === "PlaceOrder");
    expect(placed?.at).toBeGreaterThan(begin);
    expect(placed?.at).toBeLessThan(begin + 20_000);
    // The order is no part of the move.
    await moved;
    expect(entries).toBeLessThan(journal.committed.entries.length);
    expect(entries).toBeGreaterThan(20_000);
    expect(clock.now()).toBe(begin + 20_000);
  });

  test("ends after the current piece when the venue stops, and reports the time reached", async () => {
    const { sequencer, clock, journal } = start(plain, { schedule: everyMillisecond });
    const begin = clock.now();
    const moved = sequencer.advanceTo(begin + 31_622_400_000);
    sequencer.interruptMove();
    await expect(moved).rejects.toThrow(/moved a part of the way/);
    expect(journal.committed.entries.at(-1)?.at).toBe(clock.now());
    expect(clock.now()).toBeGreaterThan(begin);
    await expect(sequencer.advanceTo(begin + 31_622_400_000)).rejects.toThrow(/is stopping/);
  });

  test("of the synthetic market runs at its time, after everything that was due before", async () => {
    const moves: number[] = [];
    const running = start(plain, {
      schedule: {
        nextAt: (state) =>
          state.market(0).refreshedAt === Number.NEGATIVE_INFINITY
            ? state.world.startAt + 10
            : state.market(0).refreshedAt + 100,
        commandsAt: (_state, at) => {
          moves.push(at - _state.world.startAt);
          return [
            {
              kind: "RefreshLiquidity",
              product: "COIN-USD",
              levels: [{ side: "SELL", price: "101", quantity: "1" }],
            },
          ];
        },
      },
    });
    await running.sequencer.advanceTo(running.clock.now() + 250);
    expect(moves).toEqual([10, 110, 210]);
    expect(running.sequencer.state.market(0).book.depth("SELL", 5)).toEqual([{ price: 101, quantity: 1 }]);
  });

  test("ends a move as soon as its condition is met, at the time of the entry that met it", async () => {
    const { sequencer, clock, journal } = start(plainWith({ matchDelayMs: 50 }));
    await Promise.all([sequencer.submit(order(1)), sequencer.submit(order(2))]);
    const begin = clock.now();
    const until: Move["until"] = () =>
      [...sequencer.state.orders.values()].every(({ status }) => status === "FILLED");
    expect(await sequencer.advanceTo(begin + 1000, { until })).toBe("met");
    expect([clock.now() - begin, journal.committed.entries.at(-1)?.kind]).toEqual([50, "MatchOrder"]);
    expect(await sequencer.advanceTo(begin + 1000, { until })).toBe("met");
    expect(clock.now() - begin).toBe(50);
  });

  test("are jumped to in mode skip-idle, each at its own time, while reads go on", async () => {
    const clock = new MarketClock("skip-idle", 0, () => Date.UTC(2030, 0, 1));
    const { sequencer, journal } = start(plainWith({ matchDelayMs: 86_400_000 }), { marketClock: clock });
    const begin = clock.now();
    await sequencer.submit(order(1));
    await sequencer.submit(order(2));
    while ([...sequencer.state.orders.values()].some(({ status }) => status === "OPEN")) {
      await sequencer.submit(null);
      await turn();
    }
    const matches = journal.committed.entries.filter(({ kind }) => kind === "MatchOrder");
    expect(matches.map(({ at }) => at - begin)).toEqual([86_400_000, 86_400_000]);
    sequencer.stop();
  });

  test("are jumped to no further when the clock is frozen on the way", async () => {
    const clock = new MarketClock("skip-idle", 0, () => Date.UTC(2030, 0, 1));
    const world = plainWith({ matchDelayMs: 86_400_000 });
    const { sequencer } = start(world, { marketClock: clock, schedule: everyMillisecond });
    const begin = clock.now();
    await sequencer.submit(order(1));
    while (clock.now() < begin + 1000) await turn();
    clock.change("manual");
    sequencer.clockChanged();
    const frozen = clock.now();
    for (let pieces = 0; pieces < 3; pieces += 1) await turn();
    expect([clock.now() - frozen, frozen - begin < 86_400_000]).toEqual([0, true]);
    sequencer.stop();
  });

  test("are not jumped to for the synthetic market alone", async () => {
    const clock = new MarketClock("skip-idle", 0, () => Date.UTC(2030, 0, 1));
    const { sequencer } = start(plain, { marketClock: clock, schedule: everyMillisecond });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await sequencer.submit(null);
    vi.advanceTimersByTime(50);
    vi.useRealTimers();
    expect(clock.now()).toBe(Date.UTC(2030, 0, 1));
    sequencer.stop();
  });

  test("never goes back in time, even if the clock does", async () => {
    let now = Date.UTC(2030, 0, 1);
    const { sequencer, journal } = start(plain, { marketClock: new MarketClock("real", 0, () => now) });
    await sequencer.submit(order(1));
    now -= 5000;
    await sequencer.submit(order(3));
    const times = journal.committed.entries.map((entry) => entry.at);
    expect(times[1]).toBe(times[0]);
    sequencer.stop();
  });
});

describe("stopping", () => {
  test("commits waiting commands and refuses later ones", async () => {
    const { sequencer, journal } = start(plain);
    const waiting = sequencer.submit(order(1));
    sequencer.stop();
    expect(await waiting).toMatchObject({ kind: "accepted" });
    expect(journal.committed.entries.length).toBe(1);
    expect(await endings([sequencer.submit(order(2))])).toEqual(["stopped"]);
  });
});

/** A market that prints a trade at every millisecond. */
const everyMillisecond: Schedule = {
  nextAt: (state) => state.now + 1,
  commandsAt: () => [{ kind: "PrintTrade", product: "COIN-USD", price: "100", quantity: "1" }],
};
