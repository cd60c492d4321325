import { describe } from "vitest";
import type { JsonObject } from "../../testing/client.ts";
import {
  limitBuy,
  limitSell,
  marketBuy,
  marketSell,
  stopBuy,
  stopSell,
  uuid,
  type Venue,
} from "../../testing/venue.ts";
import { orderOf, type Reveal, reveals, said } from "./testing/reveal.ts";

const without = (order: JsonObject, ...fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(order).filter(([name]) => !fields.includes(name)));

const asked =
  (make: () => JsonObject) =>
  async ({ trader }: Venue): Promise<unknown> =>
    said(await trader.place(make()));

const taken = (make: () => JsonObject): Reveal => ({ look: asked(make), honest: 400, broken: "NEW_ORDER" });
const crashing = (make: () => JsonObject): Reveal => ({ look: asked(make), honest: 400, broken: 500 });
const refused = (make: () => JsonObject): Reveal => ({ look: asked(make), honest: "NEW_ORDER", broken: 400 });

const shown =
  (field: string, make: () => JsonObject) =>
  async ({ trader }: Venue): Promise<unknown> =>
    orderOf(await trader.place(make()))[field];

describe("fields", () => {
  reveals({
    "A-29": taken(() => without(marketSell(), "type")),
    "A-30": taken(() => stopSell({ type: "STOP" })),
    "A-31": taken(() => limitBuy({ side: "1" })),
    "A-32": taken(() => limitBuy({ base_quantity: ["0.01"] })),
    "A-33": taken(() => limitBuy({ product: "BTC/USD" })),
    "A-34": taken(() => limitBuy({ product: "USD-BTC" })),
    "A-35": taken(() => limitBuy({ client_order_id: uuid().replaceAll("-", "") })),
    "A-36": {
      look: async ({ trader }) => [
        said(await trader.place(limitBuy())),
        said(await trader.place(without(limitBuy(), "product"))),
      ],
      honest: ["NEW_ORDER", 400],
      broken: ["NEW_ORDER", "NEW_ORDER"],
    },
    "A-37": { look: async ({ trader }) => said(await trader.place("null")), honest: 400, broken: 500 },
    "A-38": {
      look: async ({ trader }) => said(await trader.place([limitBuy()])),
      honest: 400,
      broken: "NEW_ORDER",
    },
    "A-39": crashing(() => limitBuy({ product: "BTC\0-USD" })),
    "A-40": {
      look: async ({ trader }) => said(await trader.place(`${JSON.stringify(limitBuy())}}`)),
      honest: 400,
      broken: "NEW_ORDER",
    },
    "A-41": {
      look: async ({ trader }) => {
        const order = { product: "DOGE-USD", base_quantity: "200", price: "0.5" };
        const sold = await trader.place(limitSell(order));
        return [said(await trader.place(limitBuy(order))), said(sold), orderOf(sold)["productId"]];
      },
      honest: [400, 400, undefined],
      broken: [400, "NEW_ORDER", "DOGE-USD"],
    },
  });
});

describe("rules", () => {
  reveals({
    "A-42": {
      look: shown("baseQuantity", () => stopSell({ quote_value: "1000" })),
      honest: "0.01",
      broken: "0.02",
    },
    "A-43": refused(() => marketSell({ stop_price: "55000" })),
    "A-44": {
      look: async (venue) => {
        await venue.book("BTC-USD", [["SELL", "60000", "1"]]);
        const { id } = await venue.placed(marketBuy({ quote_value: "1000", base_quantity: "0.05" }));
        await venue.settle();
        return Number((await venue.order(String(id)))["filledValue"]) > 1000;
      },
      honest: false,
      broken: true,
    },
    "A-45": taken(() => without(marketBuy({ base_quantity: "0.01", price: "60000" }), "quote_value")),
    "A-46": taken(() => without(stopBuy(), "price")),
    "A-47": taken(() => without(limitBuy({ quote_value: "300" }), "base_quantity")),
    "A-48": refused(() => marketSell({ product: "BTC-EUR" })),
    "A-49": refused(() => marketBuy({ base_quantity: "0.00001" })),
  });
});

describe("numbers", () => {
  reveals({
    "A-50": {
      look: shown("baseQuantity", () => limitBuy({ base_quantity: "0.29" })),
      honest: "0.29",
      broken: "0.28999999",
    },
    "A-51": taken(() => stopSell({ stop_price: "55000.004" })),
    "A-52": {
      look: shown("limitPrice", () =>
        limitBuy({ product: "SHIB-USD", base_quantity: "3000000", price: "0.0000005" }),
      ),
      honest: "0.0000005",
      broken: "5e-7",
    },
    "A-53": {
      look: shown("baseQuantity", () => limitBuy({ base_quantity: "10" })),
      honest: "10",
      broken: "1",
    },
    "A-54": {
      look: shown("quoteValue", () => limitBuy({ base_quantity: "1" })),
      honest: "30000",
      broken: "30,000",
    },
    "A-55": { look: shown("limitPrice", limitBuy), honest: "30000", broken: 30000 },
    "A-56": refused(() => limitBuy({ base_quantity: "2" })),
    "A-57": {
      look: async ({ trader }) => {
        const reply = await trader.place(limitBuy({ base_quantity: "0.00009999" }));
        return [said(reply), orderOf(reply)["baseQuantity"]];
      },
      honest: [400, undefined],
      broken: ["NEW_ORDER", "0.00009999"],
    },
    "A-58": {
      look: async ({ trader }) => {
        const reply = await trader.place(stopSell({ base_quantity: "11" }));
        return [said(reply), orderOf(reply)["baseQuantity"]];
      },
      honest: [400, undefined],
      broken: ["NEW_ORDER", "11"],
    },
    "A-59": taken(() => limitBuy({ price: "30,000" })),
    "A-60": taken(() => stopSell({ stop_price: "55000USD" })),
    "A-61": refused(() => limitBuy({ base_quantity: "0.0100000000" })),
    "A-62": crashing(() => limitBuy({ price: `30000.${"0".repeat(29)}1` })),
    "A-63": taken(() => limitSell({ base_quantity: "-0.01" })),
  });
});
