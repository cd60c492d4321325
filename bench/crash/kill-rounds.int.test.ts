/** SIGKILL under load, again and again, over one database: nothing acknowledged is lost. `npm run crash` goes on longer. */
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { startSimulator } from "../../simulator/index.ts";
import type { Sqlite } from "../../simulator/store/driver.ts";
import {
  PostgresServer,
  postgresPrograms,
  withoutPostgres,
} from "../../simulator/store/testing/postgres-server.ts";
import { useScratch } from "../../simulator/store/testing/scratch.ts";
import { sampled, triesAll } from "../../tools/sampled.ts";
import { problemsInBooks } from "./books.ts";
import { History } from "./history.ts";
import { killRounds } from "./rounds.ts";
import { killAllVenues } from "./served-venue.ts";
import { inStoredBooks } from "./store-books.ts";
import { useBuild } from "./testing/built.ts";
import type { Fault } from "./two-nodes.ts";

/** The first also kills a start, and the second kills a venue that recovered. */
const rounds = triesAll ? 5 : 2;

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
    it.each<[Fault, number]>(
      sampled(3, [
        ["kill", triesAll ? 2 : 1],
        ["pause", 1],
        ["cut", 5],
      ]),
    )("lose nothing in rounds of %s", async (fault, rounds) => {
      const server = await PostgresServer.start();
      const figures = await killRounds({ rounds, seed: 1, folder: scratch(), nodes: { server, fault } });
      expect(figures.problems).toEqual([]);
      expect(figures.acknowledged).toBeGreaterThan(20);
      expect(figures.noncesRefused).toBeGreaterThan(2);
      expect(figures.replaysRecognised).toBeGreaterThan(20);
      expect(figures.balancesChecked).toBeGreaterThan(2);
    });

    it("are convicted by their books: of an order that was acknowledged, and of a balance that was told", async () => {
      const server = await PostgresServer.start();
      onTestFinished(() => server.remove());
      const venue = await startSimulator({ store: { url: server.url, node: "node 1" } });
      await venue.close();
      const history = new History();
      const order = { id: "none", status: "OPEN", filledQuantity: "0" };
      history.of("trader", "1").attempts.push({ invokedAt: 1, answeredAt: 2, outcome: "new", order });
      const balances = [{ client: "trader", asset: "USD", balance: "1.23" }];
      const judge = (books: Sqlite): string[] => problemsInBooks(books, history, balances);
      expect(await inStoredBooks(server, scratch(), judge)).toEqual([
        "the acknowledged order trader 1 is not in the file",
        "trader was told to have 1.23 USD, and never had",
      ]);
    });
  },
);
