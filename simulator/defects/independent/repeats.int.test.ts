import { describe } from "vitest";
import { type JsonObject, type Reply, text } from "../../testing/client.ts";
import { limitBuy, stopSell, uuid, uuidFrom, type Venue } from "../../testing/venue.ts";
import { orderOf, type Reveal, reveals, said } from "./testing/reveal.ts";

const newAndRepeated = ["NEW_ORDER", "DUPLICATE_REPLAY"];

const outcomes =
  (...orders: readonly JsonObject[]) =>
  async (venue: Venue): Promise<unknown> => {
    const seen: unknown[] = [];
    for (const order of orders) seen.push(said(await venue.trader.place(order)));
    return seen;
  };

/** Places one order, then the same id with other fields, and gives what `read` finds in the answer to the second. */
const again =
  (order: () => JsonObject, more: JsonObject, read: (reply: Reply) => unknown) =>
  async ({ trader }: Venue): Promise<unknown> => {
    const sent = order();
    await trader.place(sent);
    return read(await trader.place({ ...sent, ...more }));
  };

const failing =
  (group: string, read: (reply: Reply) => unknown): Reveal["look"] =>
  async ({ trader }) => {
    await trader.place(limitBuy());
    return read(await trader.place(limitBuy({ client_order_id: uuidFrom(group) })));
  };

const sameStart = uuid();
const endings = ["aaaa", "bbbb"].map((end) => limitBuy({ client_order_id: sameStart.slice(0, 32) + end }));
const twoProducts = limitBuy();
const often = limitBuy();
const tooLarge = limitBuy({ base_quantity: "11" });
const inserted = limitBuy({ base_quantity: "11" });

describe("repeats", () => {
  reveals({
    "A-64": { look: outcomes(...endings), honest: ["NEW_ORDER", "NEW_ORDER"], broken: newAndRepeated },
    "A-65": {
      look: async (venue) => {
        const order = limitBuy();
        const first = await venue.trader.place(order);
        return [said(first), said(await venue.as("write-orders").place(order))];
      },
      honest: newAndRepeated,
      broken: ["NEW_ORDER", "NEW_ORDER"],
    },
    "A-66": {
      look: outcomes(twoProducts, { ...twoProducts, product: "ETH-USD", price: "2000" }),
      honest: newAndRepeated,
      broken: ["NEW_ORDER", "NEW_ORDER"],
    },
    "A-67": {
      look: async ({ trader }) => {
        const order = limitBuy();
        await trader.place(order);
        for (let other = 0; other < 5; other += 1) await trader.place(limitBuy());
        const repeated = await trader.place(order);
        return [said(repeated), orderOf(repeated)["clientOrderId"] === order["client_order_id"]];
      },
      honest: ["DUPLICATE_REPLAY", true],
      broken: ["NEW_ORDER", true],
    },
    "A-68": {
      look: outcomes(often, often, often, often, often),
      honest: [...newAndRepeated, ...Array<string>(3).fill("DUPLICATE_REPLAY")],
      broken: [...newAndRepeated, "DUPLICATE_REPLAY", "DUPLICATE_REPLAY", 409],
    },
    "A-69": {
      look: async ({ trader }) => {
        const order = limitBuy();
        const { id } = orderOf(await trader.place(order));
        await trader.delete(`/order/${String(id)}`);
        return said(await trader.place(order));
      },
      honest: "DUPLICATE_REPLAY",
      broken: "NEW_ORDER",
    },
    "A-70": {
      look: again(limitBuy, { price: "31000" }, (reply) => orderOf(reply)["limitPrice"]),
      honest: "30000",
      broken: "31000",
    },
    "A-71": {
      look: async ({ trader }) => {
        const order = limitBuy();
        const raced = await Promise.all([1, 2, 3].map(() => trader.place(order)));
        return raced.map((reply) => String(said(reply))).sort();
      },
      honest: ["DUPLICATE_REPLAY", "DUPLICATE_REPLAY", "NEW_ORDER"],
      broken: ["500", "500", "NEW_ORDER"],
    },
    "A-72": {
      look: again(limitBuy, { price: "31000" }, ({ data }) => typeof data["message"]),
      honest: "string",
      broken: "undefined",
    },
    "A-73": {
      look: again(limitBuy, {}, ({ status, body }) => [status, body["statusCode"]]),
      honest: [200, 200],
      broken: [200, 409],
    },
    "A-74": {
      look: again(stopSell, {}, (reply) => orderOf(reply)["type"]),
      honest: "STOP_LIMIT",
      broken: "LIMIT",
    },
    "A-75": {
      look: outcomes(tooLarge, { ...tooLarge, base_quantity: "1" }),
      honest: [400, "NEW_ORDER"],
      broken: [400, 400],
    },
    "A-76": {
      look: outcomes(inserted, { ...inserted, base_quantity: "1" }),
      honest: [400, "NEW_ORDER"],
      broken: [400, "DUPLICATE_REPLAY"],
    },
    "A-77": {
      look: async ({ trader }) => {
        const order = limitBuy();
        const { id } = orderOf(await trader.place(order));
        await trader.place(limitBuy());
        return orderOf(await trader.place(order))["id"] === id;
      },
      honest: true,
      broken: false,
    },
  });
});

describe("outcomes", () => {
  reveals({
    "A-78": { look: failing("00000e01", ({ data }) => "order" in data), honest: false, broken: true },
    "A-79": {
      look: async (venue) => said(await venue.as("orphan").place(limitBuy())),
      honest: "CLIENT_NOT_FOUND",
      broken: 404,
    },
    "A-80": {
      look: async (venue) => {
        const { id } = await venue.placed(limitBuy());
        return (await venue.trader.delete(`/order/${String(id)}`)).data["status"];
      },
      honest: "CANCELLED",
      broken: "CANCELED",
    },
    "A-81": {
      look: failing("00000e03", ({ data }) => text(data, "message").trim() === ""),
      honest: false,
      broken: true,
    },
    "A-82": {
      look: ({ trader }) =>
        trader.place(limitBuy({ product: 'BTC"USD' })).then(
          () => "JSON",
          () => "no JSON",
        ),
      honest: "JSON",
      broken: "no JSON",
    },
    "A-83": {
      look: async ({ trader }) =>
        (await trader.place(limitBuy({ base_quantity: "11" }))).body["message"] === "",
      honest: false,
      broken: true,
    },
  });
});
