/** What both adapters of the journal promise, and what only PostgreSQL can break. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NonceRecord } from "../domain/account.ts";
import type { JournalReader, JournalWriter, SnapshotRow, VenueHeader } from "../sequencer/ports.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { PostgresJournal } from "./postgres/journal.ts";
import { addWorld, type StoredWorld } from "./postgres/lease.ts";
import { type ServerOptions, StoreServer } from "./postgres/server.ts";
import { PostgresServer, postgresPrograms, withoutPostgres } from "./testing/postgres-server.ts";
import { openSample, sampleEntry, start } from "./testing/sample.ts";
import { useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
let server: PostgresServer;
let worlds = 0;

beforeAll(async () => {
  if (!isMissing) server = await PostgresServer.start();
});
afterAll(() => server?.remove());

interface Opened {
  readonly writer: JournalWriter;
  read(): Promise<JournalReader>;
  nonces(): Promise<readonly NonceRecord[]>;
  saveSnapshot(snapshot: SnapshotRow): Promise<void>;
  close(): Promise<void>;
}

/** Makes a place for one journal; each call of what it returns opens that journal again. */
type Adapter = () => () => Promise<Opened>;

const header: VenueHeader = {
  world: "{}",
  worldDigest: "0".repeat(64),
  seed: 1,
  engineVersion: "test",
  epoch: 0,
  createdAt: start,
};

/** A world of its own, in a schema of its own. */
interface Place {
  readonly world: StoredWorld;
  readonly url: string;
  readonly schema: string;
}

function nextPlace(): Place {
  worlds += 1;
  return {
    world: { name: `world ${worlds}`, header, file: "{}" },
    url: server.url,
    schema: `place_${worlds}`,
  };
}

interface Opening extends Place, Omit<ServerOptions, "node"> {
  readonly node?: string;
}

/** As a node opens it; closing it ends the node, and what it left says so, unless it is killed. */
async function opened({ world, node = "one", ...options }: Opening) {
  const at = await StoreServer.connect({ ...options, node });
  try {
    await addWorld(at, world);
    const journal = await PostgresJournal.take(at, world);
    return Object.assign(journal, { at });
  } catch (error) {
    await at.close();
    throw error;
  }
}
type OpenedJournal = Awaited<ReturnType<typeof opened>>;

const sqlite: Adapter = () => {
  const file = `${scratch()}/v.db`;
  return async () => {
    const journal = openSample(file);
    return {
      writer: journal,
      read: async () => journal,
      nonces: async () => [...journal.nonces.load()].map(({ id: _, ...nonce }) => nonce),
      saveSnapshot: async (snapshot) => journal.saveSnapshot(snapshot),
      close: async () => journal.close(),
    };
  };
};

const postgres: Adapter = () => {
  const place = nextPlace();
  return async () => {
    const journal = await opened(place);
    return {
      writer: journal,
      read: () => journal.read(),
      nonces: () => journal.nonces(),
      saveSnapshot: (snapshot) => journal.saveSnapshot(snapshot),
      close: () => journal.at.close(),
    };
  };
};

const nonce = (count: number): NonceRecord => ({
  key: 0,
  nonce: String(count).padStart(32, "0"),
  timestamp: start + count,
  receivedAt: start + count,
});

/** Commits the entries `from` to `to`, each with a nonce. */
async function store(writer: JournalWriter, from: number, to: number): Promise<void> {
  writer.begin();
  for (let seq = from; seq <= to; seq++) {
    writer.appendNonce(nonce(seq));
    writer.append(sampleEntry(seq), [], []);
  }
  await writer.commit();
}

const seqsOf = async (opened: Opened, after = 0): Promise<number[]> =>
  [...(await opened.read()).entriesAfter(after)].map(({ seq }) => seq);

const isMissing = postgresPrograms === null;
const inPostgres = isMissing ? `PostgreSQL. ${withoutPostgres}` : "PostgreSQL";
const adapters: readonly (readonly [name: string, adapter: Adapter, isSkipped: boolean])[] = [
  ["SQLite", sqlite, false],
  [inPostgres, postgres, isMissing],
];

describe.each(adapters)("a journal in %s", (_, adapter, isSkipped) => {
  test.skipIf(isSkipped)("gives back entries and nonces as they were", async () => {
    const open = adapter();
    const first = await open();
    await store(first.writer, 1, 3);
    await store(first.writer, 4, 4);
    await first.close();
    const again = await open();
    expect([...(await again.read()).entriesAfter(0)]).toEqual([1, 2, 3, 4].map(sampleEntry));
    expect(await seqsOf(again, 2)).toEqual([3, 4]);
    expect(await again.nonces()).toEqual([1, 2, 3, 4].map(nonce));
    await again.close();
  });

  test.skipIf(isSkipped)("has nothing of a batch that was rolled back or never committed", async () => {
    const open = adapter();
    const first = await open();
    await store(first.writer, 1, 1);
    first.writer.begin();
    first.writer.append(sampleEntry(2), [], []);
    first.writer.rollback();
    first.writer.begin();
    first.writer.append(sampleEntry(2), [], []);
    await first.close();
    const again = await open();
    expect(await seqsOf(again)).toEqual([1]);
    await again.close();
  });

  test.skipIf(isSkipped)("commits nonces alone, and an empty batch", async () => {
    const open = adapter();
    const first = await open();
    first.writer.begin();
    await first.writer.commit();
    first.writer.begin();
    first.writer.appendNonce(nonce(1));
    await first.writer.commit();
    await first.close();
    const again = await open();
    expect([await seqsOf(again), await again.nonces()]).toEqual([[], [nonce(1)]]);
    await again.close();
  });

  test.skipIf(isSkipped)("takes no entry that does not follow, and no write outside a batch", async () => {
    const opened = await adapter()();
    const { writer } = opened;
    expect(() => writer.append(sampleEntry(1), [], [])).toThrow("a write stands outside a batch");
    writer.begin();
    expect(() => writer.append(sampleEntry(2), [], [])).toThrow("entry 2 cannot follow entry 0");
    expect(() => writer.begin()).toThrow("a batch begins inside another batch");
    writer.rollback();
    await opened.close();
  });

  test.skipIf(isSkipped)("gives back the newest snapshot", async () => {
    const open = adapter();
    const first = await open();
    await store(first.writer, 1, 3);
    for (const seq of [1, 3]) {
      const { hash } = sampleEntry(seq);
      await first.saveSnapshot({ seq, hash, engineVersion: "test", body: Buffer.from(`state ${seq}`) });
    }
    await first.close();
    const again = await open();
    expect((await again.read()).latestSnapshot()).toMatchObject({ seq: 3, body: Buffer.from("state 3") });
    await again.close();
  });
});

/** The failure that a promise is rejected with. */
async function failureOf(run: () => unknown): Promise<StoreFailure> {
  try {
    await run();
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

describe.skipIf(isMissing)(`many machines in ${inPostgres}`, () => {
  const leaseMs = 50;

  async function seenWaiting(event: string): Promise<void> {
    const seen = "SELECT FROM pg_stat_activity WHERE $1 IN (wait_event, wait_event_type)";
    await expect.poll(async () => (await server.ask(seen, [event])).length, { interval: 10 }).toBe(1);
  }

  const endSessionsOf = (node: string): Promise<object[]> =>
    server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
      `gatewright ${node}`,
    ]);

  /** Holds the row of a world for a moment, so that what writes it waits. */
  const blocking = ({ schema, world }: Place, seconds: number): Promise<object[]> =>
    server.ask(
      `WITH held AS (SELECT name FROM ${schema}.world WHERE name = $1 FOR UPDATE) SELECT pg_sleep($2) FROM held`,
      [world.name, seconds],
    );

  async function takenOver(place: Place): Promise<OpenedJournal> {
    for (;;) {
      try {
        return await opened({ ...place, node: "two", leaseMs });
      } catch (error) {
        if (!(error instanceof StoreFailure) || error.kind !== "busy") throw error;
      }
    }
  }

  const seqsIn = async (journal: PostgresJournal): Promise<number[]> =>
    [...(await journal.read()).entriesAfter(0)].map(({ seq }) => seq);

  test("a world has one owner, as long as its node gives signs of life", async () => {
    const place = nextPlace();
    const one = await opened({ ...place, leaseMs: 60_000 });
    const failure = await failureOf(() => opened({ ...place, node: "two" }));
    expect([failure.kind, failure.message]).toEqual([
      "busy",
      `The node one holds the world ${place.world.name}.`,
    ]);
    const { name } = place.world;
    expect(await one.at.live()).toEqual(new Map([[name, { name, epoch: one.epoch, isFollowed: false }]]));
    await one.at.close();
    const two = await opened({ ...place, node: "two" });
    await two.at.close();
  });

  test("an owner that was paused writes nothing after another took over, and has lost the world", async () => {
    const place = nextPlace();
    const one = await opened({ ...place, leaseMs });
    await store(one, 1, 2);
    const two = await takenOver(place);
    await store(two, 3, 3);
    const failure = await failureOf(() => store(one, 3, 4));
    expect([failure.kind, failure.outcome]).toEqual(["fenced", "none"]);
    expect(() => one.begin()).toThrow(failure);
    await store(two, 4, 4);
    expect(await seqsIn(two)).toEqual([1, 2, 3, 4]);
    expect((await two.nonces()).length).toBe(4);
    expect(await one.at.live()).toEqual(new Map());
    await Promise.all([one.at.close(), two.at.close()]);
  });

  test("an owner that was paused writes nothing even where the next one has written nothing", async () => {
    const place = nextPlace();
    const one = await opened({ ...place, leaseMs });
    await store(one, 1, 2);
    const two = await takenOver(place);
    expect((await failureOf(() => store(one, 3, 3))).kind).toBe("fenced");
    await store(two, 3, 3);
    await Promise.all([one.at.close(), two.at.close()]);
  });

  test("two snapshots are kept, and a damaged one is passed over", async () => {
    const owner = await opened(nextPlace());
    await store(owner, 1, 3);
    for (const seq of [1, 2, 3, 3]) {
      const { hash } = sampleEntry(seq);
      await owner.saveSnapshot({ seq, hash, engineVersion: "test", body: Buffer.from(`state ${seq}`) });
    }
    const { rows } = await owner.at.ask<{ seq: string }>("SELECT seq FROM snapshot ORDER BY seq", []);
    expect(rows.map(({ seq }) => Number(seq))).toEqual([2, 3]);
    await owner.at.ask("UPDATE snapshot SET body = 'damaged' WHERE seq = 3", []);
    expect((await owner.read()).latestSnapshot()).toMatchObject({ seq: 2, body: Buffer.from("state 2") });
    await owner.at.close();
  });

  test("a fenced owner keeps no snapshot, releases nothing and deletes nothing", async () => {
    const place = nextPlace();
    const [one, other] = [await opened({ ...place, leaseMs }), await opened({ ...place, leaseMs })];
    await store(other, 1, 1);
    const two = await takenOver(place);
    const snapshot = { seq: 1, hash: sampleEntry(1).hash, engineVersion: "test", body: Buffer.from("state") };
    expect((await failureOf(() => other.saveSnapshot(snapshot))).kind).toBe("fenced");
    expect((await failureOf(() => one.delete())).kind).toBe("fenced");
    expect((await two.read()).latestSnapshot()).toBe(null);
    await store(two, 2, 2);
    await Promise.all([one, other, two].map((journal) => journal.at.close()));
  });

  test("a world that was deleted is gone with everything in it", async () => {
    const place = nextPlace();
    const one = await opened(place);
    await store(one, 1, 2);
    await one.delete();
    const again = await opened(place);
    expect([await seqsIn(again), await again.nonces()]).toEqual([[], []]);
    await Promise.all([one.at.close(), again.at.close()]);
  });

  test("a session that the server ends during a commit is of no further use; one between two commits is replaced", async () => {
    const place = nextPlace();
    const journal = await opened({ ...place, node: "ended" });
    await store(journal, 1, 1);
    await endSessionsOf("ended");
    await store(journal, 2, 2);
    const blocked = blocking(place, 1);
    await seenWaiting("PgSleep");
    const failed = failureOf(() => store(journal, 3, 3));
    await seenWaiting("Lock");
    await endSessionsOf("ended");
    expect([(await failed).kind, (await failed).outcome]).toEqual(["io", "unknown"]);
    expect(() => journal.begin()).toThrow(StoreFailure);
    await blocked;
    await journal.at.close();
  });

  test("an answer that does not come has an unknown outcome; the batch is there or not, never in part", async () => {
    const place = nextPlace();
    const journal = await opened({ ...place, node: "cut", leaseMs, answerMs: 300 });
    await store(journal, 1, 1);
    const blocked = blocking(place, 1.5);
    await seenWaiting("PgSleep");
    const failure = await failureOf(() => store(journal, 2, 4));
    expect([failure.kind, failure.outcome]).toEqual(["io", "unknown"]);
    await blocked;
    const two = await takenOver(place);
    const seqs = await seqsIn(two);
    expect([[1], [1, 2, 3, 4]]).toContainEqual(seqs);
    expect((await two.nonces()).length).toBe(seqs.length);
    await Promise.all([two.at.close(), journal.at.close()]);
  });

  test("a commit that no standby has confirmed, and that is given up, has an unknown outcome", async () => {
    const journal = await opened({ ...nextPlace(), node: "waiting" });
    await server.ask("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await server.ask("SELECT pg_reload_conf()");
    await new Promise((done) => setTimeout(done, 300));
    const failed = failureOf(() => store(journal, 1, 1));
    for (let cancelled = false; !cancelled; ) {
      const rows = await server.ask(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatewright waiting' AND wait_event = 'SyncRep'",
      );
      cancelled = rows.length > 0;
    }
    await server.ask("ALTER SYSTEM RESET synchronous_standby_names");
    await server.ask("SELECT pg_reload_conf()");
    expect((await failed).outcome).toBe("unknown");
    await journal.at.close();
  });

  test("a server that acknowledges before it has flushed is refused, unless that was asked for", async () => {
    const place = nextPlace();
    const url = `${place.url}?options=-c%20synchronous_commit%3Doff`;
    const failure = await failureOf(() => opened({ ...place, url }));
    expect(failure.message).toMatch("synchronous_commit=off");
    const open = await opened({ ...place, url, allowAsynchronousCommit: true });
    await open.at.close();
  });

  test("a head that the entries do not reach is a gap, and is refused", async () => {
    const place = nextPlace();
    const journal = await opened(place);
    await store(journal, 1, 3);
    await server.ask(`DELETE FROM ${place.schema}.journal WHERE seq = 3`);
    expect((await failureOf(() => journal.read())).kind).toBe("gap");
    await journal.at.close();
  });

  test("a server that crashes and comes back has what was acknowledged", async () => {
    const place = nextPlace();
    const journal = await opened(place);
    await store(journal, 1, 5);
    await server.stop("SIGQUIT");
    expect((await failureOf(() => store(journal, 6, 6))).kind).toBe("io");
    await server.run();
    await journal.at.close();
    const again = await opened(place);
    expect(await seqsIn(again)).toEqual([1, 2, 3, 4, 5]);
    await again.at.close();
  });
});
