/** Copies of a venue's files, and files that were lost: never a silent empty history, never a request taken twice. */
import { copyFileSync, existsSync, linkSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { InternalOptions } from "../../simulator/internal-options.ts";
import { useScratch } from "../../simulator/store/testing/scratch.ts";
import type { Prepared } from "../../simulator/testing/client.ts";
import { limitBuy, outcomeOf, startVenue, type Venue } from "../../simulator/testing/venue.ts";
import { quietWorld } from "../../simulator/testing/worlds.ts";
import { killAllVenues, startVenue as serve } from "./served-venue.ts";
import { SignedClient } from "./signed-client.ts";
import { useBuild } from "./testing/built.ts";

const orders = 30;

useBuild();
const scratch = useScratch();
const open: Venue[] = [];
afterEach(async () => {
  killAllVenues();
  for (const venue of open.splice(0)) await venue.close();
});

async function start(db: string, more: InternalOptions = {}): Promise<Venue> {
  const venue = await startVenue({ db, ...more });
  open.push(venue);
  return venue;
}

interface Used {
  readonly db: string;
  readonly venue: Venue;
  /** A captured request that was answered 200. */
  readonly captured: Prepared;
}

/** A venue with orders that runs and has nothing to do. */
async function idleVenue(): Promise<Used> {
  const db = path.join(scratch(), "v.db");
  const venue = await start(db);
  for (let order = 0; order < orders; order++) await venue.placed(limitBuy());
  const captured = venue.trader.prepare("GET", "/order/open");
  expect((await venue.trader.send(captured)).status).toBe(200);
  await becomesIdle(db);
  return { db, venue, captured };
}

const logSize = (db: string): number => statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0;

async function becomesIdle(db: string): Promise<void> {
  while (logSize(db) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function copied(db: string, endings: readonly string[]): Promise<string> {
  const copy = path.join(scratch(), "w.db");
  for (const ending of endings) if (existsSync(db + ending)) copyFileSync(db + ending, copy + ending);
  return copy;
}

const ordersOf = async (venue: Venue): Promise<number> =>
  (await venue.trader.get("/order/open", { query: "limit=100" })).list.length;

const sentAgain = async (venue: Venue, captured: Prepared): Promise<string> =>
  outcomeOf(await venue.trader.send(captured));

describe("a venue that has gone idle", () => {
  it("is complete in its database alone, copied while it runs; a start of the copy reports that the mark is missing", async () => {
    const { db, captured } = await idleVenue();
    const copy = await start(await copied(db, [""]));
    expect(copy.notices).toEqual([
      expect.stringMatching(/mark .*w\.db\.mark is missing.*Requests signed until/),
    ]);
    expect(await sentAgain(copy, captured)).toMatch(/^401/);
    expect(await ordersOf(copy)).toBe(orders);
  });

  it("starts completely and without a notice when its empty log is lost", async () => {
    const { db, captured } = await idleVenue();
    const copy = await start(await copied(db, ["", ".mark"]));
    expect(copy.notices).toEqual([]);
    expect(await sentAgain(copy, captured)).toBe("401 NONCE_REUSED");
    expect(await ordersOf(copy)).toBe(orders);
  });

  it("loses only nonces with the log of later reads: they are counted, and the requests refused by their time", async () => {
    const { db, venue } = await idleVenue();
    const copy = path.join(scratch(), "w.db");
    copyFileSync(db, copy);
    const captured = venue.trader.prepare("GET", "/wallet");
    expect((await venue.trader.send(captured)).status).toBe(200);
    copyFileSync(`${db}.mark`, `${copy}.mark`);
    const again = await start(copy);
    expect(again.notices).toEqual([expect.stringContaining("Nonces that were used are missing")]);
    expect(await sentAgain(again, captured)).toMatch(/^401/);
  });

  it("is complete in its database alone after SIGKILL", async () => {
    const db = path.join(scratch(), "v.db");
    const served = await serve({ db, flags: ["--clock", "manual"] });
    const key = served.ready.keys.find(({ name }) => name === "trader");
    if (key === undefined) throw new Error("there is no trader");
    const client = new SignedClient(served.ready, key);
    for (let order = 0; order < 5; order++)
      expect((await client.post("/order", limitBuy())).status).toBe(200);
    client.close();
    await becomesIdle(db);
    await served.kill();
    const again = await serve({ db: await copied(db, [""]), flags: ["--clock", "manual"] });
    const reader = new SignedClient(again.ready, key);
    const { body } = await reader.get("/order/open");
    reader.close();
    expect(body["data"]).toHaveLength(5);
    expect(again.stderr()).toMatch(/^gatewright: The mark .* is missing/);
  });
});

describe("a venue started by a hard link", () => {
  it("is refused under both names, and is itself again when the second one is gone", async () => {
    const { db, venue } = await idleVenue();
    await venue.close();
    const second = path.join(path.dirname(db), "other.db");
    linkSync(db, second);
    for (const name of [second, db]) await expect(start(name)).rejects.toThrow(/has 2 names on this disk/);
    rmSync(second);
    expect(await ordersOf(await start(db))).toBe(orders);
  });
});

describe("a read that is answered while the disk is full", () => {
  it("is not answered again after a crash", async () => {
    const db = path.join(scratch(), "v.db");
    let maxPages: number | undefined = 40;
    const world = quietWorld({ maxOpenOrders: 100_000 });
    const venue = await start(db, { world, retryMs: 30, maxPages: () => maxPages });
    let statuses = [200];
    while (statuses.every((status) => status === 200)) {
      const placed = Array.from({ length: 50 }, () => venue.trader.place(limitBuy()));
      statuses = (await Promise.all(placed)).map(({ status }) => status);
    }
    expect(statuses).toContain(503);
    const captured = venue.trader.prepare("GET", "/wallet");
    expect((await venue.trader.send(captured)).status).toBe(200);
    // The same state as after a crash.
    const crashed = await copied(db, ["", "-wal", ".mark"]);
    maxPages = undefined;
    const again = await start(crashed, { world });
    expect(again.notices).toEqual([expect.stringContaining("Nonces that were used are missing")]);
    expect(await sentAgain(again, captured)).toMatch(/^401/);
    expect((await again.trader.get("/wallet")).status).toBe(200);
  });
});

describe("files that are deleted under a running venue", () => {
  it.each(["", "-wal"])("v.db%s: it stops, says why, and answers nothing more with 200", async (ending) => {
    const { db, venue } = await idleVenue();
    rmSync(db + ending);
    const reply = await venue.trader.place(limitBuy());
    expect([reply.status, reply.code]).toEqual([503, "NOT_READY"]);
    expect((await venue.trader.get("/order/open")).status).toBe(ending === "" ? 503 : 200);
    expect(venue.notices.join(" ")).toMatch(
      new RegExp(`v\\.db${ending} was deleted while the venue of .* was running`),
    );
    if (ending === "")
      expect(venue.notices.at(-1)).toMatch(/is gone, and its venue was running.*gatewright reset --db/);
  });
});
