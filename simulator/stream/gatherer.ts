/**
 * The witness of the stream: makes messages out of committed entries.
 *
 * **Purpose.** While a transaction runs it takes down, event by event, what the listeners of the moment are to hear. The
 * commit turns that into bytes, once for each message, and gives them to its audience.
 *
 * **Invariants.** A message is a view of a committed event: what was taken down in a transaction that failed is thrown
 * away. Content comes from the journal alone: no clock, no chance, nothing of how commands were batched.
 *
 * **Ordering.** By entry; within an entry accounts before markets (feeds say what comes in which order within).
 */
import type { Event, Traded } from "../domain/event.ts";
import type { OrderNumber } from "../domain/order.ts";
import type { VenueState } from "../engine/state.ts";
import type { Witness } from "../sequencer/witness.ts";
import type { Identities } from "../wire/identities.ts";
import { AccountFeed } from "./account-feed.ts";
import type { Audience, Audiences } from "./audience.ts";
import type { OrderEventName } from "./channels.ts";
import { bodyOf } from "./frame.ts";
import { changedBody } from "./habits.ts";
import { type Emit, MarketFeed } from "./market-feed.ts";

export interface GathererPorts {
  readonly audiences: Audiences;
  readonly ids: Identities;
  /** What was committed elsewhere than through this witness: subscribers have missed it. */
  readonly onMissed: () => void;
  readonly onKeyDisabled: (keyId: string) => void;
}

interface Pending {
  readonly audience: Audience;
  readonly text: string;
  readonly product: string | null;
}

export class Gatherer implements Witness {
  private readonly ports: GathererPorts;
  private readonly markets: readonly MarketFeed[];
  private readonly accounts: readonly AccountFeed[];
  outgoing: ((text: string) => readonly string[]) | null = null;
  private pending: Pending[] = [];
  private disabled: string[] = [];
  private lastSeq: number | null = null;

  constructor(ports: GathererPorts) {
    this.ports = ports;
    const { audiences, ids } = ports;
    this.markets = audiences.markets.map((one) => new MarketFeed(one));
    this.accounts = audiences.accounts.map((one, client) => new AccountFeed(client, one, ids));
  }

  begins(state: VenueState): void {
    this.pending = [];
    this.disabled = [];
    const missed = this.lastSeq !== null && state.seq !== this.lastSeq;
    this.lastSeq = state.seq;
    if (missed) this.ports.onMissed();
    for (const market of this.ports.audiences.watchedMarkets) this.resetMarket(state, market);
    for (const client of this.ports.audiences.watchedAccounts) this.resetAccount(state, client);
  }

  /** Somebody is about to listen to this market or account, between two entries. */
  prepareMarket(state: VenueState, market: number): void {
    if (!this.ports.audiences.watchedMarkets.includes(market)) this.resetMarket(state, market);
  }

  prepareAccount(state: VenueState, client: number): void {
    if (!this.ports.audiences.watchedAccounts.includes(client)) this.resetAccount(state, client);
  }

  saw(state: VenueState, event: Event): void {
    if (event.kind === "KeyStateSet" && event.state === "disabled") this.disabled.push(event.keyId);
    const { watchedMarkets, watchedAccounts } = this.ports.audiences;
    if (watchedMarkets.length > 0 && (event.kind === "Traded" || event.kind === "TradePrinted"))
      this.markets[event.product]?.traded(event, state.now);
    if (watchedAccounts.length > 0) this.sawAccount(state, event);
  }

  recorded(state: VenueState): void {
    const { watchedMarkets, watchedAccounts } = this.ports.audiences;
    for (const client of watchedAccounts) this.accounts[client]?.recorded(state, this.emit);
    for (const market of watchedMarkets)
      this.markets[market]?.recorded(state.market(market), state.now, this.emit);
  }

  committed(state: VenueState): void {
    this.lastSeq = state.seq;
    const { pending, disabled } = this;
    if (pending.length > 0) {
      this.pending = [];
      for (const { audience, text, product } of pending) {
        if (this.outgoing === null) audience.tell(bodyOf(text), product);
        else for (const changed of this.outgoing(text)) audience.tell(changedBody(changed), product);
      }
    }
    if (disabled.length === 0) return;
    this.disabled = [];
    for (const keyId of disabled) this.ports.onKeyDisabled(keyId);
  }

  private readonly emit: Emit = (audience, text, product) => {
    this.pending.push({ audience, text, product });
  };

  private resetMarket(state: VenueState, market: number): void {
    this.markets[market]?.reset(state.market(market), state.now);
  }

  private resetAccount(state: VenueState, client: number): void {
    this.accounts[client]?.reset(state);
  }

  private sawAccount(state: VenueState, event: Event): void {
    switch (event.kind) {
      case "OrderAccepted":
        return this.changed(state, event.terms.number, ACCEPTED_AS[event.status]);
      case "OrderConfirmed":
        return this.changed(state, event.order, "ACCEPTED");
      case "StopTriggered":
        return this.changed(state, event.order, "TRIGGERED");
      case "OrderReduced":
        return this.changed(state, event.order, "REDUCED");
      case "CancelRequested":
        return this.changed(state, event.order, "CANCEL_REQUESTED");
      case "OrdersSynced":
        for (const order of event.orders) this.changed(state, order, "SYNCED");
        return;
      case "OrderClosed":
        if (event.status !== "FILLED") return this.changed(state, event.order, event.status);
        return this.feedOf(state, event.order)?.completed(state, state.order(event.order));
      case "Traded":
        this.filled(state, event.taker, event, "TAKER");
        return this.filled(state, event.maker, event, "MAKER");
      case "DepositCreated":
      case "DepositAdvanced":
      case "DepositCompleted": {
        const client = state.deposits[event.number - 1]?.client ?? -1;
        return this.watched(client)?.deposited(state, event);
      }
      default:
        return;
    }
  }

  private changed(state: VenueState, order: OrderNumber, event: OrderEventName): void {
    this.feedOf(state, order)?.changed(state, state.order(order), event);
  }

  private filled(state: VenueState, order: OrderNumber, event: Traded, liquidity: "TAKER" | "MAKER"): void {
    // Number 0 is the synthetic market, which nobody listens for.
    if (order !== 0) this.feedOf(state, order)?.filled(state, state.order(order), event, liquidity);
  }

  private feedOf(state: VenueState, order: OrderNumber): AccountFeed | undefined {
    return this.watched(state.order(order).terms.client);
  }

  private watched(client: number): AccountFeed | undefined {
    return this.ports.audiences.watchedAccounts.includes(client) ? this.accounts[client] : undefined;
  }
}

const ACCEPTED_AS = { OPEN: "ACCEPTED", PENDING: "PENDING", FAILED: "FAILED" } as const;
