/** The file of the exchange log is treated as the database beside it is: it may have come from anybody. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteDatabase } from "../store/driver.ts";
import type { ExchangeFilter } from "./exchange.ts";
import { ExchangeLog } from "./exchange-log.ts";
import { defaultBounds, exchangesBeside } from "./open-log.ts";
import { exchange } from "./testing/exchange.ts";

const all: ExchangeFilter = { world: "main", limit: 1000, after: null, key: null, status: null, path: null };

let folder = "";
let file = "";
const notices: string[] = [];
const open = (): ExchangeLog => new ExchangeLog({ file, notice: (sentence) => notices.push(sentence) });
const modeOf = (name: string): number => statSync(name).mode & 0o777;

/** The ids that a new log on the file has, once it has got one more. */
function idsAfter(id: string): readonly string[] {
  const log = open();
  log.append(() => exchange(id));
  const ids = log.list(all).map((one) => one.id);
  log.close();
  return ids;
}

function changed(sql: string): void {
  idsAfter("before");
  const db = new SqliteDatabase(file);
  db.exec(sql);
  db.close();
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "exchanges-"));
  file = path.join(folder, "v.db-exchanges");
  notices.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the schema of the exchange log", () => {
  it.each([
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON exchange BEGIN DELETE FROM exchange; END"],
    ["a view", "CREATE VIEW v AS SELECT 1"],
    ["a view in the place of the table", "DROP TABLE exchange; CREATE VIEW exchange AS SELECT 1 AS number"],
    ["a table", "CREATE TABLE mine (x)"],
    ["an index", "CREATE INDEX i ON exchange (abs(status))"],
    ["a missing table", "DROP TABLE exchange"],
    ["another column", "ALTER TABLE exchange ADD COLUMN x TEXT AS (hex(record))"],
  ])("with %s is not used: the log begins anew", (_, sql) => {
    changed(sql);
    expect(idsAfter("after")).toEqual(["after"]);
    expect(notices).toEqual([
      expect.stringMatching(/was not as Gatewright writes it \(.*\): it begins anew/),
    ]);
    expect(idsAfter("later")).toEqual(["after", "later"]);
    changed(sql);
    expect(() => exchangesBeside(file, defaultBounds, "main")).toThrow(/is not ours|was changed|is missing/);
  });

  it("of another version begins anew without a word", () => {
    changed("PRAGMA user_version = 1");
    expect([idsAfter("after"), notices]).toEqual([["after"], []]);
  });

  it("of a file that is far beyond the bound begins anew", () => {
    changed(`INSERT INTO exchange (id, world, status, target, record)
      VALUES ('x', 'main', 200, '/', hex(zeroblob(${45 * 1_048_576})))`);
    expect(idsAfter("after")).toEqual(["after"]);
    expect(notices).toEqual([expect.stringContaining("it is too large")]);
  });
});

it.each([
  ["{}"],
  ["null"],
  ["not JSON"],
  ["[".repeat(3000)],
  [JSON.stringify({ ...exchange("x"), at: 1e300 })],
  [JSON.stringify({ ...exchange("x"), answer: null })],
  [JSON.stringify({ ...exchange("x"), faults: [null] })],
])("skips a row that is no exchange (%#)", (record) => {
  changed("DELETE FROM exchange");
  const db = new SqliteDatabase(file);
  const insert = db.prepare(
    "INSERT INTO exchange (id, world, status, target, record) VALUES ('x', 'main', 200, '/', ?)",
  );
  for (let count = 0; count < 20; count += 1) insert.run(record);
  db.close();
  expect(exchangesBeside(file, defaultBounds, "main")).toEqual([]);
  const log = open();
  log.append(() => exchange("a", { request: { ...exchange("").request, body: { length: 2, text: "me" } } }));
  expect(log.list({ ...all, limit: 2, after: 0 }).map(({ id }) => id)).toEqual(["a"]);
  expect(log.find("main", "x")).toBeUndefined();
  expect(log.findInBody("main", "me")?.id).toBe("a");
  log.close();
  expect(notices).toEqual([]);
});

describe.runIf(process.platform !== "win32")("the file of the exchange log", () => {
  it("is private, and so is what SQLite lays beside it", () => {
    const log = open();
    log.append(() => exchange("a"));
    log.list(all);
    expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual([0o600, 0o600]);
    log.close();
  });

  it("is made private where it is not", () => {
    idsAfter("before");
    writeFileSync(`${file}-wal`, "");
    for (const each of [file, `${file}-wal`]) chmodSync(each, 0o644);
    const log = open();
    log.append(() => exchange("a"));
    log.list(all);
    expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual([0o600, 0o600]);
    log.close();
  });

  it("is left as it is by a reader", () => {
    idsAfter("a");
    chmodSync(file, 0o444);
    expect(exchangesBeside(file, defaultBounds, "main").map(({ id }) => id)).toEqual(["a"]);
    expect(modeOf(file)).toBe(0o444);
  });

  it.each<[string, (victim: string) => void]>([
    ["a link", (victim) => symlinkSync(victim, file)],
    ["a link to nothing", () => symlinkSync(path.join(folder, "nothing"), file)],
    ["a second name of another file", (victim) => linkSync(victim, file)],
    ["a folder", () => mkdirSync(file)],
    ["a log that is a link", (victim) => symlinkSync(victim, `${file}-wal`)],
  ])("is not followed or used if it is %s", (_, make) => {
    const victim = path.join(folder, "victim");
    writeFileSync(victim, "");
    make(victim);
    expect(idsAfter("a")).toEqual(["a"]);
    expect([readFileSync(victim, "utf8"), existsSync(path.join(folder, "nothing"))]).toEqual(["", false]);
    expect(notices).toEqual([expect.stringMatching(/cannot be used .* kept in memory/)]);
    expect(() => exchangesBeside(file, defaultBounds, "main")).toThrow();
  });
});
