/** Nonces are forgotten as fast as they come, so that neither the file nor the start grows. */
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { openJournal } from "../../simulator/store/open-journal.ts";
import { useScratch } from "../../simulator/store/testing/scratch.ts";
import { startVenue, type Venue } from "../../simulator/testing/venue.ts";
import { quietWorld } from "../../simulator/testing/worlds.ts";
import { engineVersion } from "../../simulator/version.ts";
import { loadWorldValue } from "../../simulator/world/load-world.ts";
import { onCopy } from "./books.ts";

const many = 12_000;

const scratch = useScratch();
const open: Venue[] = [];
afterEach(async () => {
  for (const venue of open.splice(0)) await venue.close();
});

const nonceOf = (n: number): string => n.toString(16).padStart(32, "0");
const rowsIn = (db: string): number =>
  onCopy(db, (file) => file.prepare<[], number>("SELECT count(*) FROM nonce").pluck().get() ?? 0);

async function start(db: string): Promise<Venue> {
  const venue = await startVenue({ db });
  open.push(venue);
  return venue;
}

/** A closed venue that has heard many requests, this long ago. */
async function heardMany(ageMs: number): Promise<string> {
  const db = path.join(scratch(), "venue.db");
  const first = await startVenue({ db });
  await first.close();
  const loaded = await loadWorldValue(quietWorld(), { clock: "manual" });
  if (!loaded.ok) throw new Error("the world cannot be read");
  const { world } = loaded.value;
  const journal = openJournal({ file: db, world, now: world.startAt, engineVersion: engineVersion });
  const time = Date.now() - ageMs;
  journal.begin();
  for (let n = 1; n <= many; n++)
    journal.appendNonce({ key: n % 3, nonce: nonceOf(n), timestamp: time, receivedAt: time });
  journal.commit();
  journal.close();
  return db;
}

it("a start forgets what has expired before it reads the rest", async () => {
  const db = await heardMany(3_600_000);
  const venue = await start(db);
  expect((await venue.trader.get("/wallet")).status).toBe(200);
  await venue.close();
  expect(rowsIn(db)).toBeLessThan(10);
});

it("a start keeps what has not", async () => {
  const db = await heardMany(0);
  const venue = await start(db);
  await venue.close();
  expect(rowsIn(db)).toBeGreaterThanOrEqual(many);
});
