import { describe, expect, it } from "vitest";
import { readSuite } from "../../load-suite.ts";
import { UsageError } from "../../model/position.ts";
import { rowsOf } from "../../model/scenario.ts";
import { effortOf } from "../../plan/effort.ts";
import { shuffled } from "./random.ts";
import { parseShard, rowsOfShard } from "./shard.ts";

const { suite } = await readSuite([]);
const rows = suite.scenarios.flatMap(rowsOf);
const idsOf = (given: typeof rows, index: number, count: number) =>
  rowsOfShard(given, { index, count }, suite.fragments).map(({ id }) => id);

describe("shards", () => {
  it("have every case exactly once", () => {
    const all = [1, 2, 3].flatMap((index) => idsOf(rows, index, 3));
    expect(all.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  });

  it("do not hang on the order in which the cases come", () => {
    const other = shuffled(rows, ({ id }) => id, 7);
    expect(idsOf(other, 2, 3).toSorted()).toEqual(idsOf(rows, 2, 3).toSorted());
  });

  it("send about the same", () => {
    const costs = [1, 2, 3, 4].map((index) =>
      rowsOfShard(rows, { index, count: 4 }, suite.fragments)
        .map((row) => effortOf(row.scenario, row.row, suite.fragments))
        .reduce((sum, { requests, sleepMs }) => sum + requests + sleepMs / 200, 0),
    );
    expect(Math.max(...costs) / Math.min(...costs)).toBeLessThan(1.3);
  });

  it.each(["0/3", "4/3", "1", "1/", "a/b", "1/65", "-1/3"])("refuse %s", (text) => {
    expect(() => parseShard(text)).toThrow(UsageError);
  });
});
