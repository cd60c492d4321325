/** SIGKILL under load, again and again, over one database: nothing acknowledged is lost. `npm run crash` goes on longer. */
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import {
  PostgresServer,
  postgresPrograms,
  withoutPostgres,
} from "../../simulator/store/testing/postgres-server.ts";
import { useScratch } from "../../simulator/store/testing/scratch.ts";
import { triesAll } from "../../tools/sampled.ts";
import { killRounds } from "./rounds.ts";
import { killAllVenues } from "./served-venue.ts";
import { useBuild } from "./testing/built.ts";

/** The third also kills a start. */
const rounds = triesAll ? 5 : 3;

useBuild();
const scratch = useScratch();
afterEach(killAllVenues);

it(`loses nothing in ${rounds} kills, and every open question is answered by asking again`, async () => {
  const figures = await killRounds({ rounds, seed: 20_260_101, folder: scratch() });
  expect(figures.problems).toEqual([]);
  expect(figures.rounds).toBe(rounds);
  // A run in which nothing was at stake proves nothing.
  expect(figures.acknowledged).toBeGreaterThan(10 * rounds);
  expect(figures.unanswered).toBeGreaterThan(rounds);
  expect(figures.noncesRefused).toBeGreaterThan(rounds);
  expect(figures.replaysRecognised).toBeGreaterThan(10 * rounds);
  expect(figures.balancesChecked).toBeGreaterThan(rounds);
  expect(figures.startsKilled).toBeGreaterThan(0);
});

describe.skipIf(postgresPrograms === null)(
  postgresPrograms === null ? `nodes over PostgreSQL. ${withoutPostgres}` : "nodes over PostgreSQL",
  () => {
    it("lose nothing when the one that has the world is killed and another takes it over", async () => {
      const postgres = await PostgresServer.start();
      onTestFinished(() => postgres.remove());
      const figures = await killRounds({ rounds: 2, seed: 1, folder: scratch(), store: postgres.url });
      expect(figures.problems).toEqual([]);
      expect(figures.acknowledged).toBeGreaterThan(20);
      expect(figures.noncesRefused).toBeGreaterThan(2);
      expect(figures.replaysRecognised).toBeGreaterThan(20);
    });
  },
);
