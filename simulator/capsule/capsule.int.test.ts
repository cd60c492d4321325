/** A capsule: what is in it and what is not, and that it replays, or says where it does not. */

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { openCapsule, StartFailure, serveCapsule, startSimulator } from "../index.ts";
import { Client } from "../testing/client.ts";
import { limitBuy, startVenue, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";
import { engineVersion } from "../version.ts";
import { demoWorld } from "../world/demo-world.ts";
import { capsuleOf, changed, linesOf, packed, replayed } from "./testing/files.ts";
import { corrupt, Dice, playSession } from "./testing/sessions.ts";

describe("the capsules of random sessions", () => {
  it("replay identically", async () => {
    await using simulator = await startSimulator({});
    let [entries, answers] = [0, 0];
    const seeds = triesAll ? 20 : 4;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const replay = await replayed((await playSession(simulator, seed, 12)).file);
      expect({ seed, difference: replay.difference }).toEqual({ seed, difference: null });
      entries += replay.entries;
      answers += replay.answers;
    }
    expect(entries).toBeGreaterThan(20 * seeds);
    expect(answers).toBeGreaterThan(7.5 * seeds);
  });
});

describe("a capsule", () => {
  let venue: Venue;
  let lines: string[] = [];
  let order = "";
  beforeAll(async () => {
    venue = await startVenue();
    order = String((await venue.placed(limitBuy()))["id"]);
    await venue.trader.get(`/order/${order}`, { secret: "not the secret" });
    await venue.settle();
    await venue.trader.get("/order/open");
    lines = linesOf(await capsuleOf(venue.simulator));
  });
  afterAll(() => venue.close());
  const kinds = (): string[] => lines.map((line) => String((JSON.parse(line) as { kind: string }).kind));

  it("is lines of JSON: header, world, and each exchange before what it caused", () => {
    expect(kinds().slice(0, 4)).toEqual(["capsule", "world", "exchange", "entry"]);
    expect(kinds().at(-1)).toBe("exchange");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      version: 1,
      engine: engineVersion,
      world: "main",
      exchanges: 3,
    });
  });

  it("counts the answers that cannot be made again", async () => {
    const { answers, uncompared, difference } = await replayed(packed(lines));
    expect({ answers, difference }).toEqual({ answers: 2, difference: null });
    expect([...uncompared]).toEqual([[expect.stringMatching(/^refused at the door/), 1]]);
  });

  it("names the answer that differs, with both sides", async () => {
    const { difference } = await replayed(
      changed(lines, -1, String.raw`\"status\":\"OPEN\"`, String.raw`\"status\":\"NONE\"`),
    );
    const last = JSON.parse(lines.at(-1) ?? "") as { answered: number };
    expect(difference).toMatchObject({
      entry: last.answered,
      what: expect.stringMatching(/^GET .*\/order\/open /) as string,
    });
    expect(difference?.recorded).toContain('"status":"NONE"');
    expect(difference?.now).toContain('"status":"OPEN"');
  });

  it("names the entry that differs, and goes no further", async () => {
    const replay = await replayed(changed(lines, 3, '"30000"', '"30001"'));
    expect(replay.difference).toMatchObject({
      entry: 1,
      what: expect.stringMatching(/^entry 1, PlaceOrder/) as string,
    });
    const broken = await replayed(changed(lines, 3, /"args":\[.*\]/, '"args":[7]'));
    expect(broken.difference?.now).toMatch(/cannot be decided/);
  });

  it("of another engine says so, and replays as far as it can", async () => {
    const capsule = await openCapsule(
      changed(lines, 0, `"engine":"${engineVersion}"`, '"engine":"1"'),
      "a.capsule",
    );
    expect(capsule.remark).toContain(
      `a.capsule was written by engine 1 (gatewright 0.1.0), and this is engine ${engineVersion}`,
    );
    const replay = capsule.replay();
    while (replay.next() !== undefined);
    expect(replay.difference).toBeNull();
  });

  it("that somebody made up is refused, or differs, and is nothing worse", async () => {
    const hostile = [
      null,
      -1,
      1e15,
      1e308,
      "9".repeat(4000),
      "1e999",
      "\u0000",
      [],
      {},
      [[[]]],
      { kind: "x" },
      true,
    ];
    const dice = new Dice(1);
    const ends = new Map<string, number>();
    for (let round = 0; round < 150; round += 1) {
      const at = dice.next(lines.length);
      const line = JSON.parse(lines[at] ?? "") as object;
      corrupt(line, dice, hostile);
      const end = await replayed(packed(lines.with(at, JSON.stringify(line)))).then(
        ({ difference }) => (difference === null ? "identical" : "differs"),
        (error: unknown) => (error instanceof StartFailure ? "refused" : String(error)),
      );
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    expect([...ends.keys()].toSorted()).toEqual(["differs", "identical", "refused"]);
  });

  it("is served as the venue was, with the same keys, and the log of its exchanges", async () => {
    const capsule = await openCapsule(packed(lines), "a.capsule");
    await using again = await serveCapsule(capsule, {});
    expect(again.keys.map(({ keyId }) => keyId)).toEqual(venue.simulator.keys.map(({ keyId }) => keyId));
    const now = await venue.simulator.control?.stateHash.read();
    expect(await again.control?.stateHash.read()).toEqual(now);
    const told = await again.control?.explain.read({ id: order });
    expect(told?.facts.map(({ code }) => code).slice(0, 2)).toEqual(["ACCEPTED", "RESTED"]);
    expect((await again.control?.exchange.list())?.exchanges).toHaveLength(3);
    const trader = again.keys.find(({ name }) => name === "trader");
    const answer = await new Client(again.baseUrl, trader ?? { keyId: "", secret: "" }).delete(
      `/order/${order}`,
    );
    expect(answer.status).toBe(200);
    expect((await replayed(await capsuleOf(again))).difference).toBeNull();
  });

  it("is served as it was after an entry", async () => {
    await using again = await serveCapsule(await openCapsule(packed(lines), "a.capsule"), { until: 1 });
    expect(await again.control?.health.read()).toMatchObject({ seq: 1 });
  });

  const line = (text: string): string => packed([...lines.slice(0, 2), text]).toString("latin1");
  it.each<[string, () => Buffer, RegExp]>([
    ["cut", () => packed(lines).subarray(0, 2500), /^a\.capsule:\d+: it is cut or damaged here/],
    ["damaged", () => packed(lines).fill(7, 2000, 2100), /^a\.capsule:\d+: it is cut or damaged here/],
    [
      "without its last line",
      () => packed(lines.slice(0, -1)),
      /^a\.capsule:\d+: it ends with \d+ entries and 2 exch/,
    ],
    ["empty", () => packed([]), /^a\.capsule:1: /],
    [
      "of a newer format",
      () => changed(lines, 0, '"version":1', '"version":2'),
      /^a\.capsule:1: it has format 2, and this gatewright reads format 1/,
    ],
    [
      "without a header",
      () => packed(lines.slice(1)),
      /^a\.capsule:1: the first line of a capsule is its header/,
    ],
    [
      "of another world",
      () => changed(lines, 1, '"US dollar"', '"US dollars"'),
      /^a\.capsule:2: the world has digest/,
    ],
    [
      "with a world that is none",
      () => changed(lines, 1, '"precision":2', '"precision":"2"'),
      /^a\.capsule:2: the world: assets\[0\]\.precision/,
    ],
    [
      "with an unknown command",
      () => changed(lines, 3, "PlaceOrder", "PlaceBet"),
      /^a\.capsule:4: entry 1 is a PlaceBet, .* from there it cannot be replayed/,
    ],
    [
      "with an unknown member",
      () => changed(lines, 3, '"seq"', '"sequence"'),
      /^a\.capsule:4: sequence is unknown/,
    ],
    [
      "with an entry twice",
      () => packed(lines.toSpliced(4, 0, lines[3] ?? "")),
      /^a\.capsule:5: entry 1 follows entry 1/,
    ],
    [
      "with JSON that is nested deep",
      () => Buffer.from(line(`{"kind":"entry","args":${"[".repeat(1e5)}`), "latin1"),
      /^a\.capsule:3: The JSON is nested deeper/,
    ],
    [
      "with a member for a prototype",
      () => Buffer.from(line('{"kind":"entry","__proto__":{}}'), "latin1"),
      /^a\.capsule:3: The JSON has a key/,
    ],
    [
      "with a member twice",
      () => Buffer.from(line('{"kind":"entry","seq":1,"seq":1}'), "latin1"),
      /^a\.capsule:3: The JSON is ambiguous/,
    ],
    [
      "with more members than a line has",
      () => Buffer.from(line(`{"kind":"entry",${'"a":1,'.repeat(5000)}"b":1}`), "latin1"),
      /^a\.capsule:3: The JSON has more than 4096 members/,
    ],
    [
      "with a second header",
      () => Buffer.from(line(lines[0] ?? ""), "latin1"),
      /^a\.capsule:3: a second line of kind capsule/,
    ],
    [
      "with a million empty lines",
      () => Buffer.from(line("\n".repeat(1_000_000)), "latin1"),
      /^a\.capsule:3: a line begins with its kind/,
    ],
    [
      "with a line that is no JSON",
      () => Buffer.from(line('{"kind":"entry",'), "latin1"),
      /^a\.capsule:3: The line is not JSON/,
    ],
    [
      "with a line of another kind",
      () => Buffer.from(line('{"kind":"frame"}'), "latin1"),
      /^a\.capsule:3: a line begins with its kind/,
    ],
    [
      "with a line that is too long",
      () => Buffer.from(line("x".repeat(5_000_000)), "latin1"),
      /^a\.capsule:3: the line has more than/,
    ],
  ])("is refused with its line: %s", async (_, file, sentence) => {
    await expect(openCapsule(file(), "a.capsule")).rejects.toThrow(sentence);
  });
});

it("unfolds no further than fits into the memory of the process", async () => {
  const { readCapsule } = await import("./read-capsule.ts");
  const read = await readCapsule(packed(["x".repeat(1_000_000)]), "a.capsule", 400_000);
  expect(read).toEqual({
    ok: false,
    error: expect.stringMatching(
      /unfolds to more than 100000 bytes, the most that fits .*NODE_OPTIONS/,
    ) as string,
  });
});

it("of a venue with a bug differs where the bug was", async () => {
  const file = await withVenue({ defects: ["M-172"] }, async (venue) => {
    await venue.trader.get("/wallet");
    await venue.trader.place(limitBuy());
    return capsuleOf(venue.simulator);
  });
  const { difference, entries } = await replayed(file);
  expect(difference).toMatchObject({
    entry: 1,
    what: expect.stringMatching(/^POST .*\/order \(req-00000002\)/) as string,
  });
  expect(difference?.recorded).toContain("EXPIRED");
  expect(entries).toBe(1);
});

it("holds no secret, wherever a client has put one", async () => {
  const keys = (demoWorld.keys ?? []).map((key) => ({
    ...key,
    secret: `secret/of+${key.name}~${"x".repeat(9)}`,
  }));
  await withVenue({ world: quietWorld({}, { keys }) }, async (venue) => {
    // Of another key: the log has left out what holds that of the request's own.
    const { secret = "" } = keys.find(({ name }) => name === "reader") ?? {};
    const token = String(venue.simulator.control?.token);
    const coded = [
      Buffer.from(`a:${secret}`).toString("base64"),
      Buffer.from(`gw_trader:${secret}`).toString("base64"),
      Buffer.from(secret).toString("hex"),
      secret.toUpperCase(),
      encodeURIComponent(encodeURIComponent(secret)),
      token,
    ];
    const escaped = [...secret]
      .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
    await venue.trader.place(limitBuy());
    await venue.trader.place({ note: secret });
    await venue.trader.place(`{"note":"${escaped}"}`);
    await venue.trader.get("/order", { query: `cursor=${encodeURIComponent(secret)}` });
    await venue.trader.place({ note: Buffer.from(secret).toString("base64") });
    await venue.trader.place(Buffer.from([0xff, ...Buffer.from(secret)]));
    for (const note of coded) await venue.trader.place({ note });
    // The first is no request id, and headers are no part of a capsule.
    for (const id of [secret, token])
      await fetch(`${venue.baseUrl}/order/open`, { headers: { "x-request-id": id } });
    const file = await capsuleOf(venue.simulator);
    const text = linesOf(file).join("\n");
    for (const form of coded) expect(text.toLowerCase()).not.toContain(form.toLowerCase());
    for (const key of keys)
      for (const form of [
        key.secret,
        encodeURIComponent(key.secret),
        Buffer.from(key.secret).toString("base64"),
        escaped,
      ])
        expect(text).not.toContain(form);
    expect(JSON.parse(linesOf(file)[0] ?? "")).toMatchObject({ exchanges: 2, leftOut: 5 + coded.length + 1 });
    expect((await replayed(file)).difference).toBeNull();
  });
});

describe("the world of a capsule", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "capsule-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["of a seed that chooses its freedoms", { hostile: 7 }],
    [
      "with a set of freedoms and one besides",
      { freedomSet: "prime-like", freedoms: { "F-self-trade": "none" } },
    ],
    ["with another market and seed", { world: { extends: "demo", market: "pinned", magic: false }, seed: 9 }],
  ] as const)("is the same world again: %s", async (_, options) => {
    await using simulator = await startSimulator({ clock: "manual", ...options });
    const file = await capsuleOf(simulator);
    expect((await replayed(file)).difference).toBeNull();
  });

  it("has its recorded trades with it", async () => {
    const products = (demoWorld.products ?? [])
      .slice(0, 1)
      .map((one) => ({ ...one, liquidity: { mode: "trades", trades: "btc.csv" } }));
    writeFileSync(
      path.join(folder, "btc.csv"),
      "time,price,quantity\n1767225600000,60000,0.5\n1767225600040,60010.5,0.25\n",
    );
    writeFileSync(
      path.join(folder, "world.yaml"),
      JSON.stringify({ ...demoWorld, products, clock: { mode: "manual" } }),
    );
    await using simulator = await startSimulator({ world: path.join(folder, "world.yaml") });
    await simulator.control.clock.advance({ ms: 1000 });
    const file = await capsuleOf(simulator);
    expect(linesOf(file)[1]).toContain(String.raw`1767225600040,60010.5,0.25`);
    expect((await replayed(file)).difference).toBeNull();
  });

  it("keeps the key ids of a world among others", async () => {
    await using simulator = await startSimulator({});
    await using world = await simulator.world({ name: "ci" });
    const file = Buffer.from((await world.control.capsule.read()).file, "base64");
    await using again = await serveCapsule(await openCapsule(file, "a.capsule"), {});
    expect(again.keys.map(({ keyId }) => keyId)).toEqual(world.keys.map(({ keyId }) => keyId));
  });
});

it("has no exchanges where the log is off", async () => {
  await withVenue({ exchanges: false }, async (venue) => {
    await venue.trader.place({ client_order_id: randomUUID() });
    expect(JSON.parse(linesOf(await capsuleOf(venue.simulator))[0] ?? "")).toMatchObject({ exchanges: 0 });
  });
});
