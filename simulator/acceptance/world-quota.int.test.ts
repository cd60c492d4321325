/** What one world may use of a process that many share. `main` has no bounds. */
import { expect, test } from "vitest";
import { PostgresServer, postgresPrograms, withoutPostgres } from "../store/testing/postgres-server.ts";
import { Client, type JsonObject, listIn, type Reply } from "../testing/client.ts";
import { limitBuy, startVenue, type Venue, withVenue } from "../testing/venue.ts";

async function traderIn(venue: Venue, world: string, clock = "real"): Promise<Client> {
  const made = await venue.control("/worlds", { name: world, clock });
  const key = listIn(made["keys"]).find(({ name }) => name === "trader") as JsonObject;
  return new Client(venue.baseUrl, { keyId: String(key["keyId"]), secret: String(key["secret"]) });
}

test("a world takes orders until its journal has the entries of its quota, and its market stands still then", async () => {
  await withVenue({ worldQuota: { entries: 60 } }, async (venue) => {
    const trader = await traderIn(venue, "ci", "manual");
    const replies: Reply[] = [];
    while (replies.at(-1)?.status !== 503 && replies.length < 100)
      replies.push(await trader.place(limitBuy()));
    expect(replies.at(-1)).toMatchObject({ status: 503, body: { code: "NOT_READY" } });
    expect(replies.at(-1)?.text).toMatch(/as many entries as its quota allows.*Delete the world/);
    expect((await trader.get("/order/open")).list).toHaveLength(replies.length - 1);
    const entries = async (): Promise<unknown> =>
      (await venue.control("/worlds/ci/state-hash", {}, "GET"))["seq"];
    // What the orders themselves still cause.
    await venue.control("/worlds/ci/clock", { advanceMs: 10_000 });
    const before = await entries();
    expect(before).toBeGreaterThanOrEqual(60);
    await venue.control("/worlds/ci/clock", { advanceMs: 600_000 });
    // The move itself. The market alone would have made 180.
    expect(Number(await entries()) - Number(before)).toBeLessThanOrEqual(5);
    expect((await venue.trader.place(limitBuy())).status).toBe(200);
  });
});

test("a world answers so many requests a second, whoever of its keys sends them", async () => {
  await withVenue({ worldQuota: { requestsPerSecond: 2 } }, async (venue) => {
    const trader = await traderIn(venue, "busy");
    let refused: Reply | undefined;
    // On a very slow machine a wave may be within the rate.
    for (let wave = 0; refused === undefined && wave < 20; wave += 1) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => trader.get("/order/open")));
      refused = replies.find(({ status }) => status === 429);
    }
    expect(refused?.text).toMatch(/This world may get 2 requests a second, of all its keys together/);
    expect(refused?.headers["retry-after"]).toMatch(/^\d+$/);
    const ofMain = await Promise.all(Array.from({ length: 20 }, () => venue.trader.get("/order/open")));
    expect(ofMain.map(({ status }) => status)).toEqual(ofMain.map(() => 200));
  });
});

test.skipIf(postgresPrograms === null)(
  "a world that nobody uses is deleted" + (postgresPrograms === null ? `. ${withoutPostgres}` : ""),
  async () => {
    const server = await PostgresServer.start();
    const store = { url: server.url, node: "one", leaseMs: 600 };
    const start = (unusedDays?: number) =>
      startVenue({ store, ...(unusedDays === undefined ? {} : { worldQuota: { unusedDays } }) });
    try {
      const first = await start();
      for (const world of ["old", "new", "killed"]) await traderIn(first, world);
      await first.close();
      await server.ask(
        "UPDATE gatewright.world SET used_at = used_at - interval '8 days' WHERE name IN ('old', 'main', 'killed')",
      );
      // It was in use for longer than that, and its node was killed an hour ago.
      await server.ask(
        "INSERT INTO gatewright.node VALUES ('dead', NULL, clock_timestamp() - interval '1 hour')",
      );
      await server.ask("UPDATE gatewright.world SET owner = 'dead' WHERE name = 'killed'");
      const second = await start(7);
      const left = async () =>
        (await server.ask("SELECT name FROM gatewright.world ORDER BY 1")).map(({ name }) => name);
      await expect.poll(left).toEqual(["killed", "main", "new"]);
      await second.close();
    } finally {
      await server.remove();
    }
  },
);
