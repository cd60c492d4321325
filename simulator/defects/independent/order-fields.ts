/** Bugs of a reader of order requests that is too kind, or falls over. */
import type { Product } from "../../domain/market.ts";
import { ok } from "../../domain/result.ts";
import type { Reply } from "../../http/route.ts";
import { refuse } from "../../http/route.ts";
import { handling, type OrderBody, placing, reading, textOf } from "../changed-call.ts";
import { type BrokenCall, type Decorators, type Defect, defect } from "../defect.ts";
import { Echoes } from "./echoes.ts";
import { firstValueOnly } from "./first-value.ts";

const AMOUNTS = ["base_quantity", "quote_value", "price", "stop_price"];
const TYPES = ["LIMIT", "MARKET", "STOP_LIMIT"];
const SIDE_CODES: Readonly<Record<string, string>> = { "1": "BUY", "2": "SELL" };
const CRASH = refuse("INTERNAL_ERROR", "Internal server error");

export const productOf = (call: BrokenCall, body: OrderBody): Product | undefined =>
  call.state.marketOf(textOf(body, "product"))?.product;

/** `change` sees the text of a field that is a text. */
export const respelling = (
  field: string,
  change: (text: string, body: OrderBody, call: BrokenCall) => string,
): NonNullable<Decorators["route"]> =>
  reading((body, call) => {
    const text = body[field];
    return typeof text === "string" ? { ...body, [field]: change(text, body, call) } : null;
  });

const placingAnything = (
  around: (call: BrokenCall, value: unknown, handle: (call?: BrokenCall) => Promise<Reply>) => Promise<Reply>,
): NonNullable<Decorators["route"]> =>
  handling("placeOrder", (call, handle) => around(call, call.body.ok ? call.body.value : undefined, handle));

const first = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && typeof value[0] === "string" ? value[0] : value;

export const ORDER_FIELDS: readonly Defect[] = [
  // The kind of an order is told from its fields when it is not said.
  defect("A-29", () => ({
    route: reading((body) =>
      body["type"] === undefined && body["price"] === undefined ? { ...body, type: "MARKET" } : null,
    ),
  })),
  // Names of types may be shortened, as on a command line.
  defect("A-30", () => ({
    route: respelling(
      "type",
      (text) => TYPES.find((type) => text.length > 0 && type.startsWith(text)) ?? text,
    ),
  })),
  // The codes of FIX are understood, too.
  defect("A-31", () => ({ route: respelling("side", (text) => SIDE_CODES[text] ?? text) })),
  // A list of one text is as good as the text: both print the same.
  defect("A-32", () => ({
    route: reading((body) => ({
      ...body,
      ...Object.fromEntries(AMOUNTS.filter((name) => name in body).map((name) => [name, first(body[name])])),
    })),
  })),
  // The symbols of other libraries are translated.
  defect("A-33", () => ({ route: respelling("product", (text) => text.replace("/", "-")) })),
  // A pair is found by its set of assets.
  defect("A-34", () => ({
    route: respelling("product", (text, body, call) => {
      const turned = text.split("-").reverse().join("-");
      return productOf(call, body) === undefined && call.state.marketOf(turned) !== undefined ? turned : text;
    }),
  })),
  // The parser of UUIDs does without hyphens.
  defect("A-35", () => ({
    route: respelling("client_order_id", (text) =>
      text.replace(/^(\w{8})(\w{4})(4\w{3})([89abAB]\w{3})(\w{12})$/, "$1-$2-$3-$4-$5"),
    ),
  })),
  // The record that requests are read into is used again, and keeps its product.
  defect("A-36", () => {
    let last: unknown;
    return {
      route: reading((body) => {
        last = body["product"] ?? last;
        return { ...body, product: last };
      }),
    };
  }),
  // null is an object.
  defect("A-37", () => ({
    route: placingAnything(async (call, value, handle) => (value === null ? CRASH : handle(call))),
  })),
  // A list of orders is a batch, and a batch of one is placed.
  defect("A-38", () => ({
    route: placingAnything(async (call, value, handle) => {
      const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : null;
      return handle(typeof only === "object" && only !== null ? { ...call, body: ok(only) } : call);
    }),
  })),
  // The database takes no NUL in a text.
  defect("A-39", () => ({
    route: placing(async (_call, body, place) =>
      Object.values(body).some((value) => typeof value === "string" && value.includes("\0"))
        ? CRASH
        : place(body),
    ),
  })),
  defect("A-40", firstValueOnly),
  // Selling a product that was disabled is how one gets rid of it.
  defect("A-41", () => {
    const echoes = new Echoes();
    return {
      ...echoes.shown,
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        const closing = body["side"] === "SELL" && body["type"] === "LIMIT";
        if (reply.ok || reply.error.code !== "PRODUCT_NOT_ENABLED" || !closing) return reply;
        echoes.tell(textOf(body, "client_order_id"), {
          productId: body["product"],
          clientProductId: body["product"],
          baseQuantity: body["base_quantity"],
          limitPrice: body["price"],
          quoteValue: null,
        });
        return place({ ...body, product: "BTC-USD", base_quantity: "0.01", price: "90000" });
      }),
    };
  }),
];
