/** What a client sends, as schemas: the reader of messages and the document of the stream go by the same objects. */
import { inDocument } from "../schema/document.ts";
import { list, oneOf, only, optional, section, taggedBy, text } from "../schema/fields.ts";
import { GRANULARITY_NAMES } from "../wire/granularity.ts";
import { CHANNEL_NAMES } from "./channels.ts";
import type { MessageSchema } from "./messages.ts";

export const MOST_REQUEST_ID = 64;
const MOST_NAMES = { maxItems: 1000 };

const KIND = "Kind of message.";
/** Members that nobody knows are ignored. */
const OPEN = { additionalProperties: true };

const requestId = optional(text(MOST_REQUEST_ID, "Comes back in the answer.", { minLength: 0 }));
const channel = oneOf(CHANNEL_NAMES, "Name of a channel.");
/** Which products there are is known to the venue. */
const product = text(4096, "Trading pair.", { minLength: 0, examples: ["BTC-USD"] });

const subscription = <const Type extends "subscribe" | "unsubscribe">(type: Type, about: string) =>
  section(
    {
      type: only(type, KIND),
      channel: optional(channel),
      channels: optional(
        list(channel, "Instead of `channel`: several at once.", { minItems: 1, ...MOST_NAMES }),
      ),
      products: optional(
        list(
          product,
          "Required for channels of the market, a filter for orders, without meaning for the others.",
          MOST_NAMES,
        ),
      ),
      granularity: optional(oneOf(GRANULARITY_NAMES, "Length of an interval.")),
      requestId,
    },
    about,
    OPEN,
  );

const SUBSCRIBE = subscription(
  "subscribe",
  "Asks for channels: either `channel` or `channels`. All of it is granted, or none. Asking again brings new snapshots.",
);
const UNSUBSCRIBE = subscription("unsubscribe", "Ends subscriptions. Without products, all of the channel.");
const PING = section({ type: only("ping", KIND), requestId }, "Asks for a pong.", OPEN);

export const CLIENT_MESSAGE = taggedBy("type", [SUBSCRIBE, UNSUBSCRIBE, PING], "What a client sends.");

export const CLIENT_MESSAGES: readonly MessageSchema[] = Object.entries({
  Subscribe: SUBSCRIBE,
  Unsubscribe: UNSUBSCRIBE,
  Ping: PING,
}).map(([name, schema]) => ({ name, channel: null, schema: inDocument(schema) }));
