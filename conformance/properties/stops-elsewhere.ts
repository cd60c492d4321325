import { parseDecimal } from "../check/decimal.ts";
import type { WrittenStep } from "../model/language.ts";
import { isOurs } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import { NotSeenYet } from "../runner/prepare/market.ts";
import { untouched } from "./own-book.ts";
import type { Situation } from "./property.ts";
import { productWords, unknownPrice } from "./table-orders.ts";
import { call, key } from "./templates.ts";

/**
 * A stop for another product that has an asset in common with the product of the plan. Its trigger lies between the
 * prices of the two, or at a price without trades if the two are far apart. Only a target that takes a trade of one
 * product for a trade of the other triggers it.
 */
export interface Elsewhere {
  readonly side: "BUY" | "SELL";
  /** `there` is the place of a trade in our book. */
  readonly vars: (there: string) => ValueMap;
}

type Shares = (ours: readonly string[], theirs: readonly string[]) => boolean;

const shares: Readonly<Record<string, Shares>> = {
  "the same base": ([base], [other]) => base === other,
  "the same quote": ([, quote], [, other]) => quote === other,
};

function wordOf(elsewhere: string, { market }: Situation): string | undefined {
  const products = market.candidates();
  if (products.length === 0) return undefined;
  const ours = market.product("liquid");
  const at = products.findIndex(
    (id) => id !== ours && shares[elsewhere]?.(ours.split("-"), id.split("-")) === true,
  );
  return productWords[at];
}

/** The reason why there is no such stop here. */
export function noneElsewhere(elsewhere: string, situation: Situation): string | undefined {
  if (shares[elsewhere] === undefined) return undefined;
  if (!isOurs(situation.profile)) return "stops for products of others are tried on this machine only";
  const word = wordOf(elsewhere, situation);
  if (word === undefined) return "no product is known that has that asset in common";
  return unknownPrice(situation, word, "near") ?? unknownPrice(situation, word, "far");
}

export function elsewhereOf(elsewhere: string, situation: Situation): Elsewhere | undefined {
  const word = wordOf(elsewhere, situation);
  if (word === undefined) return undefined;
  const side = isDearer(situation, word) ? "SELL" : "BUY";
  const price = (of: string, away: string): ValueMap => ({
    $price: { side: of, away, product: "${otherProduct}" },
  });
  return {
    side,
    vars: (there) => ({
      otherProduct: { $product: word },
      otherQuantity: { $qty: { size: "typical", product: "${otherProduct}" } },
      otherBid: price("BUY", "near"),
      otherAsk: price("SELL", "near"),
      otherFar: price(side === "BUY" ? "SELL" : "BUY", "far"),
      // In whole spreads, because a spread is a multiple of the step of its prices.
      spreads: { $calc: `(price${there} - otherBid) / max((otherAsk - otherBid) * 2, 0.00000001) @ 0` },
      between: { $calc: "otherBid + spreads * (otherAsk - otherBid)" },
      otherTrigger: { $calc: `${side === "BUY" ? "min" : "max"}(between, otherFar)` },
    }),
  };
}

function isDearer({ market }: Situation, word: string): boolean {
  const bid = (product: string) =>
    parseDecimal(String(market.generate("$price", { side: "BUY", away: "near", product }, false)));
  try {
    const [ours, theirs] = [bid(market.product("liquid")), bid(market.product(word))];
    return ours !== undefined && theirs?.gt(ours) === true;
  } catch (error) {
    if (error instanceof NotSeenYet) return false;
    throw error;
  }
}

export const waitingElsewhere = ({ side }: Elsewhere): WrittenStep[] => [
  {
    note: "the prices of the two products are too close to be distinguished",
    onFail: "block",
    assert: {
      left: { $calc: "abs(otherTrigger - otherBid) - 3 * (otherAsk - otherBid)" },
      is: { $dec: { gt: "0" } },
    },
  },
  call(
    "otherStop",
    "placeOrder",
    {
      body: {
        side,
        type: "STOP_LIMIT",
        base_quantity: "${otherQuantity}",
        price: "${otherTrigger}",
        stop_price: "${otherTrigger}",
        client_order_id: key("otherStop"),
        product: "${otherProduct}",
      },
    },
    {
      note: "the target did not accept a stop for the other product",
      onFail: "block",
      expect: { body: { data: { type: "NEW_ORDER" } } },
      capture: { otherStopOrder: "#/data/order/id" },
    },
  ),
];

/** There was no trade of that product at its trigger. */
export const undisturbed: WrittenStep = call(
  "undisturbed",
  "readOrder",
  { params: { id: "${otherStopOrder}" } },
  { spec: ["PLC-32"], expect: { order: { filledQuantity: untouched } } },
);
