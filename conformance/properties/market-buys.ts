import { finalStatuses } from "../contract/fields.ts";
import type { Expectation, WrittenStep } from "../model/language.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { standing } from "./own-book.ts";
import { call, type Judged, key, settle } from "./templates.ts";

/**
 * MARKET BUYs, the offers that they meet, and their results. Amounts are calculated from the amount that the profile
 * allows to spend, so that a failing file also runs on a target with other prices.
 *
 * Invariant: an offer of the kit is above the best known bid, so placing it causes no trade.
 */
export const book: ValueMap = {
  product: { $product: "liquid" },
  quantity: { $qty: { size: "typical", product: "${product}" } },
  least: { $spend: { size: "min", product: "${product}" } },
  bid: { $price: { side: "BUY", away: "near", product: "${product}" } },
  ask: { $price: { side: "SELL", away: "near", product: "${product}" } },
  tick: { $step: { of: "price", product: "${product}" } },
  unit: { $step: { of: "value", product: "${product}" } },
  lot: { $step: { of: "quantity", product: "${product}" } },
  middle: { $calc: "bid + ((ask - bid + tick) / (2 * tick) @ 0) * tick" },
};

/** An offer of the counterparty inside the spread, so that the first offer that a buy meets is known. */
export const offer = (id: string, price: string, quantity: string): WrittenStep =>
  standing(id, "counterparty", { side: "SELL", type: "LIMIT", base_quantity: quantity, price });

/** Places a MARKET BUY; `ending` waits for it. */
export function placeBuy(slot: string, fields: ValueMap): WrittenStep {
  const body = { side: "BUY", type: "MARKET", ...fields, client_order_id: key(slot), product: "${product}" };
  return call(`${slot}Placed`, "placeOrder", { body }, { capture: { [`${slot}Order`]: "#/data/order/id" } });
}

/** Waits until a buy has ended; `judged` checks the order then. */
export function ending(slot: string, judged: Judged): WrittenStep {
  return {
    id: slot,
    poll: {
      call: { op: "readOrder", params: { id: `\${${slot}Order}` } },
      until: ended,
      every: "50ms",
      within: "5s",
    },
    ...judged,
  };
}

export function buy(slot: string, fields: ValueMap, judged: Judged): WrittenStep[] {
  return [placeBuy(slot, fields), settle, ending(slot, judged)];
}

/** Amounts of an order may be null; then nothing is checked. */
export function showing(slot: string, field: string): WrittenStep {
  return {
    note: `the target shows no ${field}`,
    onFail: "block",
    assert: { of: slot },
    expect: { order: { [field]: { $type: "string" } } },
  };
}

const ended: Expectation = { order: { status: { $in: [...finalStatuses] } } };
export const trading = { capabilities: ["liquidity.cross"], operations: ["readOrder"] };
export const tradingWithOurselves = { ...trading, credentials: ["counterparty"] };

/**
 * An amount that the target may have rounded, once for each fill, to the number of decimals that it uses: as many as it
 * shows, but at least two. `relation` compares the amount within a tolerance.
 */
export function rounded(fills: number, relation: (tolerance: string) => ValueMap): Value {
  const scales = [8, 7, 6, 5, 4, 3, 2];
  return {
    $anyOf: scales.map((scale): ValueMap => {
      const unit = (count: number): string => `0.${String(count).padStart(scale, "0")}`;
      const whole = scale === scales[0] ? {} : { multipleOf: unit(1) };
      return { $dec: { ...relation(unit(fills)), ...whole } };
    }),
  };
}
