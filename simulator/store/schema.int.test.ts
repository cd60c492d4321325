/** A file with foreign parts in its schema is not opened, and the parts are named. */
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeVenue, openSample } from "./testing/sample.ts";
import { contentOf, failureOf, tamper, useScratch } from "./testing/scratch.ts";

const scratch = useScratch();

function changed(sql: string): string {
  const file = path.join(scratch(), "v.db");
  makeVenue(file, 3);
  tamper(file, sql);
  return file;
}

const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

describe("a schema that is not ours is refused, the file left as it is", () => {
  test.each([
    [
      "a trigger that never ends",
      `CREATE TRIGGER planted AFTER INSERT ON nonce BEGIN ${endless}; END`,
      /trigger "planted" on nonce is not ours/,
    ],
    ["a table", "CREATE TABLE planted (x)", /table "planted" is not ours/],
    ["a view", "CREATE VIEW planted AS SELECT 1", /view "planted" is not ours/],
    ["an index", "CREATE INDEX planted ON journal (hash)", /index "planted" on journal is not ours/],
    [
      "another view under our name",
      "DROP VIEW orders; CREATE VIEW orders AS SELECT 1 AS id",
      /view "orders" was changed/,
    ],
    ["a view too few", "DROP VIEW balances", /view "balances" is missing/],
    [
      "a view in the place of a table",
      `DROP TABLE nonce_floor; CREATE VIEW nonce_floor AS SELECT 1 AS key, 2 AS timestamp`,
      /view "nonce_floor" is not ours, table "nonce_floor" is missing/,
    ],
    ["a name that speaks to a terminal", 'CREATE TABLE "a\x1b[2Jb" (x)', /table "a\?\[2Jb" is not ours/],
  ])("%s", (_name, sql, sentence) => {
    const file = changed(sql);
    const before = contentOf(file);
    const failure = failureOf(() => openSample(file));
    expect(failure.kind).toBe("corrupt");
    expect(failure.message).toMatch(sentence);
    expect(contentOf(file)).toEqual(before);
  });

  test("many are counted", () => {
    const many = Array.from({ length: 9 }, (_, n) => `CREATE TABLE t${n} (x)`).join(";");
    expect(failureOf(() => openSample(changed(many))).message).toContain("and 4 more");
  });
});
