import { describe } from "vitest";
import { type JsonObject, listIn, text } from "../../testing/client.ts";
import { limitBuy, limitSell, marketSell, stopSell, type Venue } from "../../testing/venue.ts";
import { orderOf, reveals } from "./testing/reveal.ts";

const openIds = async ({ trader }: Venue): Promise<unknown[]> =>
  (await trader.get("/order/open")).list.map(({ id }) => id);

const filled =
  (field: string): ((venue: Venue) => Promise<unknown>) =>
  async (venue) => {
    await venue.book("BTC-USD", [["BUY", "60000", "1"]]);
    const { id } = await venue.placed(marketSell());
    await venue.settle();
    return (await venue.order(String(id)))[field];
  };

const groupsOf = async ({ trader }: Venue): Promise<readonly JsonObject[]> =>
  (await trader.get("/product")).list;

describe("lists", () => {
  reveals({
    "A-84": {
      look: async (venue) => (await venue.as("counterparty").get("/order/open")).body["data"],
      honest: [],
      broken: null,
    },
    "A-85": {
      look: async (venue) =>
        (await groupsOf(venue)).every(({ availablePairs }) => Array.isArray(availablePairs)),
      honest: true,
      broken: false,
    },
    "A-86": {
      look: async (venue) =>
        (await groupsOf(venue)).every(({ name, availablePairs }) =>
          listIn(availablePairs).every(({ base }) => base === name),
        ),
      honest: true,
      broken: false,
    },
    "A-87": {
      look: async (venue) => {
        const names = (await groupsOf(venue)).map(({ name }) => name);
        return names.length - new Set(names).size;
      },
      honest: 0,
      broken: 1,
    },
    "A-88": {
      look: async (venue) =>
        (await groupsOf(venue)).every(({ availablePairs }) =>
          listIn(availablePairs).every((pair) => "apiEnabled" in pair),
        ),
      honest: true,
      broken: false,
    },
    "A-89": {
      look: async (venue) => {
        const { id } = await venue.placed(limitBuy());
        await venue.settle();
        return (await openIds(venue)).includes(id);
      },
      honest: true,
      broken: false,
    },
    "A-90": {
      look: async (venue) => {
        const [first, second] = [await venue.placed(limitBuy()), await venue.placed(limitBuy())];
        const read = await venue.order(text(second, "id"));
        return [first["id"] === second["id"], read["clientOrderId"] === second["clientOrderId"]];
      },
      honest: [false, true],
      broken: [true, true],
    },
    "A-91": {
      look: async (venue) => {
        await openIds(venue);
        const sold = await venue.placed(limitSell());
        const hidden = !(await openIds(venue)).includes(sold["id"]);
        const bought = await venue.placed(limitBuy());
        const ids = await openIds(venue);
        return [hidden, ids.includes(sold["id"]), ids.includes(bought["id"])];
      },
      honest: [false, true, true],
      broken: [true, true, true],
    },
    "A-92": {
      look: async (venue) => {
        const { id } = await venue.placed(limitBuy({ product: "ETH-USD", price: "2000" }));
        return (await openIds(venue)).includes(id);
      },
      honest: true,
      broken: false,
    },
  });
});

describe("records", () => {
  reveals({
    "A-93": {
      look: async (venue) => {
        const order = await venue.placed(limitBuy());
        return Date.parse(text(order, "createdAt")) > Date.parse(text(order, "updatedAt"));
      },
      honest: false,
      broken: true,
    },
    "A-94": {
      look: async (venue) => (await venue.placed(stopSell()))["quoteValue"],
      honest: "500",
      broken: "550",
    },
    "A-95": {
      look: async (venue) => {
        const { id } = await venue.placed(stopSell());
        await venue.settle();
        return (await venue.order(String(id)))["synced"];
      },
      honest: true,
      broken: false,
    },
    "A-96": { look: filled("totalUserRecieveAmount"), honest: "598.5", broken: "601.5" },
    "A-97": { look: filled("averageFilledPrice"), honest: "60000", broken: "59850" },
    "A-98": {
      look: async (venue) => {
        const { limitPrice, stopPrice } = await venue.placed(stopSell());
        return [limitPrice, stopPrice];
      },
      honest: ["50000", "55000"],
      broken: ["55000", "50000"],
    },
    "A-99": {
      look: async (venue) => {
        const order = limitBuy();
        const first = orderOf(await venue.trader.place(order));
        const second = orderOf(await venue.as("write-orders").place(order));
        return first["userId"] === second["userId"];
      },
      honest: true,
      broken: false,
    },
  });
});
