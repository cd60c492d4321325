/**
 * What a client sends, read into something that cannot be wrong: known channels, plain texts, nothing of a prototype.
 * Whether products exist and claims suffice is decided later, by whoever knows the venue.
 */
import { err, ok, type Result } from "../domain/result.ts";
import { JSON_LIMITS, parseJson } from "../http/parse-json.ts";
import { printable } from "../http/printable.ts";
import { GRANULARITIES, GRANULARITY_NAMES, type Granularity } from "../wire/granularity.ts";
import { CHANNEL_NAMES, type Channel, isChannel, type StreamErrorCode } from "./channels.ts";
import { MOST_REQUEST_ID } from "./messages.ts";

export interface SubscribeRequest {
  readonly type: "subscribe" | "unsubscribe";
  readonly channels: readonly Channel[];
  /** Null: none were named. */
  readonly products: readonly string[] | null;
  readonly granularity: Granularity | null;
  readonly requestId: string | null;
}

export type ClientMessage = SubscribeRequest | { readonly type: "ping"; readonly requestId: string | null };

export interface StreamError {
  readonly code: StreamErrorCode;
  readonly message: string;
  readonly requestId: string | null;
}

type Fields = Readonly<Record<string, unknown>>;
const MOST_NAMES = 1000;

export function readMessage(bytes: Uint8Array): Result<ClientMessage, StreamError> {
  const parsed = parseJson(bytes, JSON_LIMITS, "message");
  if (!parsed.ok)
    return wrong("INVALID_JSON", `${parsed.error.message} Send an object such as {"type":"ping"}.`, null);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong("INVALID_MESSAGE", 'A message is a JSON object such as {"type":"ping"}.', null);
  // as: an object of parsed JSON has no members but its own, with texts as names.
  const fields = value as Fields;
  const requestId = own(fields, "requestId") ?? null;
  if (requestId !== null && (typeof requestId !== "string" || requestId.length > MOST_REQUEST_ID)) {
    return wrong("INVALID_MESSAGE", `requestId is a text of at most ${MOST_REQUEST_ID} characters.`, null);
  }
  const type = own(fields, "type");
  if (type === "ping") return ok({ type, requestId });
  if (type === "subscribe" || type === "unsubscribe") return readSubscription(type, fields, requestId);
  return wrong("INVALID_MESSAGE", `type is subscribe, unsubscribe or ping; found ${shown(type)}.`, requestId);
}

function readSubscription(
  type: SubscribeRequest["type"],
  fields: Fields,
  requestId: string | null,
): Result<ClientMessage, StreamError> {
  const one = own(fields, "channel");
  const several = own(fields, "channels");
  if ((one === undefined) === (several === undefined))
    return wrong("INVALID_MESSAGE", "Name either channel or channels.", requestId);
  const names = several === undefined ? [one] : several;
  if (!isList(names)) return wrong("INVALID_MESSAGE", "channels is a list of names.", requestId);
  const unknown = names.find((name) => !isChannel(name));
  if (unknown !== undefined || names.length === 0) {
    const found = names.length === 0 ? "none" : shown(unknown);
    return wrong("UNKNOWN_CHANNEL", `Channels are ${CHANNEL_NAMES.join(", ")}; found ${found}.`, requestId);
  }
  const products = own(fields, "products") ?? null;
  if (products !== null && !(isList(products) && products.every((name) => typeof name === "string")))
    return wrong("INVALID_MESSAGE", 'products is a list of pairs such as ["BTC-USD"].', requestId);
  const granularity = own(fields, "granularity") ?? null;
  if (granularity !== null && !isGranularity(granularity)) {
    const message = `granularity is one of ${GRANULARITY_NAMES.join(", ")}; found ${shown(granularity)}.`;
    return wrong("INVALID_GRANULARITY", message, requestId);
  }
  const channels = [...new Set(names.filter(isChannel))];
  return ok({
    type,
    channels,
    products: products === null ? null : [...new Set(products)],
    granularity,
    requestId,
  });
}

const wrong = (
  code: StreamErrorCode,
  message: string,
  requestId: string | null,
): Result<never, StreamError> => err({ code, message, requestId });

/** A name that came with the message itself, and null counts as absent. */
const own = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) && fields[name] !== null ? fields[name] : undefined;

const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= MOST_NAMES;

const isGranularity = (value: unknown): value is Granularity =>
  typeof value === "string" && Object.hasOwn(GRANULARITIES, value);

/** What was found, cut, for a message that goes back to the sender. A list or an object is named, never written out. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `"${printable(value, 80)}"`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return String(value);
}
