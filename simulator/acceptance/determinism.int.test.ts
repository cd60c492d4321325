/** Row 34 of the tricky behaviours. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { SqliteDatabase } from "../store/driver.ts";
import { fingerprint } from "../testing/determinism.ts";
import { type Note, playScript } from "../testing/world-script.ts";

const root = path.resolve(import.meta.dirname, "../..");

describe("34. determinism", () => {
  let scratch = "";
  /** That with which the others are compared. Its journal is in a file. */
  let first: Awaited<ReturnType<typeof fingerprint>>;
  beforeAll(async () => {
    scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-determinism-"));
    first = await fingerprint({ db: path.join(scratch, "first.db") });
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  test("the same seed and script give byte-identical answers, chain hash and state over a file and in memory", async () => {
    const second = await fingerprint();
    expect(second.log).toEqual(first.log);
    expect(second.fingerprint).toEqual(first.fingerprint);
    expect(first.fingerprint.answers).toBeGreaterThan(180);
    expect(first.fingerprint.seq).toBeGreaterThan(500);
  });

  test("two sandboxes that play clock, outcomes, faults, actions, forks and hostile mode agree on the journal of every world, step by step", async () => {
    const played = await playScript();
    expect(await playScript()).toEqual(played);
    const of = (world: string): Note[] => played.filter((note) => note.world === world);
    expect(new Set(played.map(({ world }) => world)).size).toBe(7);
    // The fork at an entry begins where its world was.
    expect(of("then")[0]?.before).toBe(of("main").find(({ step }) => step === 7)?.head);
    // Every world went its own way, and met what the script is about.
    expect(new Set(played.slice(-7).map(({ head }) => head)).size).toBe(7);
    const answers = played.map(({ answer }) => answer).join("\n");
    for (const met of ["no answer", "EXTERNAL_EXECUTION_FAILED", "TRADING_HALTED", "MAINTENANCE", "FILLED"])
      expect(answers).toContain(met);
  });

  test("another seed gives other answers", async () => {
    const steps = 20;
    const other = await fingerprint({ seed: 8, steps });
    // The same was sent so far: orders, whose ids are answered, and reads of the market.
    expect(other.log.slice(0, steps)).not.toEqual(first.log.slice(0, steps));
  });

  function journalIn(name: string): unknown[] {
    const reader = new SqliteDatabase(path.join(scratch, name));
    const rows = reader.prepare("SELECT * FROM journal ORDER BY seq").all();
    reader.close();
    return rows;
  }

  test("in another process, time zone and language it is the same, and the journal is equal row by row", async () => {
    const program = await compile();
    const run = (flags: readonly string[], env: Record<string, string>, file: string): unknown =>
      JSON.parse(
        execFileSync(process.execPath, [...flags, program, path.join(scratch, file)], {
          encoding: "utf8",
          env: { ...process.env, ...env },
        }),
      );
    const turkish = { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    const plain = { TZ: "America/St_Johns", LANG: "C", LC_ALL: "C" };
    const places = [
      { flags: ["--no-opt"], env: turkish, file: "turkish.db" },
      { flags: [], env: plain, file: "plain.db" },
    ];
    const rows = journalIn("first.db");
    expect(rows.length).toBeGreaterThan(500);
    for (const { flags, env, file } of sampled(2, places)) {
      expect(run(flags, env, file)).toEqual(first.fingerprint);
      expect(journalIn(file)).toEqual(rows);
    }
  });

  /** Node 20 reads no TypeScript; and it needs its own folder, so that no other test writes to it. */
  async function compile(): Promise<string> {
    const out = path.join(scratch, "program");
    const bundle = await rolldown({
      cwd: root,
      input: "simulator/testing/determinism.ts",
      platform: "node",
      external: (id) => !/^[./]/.test(id),
    });
    // Each module is a file of its own, since some read what is beside them.
    await bundle.write({
      dir: out,
      preserveModules: true,
      preserveModulesRoot: root,
      entryFileNames: "[name].js",
    });
    await bundle.close();
    const exported = { "./package.json": "./package.json" };
    writeFileSync(
      path.join(out, "package.json"),
      JSON.stringify({ name: "gatewright", type: "module", exports: exported }),
    );
    for (const folder of ["node_modules", "fixtures"])
      symlinkSync(path.join(root, folder), path.join(out, folder), "junction");
    return path.join(out, "simulator/testing/determinism.js");
  }
});
