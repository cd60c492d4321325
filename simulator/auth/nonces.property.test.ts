/**
 * The laws of the nonce memory against a model that keeps everything for ever, under a clock that jumps
 * about.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { NonceMemory, type NonceRecord } from "./nonces.ts";

const start = 1_767_225_600_000;
const window = 30_000;
const retention = 300_000;

interface Step {
  readonly clockMove: number;
  readonly key: number;
  readonly nonce: number;
  /** Signed time relative to the clock, within the window. */
  readonly skew: number;
  /** Instead of a new request, sends an earlier one again, if it is in the window by now. */
  readonly replay: number | null;
  readonly restart: boolean;
}

const clockMove = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -60_000, max: 60_000 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(2 * window - 2, retention, retention + 1, retention + 2 * window + 1),
  },
  { weight: 1, arbitrary: fc.constantFrom(7_200_000, -7_200_000, 86_400_000, -86_400_000) },
);

const step: fc.Arbitrary<Step> = fc.record({
  clockMove,
  key: fc.integer({ min: 0, max: 1 }),
  nonce: fc.integer({ min: 0, max: 30 }),
  skew: fc.oneof(fc.constantFrom(-window, window, window - 1, 0), fc.integer({ min: -window, max: window })),
  replay: fc.option(fc.nat({ max: 40 }), { freq: 2 }),
  restart: fc.boolean(),
});

/** Everything that was ever accepted, and what a file would hold. */
class Model {
  readonly accepted: NonceRecord[] = [];
  floors: { key: number; timestamp: number }[] = [];
  furthestClock = 0;

  /**
   * Why a request may be refused as below the floor: a used nonce, at least as late, had outlived its
   * retention.
   */
  mayBeBelowFloor(record: NonceRecord): boolean {
    return this.accepted.some(
      (used) =>
        used.key === record.key &&
        used.timestamp >= record.timestamp &&
        this.furthestClock > used.receivedAt + retention,
    );
  }

  used(record: NonceRecord): readonly NonceRecord[] {
    return this.accepted.filter((used) => used.key === record.key && used.nonce === record.nonce);
  }
}

function nextRecord(model: Model, now: number, { key, nonce, skew, replay }: Step): NonceRecord | null {
  const earlier = replay === null ? undefined : model.accepted[replay % Math.max(1, model.accepted.length)];
  if (earlier === undefined) {
    return { key, nonce: nonce.toString(16).padStart(32, "0"), timestamp: now + skew, receivedAt: now };
  }
  return Math.abs(now - earlier.timestamp) <= window ? { ...earlier, receivedAt: now } : null;
}

function checkVerdict(model: Model, record: NonceRecord, verdict: string): void {
  const earlier = model.used(record);
  const isReplay = earlier.some((used) => used.timestamp === record.timestamp);
  if (verdict === "fresh") {
    // A request never passes twice, and a nonce not within its retention, whatever the clock did in between.
    expect(isReplay).toBe(false);
    expect(earlier.every((used) => model.furthestClock > used.receivedAt + retention)).toBe(true);
  } else if (verdict === "reused") {
    expect(earlier.length).toBeGreaterThan(0);
  } else {
    expect(model.mayBeBelowFloor(record)).toBe(true);
  }
}

const settings = { clockWindowMs: window, nonceRetentionMs: retention };

test("nothing is accepted twice, no nonce within its retention, and no refusal is without a cause", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 120 }), (steps) => {
      const model = new Model();
      let nonces = new NonceMemory(settings);
      let now = start;
      for (const each of steps) {
        now += each.clockMove;
        if (each.restart && each.nonce === 0) {
          nonces = new NonceMemory(settings);
          nonces.restore({ load: () => model.accepted, loadFloors: () => model.floors });
        }
        const record = nextRecord(model, now, each);
        if (record === null) continue;
        model.furthestClock = Math.max(model.furthestClock, now);
        const verdict = nonces.consume(record);
        checkVerdict(model, record, verdict);
        if (verdict === "fresh") model.accepted.push(record);
        model.floors = [...model.floors, ...nonces.takeFloors()];
      }
    }),
    { numRuns: triesAll ? 2000 : 800 },
  );
});

test("with a bound, too, no request is accepted twice", () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 1, max: 8 }),
      (steps, maxPerKey) => {
        const model = new Model();
        const nonces = new NonceMemory({ ...settings, maxPerKey });
        let now = start;
        for (const each of steps) {
          now += each.clockMove;
          const record = nextRecord(model, now, each);
          if (record === null) continue;
          const replayed = model.used(record).some((used) => used.timestamp === record.timestamp);
          if (nonces.consume(record) !== "fresh") continue;
          expect(replayed).toBe(false);
          expect(nonces.size).toBeLessThanOrEqual(2 * maxPerKey);
          model.accepted.push(record);
        }
      },
    ),
    { numRuns: triesAll ? 1000 : 400 },
  );
});
