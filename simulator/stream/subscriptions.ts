/**
 * What one connection listens to, and how a wish becomes that.
 *
 * **Invariants.** A wish is granted whole or not at all. The channel `orders` has one filter, that of the last wish, so no message
 * comes twice.
 *
 * **Ordering.** Acknowledgement, then the snapshots in the order of the wish, then changes: joining an audience and taking
 * its snapshot happen between two entries, so nothing is lost or told twice.
 */
import type { Caller } from "../auth/keyring.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { VenueState } from "../engine/state.ts";
import type { Granularity } from "../wire/granularity.ts";
import { GRANULARITY_NAMES } from "../wire/granularity.ts";
import type { Audience, Audiences } from "./audience.ts";
import { CHANNELS, type Channel, type ChannelRules } from "./channels.ts";
import { type Complaint, shown, type Wish } from "./read-message.ts";

export interface Subscription {
  readonly key: string;
  readonly channel: Channel;
  /** Null: the channel has none, or all are meant. */
  readonly product: string | null;
  readonly granularity: Granularity | null;
  readonly audience: Audience;
  readonly market: number | null;
  readonly client: number | null;
}

export interface Access {
  readonly caller: Caller;
  readonly state: VenueState;
  readonly audiences: Audiences;
}

/** What the wish names, one by one, or the first thing that is wrong with it. */
export function subscriptionsOf(wish: Wish, access: Access): Result<readonly Subscription[], Complaint> {
  const found: Subscription[] = [];
  for (const channel of wish.channels) {
    const some = ofChannel(channel, wish, access);
    if (!some.ok) return some;
    found.push(...some.value);
  }
  return ok(found);
}

function ofChannel(channel: Channel, wish: Wish, access: Access): Result<readonly Subscription[], Complaint> {
  const rules: ChannelRules = CHANNELS[channel];
  const { caller } = access;
  const complain = (code: Complaint["code"], message: string): Result<never, Complaint> =>
    err({ code, message, requestId: wish.requestId });
  if (rules.claim !== null && !caller.claims.includes(rules.claim)) {
    return complain(
      "MISSING_CLAIM",
      `The channel ${channel} asks for the claim ${rules.claim}, which this key does not have.`,
    );
  }
  if (rules.scope === "account" && caller.client === null) {
    return complain("FORBIDDEN", "No client stands behind this API key: it can follow market data only.");
  }
  const products = rules.products === "none" ? null : wish.products;
  const leaves = wish.type === "unsubscribe";
  if (rules.products === "required" && !leaves && (products === null || products.length === 0)) {
    return complain(
      "PRODUCTS_REQUIRED",
      `The channel ${channel} is by product: add "products":["BTC-USD"] or others.`,
    );
  }
  const unknown = products?.find((id) => access.state.marketOf(id) === null);
  if (unknown !== undefined) {
    return complain("UNKNOWN_PRODUCT", `There is no product ${shown(unknown)}; GET /product lists them.`);
  }
  if (channel === "candles" && wish.granularity === null && !leaves) {
    return complain(
      "INVALID_GRANULARITY",
      `The channel candles needs a granularity: one of ${GRANULARITY_NAMES.join(", ")}.`,
    );
  }
  if (leaves && products === null) return ok([]);
  return ok((products ?? [null]).map((product) => subscription(channel, product, wish.granularity, access)));
}

function subscription(
  channel: Channel,
  product: string | null,
  asked: Granularity | null,
  access: Access,
): Subscription {
  const granularity = channel === "candles" ? asked : null;
  const market = product === null ? null : (access.state.marketOf(product)?.product.index ?? null);
  const client = CHANNELS[channel].scope === "account" ? access.caller.client : null;
  const audience = audienceOf(channel, market, client, granularity, access.audiences);
  const key = [channel, product ?? "", granularity ?? ""].join(" ");
  return { key, channel, product, granularity, audience, market: client === null ? market : null, client };
}

function audienceOf(
  channel: Channel,
  market: number | null,
  client: number | null,
  granularity: Granularity | null,
  { markets, accounts, heartbeat }: Audiences,
): Audience {
  if (channel === "heartbeat") return heartbeat;
  const found =
    client === null
      ? marketAudience(markets[market ?? -1], channel, granularity)
      : accountAudience(accounts[client], channel, market);
  if (found === undefined) throw new RangeError(`nobody can listen to ${channel}`);
  return found;
}

function marketAudience(
  market: Audiences["markets"][number] | undefined,
  channel: Channel,
  granularity: Granularity | null,
): Audience | undefined {
  if (channel === "candles") return market?.candles.get(granularity ?? "ONE_MINUTE");
  return channel === "orderBook" || channel === "trades" || channel === "ticker"
    ? market?.[channel]
    : undefined;
}

function accountAudience(
  account: Audiences["accounts"][number] | undefined,
  channel: Channel,
  market: number | null,
): Audience | undefined {
  if (channel === "orders") return account?.ordersOf(market);
  return channel === "wallets" || channel === "deposits" ? account?.[channel] : undefined;
}
