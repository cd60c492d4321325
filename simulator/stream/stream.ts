/**
 * All WebSockets of the venue.
 *
 * **Purpose.** It takes over sockets whose handshake has been verified, keeps count of them by key, flushes them and
 * attends to them. `gatherer` is what the sequencer shows its events to.
 *
 * **Ordering.** A commit fills queues; they are flushed in the next turn of the event loop, after the answers to the
 * requests of that commit have left, and some connections at a time, so that requests are served in between.
 *
 * **Known limits.** One timer serves all connections, in twenty turns a second; times are as coarse as that.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import type { Caller } from "../auth/keyring.ts";
import { err } from "../domain/result.ts";
import type { VenueState } from "../engine/state.ts";
import type { FaultDrawer } from "../sequencer/faults.ts";
import type { Identities } from "../wire/identities.ts";
import { Audiences } from "./audience.ts";
import type { CloseCode } from "./channels.ts";
import { Connection, type Surroundings } from "./connection.ts";
import { Gatherer } from "./gatherer.ts";
import type { Grant, StreamHabits } from "./habits.ts";
import type { Wish } from "./read-message.ts";
import type { StreamLimits } from "./settings.ts";
import { snapshotOf } from "./snapshots.ts";
import { type Subscription, subscriptionsOf } from "./subscriptions.ts";

/** What the stream reads of the venue. */
export interface StreamVenue {
  readonly state: VenueState;
  readonly clock: { now(): number };
  /** Throws when `state` is not a committed one. */
  requireReadable(): void;
}

export interface StreamOptions {
  readonly products: number;
  readonly clients: number;
  readonly ids: Identities;
  readonly drawer: FaultDrawer;
  readonly limits: StreamLimits;
  /** Hears of a mistake of ours that ended a connection. */
  readonly onFailure: (error: unknown) => void;
}

const SLOTS = 20;
const TURN_MS = 50;
/** Connections that are flushed before requests have their turn again. */
const FLUSHED_AT_ONCE = 128;

export class Stream {
  readonly gatherer: Gatherer;
  private readonly options: StreamOptions;
  private readonly audiences: Audiences;
  private readonly slots: readonly Set<Connection>[] = Array.from({ length: SLOTS }, () => new Set());
  private readonly slotOf = new Map<Connection, Set<Connection>>();
  private readonly byKey = new Map<string, number>();
  private venue: StreamVenue | null = null;
  private grantOf: Grant = subscriptionsOf;
  private server: WebSocketServer | null = null;
  private awake: Connection[] = [];
  private isFlushing = false;
  private adopted = 0;
  private turn = 0;
  private timer: NodeJS.Timeout | null = null;
  private coarseNow = performance.now();
  private readonly around: Surroundings;

  constructor(options: StreamOptions) {
    this.options = options;
    this.audiences = new Audiences(options.products, options.clients);
    this.gatherer = new Gatherer({
      audiences: this.audiences,
      ids: options.ids,
      onMissed: () => this.endAll(1001, "The venue read its journal again: connect and subscribe again."),
      onKeyDisabled: (keyId) => this.endAll(4401, undefined, keyId),
    });
    this.around = {
      limits: options.limits,
      now: () => this.coarseNow,
      marketNow: () => this.opened.clock.now(),
      wake: (connection) => this.wake(connection),
      gone: (connection) => this.forget(connection),
      grant: (wish, caller) => this.grant(wish, caller),
      join: (subscription) => this.join(subscription),
      hasFaults: () => this.opened.state.faults.length > 0,
      faultFor: ({ name }, product) =>
        this.options.drawer.drawStream(this.opened.state.faults, name, product),
      failed: options.onFailure,
      outgoing: null,
    };
  }

  /** The venue comes after the stream, because it shows the stream its events from the start. */
  attach(venue: StreamVenue, habits?: StreamHabits): void {
    this.venue = venue;
    if (habits === undefined) return;
    this.grantOf = habits.grant(subscriptionsOf);
    this.around.outgoing = habits.outgoing;
    this.gatherer.outgoing = habits.outgoing;
  }

  get size(): number {
    return this.slotOf.size;
  }

  /** How many connections the key has, and whether it may have one more. */
  hasRoom(keyId: string): boolean {
    return (this.byKey.get(keyId) ?? 0) < this.options.limits.connectionsPerKey;
  }

  /** To be awaited before the first `open`. A venue that nobody connects to need not load it. */
  async prepare(): Promise<void> {
    this.server ??= await this.makeServer();
  }

  /** Takes over a socket whose handshake was verified. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void {
    const { server } = this;
    if (server === null) throw new RangeError("the stream is not prepared");
    // No subprotocol is known here, so none is accepted, however it is spelled.
    delete request.headers["sec-websocket-protocol"];
    server.handleUpgrade(request, socket, head, (opened) => this.adopt(opened, request.socket, caller));
  }

  /** Ends all connections, or those of one key. */
  endAll(code: CloseCode, reason?: string, keyId?: string): void {
    for (const connection of this.slotOf.keys())
      if (keyId === undefined || connection.caller.keyId === keyId) connection.end(code, reason);
  }

  private get opened(): StreamVenue {
    if (this.venue === null) throw new RangeError("the stream has no venue");
    return this.venue;
  }

  private async makeServer(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import("ws");
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.options.limits.messageBytes,
      maxFragments: 16,
      maxBufferedChunks: 64,
      autoPong: false,
    });
    server.on("headers", (headers) => headers.push("x-api-version: 1.0"));
    return server;
  }

  private adopt(opened: WebSocket, raw: Socket, caller: Caller): void {
    if (this.timer === null) {
      this.coarseNow = performance.now();
      this.timer = setInterval(() => this.attend(), TURN_MS).unref();
    }
    const connection = new Connection(caller, opened, raw, this.around);
    const slot = this.slots[this.adopted++ % SLOTS] ?? new Set();
    slot.add(connection);
    this.slotOf.set(connection, slot);
    this.byKey.set(caller.keyId, (this.byKey.get(caller.keyId) ?? 0) + 1);
  }

  private forget(connection: Connection): void {
    this.slotOf.get(connection)?.delete(connection);
    if (!this.slotOf.delete(connection)) return;
    const { keyId } = connection.caller;
    const left = (this.byKey.get(keyId) ?? 1) - 1;
    if (left > 0) this.byKey.set(keyId, left);
    else this.byKey.delete(keyId);
    if (this.slotOf.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private attend(): void {
    this.coarseNow = performance.now();
    this.turn = (this.turn + 1) % SLOTS;
    for (const connection of this.slots[this.turn] ?? []) connection.attend();
  }

  private wake(connection: Connection): void {
    connection.isAwake = true;
    this.awake.push(connection);
    if (this.isFlushing) return;
    this.isFlushing = true;
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.coarseNow = performance.now();
    const some = this.awake.splice(0, FLUSHED_AT_ONCE);
    for (const connection of some) connection.flush();
    this.isFlushing = this.awake.length > 0;
    if (this.isFlushing) setImmediate(() => this.flush());
  }

  private grant(wish: Wish, caller: Caller): ReturnType<Surroundings["grant"]> {
    const venue = this.opened;
    try {
      venue.requireReadable();
    } catch {
      const message = "The venue cannot be read at the moment. Ask again in a second.";
      return err({ code: "NOT_READY", message, requestId: wish.requestId });
    }
    return this.grantOf(wish, { caller, state: venue.state, audiences: this.audiences });
  }

  private join(subscription: Subscription): readonly string[] {
    const { state, clock } = this.opened;
    const { market, client } = subscription;
    if (client !== null) this.gatherer.prepareAccount(state, client);
    else if (market !== null) this.gatherer.prepareMarket(state, market);
    return snapshotOf(subscription, state, this.options.ids, clock.now());
  }
}
