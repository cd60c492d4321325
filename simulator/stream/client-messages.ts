/** Messages of a client, as schemas: the reader of messages and the document of the stream use the same objects. */
import { inDocument } from "../schema/document.ts";
import { list, oneOf, only, optional, section, taggedBy, text } from "../schema/fields.ts";
import { granularityNames } from "../wire/granularity.ts";
import { channelNames } from "./channels.ts";
import type { MessageSchema } from "./messages.ts";

export const mostRequestId = 64;
const mostNames = { maxItems: 1000 };

const kind = "Kind of message.";
/** Unknown members are ignored. */
const openOrdersPath = { additionalProperties: true };

const requestId = optional(text(mostRequestId, "Comes back in the answer.", { minLength: 0 }));
const channel = oneOf(channelNames, "Name of a channel.");
/** Which products there are is known to the venue. */
const product = text(4096, "Trading pair.", { minLength: 0, examples: ["BTC-USD"] });

const subscription = <const Type extends "subscribe" | "unsubscribe">(type: Type, about: string) =>
  section(
    {
      type: only(type, kind),
      channel: optional(channel),
      channels: optional(
        list(channel, "Instead of `channel`: several at once.", { minItems: 1, ...mostNames }),
      ),
      products: optional(
        list(
          product,
          "Required for channels of the market, a filter for orders, without meaning for the others.",
          mostNames,
        ),
      ),
      granularity: optional(oneOf(granularityNames, "Length of an interval.")),
      requestId,
    },
    about,
    openOrdersPath,
  );

const subscribe = subscription(
  "subscribe",
  "Asks for channels: either `channel` or `channels`. All of it is granted, or none. Asking again brings new snapshots.",
);
const unsubscribe = subscription("unsubscribe", "Ends subscriptions. Without products, all of the channel.");
const ping = section({ type: only("ping", kind), requestId }, "Asks for a pong.", openOrdersPath);

export const clientMessage = taggedBy("type", [subscribe, unsubscribe, ping], "What a client sends.");

export const clientMessages: readonly MessageSchema[] = Object.entries({
  Subscribe: subscribe,
  Unsubscribe: unsubscribe,
  Ping: ping,
}).map(([name, schema]) => ({ name, channel: null, schema: inDocument(schema) }));
