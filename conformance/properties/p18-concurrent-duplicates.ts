import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Call, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import { bodyOf, doubleQuantity, type Placement } from "./placements.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { market, openWith, orderOf, shapes } from "./templates.ts";

/**
 * P-18: parallel placements with one key create at most one order, and the answers fit some order of events in which
 * the first is new and the others repeat it.
 * Clauses: PLC-16.
 * Generator: two to eight placements over one or two keys, with equal or different quantities, released at a barrier,
 * staggered or without waiting; one of them may hang up before its answer.
 * Oracle: the linearizability checker (check/linearizable.ts), first on the race, then on the race together with one
 * more placement per key, which must return the order of the race; then at most one order per key is open. A missing
 * answer may mean an order or none. Busy answers (409, 425, 429) are refusals.
 * Shrinks to two equal placements with one key at a barrier. Safety: at most two orders, far from the market. Two
 * orders with one key are lasting evidence, so one observation is enough.
 */
export const concurrentDuplicates: Property = {
  id: "P-18",
  title: "Parallel placements of one client_order_id create one order",
  spec: ["PLC-16"],
  assumes: ["AS-14"],
  safety: "rests",
  runs: { local: 6, staging: 3 },
  cost: { requests: 12, orders: 2 },
  durable: true,
  plans: (situation) => race(situation).map(planOf),
};

interface Race {
  readonly release: "barrier" | "none" | "stagger";
  readonly keys: number;
  readonly racers: readonly { readonly key: number; readonly doubled: boolean }[];
  readonly leaves: boolean;
}

function race({ profile }: Situation): fc.Arbitrary<Race> {
  const racer = fc.record({ key: fc.nat({ max: 1 }), doubled: fc.boolean() });
  return fc.record({
    release: fc.constantFrom("barrier", "none", "stagger"),
    keys: fc.constantFrom(1, 2),
    racers: fc.array(racer, { minLength: 2, maxLength: Math.min(8, profile.safety.budget.concurrency) }),
    leaves: fc.boolean(),
  });
}

function planOf({ release, keys, racers, leaves }: Race): Plan {
  const placements = racers.map(
    ({ key, doubled }): Placement => ({
      slot: keys === 1 || key === 0 ? "a" : "b",
      shape: shapes.limitBuy,
      doubled,
    }),
  );
  const slots = [...new Set(placements.map(({ slot }) => slot))];
  return {
    vars: { ...market, ...doubleQuantity },
    steps: [
      { id: "race", concurrent: { release, ...branchesOf(placements, leaves), collect: "race" } },
      explained("raced"),
      ...slots.map(
        (slot): WrittenStep => ({
          id: `${slot}Again`,
          concurrent: { branches: [[placement(orderOf(shapes.limitBuy, slot))]], collect: "race" },
        }),
      ),
      explained("settled"),
      ...slots.map((slot) => openWith(`${slot}Open`, slot, { lte: 1 }, ["PLC-16"])),
    ],
  };
}

const explained = (id: string): WrittenStep => ({
  id,
  check: { linearizable: "placement", history: "race" },
});
const placement = (body: ValueMap, more: Call = {}): WrittenStep => ({
  call: { op: "placeOrder", body, ...more },
});

/** Equal racers are one branch, several times; that is how a person would write it. */
function branchesOf(
  placements: readonly Placement[],
  leaves: boolean,
): Pick<NonNullable<WrittenStep["concurrent"]>, "fanout" | "branches"> {
  const bodies = placements.map(bodyOf);
  const same = bodies.every((body) => isDeepStrictEqual(body, bodies[0]));
  if (same && !leaves) return { fanout: bodies.length, branches: [[placement(bodies[0] ?? {})]] };
  return {
    branches: bodies.map((body, index) => [
      placement(body, leaves && index === 0 ? { abandon: "sent" } : {}),
    ]),
  };
}
