/** `gatewright capsule` and `gatewright replay` of what it has written, as they are typed. */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ControlledSimulator, startSimulator } from "../../simulator/index.ts";
import { SqliteDatabase } from "../../simulator/store/driver.ts"; // tidy-allow layering: a file is damaged as no venue does it
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

let place = "";
const said = captureOutput();
const at = (name: string): string => path.join(place, name);
let simulator: ControlledSimulator;

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "capsule-"));
  simulator = await startSimulator({ clock: "manual" });
  await simulator.control.product.halt({ product: "BTC-USD" });
  await simulator.control.deposit.create({ client: "alice", asset: "BTC", amount: "1" });
  await simulator.control.clock.advance({ ms: 10 });
  writeFileSync(at("ready.json"), JSON.stringify(simulator.readyLine()));
  await simulator.world({ name: "ci" });
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});

const gatewright = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", ...words], "1.0.0");

const contents = (folder: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "base64")]);

/** The capsule of `main`, once. */
async function written(): Promise<string> {
  if (!existsSync(at("a.capsule")))
    expect(await gatewright("capsule", "--out", at("a.capsule"), "--ready-file", at("ready.json"))).toBe(0);
  said.output = "";
  return at("a.capsule");
}

describe("a capsule", () => {
  it("is written, and replays identically without a target", async () => {
    await gatewright("capsule", "--out", at("first.capsule"), "--ready-file", at("ready.json"));
    expect(said.output).toMatch(
      /first\.capsule has \d+ entries, 0 exchanges, \d+ bytes; to run it: gatewright replay/,
    );
    said.output = "";
    expect(await gatewright("replay", at("first.capsule"))).toBe(0);
    expect(said.output).toMatch(/^identical: \d+ entries, 0 answers\n$/);
  });

  it("is that of another world", async () => {
    const flags = ["--world", "ci", "--ready-file", at("ready.json")];
    expect(await gatewright("capsule", "--out", at("ci.capsule"), ...flags)).toBe(0);
    expect(gunzipSync(readFileSync(at("ci.capsule"))).toString()).toContain('"world":"ci"');
    expect(await gatewright("capsule", "--out", at("no.capsule"), "--world", "no", ...flags.slice(2))).toBe(
      1,
    );
    expect(existsSync(at("no.capsule"))).toBe(false);
  });

  it("is that of a database that no process has open, and nothing else is written", async () => {
    mkdirSync(at("venue"));
    const db = at("venue/v.db");
    const flags = ["--out", at("file.capsule"), "--db", db];
    const venue = await startSimulator({ db, clock: "manual" });
    await fetch(`${venue.baseUrl}/products`);
    expect(await gatewright("capsule", ...flags)).toBe(2);
    expect(said.errors).toMatch(/v\.db is in use by another process/);
    await venue.close();
    const before = contents(at("venue"));
    expect(await gatewright("capsule", ...flags)).toBe(0);
    expect(said.output).toMatch(/file\.capsule has \d+ entries, 1 exchanges, \d+ bytes/);
    expect(contents(at("venue"))).toEqual(before);
    expect(await gatewright("replay", at("file.capsule"))).toBe(0);
    expect(said.output).toMatch(/identical: \d+ entr/);
  });

  it("of a database without a log of exchanges has none, and says why", async () => {
    const db = at("venue/v.db");
    writeFileSync(`${db}-exchanges`, "not a database, whatever it is called");
    expect(await gatewright("capsule", "--db", db, "--out", at("bare.capsule"))).toBe(0);
    expect(said.errors).toMatch(/v\.db-exchanges cannot be read \(.*\): the capsule has no exchanges/);
    expect(said.output).toMatch(/bare\.capsule has \d+ entries, 0 exchanges/);
  });

  it("of a database that is damaged is refused, and not written", async () => {
    const db = new SqliteDatabase(at("venue/v.db"));
    db.exec("UPDATE journal SET command = '[7]' WHERE seq = 2");
    db.close();
    for (const [flags, sentence] of [
      [["--db", at("venue/v.db")], /v\.db is damaged: The journal does not reproduce itself: entry 2/],
      [["--db", at("venue/no.db")], /no\.db/],
      [["--db", at("venue/v.db"), "--seed", "9"], /was made with seed 1, and this start asks for seed 9/],
      [
        ["--db", at("venue/v.db"), "--ready-file", at("ready.json")],
        /--db names a sandbox that does not run/,
      ],
      [["--seed", "9", "--ready-file", at("ready.json")], /--seed goes with --db/],
    ] as const) {
      expect(await gatewright("capsule", "--out", at("damaged.capsule"), ...flags)).toBe(2);
      expect(said.errors).toMatch(sentence);
    }
    expect(existsSync(at("damaged.capsule"))).toBe(false);
  });

  it("is replayed up to an entry", async () => {
    expect(await gatewright("replay", await written(), "--until", "1")).toBe(0);
    expect(said.output).toBe("identical: 1 entry, 0 answers\n");
  });

  it("that differs ends with 1 and shows both sides", async () => {
    const lines = gunzipSync(readFileSync(await written()))
      .toString()
      .split("\n");
    const other = lines.map((line) =>
      line.replace(/("kind":"entry","seq":2,.*"hash":)"[^"]*"/, '$1"0000000000000000"'),
    );
    writeFileSync(at("other.capsule"), gzipSync(other.join("\n")));
    expect(await gatewright("replay", at("other.capsule"))).toBe(1);
    expect(said.output).toMatch(
      /^differs at entry 2: entry 2, .*\n {2}recorded {2}hash 0000000000000000\n {2}now {7}hash [0-9a-f]{16}\n/,
    );
  });

  it("is walked through forward and back", async () => {
    const file = await written();
    const stdin = vi.spyOn(process, "stdin", "get");
    stdin.mockReturnValue(Readable.from(["n p\n", "2\nwhat 9999\nq\n"]) as unknown as typeof process.stdin);
    expect(await gatewright("replay", file, "--step")).toBe(0);
    expect(Array.from(said.output.matchAll(/^entry (\d+)/gm), ([, seq]) => seq).slice(0, 4)).toEqual([
      "1",
      "2",
      "1",
      "2",
    ]);
    expect(said.output).toContain("n: next entry; p: back");
    expect(said.output).toMatch(/the replay ends here\nidentical: /);
  });
});

it("serves the venue of a capsule, where ctl finds it", async () => {
  const program = new URL("../gatewright", import.meta.url).pathname;
  const words = [program, "replay", await written(), "--serve", "--json"];
  const child = spawn(process.execPath, words, { cwd: place, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const line = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout.on("data", (part) => (text += String(part)).includes("\n") && resolve(text));
      child.once("exit", () => reject(new Error("it ended early")));
    });
    const { controlUrl, baseUrl, pid } = JSON.parse(line) as Record<"controlUrl" | "baseUrl" | "pid", string>;
    expect(existsSync(at(`.gatewright/run-${new URL(baseUrl).port}.json`))).toBe(true);
    const health = (await (await fetch(`${controlUrl}/health`)).json()) as {
      readonly data: { readonly hash: string };
    };
    expect(health.data.hash).toBe((await simulator.control.health.read()).hash);
    expect(Number(pid)).toBe(child.pid);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
});
