/**
 * What subscribers of one client's account are told.
 *
 * **Invariants.** Every revision of an order gives exactly one message, with the order as that revision left it. The fill
 * that completes an order says FILLED: its end is no message of its own. A wallet is told once per entry, when its record
 * is another than subscribers know; what was held and let go within the entry shows in its time alone.
 *
 * **Ordering.** Of one entry: orders and deposits in the order of its events, then wallets by asset.
 */
import type { Event, Traded } from "../domain/event.ts";
import type { Order } from "../domain/order.ts";
import type { VenueState } from "../engine/state.ts";
import { depositView, walletViews } from "../wire/account-view.ts";
import type { Identities } from "../wire/identities.ts";
import { depositUpdate, fillText, orderUpdate, walletUpdate } from "./account-texts.ts";
import type { AccountAudiences } from "./audience.ts";
import type { OrderEventName } from "./channels.ts";
import type { Emit } from "./market-feed.ts";

interface KnownWallet {
  readonly balance: bigint;
  readonly hold: bigint;
  readonly updatedAt: number;
}

interface OrderMessage {
  readonly order: number;
  readonly product: number;
  readonly fill: string | null;
  text: string;
}

export class AccountFeed {
  private readonly client: number;
  private readonly audiences: AccountAudiences;
  private readonly ids: Identities;
  private readonly wallets = new Map<number, KnownWallet>();
  private messages: (OrderMessage | string)[] = [];

  constructor(client: number, audiences: AccountAudiences, ids: Identities) {
    this.client = client;
    this.audiences = audiences;
    this.ids = ids;
  }

  /** From now on, subscribers know this state: called when somebody begins to listen, between two entries. */
  reset(state: VenueState): void {
    this.messages = [];
    this.wallets.clear();
    for (const [asset, { balance, hold, updatedAt }] of state.client(this.client).wallets)
      this.wallets.set(asset, { balance, hold, updatedAt });
  }

  changed(state: VenueState, order: Order, event: OrderEventName, fill: string | null = null): void {
    const { number, product } = order.terms;
    const { orders, narrow } = this.audiences;
    if (orders.size === 0 && (narrow.get(product)?.size ?? 0) === 0) return;
    const text = orderUpdate(state, this.ids, order, event, fill);
    this.messages.push({ order: number, product, fill, text });
  }

  filled(state: VenueState, order: Order, event: Traded, liquidity: "TAKER" | "MAKER"): void {
    const { product } = state.market(event.product);
    this.changed(state, order, "FILL", fillText(product, this.ids, event, liquidity, state.now));
  }

  /** The last fill of the entry was the one that completed the order: it says so. */
  completed(state: VenueState, order: Order): void {
    const last = this.messages.findLast(
      (message) => typeof message !== "string" && message.order === order.terms.number,
    );
    if (typeof last === "object" && last.fill !== null)
      last.text = orderUpdate(state, this.ids, order, "FILL", last.fill);
  }

  deposited(state: VenueState, event: Extract<Event, { readonly kind: `Deposit${string}` }>): void {
    const deposit = state.deposits[event.number - 1];
    if (deposit !== undefined)
      this.messages.push(depositUpdate(depositView(state, this.ids, deposit), state.now));
  }

  /** The entry is complete. */
  recorded(state: VenueState, emit: Emit): void {
    const { orders, narrow, deposits, wallets } = this.audiences;
    for (const message of this.messages) {
      if (typeof message === "string") {
        if (deposits.size > 0) emit(deposits, message, null);
        continue;
      }
      const { id } = state.market(message.product).product;
      if (orders.size > 0) emit(orders, message.text, id);
      const some = narrow.get(message.product);
      if (some !== undefined && some.size > 0) emit(some, message.text, id);
    }
    if (this.messages.length > 0) this.messages = [];
    if (wallets.size > 0) this.tellWallets(state, emit);
  }

  private tellWallets(state: VenueState, emit: Emit): void {
    const client = state.client(this.client);
    const changed: string[] = [];
    for (const [asset, { balance, hold, updatedAt }] of client.wallets) {
      const known = this.wallets.get(asset);
      if (known?.balance === balance && known.hold === hold && known.updatedAt === updatedAt) continue;
      this.wallets.set(asset, { balance, hold, updatedAt });
      changed.push(state.world.assets[asset]?.symbol ?? "");
    }
    if (changed.length === 0) return;
    for (const wallet of walletViews(state, this.ids, client, changed))
      emit(this.audiences.wallets, walletUpdate(wallet, state.now), null);
  }
}
