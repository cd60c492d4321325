/**
 * Messages to subscribers of a client's account: for an entry, and the first ones after a subscription.
 *
 * **Invariants.** Every revision of an order gives exactly one message, with the order as that revision left it. The fill
 * that completes an order says FILLED: its end is no message of its own. A wallet is sent once per entry, if its record
 * has changed; funds that were held and released within the entry change only its time.
 *
 * **Ordering.** Of one entry: by client; orders and deposits in the order of its events, then wallets by asset.
 */
import type { Wallet } from "../domain/account.ts";
import type { OrderNumber } from "../domain/order.ts";
import type { Changes, OrderChange } from "../engine/changes.ts";
import type { VenueState } from "../engine/state.ts";
import type { CommittedEntry } from "../sequencer/sequencer.ts";
import { depositView, walletViews } from "../wire/account-view.ts";
import type { Identities } from "../wire/identities.ts";
import {
  depositSnapshot,
  depositUpdate,
  orderSnapshots,
  orderUpdate,
  walletSnapshot,
  walletUpdate,
} from "./account-texts.ts";
import type { Channel } from "./channels.ts";
import type { Subscription } from "./subscriptions.ts";
import { accountTopic, type Message, type Wanted } from "./topics.ts";

/** `state` gives the names of products and assets, and nothing that an entry changes. */
export function accountMessages(
  { at, changes }: CommittedEntry,
  state: VenueState,
  ids: Identities,
  isWanted: Wanted,
): Message[] {
  const told: Message[] = [];
  const tell = (
    channel: Channel,
    client: number,
    product: string | null,
    text: () => string,
    order?: OrderNumber,
  ): void => {
    const all = accountTopic(channel, client, null);
    const topics = product === null ? [all] : [all, accountTopic(channel, client, product)];
    const wanted = topics.filter(isWanted);
    if (wanted.length === 0) return;
    const made = text();
    for (const topic of wanted)
      told.push({ topic, product, text: made, ...(order === undefined ? {} : { order }) });
  };
  for (const client of clientsOf(changes)) {
    for (const change of orderChanges(changes, client)) {
      const { number, product } = change.order.terms;
      const { id } = state.market(product).product;
      tell("orders", client, id, () => orderUpdate(state, ids, change, at), number);
    }
    for (const deposit of changes.deposits)
      if (deposit.client === client)
        tell("deposits", client, null, () => depositUpdate(depositView(state, ids, deposit), at));
    if (!isWanted(accountTopic("wallets", client, null))) continue;
    const wallets = changedWallets(changes, client);
    for (const view of walletViews(state, ids, { index: client, wallets }, []))
      tell("wallets", client, null, () => walletUpdate(view, at));
  }
  return told;
}

function clientsOf({ orders, deposits, wallets }: Changes): readonly number[] {
  const clients = new Set<number>();
  for (const { order } of orders) clients.add(order.terms.client);
  for (const { client } of [...deposits, ...wallets]) clients.add(client);
  return [...clients].sort((a, b) => a - b);
}

function orderChanges({ orders }: Changes, client: number): OrderChange[] {
  const told: OrderChange[] = [];
  for (const change of orders) {
    const { event, order } = change;
    if (order.terms.client !== client) continue;
    if (event.kind !== "OrderClosed" || event.status !== "FILLED") {
      told.push(change);
      continue;
    }
    const last = told.findLastIndex((one) => one.order.terms.number === order.terms.number);
    const fill = told[last]?.event;
    if (fill?.kind === "Traded") told[last] = { event: fill, order };
  }
  return told;
}

/** By asset, as they are after the entry. */
function changedWallets(changes: Changes, client: number): ReadonlyMap<number, Wallet> {
  const first = new Map<number, Wallet | null>();
  const last = new Map<number, Wallet>();
  for (const { client: owner, asset, before, after } of changes.wallets) {
    if (owner !== client) continue;
    if (!first.has(asset)) first.set(asset, before);
    last.set(asset, after);
  }
  for (const [asset, after] of last) {
    const before = first.get(asset);
    const { balance, hold, updatedAt } = after;
    if (before?.balance === balance && before.hold === hold && before.updatedAt === updatedAt)
      last.delete(asset);
  }
  return last;
}

/** The first messages to a subscriber of a channel of the account. `at`: the venue's clock. */
export function accountSnapshot(
  state: VenueState,
  ids: Identities,
  { channel, product }: Pick<Subscription, "channel" | "product">,
  client: number,
  at: number,
): readonly string[] {
  const { wallets, openOrders } = state.client(client);
  if (channel === "wallets")
    return [walletSnapshot(walletViews(state, ids, { index: client, wallets }, []), at)];
  if (channel === "deposits") {
    const pending = state.deposits.filter((one) => one.client === client && one.status === "PENDING");
    const views = pending.map((deposit) => depositView(state, ids, deposit));
    return [depositSnapshot(views, at)];
  }
  const orders = [...openOrders].map((number) => state.order(number));
  const wanted = orders.filter(
    ({ terms }) => product === null || state.market(terms.product).product.id === product,
  );
  return orderSnapshots(state, ids, wanted, at);
}
