/** The ring of exchanges: its bounds, its file, and what becomes of a file that cannot be used. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqliteDatabase } from "../store/driver.ts";
import type { ExchangeFilter } from "./exchange.ts";
import { bytesShown, headersShown, keptOf, mostKept } from "./exchange.ts";
import { ExchangeLog } from "./exchange-log.ts";
import { exchange } from "./testing/exchange.ts";

const all: ExchangeFilter = {
  world: "main",
  limit: 1000,
  after: null,
  key: null,
  status: null,
  path: null,
};

const shown = (body: Buffer | string) => bytesShown(keptOf(body));

let folder = "";
const notices: string[] = [];
const logIn = (file: string, bounds: { mostRows?: number; mostBytes?: number } = {}): ExchangeLog =>
  new ExchangeLog({ file, notice: (sentence) => notices.push(sentence), ...bounds });
const ids = (log: ExchangeLog, filter: Partial<ExchangeFilter> = {}): string[] =>
  log.list({ ...all, ...filter }).map(({ id }) => id);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "exchanges-"));
  notices.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the exchange log", () => {
  it("gives the newest, or those behind a number, the oldest first", () => {
    const log = logIn(":memory:");
    for (const id of ["a", "b", "c", "d"]) log.append(() => exchange(id));
    expect(ids(log, { limit: 2 })).toEqual(["c", "d"]);
    expect(ids(log, { limit: 2, after: 1 })).toEqual(["b", "c"]);
    log.close();
  });

  it("finds by key, status, class and beginning of the target", () => {
    const log = logIn(":memory:");
    const refused = exchange("refused").answer;
    log.append(() => exchange("a", { key: null }));
    log.append(() => exchange("b", { answer: { ...refused, status: 404 } }));
    log.append(() => exchange("c", { answer: { ...refused, status: 0 } }));
    expect(ids(log, { key: "trader" })).toEqual(["b", "c"]);
    expect(ids(log, { status: "404" })).toEqual(["b"]);
    expect(ids(log, { status: "4xx" })).toEqual(["b"]);
    expect(ids(log, { status: "0" })).toEqual(["c"]);
    expect(ids(log, { path: "/order/b" })).toEqual(["b"]);
    expect(ids(log, { path: "%" })).toEqual([]);
    log.close();
  });

  it("gives the newest of one id, and only to its world", () => {
    const log = logIn(":memory:");
    log.append(() => exchange("a", { durationMs: 1 }));
    log.append(() => exchange("a", { durationMs: 2 }));
    expect(log.find("main", "a")?.durationMs).toBe(2);
    expect(log.find("ci", "a")).toBeUndefined();
    log.forget("main");
    expect(log.find("main", "a")).toBeUndefined();
    log.close();
  });

  it("gives no number twice, so that a reader who goes on from one misses nothing", () => {
    const log = logIn(":memory:");
    for (const id of ["a", "b"]) log.append(() => exchange(id));
    const last = log.list(all).at(-1)?.number ?? 0;
    log.forget("main");
    log.append(() => exchange("c"));
    expect(ids(log, { after: last })).toEqual(["c"]);
    log.close();
  });

  it("keeps nothing, and opens no file, after its end", () => {
    const file = path.join(folder, "log");
    const log = logIn(file);
    log.close();
    log.append(() => exchange("late"));
    log.close();
    expect([existsSync(file), notices]).toEqual([false, []]);
  });

  it("keeps the newest within its bounds of rows and bytes", () => {
    const log = logIn(":memory:", { mostRows: 100 });
    for (let id = 0; id < 1000; id += 1) log.append(() => exchange(String(id)));
    expect(ids(log).length).toBeLessThanOrEqual(100);
    expect(ids(log).at(-1)).toBe("999");
    log.close();
    const file = path.join(folder, "log");
    const small = logIn(file, { mostBytes: 500_000 });
    const body = { length: 5000, text: "x".repeat(5000) };
    for (let id = 0; id < 1000; id += 1)
      small.append(() => exchange(String(id), { request: { ...exchange("").request, body } }));
    expect(ids(small).length).toBeLessThan(100);
    expect(ids(small).at(-1)).toBe("999");
    small.close();
    expect(statSync(file).size).toBeLessThan(500_000 + 2_000_000);
  });

  it("of a flood keeps the newest in order, and counts the others", () => {
    const log = logIn(":memory:");
    let made = 0;
    for (let id = 0; id < 5003; id += 1)
      log.append(() => {
        made += 1;
        return exchange(String(id));
      });
    expect(log.dropped).toBe(3);
    expect([ids(log, { limit: 1, after: 0 }), ids(log, { limit: 1 })]).toEqual([["3"], ["5002"]]);
    expect(made).toBe(5000);
    log.close();
  });

  it("writes by itself, a part in each turn of the event loop", async () => {
    const file = path.join(folder, "log");
    const log = logIn(file);
    const made: number[] = [];
    for (let id = 0; id < 120; id += 1)
      log.append(() => {
        if (id % 50 === 0) setImmediate(() => made.push(id));
        return exchange(String(id));
      });
    await expect.poll(() => made).toEqual([0, 50, 100]);
    log.close();
    const again = logIn(file);
    expect(ids(again)).toEqual(Array.from({ length: 120 }, (_, id) => String(id)));
    again.close();
  });

  it("is there after a restart", () => {
    const file = path.join(folder, "log");
    const first = logIn(file);
    first.append(() => exchange("a"));
    first.close();
    const second = logIn(file);
    second.append(() => exchange("b"));
    expect(ids(second)).toEqual(["a", "b"]);
    second.close();
    expect(notices).toEqual([]);
  });

  it.each([
    ["is no database", (file: string) => writeFileSync(file, "x".repeat(5000))],
    [
      "is another program's",
      (file: string) => {
        const db = new SqliteDatabase(file);
        db.exec("CREATE TABLE mine (x)");
        db.close();
      },
    ],
  ])("goes on in memory when the file %s, and leaves it alone", (_, make) => {
    const file = path.join(folder, "log");
    make(file);
    const log = logIn(file);
    log.append(() => exchange("a"));
    expect(ids(log)).toEqual(["a"]);
    log.close();
    expect(notices).toEqual([expect.stringMatching(/^The exchange log .* kept in memory/)]);
  });
});

describe("what is kept of a request", () => {
  it("has the first bytes of a body, as text where they are some", () => {
    expect(shown("{}")).toEqual({ length: 2, text: "{}" });
    expect(shown(Buffer.from([0xff, 0x00]))).toEqual({ length: 2, base64: "/wA=" });
    const long = shown(`${"x".repeat(mostKept - 1)}é`);
    expect([long.length, long.text?.length]).toEqual([mostKept + 1, mostKept]);
    const cut = shown(Buffer.from(`${"x".repeat(mostKept - 1)}é`));
    expect([cut.length, cut.text?.length]).toEqual([mostKept + 1, mostKept - 1]);
  });

  it("has no secret", () => {
    const sent = ["X-API-KEY", "gw_demo_trader", "X-Api-Signature", "ab".repeat(32), "Cookie", "session=1"];
    const shown = JSON.stringify(headersShown([...sent, "Authorization", "Bearer t0ken"], "trader"));
    for (const secret of ["gw_demo_trader", "abab", "session", "t0ken"]) expect(shown).not.toContain(secret);
    expect(JSON.stringify(headersShown(sent, null))).not.toContain("gw_demo");
  });
});
