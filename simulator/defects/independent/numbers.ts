/** Bugs of decimals: floats, locales, printing, comparing. */
import type { Refused } from "../../http/route.ts";
import { refuse } from "../../http/route.ts";
import { lotsText, ticksText } from "../../wire/steps-text.ts";
import { type Placement, placing, textOf } from "../changed-call.ts";
import { type Defect, defect } from "../defect.ts";
import { ordersWith } from "../order-records.ts";
import { Echoes } from "./echoes.ts";
import { productOf, respelling } from "./order-fields.ts";

const PLAIN = /^\d+(\.\d+)?$/;
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

const MOST_DIGITS = 28;
const AMOUNTS = ["base_quantity", "quote_value", "price", "stop_price"];
const SMALLEST_PLAIN = 1e-6;

export const NUMBERS: readonly Defect[] = [
  // The quantity is brought to whole increments by dividing floats.
  defect("A-50", () => ({
    route: respelling("base_quantity", (text, body, call) => {
      const product = productOf(call, body);
      if (product === undefined || !PLAIN.test(text) || fractionOf(text).length > product.lotScale)
        return text;
      return lotsText(product, Math.floor(Number(text) / Number(lotsText(product, 1))));
    }),
  })),
  // A trigger that is too fine is rounded.
  defect("A-51", () => ({
    route: respelling("stop_price", (text, body, call) => {
      const product = productOf(call, body);
      if (product === undefined || !PLAIN.test(text) || fractionOf(text).length <= product.priceScale)
        return text;
      return ticksText(product, Math.round(Number(text) / Number(ticksText(product, 1))));
    }),
  })),
  // Small prices are printed as the language prints floats.
  defect("A-52", () =>
    printing(["limitPrice", "stopPrice"], (text) =>
      Number(text) < SMALLEST_PLAIN ? String(Number(text)) : text,
    ),
  ),
  // Zeros at the end are cut off, also those before the point.
  defect("A-53", () => printing(["baseQuantity"], (text) => text.replace(/\.?0+$/, "") || "0")),
  // Values are printed for people.
  defect("A-54", () =>
    printing(["quoteValue", "filledValue"], (text) =>
      text.replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")),
    ),
  ),
  // What looks like a whole number is encoded as a number.
  defect("A-55", () =>
    printing(["limitPrice", "stopPrice", "averageFilledPrice"], (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    ),
  ),
  // Sizes are compared as texts.
  defect("A-56", () => ({
    route: placing(async (call, body, place) => {
      const product = productOf(call, body);
      const most = product?.maxOrderSize ?? null;
      if (product === undefined || most === null) return place(body);
      return textOf(body, "base_quantity") > lotsText(product, most)
        ? refuse("ORDER_SIZE_ABOVE_MAXIMUM", "Order size is above the maximum")
        : place(body);
    }),
  })),
  // Sizes are compared after rounding to four digits.
  defect("A-57", () => {
    const echoes = new Echoes();
    const through = (size: string, limit: string): boolean =>
      Number(Number(size).toFixed(4)) >= Number(limit);
    return { ...echoes.shown, route: placing(letting(echoes, "ORDER_SIZE_BELOW_MINIMUM", through)) };
  }),
  // The largest size is for orders that go to the book at once.
  defect("A-58", () => {
    const echoes = new Echoes();
    const through = (_size: string, _limit: string, type: unknown): boolean => type === "STOP_LIMIT";
    return { ...echoes.shown, route: placing(letting(echoes, "ORDER_SIZE_ABOVE_MAXIMUM", through)) };
  }),
  // Commas between thousands are dropped from a price.
  defect("A-59", () => ({ route: respelling("price", (text) => text.replaceAll(/,(?=\d{3})/g, "")) })),
  // A trigger is read up to the first character that is no digit.
  defect("A-60", () => ({
    route: respelling("stop_price", (text) => /^\d+(\.\d+)?/.exec(text)?.[0] ?? text),
  })),
  // The digits of a quantity are counted instead of weighed.
  defect("A-61", () => ({
    route: placing(async (call, body, place) => {
      const scale = productOf(call, body)?.lotScale ?? Number.POSITIVE_INFINITY;
      return fractionOf(textOf(body, "base_quantity")).length > scale
        ? refuse("VALIDATION_FAILED", "base_quantity has too many decimal places")
        : place(body);
    }),
  })),
  // The decimal type overflows.
  defect("A-62", () => ({
    route: placing(async (_call, body, place) =>
      AMOUNTS.some((name) => textOf(body, name).replace(".", "").length > MOST_DIGITS)
        ? refuse("INTERNAL_ERROR", "Internal server error")
        : place(body),
    ),
  })),
  // Sold quantities are negative in the books, so the sign is dropped.
  defect("A-63", () => ({
    route: respelling("base_quantity", (text, body) =>
      body["side"] === "SELL" ? text.replace(/^-/, "") : text,
    ),
  })),
];
