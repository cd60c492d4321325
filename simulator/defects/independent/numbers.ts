/** Bugs of decimals: floats, locales, printing, comparing. */

import { lotsText, ticksText } from "../../domain/steps.ts";
import type { Refused } from "../../http/route.ts";
import { refuse } from "../../http/route.ts";
import { type Placement, placing, textOf } from "../../variations/changed-call.ts";
import { bug, type Defect } from "../../variations/defect.ts";
import { ordersWith } from "../../variations/order-records.ts";
import { Echoes } from "./echoes.ts";
import { productOf, respelling } from "./order-fields.ts";

const plain = /^\d+(\.\d+)?$/;
const fractionOf = (text: string): string => text.split(".")[1] ?? "";

/** Every decimal field of these of every order, when it is a text. */
const printing = (fields: readonly string[], print: (text: string) => unknown) =>
  ordersWith((order) => ({
    ...order,
    ...Object.fromEntries(
      fields.flatMap((name) => {
        const value = order[name];
        return typeof value === "string" ? [[name, print(value)]] : [];
      }),
    ),
  }));

/** The limit that a refusal for size names. */
function limitOf(refused: Refused): string {
  const limit: unknown = Object.entries(refused.error.details?.[0] ?? {}).find(
    ([name]) => name === "limit",
  )?.[1];
  return String(limit);
}

/** Lets sizes through that the venue refuses: it gets the limit itself, and the client sees what it asked for. */
const letting =
  (
    echoes: Echoes,
    code: string,
    through: (size: string, limit: string, type: unknown) => boolean,
  ): Placement =>
  async (_call, body, place) => {
    const reply = await place(body);
    if (reply.ok || reply.error.code !== code) return reply;
    const asked = textOf(body, "base_quantity");
    const limit = limitOf(reply);
    if (!through(asked, limit, body["type"])) return reply;
    echoes.tell(textOf(body, "client_order_id"), { baseQuantity: asked });
    return place({ ...body, base_quantity: limit });
  };

const mostDigits = 28;
const amounts = ["base_quantity", "quote_value", "price", "stop_price"];
const smallestPlain = 1e-6;

export const numbers: readonly Defect[] = [
  // The quantity is brought to whole increments by dividing floats.
  bug("A-50", "Dividing floats takes one increment from some quantities", ["ORD-44", "REQ-25"], () => ({
    route: respelling("base_quantity", (text, body, call) => {
      const product = productOf(call, body);
      if (product === undefined || !plain.test(text) || fractionOf(text).length > product.lotScale)
        return text;
      return lotsText(product, Math.floor(Number(text) / Number(lotsText(product, 1))));
    }),
  })),
  // A trigger that is too fine is rounded.
  bug("A-51", "A stop_price that is too fine is rounded in silence", ["REQ-25", "ORD-46"], () => ({
    route: respelling("stop_price", (text, body, call) => {
      const product = productOf(call, body);
      if (product === undefined || !plain.test(text) || fractionOf(text).length <= product.priceScale)
        return text;
      return ticksText(product, Math.round(Number(text) / Number(ticksText(product, 1))));
    }),
  })),
  // Small prices are printed as the language prints floats.
  bug("A-52", "Prices below 0.000001 are shown with an exponent", ["ORD-15", "GEN-04"], () =>
    printing(["limitPrice", "stopPrice"], (text) =>
      Number(text) < smallestPlain ? String(Number(text)) : text,
    ),
  ),
  // Zeros at the end are cut off, also those before the point.
  bug("A-53", "A quantity of 10 is shown as 1, because zeros at the end are cut off", ["ORD-44"], () =>
    printing(["baseQuantity"], (text) => text.replace(/\.?0+$/, "") || "0"),
  ),
  // Values are printed for people.
  bug("A-54", "Values of a thousand and more are shown with commas", ["ORD-20", "ORD-47"], () =>
    printing(["quoteValue", "filledValue"], (text) =>
      text.replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")),
    ),
  ),
  // A text that looks like a whole number is encoded as a number.
  bug("A-55", "Prices that are whole numbers are shown as JSON numbers", ["GEN-04", "ORD-15"], () =>
    printing(["limitPrice", "stopPrice", "averageFilledPrice"], (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    ),
  ),
  // Sizes are compared as texts.
  bug(
    "A-56",
    "A quantity of 2 is above a maximum of 100, because they are compared as texts",
    ["PLC-21"],
    () => ({
      route: placing(async (call, body, place) => {
        const product = productOf(call, body);
        const most = product?.maxOrderSize ?? null;
        if (product === undefined || most === null) return place(body);
        return textOf(body, "base_quantity") > lotsText(product, most)
          ? refuse("ORDER_SIZE_ABOVE_MAXIMUM", "Order size is above the maximum")
          : place(body);
      }),
    }),
  ),
  // Sizes are compared after rounding to four digits.
  bug(
    "A-57",
    "A size just below the minimum is accepted, because it is rounded before it is compared",
    ["PLC-27"],
    () => {
      const echoes = new Echoes();
      const through = (size: string, limit: string): boolean =>
        Number(Number(size).toFixed(4)) >= Number(limit);
      return { ...echoes.shown, route: placing(letting(echoes, "ORDER_SIZE_BELOW_MINIMUM", through)) };
    },
  ),
  // The largest size is for orders that go to the book at once.
  bug("A-58", "A STOP_LIMIT may be larger than the maximum", ["PLC-28"], () => {
    const echoes = new Echoes();
    const through = (_size: string, _limit: string, type: unknown): boolean => type === "STOP_LIMIT";
    return { ...echoes.shown, route: placing(letting(echoes, "ORDER_SIZE_ABOVE_MAXIMUM", through)) };
  }),
  // Commas between thousands are dropped from a price.
  bug("A-59", "A price with commas between thousands is taken", ["REQ-09"], () => ({
    route: respelling("price", (text) => text.replaceAll(/,(?=\d{3})/g, "")),
  })),
  // A trigger is read up to the first character that is no digit.
  bug("A-60", "A stop_price is read up to the first letter", ["REQ-12"], () => ({
    route: respelling("stop_price", (text) => /^\d+(\.\d+)?/.exec(text)?.[0] ?? text),
  })),
  // The digits of a quantity are counted instead of weighed.
  bug("A-61", "Zeros at the end of a quantity count as digits that are too fine", ["REQ-26"], () => ({
    route: placing(async (call, body, place) => {
      const scale = productOf(call, body)?.lotScale ?? Number.POSITIVE_INFINITY;
      return fractionOf(textOf(body, "base_quantity")).length > scale
        ? refuse("VALIDATION_FAILED", "base_quantity has too many decimal places")
        : place(body);
    }),
  })),
  // The decimal type overflows.
  bug("A-62", "An amount of more than 28 digits is answered 500", ["ERR-09", "REQ-25"], () => ({
    route: placing(async (_call, body, place) =>
      amounts.some((name) => textOf(body, name).replace(".", "").length > mostDigits)
        ? refuse("INTERNAL_ERROR", "Internal server error")
        : place(body),
    ),
  })),
  // Sold quantities are negative in the books, so the sign is dropped.
  bug("A-63", "A negative quantity is sold as a positive one", ["REQ-18", "ORD-44"], () => ({
    route: respelling("base_quantity", (text, body) =>
      body["side"] === "SELL" ? text.replace(/^-/, "") : text,
    ),
  })),
];
