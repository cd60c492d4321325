/** Hundreds of stops that one trade triggers: others are answered meanwhile, and forks and capsules have them all. */
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { capsuleOf, linesOf, replayed } from "../capsule/testing/files.ts";
import { stopBuy, withVenue } from "../testing/venue.ts";

const stops = 640;

test("a trade that triggers hundreds of stops keeps no reader waiting; a fork in their middle and a capsule have them all", async () => {
  await withVenue({}, async (venue) => {
    const placed = Array.from({ length: stops }, () => venue.placed(stopBuy({ base_quantity: "0.0001" })));
    await Promise.all(placed);
    await venue.settle();
    const head = async (world: string): Promise<{ seq: number; hash: string }> => {
      const { seq, hash } = await venue.control(`/worlds/${world}`, {}, "GET");
      return { seq: Number(seq), hash: String(hash) };
    };
    const { seq: before } = await head("main");

    let isOver = false;
    const printed = venue.print("BTC-USD", "65000").then(() => (isOver = true));
    const readers = Array.from({ length: 4 }, async () => {
      while (!isOver) expect((await venue.trader.get("/account/fee")).status).toBe(200);
    });
    await Promise.all([printed, ...readers]);

    const after = await head("main");
    expect(after.seq).toBe(before + 1 + stops);
    await venue.control("/worlds/main/fork", { name: "then", entry: before + 100 });
    while ((await head("then")).seq < after.seq) await turn();
    expect(await head("then")).toEqual(after);

    const capsule = await capsuleOf(venue.simulator);
    const lines = linesOf(capsule).map((line) => JSON.parse(line) as { target?: string; after?: number });
    const between = lines.filter(
      ({ target, after: place = 0 }) =>
        target?.endsWith("/account/fee") && place > before && place < after.seq,
    );
    expect(between.length).toBeGreaterThan(0);
    const replay = await replayed(capsule);
    expect(replay.difference).toBeNull();
    expect(replay.hash).toBe(after.hash);
  });
});
