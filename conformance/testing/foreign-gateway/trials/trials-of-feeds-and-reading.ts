import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { letters, type Misbehaves, market, mentions, number } from "../site.ts";
import { keys } from "../world.ts";

const tries = Array.from({ length: 4 }, (_, at) => at);
const apart = { apart: true };
const book = ["BTC-USD"];
const used = { nonce: letters };

/** F-201 to F-220: what streams tell, who is let in, which ids are remembered, and how fields are read. */
export const trialsOfFeedsAndReading: Readonly<Record<string, Misbehaves>> = {
  "F-201": async ({ trader }) => {
    const feeds = [await trader.ownFeed(), await trader.ownFeed()];
    await trader.place();
    for (const feed of feeds) await feed.heard();
    return feeds.some(({ messages }) =>
      messages.some(({ n }, at) => at > 0 && n !== Number(messages[at - 1]?.["n"]) + 1),
    );
  },
  "F-202": async ({ trader, counter }) => {
    await (await trader.feed())?.join("depth", book);
    await counter.sell("50050", "0.001");
    const feed = await trader.feed();
    await feed?.join("depth", book);
    await feed?.heard();
    return !mentions(feed?.messages, "50050.00000000");
  },
  "F-203": async (site) => {
    const feed = await site.trader.ownFeed();
    await site.started();
    return !(await feed.heard()).some(({ filledQuantity }) => number(filledQuantity) === number("0.001"));
  },
  "F-204": async ({ trader, second }) => {
    const feed = await trader.ownFeed();
    const closing = await second.ownFeed();
    closing.socket.close();
    await once(closing.socket, "close");
    await sleep(20);
    await trader.place();
    return (await feed.heard()).length === 0;
  },
  "F-205": async ({ trader }) => {
    const feed = await trader.ownFeed();
    await feed.ask("join", "weather");
    await trader.place();
    return (await feed.heard()).length === 0;
  },
  "F-206": async ({ trader }) => {
    await trader.get("/order/open", used);
    const keyId = keys.trader.id.toUpperCase();
    return (await trader.get("/order/open", { ...used, keyId })).status === 200;
  },
  "F-207": async ({ trader }) => {
    await trader.get("/order/open", used);
    await trader.get("/order/open", { ...used, secret: "guessed" });
    return (await trader.get("/order/open", used)).status === 200;
  },
  "F-208": async ({ reader }) =>
    (await reader.call("POST", "/order?from=app", JSON.stringify(reader.body()))).status === 200,
  "F-209": async ({ trader }) => {
    await trader.get("/order/open", used);
    await trader.feed();
    return (await trader.get("/order/open", used)).status === 200;
  },
  "F-210": async ({ trader }) => {
    let kept = "";
    await trader.get("/order/open", { spoil: (signature) => (kept = signature) });
    return (await trader.place({}, { spoil: () => kept })).status === 200;
  },
  "F-211": async ({ trader }) => {
    for (const _ of tries) {
      const body = trader.body();
      const cancel = trader.cancel(await trader.again(body));
      await sleep(2);
      const repeat = await trader.again(body, apart);
      await cancel;
      if (repeat.data["type"] === "NEW_ORDER") return true;
    }
    return false;
  },
  "F-212": async ({ trader }) => {
    const body = trader.body();
    await trader.again({ ...body, base_quantity: "26" });
    await trader.again(body);
    return (await trader.again(body)).data["type"] === "NEW_ORDER";
  },
  "F-213": async ({ trader }) => {
    for (const _ of tries) {
      const bodies = Array.from({ length: 8 }, () => trader.body());
      await Promise.all(bodies.map((body) => trader.again(body, apart)));
      for (const body of bodies) {
        if ((await trader.again(body)).order["clientOrderId"] !== body["client_order_id"]) return true;
      }
    }
    return false;
  },
  "F-214": async ({ trader }) => {
    const body = trader.body();
    await trader.again(body);
    await trader.buy("50200", "0.001");
    return (await trader.again(body)).data["type"] === "NEW_ORDER";
  },
  "F-215": async ({ trader }) => {
    const body = trader.body({ price: "50200" });
    const placed = await trader.again(body);
    await trader.again(body);
    return number((await trader.read(placed)).order["filledQuantity"]) === 0n;
  },
  "F-216": async ({ trader }) => {
    const { order } = await trader.buy("30000", "0.00123456");
    return number(order["baseQuantity"]) !== number("0.00123456");
  },
  "F-217": async ({ trader }) => (await trader.buy("30000", "0x10")).status === 200,
  "F-218": async ({ trader }) => (await trader.place({ product: "USD-BTC" })).status === 200,
  "F-219": async ({ trader }) =>
    (await trader.place({ price: undefined, limitPrice: "30000" })).status === 200,
  "F-220": async ({ trader, other }) => {
    const text = JSON.stringify(trader.body());
    await trader.call("POST", "/order", text.replace("{", '{"__proto__":{"quote_value":"60"},'));
    return (await other.place(market)).status === 200;
  },
};
