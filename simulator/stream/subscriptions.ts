/**
 * The subscriptions of one connection, and how a request changes them.
 *
 * **Invariants.** A request is granted whole or not at all. The channel `orders` has one filter, that of the last request, so no message
 * comes twice.
 *
 * **Ordering.** Acknowledgement, then the snapshots in the order of the request, then changes: joining a topic and taking
 * its snapshot happen between two entries, so nothing is lost or told twice.
 */
import type { Caller } from "../auth/keyring.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { VenueState } from "../engine/state.ts";
import { printable } from "../http/printable.ts";
import type { Granularity } from "../wire/granularity.ts";
import { granularityNames } from "../wire/granularity.ts";
import { allChannels, type Channel, type ChannelRules } from "./channels.ts";
import type { StreamError, SubscribeRequest } from "./read-message.ts";
import { accountTopic, topicOf } from "./topics.ts";

export interface Subscription {
  /** Its name on its connection. */
  readonly key: string;
  /** Its name in the venue: subscribers of the same topic get the same messages. */
  readonly topic: string;
  readonly channel: Channel;
  /** Null: the channel has none, or all are meant. */
  readonly product: string | null;
  readonly granularity: Granularity | null;
  readonly market: number | null;
  readonly client: number | null;
}

export interface Subscriber {
  readonly caller: Caller;
  readonly state: VenueState;
}

export type Grant = (
  request: SubscribeRequest,
  subscriber: Subscriber,
) => Result<readonly Subscription[], StreamError>;

export const heartbeat = topicOf("heartbeat", null, null);

/** The subscriptions that the request names, or its first mistake. */
export function subscriptionsOf(
  request: SubscribeRequest,
  subscriber: Subscriber,
): Result<readonly Subscription[], StreamError> {
  const found: Subscription[] = [];
  for (const channel of request.channels) {
    const some = ofChannel(channel, request, subscriber);
    if (!some.ok) return some;
    found.push(...some.value);
  }
  return ok(found);
}

function ofChannel(
  channel: Channel,
  request: SubscribeRequest,
  subscriber: Subscriber,
): Result<readonly Subscription[], StreamError> {
  const rules: ChannelRules = allChannels[channel];
  const { caller } = subscriber;
  const wrong = (code: StreamError["code"], message: string): Result<never, StreamError> =>
    err({ code, message, requestId: request.requestId });
  if (rules.claim !== null && !caller.claims.includes(rules.claim)) {
    return wrong(
      "MISSING_CLAIM",
      `The channel ${channel} asks for the claim ${rules.claim}, which this key does not have.`,
    );
  }
  if (rules.scope === "account" && caller.client === null) {
    return wrong("FORBIDDEN", "This API key has no client: it can follow market data only.");
  }
  const products = rules.products === "none" ? null : request.products;
  const leaves = request.type === "unsubscribe";
  if (rules.products === "required" && !leaves && (products === null || products.length === 0)) {
    return wrong(
      "PRODUCTS_REQUIRED",
      `The channel ${channel} is by product: add "products":["BTC-USD"] or others.`,
    );
  }
  const unknown = products?.find((id) => subscriber.state.marketOf(id) === null);
  if (unknown !== undefined) {
    return wrong(
      "UNKNOWN_PRODUCT",
      `There is no product "${printable(unknown, 80)}"; GET /product lists them.`,
    );
  }
  if (channel === "candles" && request.granularity === null && !leaves) {
    return wrong(
      "INVALID_GRANULARITY",
      `The channel candles needs a granularity: one of ${granularityNames.join(", ")}.`,
    );
  }
  if (leaves && products === null) return ok([]);
  return ok(
    (products ?? [null]).map((product) => subscription(channel, product, request.granularity, subscriber)),
  );
}

function subscription(
  channel: Channel,
  product: string | null,
  asked: Granularity | null,
  subscriber: Subscriber,
): Subscription {
  const granularity = channel === "candles" ? asked : null;
  const client = allChannels[channel].scope === "account" ? subscriber.caller.client : null;
  const key = topicOf(channel, product, granularity);
  const topic = client === null ? key : accountTopic(channel, client, product);
  const market = client === null && product !== null ? subscriber.state.marketOf(product) : null;
  return { key, topic, channel, product, granularity, client, market: market?.product.index ?? null };
}

/** The subscriptions that remain beside new ones: the products of `orders` are one filter, which new ones replace. */
export function keptBeside(
  asked: readonly Subscription[],
  all: ReadonlyMap<string, Subscription>,
): readonly Subscription[] {
  const isReplaced = asked.some(({ channel }) => channel === "orders");
  return [...all.values()].filter(({ channel }) => !isReplaced || channel !== "orders");
}

/** Those that a request without products leaves: of its channels and, if it names one, its interval. */
export const leftBy = (
  request: SubscribeRequest,
  all: ReadonlyMap<string, Subscription>,
): readonly Subscription[] =>
  [...all.values()].filter(
    ({ channel, granularity }) =>
      request.channels.includes(channel) &&
      (request.granularity === null || granularity === null || granularity === request.granularity),
  );
