/** A fork at now goes on exactly as its world would: the same further requests get the same answers and make the same journal. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import type { Json } from "../testing/client.ts";
import { ScriptedWorld, type Step } from "../testing/scripted-world.ts";
import { withVenue } from "../testing/venue.ts";

const now = (): number => Date.parse("2026-04-01T00:00:00.000Z");
const world = {
  extends: "demo",
  clock: { mode: "manual", start: "2026-03-28T23:30:00.000Z" },
  settings: { rateLimit: { enabled: false }, syncDelayMs: 120 },
  faults: [{ id: "third", nth: 3, fault: { kind: "internalFailure" } }],
};

const key = fc.constantFrom("trader", "other", "counterparty");
const which = fc.nat(20);
const side = fc.constantFrom("BUY", "SELL");
const price = fc.integer({ min: -30, max: 30 }).map((away) => String(60_000 + 20 * away));
const sized = { product: "BTC-USD", base_quantity: "0.0123" };
const order = fc.oneof(
  { weight: 4, arbitrary: fc.record({ side, price }).map((more) => ({ ...sized, type: "LIMIT", ...more })) },
  { weight: 1, arbitrary: fc.constant({ ...sized, type: "MARKET", side: "SELL" }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ side, price })
      .map((more) => ({ ...sized, type: "STOP_LIMIT", stop_price: more.price, ...more })),
  },
);
const idGroup = fc.option(
  fc.constantFrom("00000e01", "00000e02", "00000e04", "00000e05", "00000e06", "00000e09"),
  { nil: undefined, freq: 4 },
);
const control = (path: string, body: fc.Arbitrary<Json>, method = "POST"): fc.Arbitrary<Step> =>
  body.map((given) => ({ kind: "control", method, path, body: given }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("place"), key, order, idGroup }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel"), key, which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("act"),
      action: fc.constantFrom("fill", "reject", "cancel", "expire", "confirm", "hold"),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: control(
      "/clock",
      fc.constantFrom(1, 49, 50, 119, 1000, 61_000).map((advanceMs) => ({ advanceMs })),
    ),
  },
  {
    weight: 1,
    arbitrary: control(
      "/outcomes/next",
      fc.record({
        code: fc.constantFrom("EXTERNAL_FAILURE", "UNKNOWN_THEN_OPEN", "STUCK_PENDING"),
        key,
        count: fc.integer({ min: 1, max: 3 }),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: control(
      "/products/BTC-USD/trades",
      price.map((at) => ({ price: at, quantity: "0.5" })),
    ),
  },
  {
    weight: 1,
    arbitrary: control(
      "/clients/alice/deposits",
      fc.record({
        asset: fc.constant("ETH"),
        amount: fc.constant("1.25"),
        confirmations: fc.nat(14),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: control(
      "/settings",
      fc.constantFrom(0, 50).map((matchDelayMs) => ({ matchDelayMs })),
    ),
  },
);

const reads: readonly Step[] = ["trader", "other", "counterparty"].flatMap((name) =>
  ["/order", "/order/open", "/wallet", "/wallet/deposits", "/order-book/BTC-USD", "/product/pairs"].map(
    (path): Step => ({ kind: "read", key: name, path }),
  ),
);

test("a fork and its world answer the same further requests alike, entry by entry", async () => {
  let tried = 0;
  await withVenue({ world, authClock: now }, async (venue) => {
    const steps = fc.array(step, { minLength: 3, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, after) => {
        const parent = await ScriptedWorld.make(venue, { name: `parent-${(tried += 1)}`, world }, now);
        for (const one of before) await parent.play(one);
        const fork = await parent.fork(`fork-${tried}`);
        const atFork = await parent.head();
        expect(await fork.head()).toBe(atFork);
        for (const one of [...after, ...reads]) {
          const answer = await parent.play(one);
          expect(await fork.play(one), JSON.stringify(one)).toBe(answer);
          expect(await fork.head()).toBe(await parent.head());
        }
        await parent.delete();
        await fork.delete();
      }),
      { numRuns: triesAll ? 15 : 3 },
    );
  });
});
