/** The file holds the state of the venue, with a snapshot or without one; an edited file is refused. */
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { World } from "../../simulator/domain/world.ts";
import { stateHash } from "../../simulator/engine/snapshot.ts";
import { Random } from "../../simulator/engine/testing/random.ts";
import { recordScript } from "../../simulator/engine/testing/script.ts";
import { worldOf } from "../../simulator/engine/testing/venue-spec.ts";
import { MarketClock } from "../../simulator/sequencer/clock.ts";
import { type Recovered, recover } from "../../simulator/sequencer/recover.ts";
import { Venue } from "../../simulator/sequencer/venue.ts";
import { tables } from "../../simulator/store/migrations/0001-tables.ts";
import { views } from "../../simulator/store/migrations/0002-views.ts";
import { openJournal } from "../../simulator/store/open-journal.ts";
import { contentOf, tamper, useScratch } from "../../simulator/store/testing/scratch.ts";
import { sampled } from "../../tools/sampled.ts";
import { workersFor } from "./disk.ts";
import { startHere } from "./testing/in-process.ts";
import { emptyMemory, work } from "./workload.ts";

const scratch = useScratch();
const venues: Venue[] = [];

afterEach(() => {
  for (const venue of venues.splice(0)) venue.close();
});

function venueOn(file: string, world: World, snapshotEvery: number): Venue {
  const clock = new MarketClock("manual", world.startAt);
  const venue = new Venue({
    world,
    clock,
    engineVersion: "test",
    opening: [],
    openJournal: () => openJournal({ file, world, now: world.startAt, engineVersion: "test" }),
    makeSchedule: () => ({ nextAt: () => null, commandsAt: () => [] }),
    maintain: () => false,
    onStopped: ({ stack }) => {
      throw new Error(stack);
    },
    onNotice: () => undefined,
    snapshotEvery,
  });
  venues.push(venue);
  return venue;
}

function recoverFrom(file: string, world: World): Recovered {
  const journal = openJournal({
    file,
    world,
    now: world.startAt,
    engineVersion: "test",
    onWarning: () => undefined,
  });
  const recovered = recover(journal, world);
  journal.close();
  return recovered;
}

describe("snapshot and tail against the journal alone", () => {
  it.each(sampled(3, [1, 2, 3, 4, 5, 6, 7, 8]))(
    "of random run %i give the same state and the same hashes",
    async (seed) => {
      const { spec, steps } = recordScript(seed, 250);
      const world = worldOf(spec);
      const file = path.join(scratch(), "venue.db");
      const venue = venueOn(file, world, 60);
      for (const { wait, command } of steps) {
        await venue.advanceTo(venue.clock.now() + wait);
        await venue.submit(command);
        // A snapshot is written when nothing waits.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const expected = { state: stateHash(venue.state), chain: venue.hash, seq: venue.state.seq };
      venue.close();
      // The snapshot of the orderly stop is removed: the remaining one is older than the end.
      tamper(file, "DELETE FROM snapshot WHERE seq = (SELECT max(seq) FROM journal)");
      const short = recoverFrom(file, world);
      expect(short.replayed).toBeGreaterThan(0);
      expect(short.replayed).toBeLessThan(expected.seq);
      tamper(file, "DELETE FROM snapshot");
      const long = recoverFrom(file, world);
      expect(long.replayed).toBe(expected.seq);
      for (const { state, hash } of [short, long]) {
        expect({ state: stateHash(state), chain: hash, seq: state.seq }).toEqual(expected);
      }
    },
  );
});

/** The snapshots of schema 2, as text. Schema 3 keeps bytes. */
const asSchema2 = `
  DROP VIEW orders;
  ${views.slice(0, views.indexOf(";"))};
  DROP TABLE snapshot;
  ${tables.slice(tables.indexOf("CREATE TABLE snapshot"))}
  INSERT INTO snapshot SELECT seq, hash, 'test', zeroblob(32), '{"version":1}' FROM journal ORDER BY seq DESC LIMIT 2;
  PRAGMA user_version = 2;`;

it("a file with snapshots of the previous format opens by replay of its journal, and gets new ones", async () => {
  const { spec, steps } = recordScript(9, 60);
  const world = worldOf(spec);
  const file = path.join(scratch(), "venue.db");
  const before = venueOn(file, world, 1000);
  for (const { command } of steps) await before.submit(command);
  const expected = stateHash(before.state);
  const { seq } = before.state;
  before.close();
  tamper(file, asSchema2);

  const again = venueOn(file, world, 1000);
  expect(stateHash(again.state)).toBe(expected);
  again.close();
  const { state, replayed, passedOver } = recoverFrom(file, world);
  expect({ hash: stateHash(state), seq: state.seq }).toEqual({ hash: expected, seq });
  expect({ replayed, passedOver }).toEqual({ replayed: 0, passedOver: null });
});

describe("an entry that was edited", () => {
  async function worked(): Promise<{ readonly db: string; readonly seq: number }> {
    const db = path.join(scratch(), "venue.db");
    const { simulator } = await startHere(db);
    const memory = emptyMemory();
    const workers = workersFor(simulator, new Random(5));
    for (const worker of workers) {
      await work(worker, memory, 15);
      worker.client.close();
    }
    await simulator.close();
    tamper(db, "DELETE FROM snapshot");
    return { db, seq: 20 };
  }

  it.each([
    [
      "another quantity",
      (seq: number) =>
        `UPDATE journal SET command = replace(command, '"0.0', '"0.1') WHERE seq >= ${seq} AND command LIKE '%"0.0%'`,
    ],
    ["another time", (seq: number) => `UPDATE journal SET elapsed = elapsed + 1 WHERE seq = ${seq}`],
    ["another hash", (seq: number) => `UPDATE journal SET hash = zeroblob(16) WHERE seq = ${seq}`],
  ])("(%s) is refused by number, and nothing is written", async (_, edit) => {
    const { db, seq } = await worked();
    tamper(db, edit(seq));
    const before = contentOf(db);
    const refusal = await startHere(db).then(
      async ({ simulator }) => {
        await simulator.close();
        return "it started";
      },
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    expect(refusal).toMatch(
      /^The journal does not reproduce itself: entry (?:2[0-9]|[3-9][0-9]) was recorded with hash/,
    );
    expect(contentOf(db)[0]).toEqual(before[0]);
    // It is closed again, so that a restored copy can start at once.
    tamper(db, "SELECT 1");
  });
});
