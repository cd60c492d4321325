/** Starts that cannot be made: one sentence, exit code 2, and not a byte of the database changed. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../bin/gatewright.ts";
import { startSimulator } from "../../simulator/index.ts";
import { contentOf, tamper, useScratch } from "../../simulator/store/testing/scratch.ts";
import { onCopy } from "./books.ts";
import { launcherPath } from "./checkout.ts";
import { type Ended, killAllVenues, launch, startVenue } from "./served-venue.ts";
import { useBuild } from "./testing/built.ts";

useBuild();
const scratch = useScratch();
let server: Server | null = null;

afterEach(async () => {
  killAllVenues();
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  server = null;
});

async function takenPort(): Promise<string> {
  const taken = createServer();
  server = taken;
  await new Promise<void>((resolve) => taken.listen({ host: "127.0.0.1", port: 0 }, resolve));
  const address = taken.address();
  return String(typeof address === "object" ? address?.port : "");
}

/** A database that was used and closed. */
async function usedDatabase(): Promise<string> {
  const db = path.join(scratch(), "venue.db");
  const venue = await startSimulator({ db, port: 0 });
  await venue.close();
  return db;
}

type Refused = Pick<Ended, "code" | "stdout" | "stderr">;

/** As a user starts it. */
const refused = (db: string, more: { flags?: readonly string[]; user?: number } = {}): Promise<Refused> =>
  launch({ db, ...more }).ended;

/** The same command in this process. */
async function refusedHere(db: string, flags: readonly string[] = []): Promise<Refused> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      said[name] += String(chunk);
      return true;
    }),
  );
  try {
    const command = ["node", "gatewright", "serve", "--json", "--port", "0", ...flags, "--db", db];
    return { code: await main(command, "0.0.0"), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function expectSentence({ code, stdout, stderr }: Refused, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr).toMatch(/^gatewright: [^\n]+\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
}

describe("a port in use", () => {
  it("makes no database", async () => {
    const db = path.join(scratch(), "venue.db");
    const port = await takenPort();
    expectSentence(
      await refused(db, { flags: ["--port", port] }),
      /^gatewright: Port [0-9]+ on 127\.0\.0\.1 is in use/,
    );
    expect(readdirSync(path.dirname(db))).toEqual([]);
  });

  it("leaves an existing database as it is", async () => {
    const db = await usedDatabase();
    const before = contentOf(db);
    const port = await takenPort();
    expectSentence(
      await refusedHere(db, ["--port", port]),
      /is in use\. Stop the program that listens there/,
    );
    expect(contentOf(db)).toEqual(before);
  });
});

describe("a database that cannot be used", () => {
  it("because another venue has it: the other one goes on", async () => {
    const db = path.join(scratch(), "venue.db");
    const started = performance.now();
    const first = await startVenue({ db });
    const began = performance.now();
    expectSentence(await refused(db), /is in use by another process/);
    // One that waited for the lock would take 5 s longer than a start.
    expect(performance.now() - began).toBeLessThan(began - started + 4_500);
    expect((await first.stop()).code).toBe(0);
  });

  it("because a newer version wrote it", async () => {
    const db = await usedDatabase();
    tamper(db, "PRAGMA user_version = 99");
    const before = contentOf(db);
    expectSentence(
      await refusedHere(db),
      /has schema version 99, and this program knows versions up to [0-9]+\./,
    );
    expect(contentOf(db)).toEqual(before);
  });

  it("because it is damaged", async () => {
    const db = await usedDatabase();
    // In a table that a start does not read: only the check of the whole file finds it.
    const page = onCopy(db, (file) =>
      file.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'posting'").pluck().get(),
    );
    const bytes = readFileSync(db);
    const start = ((page ?? 1) - 1) * 4096;
    bytes.fill(0xa5, start, start + 100);
    writeFileSync(db, bytes);
    const before = contentOf(db);
    expectSentence(await refusedHere(db), /is damaged/);
    expect(contentOf(db)).toEqual(before);
  });

  it("because it is something else", async () => {
    const db = path.join(scratch(), "venue.db");
    writeFileSync(db, "This is a letter, not a database. ".repeat(40));
    const before = contentOf(db);
    expectSentence(await refusedHere(db), /is not an SQLite database/);
    expect(contentOf(db)).toEqual(before);
  });
});

describe("a world that cannot be read", () => {
  it("is named with its place, and no database is made", async () => {
    const folder = scratch();
    const world = path.join(folder, "world.yaml");
    writeFileSync(world, "extends: demo\nsede: 1\n");
    const { code, stderr, stdout } = await refusedHere(path.join(folder, "venue.db"), ["--world", world]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${world}:2:1`);
    expect(readdirSync(folder)).toEqual(["world.yaml"]);
  });

  it("because it is not there is one sentence", async () => {
    const folder = scratch();
    const flags = ["--world", path.join(folder, "none.yaml")];
    expectSentence(
      await refusedHere(path.join(folder, "venue.db"), flags),
      /none\.yaml cannot be read: there is no such file/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

// Root may write anywhere, so the process runs as the user `nobody`, which must be able to read the checkout.
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const asNobody = isRoot ? { user: nobody } : {};
let mayRun = !isRoot;

beforeAll(() => {
  const read = `require("node:fs").readFileSync(${JSON.stringify(launcherPath)})`;
  if (isRoot) mayRun = spawnSync(process.execPath, ["-e", read], { uid: nobody, gid: nobody }).status === 0;
});

describe("a file without permission to write", () => {
  it("a folder: nothing appears in it", async ({ skip }) => {
    skip(!mayRun, "nobody may not read this checkout");
    const folder = path.join(scratch(), "locked");
    chmodSync(path.dirname(folder), 0o755);
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    const ended = await refused(path.join(folder, "venue.db"), asNobody);
    expectSentence(
      ended,
      /^gatewright: The folder .*locked cannot be written to: permission is denied\. Make the file and its folder/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a database: it stays as it is", async ({ skip }) => {
    skip(!mayRun, "nobody may not read this checkout");
    const db = await usedDatabase();
    chmodSync(path.dirname(db), 0o777);
    chmodSync(db, 0o444);
    const before = contentOf(db);
    expectSentence(
      await refused(db, asNobody),
      /^gatewright: The database .*venue\.db cannot be written to: permission is denied/,
    );
    expect(contentOf(db)).toEqual(before);
    expect(existsSync(`${db}-shm`)).toBe(false);
  });
});
