/** Controls of the market: products, the synthetic market, printed trades. */

import { decimal, flag, list, oneOf, section } from "../schema/fields.ts";
import { count, productId, record } from "../wire/schema.ts";
import { controlReply, controlRoute, echo, type RefusedCall } from "./control-route.ts";

const unknownProduct: RefusedCall = {
  code: "INVALID_COMMAND",
  when: "There is no such product.",
  params: { product: "BTC-XYZ" },
  message:
    "There is no product BTC-XYZ: the products are BTC-USD, ETH-USD, SOL-USD, ETH-BTC, BTC-EUR, SHIB-USD, DOGE-USD",
  details: [{ field: "product" }],
};

/** Levels of one book. The body has room for them (mount.ts). */
const mostLevels = 1000;

const btcUsd = { product: "BTC-USD" };

const haltedBody = {
  shape: section({ halted: flag("Whether trading is halted.") }),
  example: { halted: true },
};

const enabledBody = {
  shape: section({ enabled: flag("Whether clients may trade it.") }),
  example: { enabled: true },
};

const printBody = {
  shape: section({
    price: decimal("Price, on the product's increment.", { unit: "quote asset" }),
    quantity: decimal("Quantity, on the product's increment.", { unit: "base asset" }),
  }),
  example: { price: "58000", quantity: "0.1" },
};

export const marketControls = [
  controlRoute({
    method: "POST",
    path: "/products/{product}/halted",
    operationId: "haltProduct",
    verbs: [
      {
        words: "product halt",
        fixed: { halted: true },
        does: "Halt trading of a product; cancelling stays possible.",
      },
      { words: "product resume", fixed: { halted: false }, does: "Resume trading of a product." },
    ],
    summary: "Halt or resume trading of a product; cancelling stays possible.",
    body: haltedBody,
    answer: echo(btcUsd, haltedBody),
    refusals: [unknownProduct],
    run: async ({ venue }, { product = "" }, { halted }) =>
      controlReply(await venue.submit({ kind: "SetHalted", product, halted }), { product, halted }),
  }),
  controlRoute({
    method: "POST",
    path: "/products/{product}/enabled",
    operationId: "enableProduct",
    verbs: [
      { words: "product enable", fixed: { enabled: true }, does: "Enable a product for all clients." },
      { words: "product disable", fixed: { enabled: false }, does: "Disable a product for all clients." },
    ],
    summary: "Enable or disable a product for all clients.",
    body: enabledBody,
    answer: echo(btcUsd, enabledBody),
    refusals: [unknownProduct],
    run: async ({ venue }, { product = "" }, { enabled }) =>
      controlReply(await venue.submit({ kind: "SetApiEnabled", product, enabled }), { product, enabled }),
  }),
  controlRoute({
    method: "POST",
    path: "/products/{product}/book",
    operationId: "layBook",
    verbs: [{ words: "product book", file: true }],
    summary:
      "Replace the synthetic market's liquidity, at most 1000 levels. New levels trade with clients' orders that they cross.",
    body: {
      shape: section({
        levels: list(
          section({
            side: oneOf(["BUY", "SELL"], "Side of the book."),
            price: decimal("Price, on the product's increment.", { unit: "quote asset" }),
            quantity: decimal("Quantity, on the product's increment.", { unit: "base asset" }),
          }),
          "Every level of the new book, in any order.",
          { maxItems: mostLevels },
        ),
      }),
      example: { levels: [{ side: "SELL", price: "60010", quantity: "0.5" }] },
    },
    answer: {
      schema: record("The new book.", {
        product: productId("The product."),
        levels: count("How many levels it has."),
      }),
      example: { product: "BTC-USD", levels: 1 },
    },
    refusals: [
      unknownProduct,
      {
        code: "INVALID_COMMAND",
        when: "A level is off the increments, or the sides cross.",
        body: { levels: [{ side: "SELL", price: "60010.001", quantity: "0.5" }] },
        message: "levels[0].price must be a positive multiple of 0.01 USD, was 60010.001",
        details: [{ field: "levels[0].price" }],
      },
    ],
    run: async ({ venue }, { product = "" }, { levels }) =>
      controlReply(await venue.submit({ kind: "RefreshLiquidity", product, levels }), {
        product,
        levels: levels.length,
      }),
  }),
  controlRoute({
    method: "POST",
    path: "/products/{product}/trades",
    operationId: "printTrade",
    verbs: [{ words: "product trade", args: ["price", "quantity"] }],
    summary:
      "Print a trade of the synthetic market: it fills clients' orders at that price or a better one first; the rest moves the last price, the candles and the stops, and no money.",
    body: printBody,
    answer: echo(btcUsd, printBody),
    refusals: [
      unknownProduct,
      {
        code: "INVALID_COMMAND",
        when: "Price or quantity is zero or off the increments.",
        body: { price: "58000.001", quantity: "0.1" },
        message: "price must be a positive multiple of 0.01 USD, was 58000.001",
        details: [{ field: "price" }],
      },
    ],
    run: async ({ venue }, { product = "" }, { price, quantity }) => {
      const print = { product, price, quantity };
      return controlReply(await venue.submit({ kind: "PrintTrade", ...print }), print);
    },
  }),
] as const;
