import fc from "fast-check";
import type { Call, WrittenStep } from "../model/language.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { book, buy, offer, rounded } from "./market-buys.ts";
import type { Plan, Situation } from "./property.ts";
import { call, type Judged } from "./templates.ts";

/**
 * The second half of P-21: a MARKET BUY over several prices costs the sum of those offers, best price first. A
 * counterparty offers two or three sizes inside the spread, each at its own price. The value of the buy pays for all
 * offers but the last, and for a part of the last. The offers show whether the buy met other orders: their filled
 * quantities must add up to that of the buy, or the plan is BLOCKED.
 *
 * The part of the value that buys depends on where fees are taken, which the document leaves open (AS-23). It is never
 * more than the offers cost. The check that the quantity is the largest multiple of the step is made only if the
 * profile states where fees are taken (`facts.marketBuyFees`) and the step (`safety.products.….qtyStep`).
 */
export function bookWalks(situation: Situation): fc.Arbitrary<Plan> {
  const convention = conventionOf(situation);
  const level = fc.record({ place: fc.nat({ max: 15 }), sizes: fc.integer({ min: 1, max: 3 }) });
  return fc
    .record({
      levels: fc.uniqueArray(level, { minLength: 2, maxLength: 3, selector: ({ place }) => place }),
      thousandths: fc.integer({ min: 300, max: 900 }),
    })
    .map(({ levels, thousandths }) =>
      planOf(
        levels.toSorted((a, b) => a.place - b.place),
        thousandths,
        convention,
      ),
    );
}

interface Level {
  /** Sixteenths of the spread above the best bid. */
  readonly place: number;
  /** In usual quantities. */
  readonly sizes: number;
}

/** Where the fees of a MARKET BUY go, in the words of the register of freedoms, and the step of the product. */
interface Convention {
  readonly fees: Value | undefined;
  readonly step: string | undefined;
}

function conventionOf({ profile, market }: Situation): Convention {
  const { qtyStep } = profile.safety.products[market.product("liquid")] ?? {};
  return { fees: profile.facts["marketBuyFees"], step: qtyStep };
}

function planOf(levels: readonly Level[], thousandths: number, convention: Convention): Plan {
  const offers = levels.map((_, index) => `offer${index + 1}`);
  const last = `price${levels.length} * size${levels.length}`;
  return {
    isolation: "product",
    vars: {
      ...book,
      ...Object.fromEntries(levels.flatMap((level, index) => offerVars(level, index + 1))),
      all: { $calc: offers.map((_, at) => `price${at + 1} * size${at + 1}`).join(" + ") },
      value: {
        $calc: `max(least, ((all * 1000 - ${last} * ${1000 - thousandths}) / (1000 * unit) @ 0) * unit)`,
      },
      ...walk("paid", "bought", offers.length),
      ...affordable(offers.length),
    },
    steps: [
      ...offers.map((id, at) => offer(id, `\${price${at + 1}}`, `\${size${at + 1}}`)),
      ...buy("buy", { quote_value: "${value}" }, { capture: { bought: "#order/filledQuantity" } }),
      ...offers.map(soldBy),
      { assert: { of: "buy" }, expect: { order: judged(offers.length, convention) } },
    ],
  };
}

const offerVars = ({ place, sizes }: Level, n: number): [string, Value][] => [
  [`price${n}`, { $calc: `bid + tick + ((ask - bid - tick) * ${place} / (16 * tick) @ 0) * tick` }],
  [`size${n}`, { $calc: `quantity * ${sizes}` }],
];

/**
 * The filled quantity of an offer. The offers together sold what was bought, or the buy met offers of other clients as
 * well.
 */
function soldBy(id: string, at: number, all: readonly string[]): WrittenStep {
  const sold: Judged = { capture: { [`${id}Sold`]: "#order/filledQuantity" } };
  const others = all.slice(0, -1).map((other) => ` - ${other}Sold`);
  const alone: Judged = {
    note: "the buy met offers of other clients",
    onFail: "block",
    expect: { order: { filledQuantity: { $decVar: `bought${others.join("")}` } } },
  };
  const read: Call = { as: "counterparty", params: { id: `\${${id}Order}` } };
  return call(`${id}Read`, "readOrder", read, at === all.length - 1 ? alone : sold);
}

/** The cost of a quantity: from each offer in turn what it has, as far as the quantity goes. */
export function walk(cost: string, quantity: string, levels: number): ValueMap {
  const numbers = Array.from({ length: levels }, (_, index) => index + 1);
  const before = (n: number): string =>
    numbers
      .slice(0, n - 1)
      .map((earlier) => ` - ${cost}${earlier}`)
      .join("");
  return {
    ...Object.fromEntries(
      numbers.map((n) => [`${cost}${n}`, { $calc: `min(${quantity}${before(n)}, size${n})` }]),
    ),
    [cost]: { $calc: numbers.map((n) => `${cost}${n} * price${n}`).join(" + ") },
  };
}

/** The most that the value buys, and a hundredth more: by that much it may be overspent (PLC-06). */
export function affordable(levels: number): ValueMap {
  const numbers = Array.from({ length: levels }, (_, index) => index + 1);
  const left = (n: number): string =>
    numbers
      .slice(0, n - 1)
      .map((earlier) => ` - most${earlier} * price${earlier}`)
      .join("");
  return {
    ...Object.fromEntries(
      numbers.map((n) => [
        `most${n}`,
        { $calc: `min(size${n}, ((value + 0.01${left(n)}) / price${n} @ 20))` },
      ]),
    ),
    most: { $calc: numbers.map((n) => `most${n}`).join(" + ") },
  };
}

function judged(levels: number, { fees, step }: Convention): ValueMap {
  const cost = rounded(levels, (tolerance) => ({ near: { $eqVar: "paid" }, tol: tolerance }));
  const increment = `${step ?? "0"} * price${levels}`;
  const whole =
    step !== undefined && (fees === "on-top" || fees === "from-base")
      ? rounded(levels, (tolerance) => ({ gt: { $calc: `value - ${increment} - ${tolerance}` } }))
      : undefined;
  const included: ValueMap = {
    $optional: {
      $nullable: {
        $dec: {
          lte: { $calc: "value + 0.01 - filledValue" },
          ...(step === undefined
            ? {}
            : {
                gt: { $calc: `value - filledValue - ${increment} * (1 + (fees / filledValue @ 8)) - 0.01` },
              }),
        },
      },
    },
  };
  return {
    filledValue: whole === undefined ? cost : { $allOf: [cost, whole] },
    filledQuantity: {
      $dec: { gt: "0", lte: { $eqVar: "most" }, ...(step === undefined ? {} : { multipleOf: step }) },
    },
    ...(fees === "inside" ? { fees: included } : {}),
  };
}
