/** Topics: the subjects of messages, to which connections listen. */
import type { OrderNumber } from "../domain/order.ts";
import type { Granularity } from "../wire/granularity.ts";
import type { Channel } from "./channels.ts";

/** The subject of a message, if it is one product or one order. */
export interface About {
  readonly product: string | null;
  readonly order?: OrderNumber;
}

/** A message without a number, for all subscribers of its topic. */
export interface Message extends About {
  readonly topic: string;
  readonly text: string;
}

/** Whether the topic has a subscriber: a message without receivers is not made. */
export type Wanted = (topic: string) => boolean;

export const topicOf = (channel: Channel, product: string | null, granularity: Granularity | null): string =>
  [channel, product ?? "", granularity ?? ""].join(" ");

/** `product` null: for subscribers without a filter by product. */
export const accountTopic = (channel: Channel, client: number, product: string | null): string =>
  `${topicOf(channel, product, null)} of ${client}`;
