/** What a subscriber learns first: the state between two entries, which is a committed one. */
import type { VenueState } from "../engine/state.ts";
import { depositView, walletViews } from "../wire/account-view.ts";
import type { Identities } from "../wire/identities.ts";
import { depositSnapshot, orderSnapshots, walletSnapshot } from "./account-texts.ts";
import { DayVolume, isOver, newestCandle, tickerOf } from "./market-feed.ts";
import { bookSnapshot, candleText, tickerText, tradesText } from "./market-texts.ts";
import type { Subscription } from "./subscriptions.ts";

/** Messages of a subscription's snapshot; none for a channel without one. `at`: the venue's clock. */
export function snapshotOf(
  subscription: Subscription,
  state: VenueState,
  ids: Identities,
  at: number,
): readonly string[] {
  const { market, client } = subscription;
  if (client !== null) return accountSnapshot(subscription, client, state, ids, at);
  return market === null ? [] : [marketSnapshot(subscription, market, state, at)];
}

function marketSnapshot(
  { channel, granularity }: Subscription,
  index: number,
  state: VenueState,
  at: number,
): string {
  const market = state.market(index);
  const { product, tape } = market;
  if (channel === "orderBook") return bookSnapshot(market, at);
  if (channel === "trades") return tradesText("snapshot", product, tape.recent, at);
  if (channel === "ticker")
    return tickerText("snapshot", product, tickerOf(market, new DayVolume().at(tape, state.now)), at);
  const interval = granularity ?? "ONE_MINUTE";
  const newest = newestCandle(tape, interval);
  const closed = newest !== null && isOver(newest, interval, state.now);
  return candleText("snapshot", product, interval, newest, closed, at);
}

function accountSnapshot(
  { channel, product }: Subscription,
  index: number,
  state: VenueState,
  ids: Identities,
  at: number,
): readonly string[] {
  const client = state.client(index);
  if (channel === "wallets") return [walletSnapshot(walletViews(state, ids, client, []), at)];
  if (channel === "deposits") {
    const pending = state.deposits.filter((one) => one.client === index && one.status === "PENDING");
    return [
      depositSnapshot(
        pending.map((deposit) => depositView(state, ids, deposit)),
        at,
      ),
    ];
  }
  const orders = [...client.openOrders].map((number) => state.order(number));
  const wanted = orders.filter(
    ({ terms }) => product === null || state.market(terms.product).product.id === product,
  );
  return orderSnapshots(state, ids, wanted, at);
}
