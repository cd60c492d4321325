/** Stops that one trade triggers, many at once: in turns, between which reads are answered, and with the journal of one turn. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import type { Command } from "../domain/command.ts";
import { captureSnapshot, stateHash } from "../engine/snapshot.ts";
import { Random } from "../engine/testing/random.ts";
import { recordScript, recordUnrulyScript, type Script } from "../engine/testing/script.ts";
import { plainWith } from "../engine/testing/table.ts";
import { worldOf } from "../engine/testing/venue-spec.ts";
import { recover } from "./recover.ts";
import type { Schedule } from "./sequencer.ts";
import { onFire } from "./testing/memory-journal.ts";
import { type Choices, type Running, start } from "./testing/running.ts";
import { VenueUnavailable } from "./unavailable.ts";

const stops = 300;
/** Orders are matched at once, and synced later than these tests last. */
const venue = plainWith({ matchDelayMs: 0, syncDelayMs: 86_400_000 });

const buy = (line: number, stopPrice: string | null): Command => ({
  kind: "PlaceOrder",
  client: line % 3,
  clientOrderId: `00000000-0000-4000-8000-${String(line).padStart(12, "0")}`,
  product: "COIN-USD",
  side: "BUY",
  type: stopPrice === null ? "LIMIT" : "STOP_LIMIT",
  baseQuantity: "1",
  price: stopPrice === null ? "90" : "110",
  stopPrice,
  quoteValue: null,
  fault: null,
});

const print: Command = { kind: "PrintTrade", product: "COIN-USD", price: "105", quantity: "1" };

/** A venue in which many stops wait for one price. */
async function withStops(choices: Choices = {}): Promise<Running> {
  const running = start(venue, choices);
  const placed = await Promise.all(
    Array.from({ length: stops }, (_, line) => running.sequencer.submit(buy(line, "105"))),
  );
  expect(placed.every(({ kind }) => kind === "accepted")).toBe(true);
  return running;
}

const left = ({ sequencer }: Running): number => sequencer.state.triggered.length;

const kinds = ({ journal }: Running, from: number): string[] =>
  journal.committed.entries.slice(from).map(({ kind }) => kind);

const cascade: readonly string[] = ["PrintTrade", ...Array.from({ length: stops }, () => "TriggerStop")];

/** Turns until the cascade has begun and is not over. */
async function midway(running: Running): Promise<void> {
  while (running.journal.committed.entries.length <= stops) await turn();
  expect(left(running)).toBeGreaterThan(0);
}

describe("a cascade of stops", () => {
  test("lets reads be answered between its pieces, and answers its command when it is over", async () => {
    const running = await withStops();
    const { sequencer } = running;
    let isOver = false;
    const printed = sequencer.execute(print, null).finally(() => (isOver = true));
    const seen: number[] = [];
    while (!isOver) {
      await sequencer.submit(null);
      seen.push(left(running));
      expect(isOver).toBe(left(running) === 0);
    }
    const { entries } = await printed;
    const between = seen.filter((count) => count > 0);
    expect(between.length).toBeGreaterThan(3);
    expect(between).toEqual(between.toSorted((one, other) => other - one));
    expect(entries).toEqual({ first: stops + 1, last: 2 * stops + 1 });
    expect(kinds(running, stops)).toEqual(cascade);
  });

  test("comes before every other command, of its batch or later, and before what falls due", async () => {
    const running = await withStops();
    const { sequencer, clock } = running;
    const together = [sequencer.submit(print), sequencer.submit(buy(1001, null)), sequencer.submit(null)];
    await midway(running);
    const later = [sequencer.submit(buy(1002, null)), sequencer.advanceTo(clock.now() + 1000)];
    await Promise.all([...together, ...later]);
    expect(kinds(running, stops)).toEqual([...cascade, "PlaceOrder", "PlaceOrder", "MoveClock"]);
  });

  test("lets reads pass more waiting commands than a batch holds", async () => {
    const running = await withStops();
    const { sequencer } = running;
    const printed = sequencer.submit(print);
    await midway(running);
    const waiting = Array.from({ length: 600 }, (_, line) => sequencer.submit(buy(2000 + line, null)));
    await sequencer.submit(null);
    expect(left(running)).toBeGreaterThan(0);
    expect(kinds(running, stops)).not.toContain("PlaceOrder");
    await Promise.all([printed, ...waiting]);
  });

  test("that a move of the clock begins is a part of the move, and lets reads be answered", async () => {
    const moments: number[] = [];
    const schedule: Schedule = {
      nextAt: ({ world }) => (moments.length === 0 ? world.startAt + 500 : null),
      commandsAt: (_state, at) => {
        moments.push(at);
        return [print];
      },
    };
    const running = await withStops({ schedule });
    const { sequencer, clock } = running;
    const begin = clock.now();
    const told: number[] = [];
    const asked: number[] = [];
    const move = sequencer.advanceTo(begin + 1000, {
      committed: (entries) => told.push(...entries.map(({ seq }) => seq)),
      until: (fresh) => {
        asked.push(...fresh.map(({ seq }) => seq));
        expect(left(running)).toBe(0);
        return false;
      },
    });
    await sequencer.submit(null);
    expect(left(running)).toBeGreaterThan(0);
    expect(await move).toBe("there");
    const all = running.journal.committed.entries.slice(stops);
    expect(all.map(({ kind }) => kind)).toEqual([...cascade, "MoveClock"]);
    expect(told).toEqual(all.map(({ seq }) => seq));
    expect(asked).toEqual(told.slice(0, -1));
    expect(new Set(all.slice(0, -1).map(({ at }) => at))).toEqual(new Set([begin + 500]));
  });

  test("is ended before a venue stops, and its command is answered", async () => {
    const running = await withStops();
    const printed = running.sequencer.submit(print);
    await midway(running);
    running.sequencer.stop();
    expect(await printed).toMatchObject({ kind: "done" });
    expect(kinds(running, stops)).toEqual(cascade);
  });

  test("whose commit fails halfway has an unknown outcome; what waits behind it was not begun", async () => {
    const running = await withStops();
    const { sequencer, journal } = running;
    const outcomes = Promise.allSettled([sequencer.submit(print), sequencer.submit(buy(1001, null))]);
    await midway(running);
    journal.failAt = "commit";
    const told = (await outcomes).map((one): unknown =>
      one.status === "rejected" && one.reason instanceof VenueUnavailable ? one.reason.outcome : one,
    );
    expect(told).toEqual(["unknown", "not-done"]);
    expect(running.failures).toEqual([onFire("unknown")]);
    await expect(sequencer.advanceTo(running.clock.now() + 1)).rejects.toThrow(/unknown/);
  });

  test.each(["the journal", "a snapshot"])("goes on after a crash in its middle, from %s", async (source) => {
    const whole = await withStops();
    await whole.sequencer.submit(print);
    const broken = await withStops();
    void broken.sequencer.submit(print).catch(() => undefined);
    await midway(broken);
    const { sequencer, journal, clock } = broken;
    const { state, hash } = sequencer;
    if (source === "a snapshot")
      journal.saveSnapshot({ seq: state.seq, hash, engineVersion: "test", body: captureSnapshot(state) });
    const kept = left(broken);
    sequencer.abandon(new VenueUnavailable("stopped"));
    expect(recover(journal, worldOf(venue)).replayed === 0).toBe(source === "a snapshot");

    const again = start(venue, { journal });
    expect(left(again)).toBe(kept);
    expect(stateHash(again.sequencer.state)).toBe(stateHash(state));
    again.sequencer.catchUp();
    expect(left(again)).toBeGreaterThan(0);
    await again.sequencer.submit(buy(1001, null));
    await whole.sequencer.submit(buy(1001, null));
    expect(again.journal.committed.entries).toEqual(whole.journal.committed.entries);
    expect(stateHash(again.sequencer.state)).toBe(stateHash(whole.sequencer.state));
    expect(clock.now()).toBe(again.clock.now());
  });
});

/** The script with stops at the price of each LIMIT order, so that a trade often triggers several. */
const withMoreStops = ({ spec, steps }: Script): Script => ({
  spec,
  steps: steps.flatMap((step, index) => {
    const { command } = step;
    if (command.kind !== "PlaceOrder" || command.type !== "LIMIT") return step;
    const more = [1, 2, 3].map((copy) => ({
      wait: 0,
      command: {
        ...command,
        type: "STOP_LIMIT" as const,
        stopPrice: command.price,
        clientOrderId: `5c417ed0-0000-400${copy}-8000-${String(index).padStart(12, "0")}`,
      },
    }));
    return [...more, step];
  }),
});

describe("the journal", () => {
  /** Plays the steps, those without a wait in groups now and then, with reads in between. */
  async function played(
    { spec, steps }: Script,
    stopsAtOnce: number,
    grouping: number,
  ): Promise<Running & { readonly cuts: number }> {
    let cuts = 0;
    const onCommitted: Choices["onCommitted"] = () => {
      if (left(running) > 0) cuts += 1;
    };
    const running = start(spec, { stopsAtOnce, onCommitted });
    const { sequencer, clock } = running;
    const random = new Random(grouping);
    let group: Promise<unknown>[] = [];
    for (const { wait, command } of steps) {
      if (wait > 0 || random.chance(0.3)) {
        await Promise.all(group);
        group = [];
        clock.set(clock.now() + wait);
      }
      group.push(sequencer.submit(command), sequencer.submit(null));
    }
    await Promise.all(group);
    await sequencer.advanceTo(clock.now() + 500);
    return { ...running, cuts };
  }

  test.each(sampled(3, [1, 2, 3, 4, 5, 6]))(
    "of unruly script %i does not depend on how many stops are in a transaction",
    async (seed) => {
      const script = withMoreStops(recordUnrulyScript(seed, 200));
      const whole = await played(script, Infinity, seed);
      for (const stopsAtOnce of [1, 2, 5]) {
        const cut = await played(script, stopsAtOnce, seed);
        expect(cut.journal.committed).toEqual(whole.journal.committed);
        expect(stateHash(cut.sequencer.state)).toBe(stateHash(whole.sequencer.state));
        if (stopsAtOnce === 1) expect(cut.cuts).toBeGreaterThan(3);
      }
    },
  );

  test.each(sampled(3, [1, 2, 3, 4, 5, 6]))(
    "of script %i does not depend on how requests are grouped",
    async (seed) => {
      const script = withMoreStops(recordScript(seed, 200));
      const whole = await played(script, Infinity, 1);
      for (const grouping of [2, 3]) {
        const cut = await played(script, 1, grouping);
        expect(cut.journal.committed).toEqual(whole.journal.committed);
        expect(cut.cuts).toBeGreaterThan(3);
      }
    },
  );
});
