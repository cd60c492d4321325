/** `checkVenue` finds every edit that a start does not look for, and writes nothing. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkVenue, type VenueCheck } from "../index.ts";
import { contentOf, tamper } from "../store/testing/scratch.ts";
import { limitBuy, limitSell, startVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

let folder = "";
let original = "";
let db = "";

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-check-"));
  original = path.join(folder, "original.db");
  const venue = await startVenue({ db: original });
  await venue.placed(limitSell({ price: "60000", base_quantity: "0.4" }), "counterparty");
  await venue.settle();
  for (let order = 0; order < 5; order++) await venue.placed(limitBuy({ price: "60000" }));
  await venue.settle();
  await venue.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  db = path.join(mkdtempSync(path.join(folder, "copy-")), "v.db");
  for (const ending of ["", ".mark"]) copyFileSync(original + ending, db + ending);
});

const check = (file = db): Promise<VenueCheck> => checkVenue({ db: file, world: quietWorld() });

test("a venue that was closed is intact, and unchanged to the byte", async () => {
  const before = contentOf(db);
  const names = readdirSync(path.dirname(db));
  expect(await check()).toMatchObject({ whole: true, snapshots: 1, mark: "valid", problems: [] });
  expect(contentOf(db)).toEqual(before);
  expect(readdirSync(path.dirname(db))).toEqual(names);
});

describe("an edit that a start takes", () => {
  test.each<[string, string, number | null, RegExp]>([
    [
      "a command behind a snapshot",
      "UPDATE journal SET command = replace(command, '0.4', '0.3') WHERE seq = 1",
      1,
      /entry 1 was recorded with hash [0-9a-f]{32} and replays to/,
    ],
    [
      "a command that is none",
      "UPDATE journal SET command = '{' WHERE seq = 3",
      3,
      /entry 3 .* replays to an error/,
    ],
    ["a time", "UPDATE journal SET elapsed = elapsed + 1 WHERE seq = 2", 2, /entry 2 was recorded/],
    ["a fill", "UPDATE fill SET price = price + 1 WHERE trade = 2", null, /table fill differs/],
    [
      "a fill too many",
      "INSERT INTO fill SELECT trade + 100, seq, product, price, quantity, taker_buys, taker, maker, 0, 0, 0, 0 FROM fill LIMIT 1",
      null,
      /table fill .* ends with rows that no entry gives/,
    ],
    ["a posting gone", "DELETE FROM posting WHERE id = 2", null, /table posting differs/],
    [
      "a status",
      "UPDATE status_change SET reason = 'because' WHERE id = 1",
      null,
      /table status_change differs/,
    ],
    ["a balance at the beginning", "UPDATE opening_balance SET amount = 7", null, /table opening_balance/],
    ["a name", "UPDATE client SET name = 'mallory' WHERE number = 0", null, /table client does not hold/],
    [
      "a byte of a snapshot",
      "UPDATE snapshot SET checksum = zeroblob(32)",
      null,
      /snapshot of entry [0-9]+ .* is damaged/,
    ],
    ["a nonce of nobody", "UPDATE nonce SET key = 999 WHERE id = 1", null, /table nonce are of no key/],
    ["nonces gone", "DELETE FROM nonce", null, /Nonces are missing/],
  ])("%s", async (_name, sql, entry, sentence) => {
    tamper(db, sql);
    const before = contentOf(db);
    const { whole, problems } = await check();
    expect(whole).toBe(false);
    expect(problems.map((problem) => problem.sentence).join("\n")).toMatch(sentence);
    if (entry !== null) expect(problems[0]?.entry).toBe(entry);
    expect(contentOf(db)).toEqual(before);
  });

  test("a planted trigger, an entry too few", async () => {
    tamper(db, "DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)");
    expect((await check()).problems.map(({ sentence }) => sentence)).toEqual(
      expect.arrayContaining([expect.stringContaining("Acknowledged entries are missing")]),
    );
    tamper(db, "CREATE TRIGGER planted AFTER INSERT ON nonce BEGIN SELECT 1; END");
    expect((await check()).problems).toEqual([
      { entry: null, sentence: expect.stringContaining('trigger "planted"') as string },
    ]);
  });
});

test("a lost mark is no damage, and is said", async () => {
  rmSync(`${db}.mark`);
  expect(await check()).toMatchObject({ whole: true, mark: "missing" });
});

test("what cannot be checked is refused with a sentence", async () => {
  await expect(check(path.join(folder, "none.db"))).rejects.toThrow(/^There is no database/);
  await expect(checkVenue({ db, world: quietWorld(), seed: 2 })).rejects.toThrow(/Start with --seed/);
  await expect(check(import.meta.filename)).rejects.toThrow(/is not an SQLite database/);
  const venue = await startVenue({ db });
  await expect(check()).rejects.toThrow(/is in use by another process/);
  await venue.placed(limitBuy());
  await venue.close();
  expect((await check()).whole).toBe(true);
});

test("a log that was left by a crash is read with the file, and stays", async () => {
  const venue = await startVenue({ db });
  await venue.placed(limitBuy());
  const crashed = path.join(path.dirname(db), "crashed.db");
  for (const ending of ["", "-wal", ".mark"])
    if (existsSync(db + ending)) copyFileSync(db + ending, crashed + ending);
  await venue.close();
  const before = contentOf(crashed);
  expect(await check(crashed)).toMatchObject({ whole: true });
  expect(contentOf(crashed)).toEqual(before);
});
