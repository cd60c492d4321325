/** Bugs of a reader of order requests that is too kind, or falls over. */
import type { Product } from "../../domain/market.ts";
import { ok } from "../../domain/result.ts";
import type { Reply } from "../../http/route.ts";
import { refuse } from "../../http/route.ts";
import { handling, type OrderBody, placing, reading, textOf } from "../../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../../variations/defect.ts";
import { Echoes } from "./echoes.ts";
import { firstValueOnly } from "./first-value.ts";

const amounts = ["base_quantity", "quote_value", "price", "stop_price"];
const types = ["LIMIT", "MARKET", "STOP_LIMIT"];
const sideCodes: Readonly<Record<string, string>> = { "1": "BUY", "2": "SELL" };
const crash = refuse("INTERNAL_ERROR", "Internal server error");

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

export const orderFields: readonly Defect[] = [
  // The kind of an order is told from its fields when it is not said.
  bug(
    "A-29",
    "An order without type and without price is taken for a MARKET order",
    ["REQ-03", "PLC-01"],
    () => ({
      route: reading((body) =>
        body["type"] === undefined && body["price"] === undefined ? { ...body, type: "MARKET" } : null,
      ),
    }),
  ),
  // Names of types may be shortened, as on a command line.
  bug("A-30", "Any beginning of the name of a type will do, so STOP is a STOP_LIMIT", ["REQ-04"], () => ({
    route: respelling(
      "type",
      (text) => types.find((type) => text.length > 0 && type.startsWith(text)) ?? text,
    ),
  })),
  // The codes of FIX are understood, too.
  bug("A-31", "The side may be given by its FIX code 1 or 2", ["REQ-02"], () => ({
    route: respelling("side", (text) => sideCodes[text] ?? text),
  })),
  // A list of one text is as good as the text: both print the same.
  bug("A-32", "A list with one text is taken for the amount in it", ["REQ-20", "REQ-05", "REQ-09"], () => ({
    route: reading((body) => ({
      ...body,
      ...Object.fromEntries(amounts.filter((name) => name in body).map((name) => [name, first(body[name])])),
    })),
  })),
  // The symbols of other libraries are translated.
  bug("A-33", "A slash does for the hyphen in a product", ["REQ-17", "REQ-22"], () => ({
    route: respelling("product", (text) => text.replace("/", "-")),
  })),
  // A pair is found by its set of assets.
  bug(
    "A-34",
    "A pair that does not exist is traded as the same pair turned round",
    ["REQ-22", "ORD-43"],
    () => ({
      route: respelling("product", (text, body, call) => {
        const turned = text.split("-").reverse().join("-");
        return productOf(call, body) === undefined && call.state.marketOf(turned) !== undefined
          ? turned
          : text;
      }),
    }),
  ),
  // The parser of UUIDs does without hyphens.
  bug("A-35", "A client_order_id without hyphens is taken", ["REQ-15"], () => ({
    route: respelling("client_order_id", (text) =>
      text.replace(/^(\w{8})(\w{4})(4\w{3})([89abAB]\w{3})(\w{12})$/, "$1-$2-$3-$4-$5"),
    ),
  })),
  // The record that requests are read into is used again, and keeps its product.
  bug(
    "A-36",
    "An order without a product is for the product of the order before",
    ["REQ-16", "PLC-01"],
    () => {
      let last: unknown;
      return {
        route: reading((body) => {
          last = body["product"] ?? last;
          return { ...body, product: last };
        }),
      };
    },
  ),
  // null is an object.
  bug("A-37", "The body null is answered 500", ["REQ-21", "ERR-09"], () => ({
    route: placingAnything(async (call, value, handle) => (value === null ? crash : handle(call))),
  })),
  // A list of orders is a batch, and a batch of one is placed.
  bug("A-38", "A list with one order in it is placed", ["REQ-21"], () => ({
    route: placingAnything(async (call, value, handle) => {
      const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : null;
      return handle(typeof only === "object" && only !== null ? { ...call, body: ok(only) } : call);
    }),
  })),
  // The database takes no NUL in a text.
  bug("A-39", "A NUL character in a text is answered 500", ["ERR-09", "REQ-17", "REQ-15"], () => ({
    route: placing(async (_call, body, place) =>
      Object.values(body).some((value) => typeof value === "string" && value.includes("\0"))
        ? crash
        : place(body),
    ),
  })),
  bug("A-40", "Text after the first JSON object of a body is ignored", ["REQ-23"], firstValueOnly),
  // Selling a product that was disabled is how one gets rid of it.
  bug("A-41", "A LIMIT to sell a disabled product is accepted", ["PLC-26"], () => {
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
