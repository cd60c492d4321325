/** One venue's day in two minutes of market time: everything that the stream has a message for, told to one connection. */
import type { JsonObject } from "./client.ts";
import { connectStream, type StreamClient } from "./stream-client.ts";
import { limitBuy, limitSell, marketBuy, stopBuy, type Venue } from "./venue.ts";

const marketChannels = ["orderBook", "trades", "ticker", "candles"];
const accountChannels = ["orders", "wallets", "deposits"];

/** Subscribes to everything but heartbeats, which follow real time. */
export async function followAll(venue: Venue): Promise<StreamClient> {
  const stream = await connectStream(venue.trader);
  const products = ["BTC-USD"];
  stream.send({ type: "subscribe", channels: marketChannels, products, granularity: "ONE_MINUTE" });
  stream.send({ type: "subscribe", channels: accountChannels });
  await stream.nextOf("snapshot", "deposits");
  return stream;
}

/** Ids count up from `first`, so that two runs have the same. */
export async function playAll(venue: Venue, first = 1): Promise<void> {
  let number = first;
  const id = (): JsonObject => ({
    client_order_id: `00000000-0000-4000-8000-${String(number++).padStart(12, "0")}`,
  });
  const settings = (changed: JsonObject): Promise<unknown> => venue.control("/settings", changed);
  await venue.control("/clients/alice/deposits", { asset: "BTC", amount: "1", confirmations: 2 });
  await venue.placed(limitSell({ price: "60000", base_quantity: "0.02", ...id() }), "counterparty");
  await venue.placed(limitBuy({ price: "60000", base_quantity: "0.01", ...id() }));
  await venue.settle();
  await venue.placed(marketBuy({ quote_value: "100", ...id() }));
  await venue.settle();
  await venue.placed(stopBuy({ stop_price: "61000", price: "62000", ...id() }));
  const expiring = await venue.placed(limitBuy({ price: "40000", ...id() }));
  await venue.settle();
  await venue.print("BTC-USD", "61000");
  await venue.control(`/orders/${String(expiring["id"])}/expire`, {});
  await venue.settle();
  await settings({ acceptance: "async", cancelMode: "async" });
  const late = await venue.placed(limitBuy({ price: "41000", ...id() }));
  await venue.settle();
  await venue.trader.delete(`/order/${String(late["id"])}`);
  await venue.settle();
  await settings({ acceptance: "sync", cancelMode: "sync", stp: "decrement" });
  await venue.placed(limitBuy({ price: "42000", base_quantity: "0.02", ...id() }));
  await venue.settle();
  await venue.placed(limitSell({ price: "42000", base_quantity: "0.01", ...id() }));
  await venue.settle();
  await venue.trader.place(
    limitBuy({ client_order_id: `00000e03-0000-4000-8000-${String(first).padStart(12, "0")}` }),
  );
  await venue.advance(60_000);
  await venue.control("/clients/alice/deposits", { asset: "BTC", amount: "1", confirmations: 0 });
  await venue.advance(60_000);
}
