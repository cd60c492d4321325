/** Bugs in the limits of an order's size. */
import { rulesOf } from "../engine/state.ts";
import { refuse } from "../http/route.ts";
import { isMarketBuy, type OrderBody, placing, textOf } from "../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../variations/defect.ts";

interface Limits {
  readonly min: number;
  readonly max: number;
}

/** The tightest limits on `base_quantity`, in base units; null where the order has none that count. */
function limitsOf(call: BrokenCall, body: OrderBody): Limits | null {
  const product = call.state.marketOf(textOf(body, "product"))?.product;
  const { client } = call.caller;
  if (product === undefined || client === null || isMarketBuy(body)) return null;
  const rules = rulesOf(call.state.client(client), product.index);
  const amount = (lots: number | null, otherwise: number): number =>
    lots === null ? otherwise : (lots * product.lotUnit) / 10 ** product.lotScale;
  const lowest = [product.exchangeMinSize, product.minOrderSize, rules.minOrderSize].map((lots) =>
    amount(lots, 0),
  );
  const highest = [product.exchangeMaxSize, product.maxOrderSize, rules.maxOrderSize].map((lots) =>
    amount(lots, Number.POSITIVE_INFINITY),
  );
  return { min: Math.max(...lowest), max: Math.min(...highest) };
}

type Verdict = "as it is" | "too small" | "smallest";

/** Judges the size first, wrongly; an order that it lets through against the rules is placed in the smallest size. */
const judging = (judge: (asked: string, limits: Limits) => Verdict): Decorators => ({
  route: placing((call, body, place) => {
    const limits = limitsOf(call, body);
    const asked = textOf(body, "base_quantity");
    const verdict = limits === null || asked === "" ? "as it is" : judge(asked, limits);
    if (verdict === "too small") {
      return Promise.resolve(
        refuse("ORDER_SIZE_BELOW_MINIMUM", "The order is below the minimum", [{ field: "base_quantity" }]),
      );
    }
    const size = verdict === "smallest" ? { base_quantity: String(limits?.min) } : {};
    return place({ ...body, ...size });
  }),
});

export const sizeDefects: readonly Defect[] = [
  bug("M-084", "The smallest size itself is refused", ["PLC-33"], () =>
    judging((asked, { min }) => (Number(asked) === min ? "too small" : "as it is")),
  ),
  bug("M-085", "The largest size is not enforced", ["PLC-28"], () =>
    judging((asked, { max }) => (Number(asked) > max ? "smallest" : "as it is")),
  ),
  bug("M-087", "Sizes are compared as texts", ["PLC-21", "PLC-33"], () =>
    judging((asked, { min, max }) => {
      const passes = asked >= String(min) && asked <= String(max);
      if (!passes) return "too small";
      return Number(asked) < min || Number(asked) > max ? "smallest" : "as it is";
    }),
  ),
];
