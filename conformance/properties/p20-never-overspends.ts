import fc from "fast-check";
import { book, buy, offer, showing, trading } from "./market-buys.ts";
import type { Plan, Property, Situation } from "./property.ts";

/**
 * P-20: a MARKET BUY never spends more than its quote_value.
 * Clauses: PLC-06 (the part that is required: the filled value is not above the value by more than an increment).
 * Generator: a value from the least that the product allows to four times that, with up to two decimals. With a
 * counterparty, up to three small offers inside the spread, so that the order trades at several prices. Sometimes with
 * a base_quantity, which is for other orders.
 * Oracle: when the order has ended, filledValue is a decimal between zero and quote_value plus one hundredth. Whether
 * fees are included is open (AS-23); a larger value is wrong in either reading.
 * Shrinks to the least value and to no offer of our own. Safety: trades, for the least that can be traded.
 */
export const neverOverspends: Property = {
  id: "P-20",
  title: "A MARKET BUY never spends more than quote_value",
  spec: ["PLC-06"],
  level: "required",
  assumes: ["AS-23"],
  safety: "trades",
  requires: trading,
  runs: { local: 4, staging: 2 },
  cost: { requests: 12, orders: 4 },
  plans: (situation) => fc.record({ thousandths, decimals, offers: offers(situation), beside }).map(planOf),
};

const thousandths = fc.integer({ min: 1000, max: 4000 });
/** More than cents may be refused: a currency has the decimals that it has. */
const decimals = fc.integer({ min: 0, max: 2 });
/** Usual quantities in base_quantity, which does not size it; 0 leaves the field out. */
const beside = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(1, 5) },
);

/** Cents below the best ask, one size each. */
function offers({ profile }: Situation): fc.Arbitrary<readonly number[]> {
  return profile.credentials["counterparty"] === undefined
    ? fc.constant([])
    : fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 });
}

interface Buying {
  readonly thousandths: number;
  readonly decimals: number;
  readonly offers: readonly number[];
  readonly beside: number;
}

function planOf({ thousandths: part, decimals: places, offers: cents, beside: sizes }: Buying): Plan {
  const priced = cents.map(
    (cent, index) => [`offer${index + 1}`, { $calc: `max(bid + tick, ask - tick * ${cent})` }] as const,
  );
  const coarse = 10 ** (2 - places);
  return {
    isolation: "product",
    vars: {
      ...book,
      value: { $calc: `max(least, (least * ${part} / (${1000 * coarse} * unit) @ 0) * unit * ${coarse})` },
      beside: { $calc: `quantity * ${sizes}` },
      ...Object.fromEntries(priced.map(([name, price]) => [`${name}Price`, price])),
    },
    steps: [
      ...priced.map(([name]) => offer(name, `\${${name}Price}`, "${quantity}")),
      ...buy(
        "bought",
        { quote_value: "${value}", ...(sizes === 0 ? {} : { base_quantity: "${beside}" }) },
        {},
      ),
      showing("bought", "filledValue"),
      {
        assert: { of: "bought" },
        expect: {
          order: {
            filledValue: { $cite: "PLC-06", is: { $dec: { gte: "0", lte: { $calc: "value + 0.01" } } } },
          },
        },
      },
    ],
  };
}
