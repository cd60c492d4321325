/**
 * All WebSockets of the venue.
 *
 * **Purpose.** It takes over sockets whose handshake has been verified, counts them by key, makes messages of committed
 * entries for the subscribers of their topics, flushes the connections and attends to them.
 *
 * **Invariants.** A message is a view of a committed entry, and of nothing else: no clock, no chance, nothing of how commands
 * were batched.
 *
 * **Ordering.** By entry; within an entry accounts before markets. A commit fills queues; they are flushed in the next turn
 * of the event loop, after the answers to the requests of that commit have left, and some connections at a time, so that
 * requests are served in between.
 *
 * **Known limits.** One timer serves all connections, in twenty turns a second; times are as coarse as that.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import type { Caller } from "../auth/keyring.ts";
import type { StreamFault } from "../domain/fault.ts";
import { err } from "../domain/result.ts";
import type { VenueState } from "../engine/state.ts";
import type { FaultDrawer } from "../sequencer/fault-drawer.ts";
import type { CommittedEntry, Follower } from "../sequencer/sequencer.ts";
import type { Identities } from "../wire/identities.ts";
import { accountMessages, accountSnapshot } from "./account-messages.ts";
import type { CloseCode } from "./channels.ts";
import type { Committing } from "./commit-order.ts";
import { Connection } from "./connection.ts";
import type { ConnectionHub } from "./connection-hub.ts";
import { DoubledOrders } from "./doubled-orders.ts";
import { type Body, bodyOf } from "./frame.ts";
import { copyOf, type MarketCopy, marketMessages, marketSnapshot } from "./market-messages.ts";
import type { SubscribeRequest } from "./read-message.ts";
import type { StreamLimits } from "./settings.ts";
import type { StreamObserver } from "./stream-record.ts";
import { type Grant, type Subscription, subscriptionsOf } from "./subscriptions.ts";
import type { About } from "./topics.ts";

/** The parts of the venue that the stream reads. */
export interface StreamVenue extends Committing {
  readonly state: VenueState;
  readonly clock: { now(): number };
  /** Throws when `state` is not a committed one. */
  requireReadable(): void;
  follow(follower: Follower): void;
}

/** Where a venue can be made to misbehave on its stream on purpose. */
export interface StreamSeams {
  readonly grant: (inner: Grant) => Grant;
  /** The fate of a message: `text` follows its number, `lost` leaves a gap. */
  readonly outgoing: (text: string) => readonly string[];
}

/** A WebSocket that is about to be opened. */
export interface OpenedStream {
  readonly caller: Caller;
  /** The `x-request-id` of its handshake. */
  readonly id: string;
  readonly observer?: StreamObserver | undefined;
}

export interface HubOptions {
  readonly venue: StreamVenue;
  readonly ids: Identities;
  readonly drawer: FaultDrawer;
  readonly limits: StreamLimits;
  readonly seams: StreamSeams;
  /** Hears of a mistake of ours that ended a connection. */
  readonly onFailure: (error: unknown) => void;
}

const turns = 20;
const turnMs = 50;
/** Connections that are flushed before requests have their turn again. */
const flushedAtOnce = 128;

export class Hub implements Follower, ConnectionHub {
  readonly limits: StreamLimits;
  readonly #options: HubOptions;
  readonly #grantOf: Grant;
  /** With the turn of the timer in which each is attended to. */
  readonly #connections = new Map<Connection, number>();
  readonly #topics = new Map<string, Set<Connection>>();
  /** Markets with a subscription, by product. */
  readonly #copies: (MarketCopy | undefined)[] = [];
  readonly #isWanted = (topic: string): boolean => this.#topics.has(topic);
  readonly #doubled = new DoubledOrders();
  /** The last entry that it was told of. */
  #lastSeq: number;
  #server: WebSocketServer | null = null;
  #awake: Connection[] = [];
  #isFlushing = false;
  #adopted = 0;
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;
  #coarseNow = performance.now();

  constructor(options: HubOptions) {
    this.#options = options;
    this.limits = options.limits;
    this.#grantOf = options.seams.grant(subscriptionsOf);
    this.#lastSeq = options.venue.state.seq;
    options.venue.follow(this);
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Bytes that wait to be read by clients. */
  get queuedBytes(): number {
    return [...this.#connections.keys()].reduce((sum, { queuedBytes }) => sum + queuedBytes, 0);
  }

  /** Whether the key may have one more connection. */
  hasRoom(keyId: string): boolean {
    let open = 0;
    for (const { caller } of this.#connections.keys()) if (caller.keyId === keyId) open++;
    return open < this.limits.connectionsPerKey;
  }

  /** To be awaited before the first `open`. A venue without connections need not load it. */
  async prepare(): Promise<void> {
    this.#server ??= await makeServer(this.limits);
  }

  /** Takes over a socket whose handshake was verified. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer, { caller, id, observer }: OpenedStream): void {
    const server = this.#server;
    if (server === null) throw new RangeError("the stream is not prepared");
    // No subprotocol is known here, so none is accepted, however it is spelled.
    delete request.headers["sec-websocket-protocol"];
    request.headers["x-request-id"] = id;
    server.handleUpgrade(request, socket, head, (opened) => {
      const connection = this.#adopt(opened, request.socket, caller);
      opened.once("close", (code, reason) => {
        const { received, subscriptions } = connection.record;
        const sent = connection.lastNumber;
        observer?.ended({ code, reason: reason.toString("utf8"), received, sent, subscriptions });
      });
    });
  }

  /** Ends all connections, or those of one key. */
  endAll(code: CloseCode, reason?: string, keyId?: string): void {
    for (const connection of this.#connections.keys())
      if (keyId === undefined || connection.caller.keyId === keyId) connection.end(code, reason);
  }

  committed(entries: readonly CommittedEntry[]): void {
    for (const entry of entries) {
      this.#lastSeq = entry.seq;
      if (this.#topics.size > 0) this.#tell(entry);
    }
    for (const { events } of entries)
      for (const event of events)
        if (event.kind === "KeyRotated" || (event.kind === "KeyStateSet" && event.state === "disabled"))
          this.endAll(4401, undefined, event.keyId);
  }

  /** Subscribers have missed what was committed and not told. */
  restored(): void {
    if (this.#venue.state.seq !== this.#lastSeq)
      this.endAll(1001, "The venue read its journal again: connect and subscribe again.");
    this.#lastSeq = this.#venue.state.seq;
  }

  stopped(): void {
    this.endAll(1011);
  }

  get now(): number {
    return this.#coarseNow;
  }

  get underWay(): Promise<void> | null {
    return this.#venue.underWay;
  }

  get marketNow(): number {
    return this.#venue.clock.now();
  }

  /** Flushes the connection before the next turn ends. */
  wake(connection: Connection): void {
    this.#awake.push(connection);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => this.#flush());
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  grant(request: SubscribeRequest, caller: Caller): ReturnType<Grant> {
    try {
      this.#venue.requireReadable();
    } catch {
      const message = "The venue cannot be read at the moment. Ask again in a second.";
      return err({ code: "NOT_READY", message, requestId: request.requestId });
    }
    return this.#grantOf(request, { caller, state: this.#venue.state });
  }

  /** From now on the connection hears the topic; returns what it learns first, dated `now`. */
  join(connection: Connection, subscription: Subscription, now: number): readonly string[] {
    const { state } = this.#venue;
    const { topic, market, client, channel, granularity } = subscription;
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners.add(connection));
    if (client !== null) return accountSnapshot(state, this.#options.ids, subscription, client, now);
    if (market === null) return [];
    const copy = (this.#copies[market] ??= copyOf(state.market(market), state.now));
    copy.topics.add(topic);
    return [marketSnapshot(copy, channel, granularity, now)];
  }

  leave(connection: Connection, { topic, market }: Subscription): void {
    const listeners = this.#topics.get(topic);
    if (listeners?.delete(connection) !== true || listeners.size > 0) return;
    this.#topics.delete(topic);
    const copy = this.#copies[market ?? -1];
    copy?.topics.delete(topic);
    if (copy?.topics.size === 0) this.#copies[copy.product.index] = undefined;
  }

  faultFor({ name }: Caller, { product, order }: About): StreamFault | null {
    if (this.#doubled.has(order)) return { kind: "streamDuplicate" };
    const { faults } = this.#venue.state;
    return faults.length === 0 ? null : this.#options.drawer.drawStream(faults, name, product);
  }

  outgoing(text: string): readonly Body[] {
    return this.#options.seams.outgoing(text).map(bodyOf);
  }

  failed(error: unknown): void {
    this.#options.onFailure(error);
  }

  get #venue(): StreamVenue {
    return this.#options.venue;
  }

  #tell(entry: CommittedEntry): void {
    const isWanted = this.#isWanted;
    const told = accountMessages(entry, this.#venue.state, this.#options.ids, isWanted);
    for (const copy of this.#copies)
      if (copy !== undefined) told.push(...marketMessages(copy, entry, isWanted));
    this.#doubled.note(entry);
    for (const message of told)
      for (const body of this.outgoing(message.text))
        for (const listener of this.#topics.get(message.topic) ?? []) listener.hear(body, message);
  }

  #adopt(opened: WebSocket, raw: Socket, caller: Caller): Connection {
    if (this.#timer === null) {
      this.#coarseNow = performance.now();
      this.#timer = setInterval(() => this.#attend(), turnMs).unref();
    }
    const connection = new Connection(this, caller, opened, raw);
    this.#connections.set(connection, this.#adopted++ % turns);
    return connection;
  }

  #attend(): void {
    this.#coarseNow = performance.now();
    this.#turn = (this.#turn + 1) % turns;
    for (const [connection, turn] of this.#connections) if (turn === this.#turn) connection.attend();
  }

  #flush(): void {
    this.#coarseNow = performance.now();
    for (const connection of this.#awake.splice(0, flushedAtOnce)) connection.flush();
    this.#isFlushing = this.#awake.length > 0;
    if (this.#isFlushing) setImmediate(() => this.#flush());
  }
}

async function makeServer({ messageBytes }: StreamLimits): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytes,
    maxFragments: 16,
    maxBufferedChunks: 64,
    autoPong: false,
  });
  server.on("headers", (headers, { headers: asked }) =>
    headers.push("x-api-version: 1.0", `x-request-id: ${String(asked["x-request-id"])}`),
  );
  return server;
}
