import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadWorld, loadWorldValue } from "./load-world.ts";
import { formatProblems } from "./problem.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "gatewright-world-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function load(name: string, content?: string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  if (content !== undefined) writeFileSync(file, content);
  const loaded = await loadWorld(file);
  return loaded.ok ? "loaded" : formatProblems(loaded.error).replaceAll(folder, ".");
}

const replayWorld = `extends: demo
products:
  - id: BTC-USD
    baseIncrement: "0.0001"
    priceIncrement: "0.01"
    referencePrice: "60000"
    liquidity: { mode: trades, trades: market.csv }
`;

describe("A world that extends a file", () => {
  const base = "extends: demo\nseed: 7\nsettings: { matchDelayMs: 9 }\n";
  const write = (name: string, content: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };

  it("takes the sections that it leaves out, through several files, and trades beside the file that names them", async () => {
    write("team/market.csv", "time,price,quantity\n1767225600000,60000,1\n");
    write("team/replay.yaml", replayWorld);
    write("team/base.yaml", `extends: ./replay.yaml\n${base.replace("extends: demo\n", "")}`);
    write("mine.yaml", "extends: ./team/base.yaml\nseed: 8\n");
    const loaded = await loadWorld(path.join(folder, "mine.yaml"));
    if (!loaded.ok) throw new Error(formatProblems(loaded.error));
    const { world, source } = loaded.value;
    expect([world.seed, world.products.map(({ id }) => id)]).toEqual([8, ["BTC-USD"]]);
    expect(source.file).toMatchObject({ seed: 8, settings: { matchDelayMs: 9 } });
    expect([...source.recorded.keys()]).toEqual(["BTC-USD"]);
  });

  it("names a mistake of the base in the base, and what does not fit in the file", async () => {
    write("wrong-base.yaml", "extends: demo\nsede: 1\n");
    expect(await load("on-wrong.yaml", "extends: ./wrong-base.yaml\n")).toMatch(
      /^\.\/wrong-base\.yaml:2:1: .*sede/,
    );
    write("base.yaml", base);
    const keyless = 'extends: ./base.yaml\nclients: [{ name: only, balances: { USD: "1" } }]\n';
    expect(await load("keyless.yaml", keyless)).toMatch(
      /^\.\/keyless\.yaml:1:10: keys of the world that it extends do not fit this file/,
    );
  });

  it.each([
    [
      "a chain that comes back",
      "extends: ./b.yaml\n",
      /b\.yaml:1:10: these worlds extend each other: \S*a\.yaml, \S*b\.yaml, \S*a\.yaml/,
    ],
    ["itself", "extends: ./a.yaml\n", /a\.yaml:1:10: these worlds extend each other: \S*a\.yaml, \S*a\.yaml/],
    [
      "a folder above",
      "extends: ./../a.yaml\n",
      /a\.yaml:1:10: \.\/\.\.\/a\.yaml is not in the folder of this file, or below it/,
    ],
    [
      "no file",
      "extends: ./none.yaml\n",
      /a\.yaml:1:10: \.\/none\.yaml cannot be read: there is no such file/,
    ],
    [
      "a word",
      "extends: still\n",
      /a\.yaml:1:10: extends must be demo, or a world file in this folder or below it, such as \.\/base\.yaml, was "still"/,
    ],
    ["an absolute path", "extends: /etc/passwd\n", /a\.yaml:1:10: extends must be demo, or a world file/],
  ])("refuses %s", async (_what, content, sentence) => {
    write("b.yaml", "extends: ./a.yaml\n");
    expect(await load("a.yaml", content)).toMatch(sentence);
  });

  it("refuses a chain without an end in sight, and a value without a folder", async () => {
    for (let link = 0; link < 20; link += 1) write(`link${link}.yaml`, `extends: ./link${link + 1}.yaml\n`);
    expect(await load("link0.yaml")).toContain("more than 8 worlds extend each other");
    const value = await loadWorldValue({ extends: "./base.yaml" });
    expect(value.ok ? "loaded" : formatProblems(value.error)).toContain("./base.yaml");
  });
});

describe("Loading a world", () => {
  it("takes the demo world when there is no file, and overrides seed and clock", async () => {
    const demo = await loadWorld(null, { seed: 5, clock: "manual" });
    expect(demo.ok && demo.value.world.seed).toBe(5);
    expect(demo.ok && demo.value.clock.mode).toBe("manual");
  });

  it("finds recorded trades beside the file that names them", async () => {
    writeFileSync(path.join(folder, "market.csv"), "time,price,quantity\n1767225600000,60000,1\n");
    expect(await load("replay.yaml", replayWorld)).toBe("loaded");
  });

  it("points at the problems of the file that it names, and at the name of a missing one", async () => {
    expect(await load("lost.yaml", replayWorld.replace("market.csv", "lost.csv"))).toMatchInlineSnapshot(`
      "./lost.yaml:7:40: lost.csv cannot be read: there is no such file
        7 |     liquidity: { mode: trades, trades: lost.csv }
          |                                        ^^^^^^^^"
    `);
    writeFileSync(path.join(folder, "wrong.csv"), "time,price,quantity\n1767225600000,60000.001,1\n");
    expect(await load("wrong.yaml", replayWorld.replace("market.csv", "wrong.csv"))).toMatchInlineSnapshot(`
      "./wrong.csv:2:15: price must be a whole multiple of 0.01 (BTC-USD), was 60000.001
        2 | 1767225600000,60000.001,1
          |               ^^^^^^^^^"
    `);
  });

  it("refuses trades that keep their times under a clock that begins behind them, or runs", async () => {
    writeFileSync(path.join(folder, "times.csv"), "time,price,quantity\n2026-03-02T14:30:00Z,60000,1\n");
    const world = replayWorld.replace("market.csv", "times.csv, times: recorded");
    expect(await load("running.yaml", world)).toMatchInlineSnapshot(`
      "./running.yaml:7:58: the trades of BTC-USD keep their times, and the market clock is not a manual one that begins before the first of them, at 2026-03-02T14:30:00.000Z
        7 |     liquidity: { mode: trades, trades: times.csv, times: recorded }
          |                                                          ^^^^^^^^
        write clock: { mode: manual, start: "2026-03-02T14:30:00.000Z" }"
    `);
    const clock = (start: string) => `${world}clock: { mode: manual, start: "${start}" }\n`;
    expect(await load("late.yaml", clock("2026-03-02T14:30:00.001Z"))).toContain("begins before the first");
    expect(await load("early.yaml", clock("2026-03-02T14:00:00.000Z"))).toBe("loaded");
  });

  it("says why a file cannot be read", async () => {
    expect(await load("missing.yaml")).toMatchInlineSnapshot(
      `"./missing.yaml cannot be read: there is no such file"`,
    );
    expect(await load(".")).toMatchInlineSnapshot(`". cannot be read: it is not a file"`);
    execFileSync("mkfifo", [path.join(folder, "pipe.yaml")]);
    expect(await load("pipe.yaml")).toMatchInlineSnapshot(`"./pipe.yaml cannot be read: it is not a file"`);
    expect(await load("binary.yaml", Uint8Array.of(0xff, 0xfe, 0xfd))).toMatchInlineSnapshot(
      `"./binary.yaml cannot be read: it is not UTF-8 text"`,
    );
    expect(await load("huge.yaml", new Uint8Array(1_048_577))).toMatchInlineSnapshot(
      `"./huge.yaml cannot be read: it has more than 1048576 bytes"`,
    );
  });

  it("checks a world that is given as a value in the same way", async () => {
    const good = await loadWorldValue({ extends: "demo", seed: 3 });
    expect(good.ok && good.value.world.seed).toBe(3);
    const bad = await loadWorldValue({
      extends: "demo",
      sede: 3,
      products: [{ id: "BTC-USD", baseIncrement: 0.1 }],
    });
    expect(bad.ok ? "" : formatProblems(bad.error)).toMatchInlineSnapshot(`
      "sede is unknown
        did you mean "seed"?

      products[0].baseIncrement must be a decimal in quotes, was the number 0.1
        write "0.1": a number would lose digits

      products[0].priceIncrement is required

      products[0].referencePrice is required"
    `);
    const replay = await loadWorldValue({
      extends: "demo",
      products: [
        {
          id: "BTC-USD",
          baseIncrement: "0.0001",
          priceIncrement: "0.01",
          referencePrice: "60000",
          liquidity: { mode: "trades", trades: "market.csv" },
        },
      ],
    });
    expect(replay.ok ? "" : formatProblems(replay.error)).toMatchInlineSnapshot(`
      "the recorded trades of BTC-USD cannot be read: this world was not read from a file
        use a world file"
    `);
  });
});
