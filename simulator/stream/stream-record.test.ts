/** How the exchange log names what a client subscribed to. */
import { expect, it } from "vitest";
import { StreamRecord } from "./stream-record.ts";
import type { Subscription } from "./subscriptions.ts";
import { topicOf } from "./topics.ts";

const of = (
  channel: Subscription["channel"],
  product: string | null,
  granularity: Subscription["granularity"],
): Subscription => {
  const key = topicOf(channel, product, granularity);
  return { key, topic: key, channel, product, granularity, market: null, client: null };
};

it("names the channel, and its product and its interval if it has them, without blanks at the end", () => {
  const record = new StreamRecord();
  record.subscribed([
    of("heartbeat", null, null),
    of("trades", "BTC-USD", null),
    of("candles", "BTC-USD", "ONE_HOUR"),
  ]);
  expect(record.subscriptions).toEqual(["heartbeat", "trades BTC-USD", "candles BTC-USD ONE_HOUR"]);
});
