/**
 * One WebSocket of one caller: it reads requests, grants them, and sends what its topics bring.
 *
 * **Invariants.** Everything that leaves as text goes through the send queue, so numbers and bytes agree. A connection that
 * is ending hears nothing new; messages that were queued before still leave, then its last error, then the close frame. One that
 * does not take them in time is cut. An exception of ours ends the connection on which it happened, never the process.
 *
 * **Known limits.** Answers to pings and the close frame are written by `ws` itself: they may overtake queued messages.
 */
import type { Socket } from "node:net";
import type { RawData, WebSocket } from "ws";
import type { Caller } from "../auth/keyring.ts";
import { createRateLimit, type RateLimit } from "../http/limits.ts";
import { errorText, heartbeatText, pongText, subscriptionsText } from "./answers.ts";
import { type CloseCode, closeCodes } from "./channels.ts";
import { inCommitOrder } from "./commit-order.ts";
import type { ConnectionHub } from "./connection-hub.ts";
import { FaultInjector } from "./fault-injector.ts";
import type { Body } from "./frame.ts";
import { readMessage, type StreamError, type SubscribeRequest } from "./read-message.ts";
import { SendQueue } from "./send-queue.ts";
import type { StreamLimits } from "./settings.ts";
import { StreamRecord } from "./stream-record.ts";
import { heartbeat, keptBeside, leftBy, type Subscription } from "./subscriptions.ts";
import type { About } from "./topics.ts";

/** The number of messages in a row that were sent too fast, or refused, that ends the connection. */
const mostStrikes = 10;

/** How long a connection that is ending may take for its queued messages and its close frame. */
const closeTimeoutMs = 2000;

/** A reader that was too slow has as long as any client may be silent: a breakpoint is not over in two seconds. */
const slowCloseTimeoutMs = ({ silenceMs }: StreamLimits): number => Math.max(closeTimeoutMs, silenceMs);

interface Ending {
  readonly code: CloseCode;
  readonly reason: string;
  /** When it is cut, in real time. */
  by: number;
  /** The close frame has been sent. */
  closed: boolean;
}

export class Connection {
  readonly caller: Caller;
  readonly record = new StreamRecord();
  readonly #hub: ConnectionHub;
  readonly #socket: WebSocket;
  readonly #queue: SendQueue;
  readonly #faults: FaultInjector;
  /** Of everything that arrives, pings and pongs included. */
  readonly #limit: RateLimit;
  /** In the order in which they were asked for. */
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #openedAt: number;
  #heardAt: number;
  #pingedAt: number;
  #counter = 0;
  #tooFastInRow = 0;
  #refusedInRow = 0;
  #owedPong: Buffer | null = null;
  #ending: Ending | null = null;
  /** Whether a flush is asked for already. */
  #isAwake = false;

  constructor(hub: ConnectionHub, caller: Caller, socket: WebSocket, raw: Socket) {
    this.#hub = hub;
    this.caller = caller;
    this.#socket = socket;
    this.#openedAt = this.#heardAt = this.#pingedAt = hub.now;
    const { queueBytes: bytes, queueMessages: messages, messagesPerSecond: perSecond } = hub.limits;
    this.#limit = createRateLimit({ perSecond, burst: 2 * perSecond }, () => hub.now);
    this.#queue = new SendQueue(raw, { bytes, messages }, () => this.#wake());
    this.#faults = new FaultInjector(this.#queue, socket, () => this.#speakAgain());
    socket.on(
      "message",
      inCommitOrder(hub, socket, (...said) => this.#attempt(() => this.#heard(...said))),
    );
    socket.on("ping", (data) => this.#attempt(() => this.#pinged(data)));
    socket.on("pong", () => this.#attempt(() => void this.#counted()));
    socket.on("error", () => this.#attempt(() => this.#broke()));
    socket.on("close", () => this.#attempt(() => this.#close()));
  }

  /** A message of one of its topics; `product`: the one that it is about, if it is about one. */
  hear(body: Body, about: About): void {
    this.#attempt(() => {
      if (this.#ending !== null) return;
      this.#faults.push(body, this.#hub.faultFor(this.caller, about), this.#hub.now);
      this.#wake();
    });
  }

  /** Writes what waits, as far as the socket takes it. */
  flush(): void {
    this.#attempt(() => this.#write());
  }

  /** Number of the last message to the client. */
  get lastNumber(): number {
    return this.#queue.lastNumber;
  }

  /** Bytes that wait to be read by the client. */
  get queuedBytes(): number {
    return this.#queue.waitingBytes;
  }

  /** Called about once a second. */
  attend(): void {
    this.#attempt(() => this.#lookAfter());
  }

  /** Sends what is queued, then a close frame. The first reason counts, and the earliest end. */
  end(code: CloseCode, reason: string = closeCodes[code], timeoutMs = closeTimeoutMs): void {
    const by = this.#hub.now + timeoutMs;
    if (this.#ending !== null) {
      this.#ending.by = Math.min(this.#ending.by, by);
      return;
    }
    this.#ending = { code, reason, by, closed: false };
    this.#leave([...this.#subscriptions.values()]);
    this.#wake();
  }

  /** An error in here is a bug of ours. It ends this connection, and nothing else. */
  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#hub.failed(error);
      if (this.#ending === null) this.end(1011);
      else this.#socket.terminate();
    }
  }

  #write(): void {
    this.#isAwake = false;
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const { now } = this.#hub;
    if (now < this.#faults.silentUntil) return;
    this.#queue.flush(now);
    if (this.#ending !== null) this.#closeWhenSent();
    else if (this.#queue.isTooSlow(now)) this.#endForSlowness();
    if (!this.#queue.isBlocked) this.#payPong();
  }

  #lookAfter(): void {
    const { now, limits } = this.#hub;
    if (this.#ending !== null) {
      if (now > this.#ending.by) this.#socket.terminate();
      return;
    }
    if (now < this.#faults.silentUntil) return;
    if (this.#faults.silentUntil > 0) this.#speakAgain();
    if (!this.record.everSubscribed && now - this.#openedAt > limits.subscribeTimeoutMs)
      return this.end(4408, "No subscription arrived in time.");
    if (now - this.#heardAt > limits.silenceMs) return this.end(4408, "No answer to pings.");
    if (this.#queue.isTooSlow(now)) return this.#endForSlowness();
    if (now - this.#pingedAt >= limits.pingEveryMs) {
      this.#pingedAt = now;
      this.#socket.ping();
    }
    if (this.#subscriptions.has(heartbeat)) this.#answer(heartbeatText(++this.#counter, this.#hub.marketNow));
  }

  /** Messages that waited during a fault's silence do not count as slow reading. */
  #speakAgain(): void {
    this.#faults.silentUntil = 0;
    this.#queue.forgiveBacklog();
    this.#wake();
  }

  /** `ws` has found a protocol error and closes with the code that says which. */
  #broke(): void {
    if (this.#ending === null) this.end(1002);
    if (this.#ending !== null) this.#ending.closed = true;
  }

  #closeWhenSent(): void {
    if (this.#ending === null || this.#ending.closed || this.#queue.messages > 0) return;
    this.#ending.closed = true;
    this.#socket.close(this.#ending.code, this.#ending.reason);
  }

  #endForSlowness(): void {
    const message =
      "Too much waits to be read: this connection is closed. Connect again, subscribe to less, or read faster.";
    this.#sendError({ code: "SLOW_CONSUMER", message, requestId: null });
    this.end(4429, "slow consumer", slowCloseTimeoutMs(this.#hub.limits));
    this.#queue.flush(this.#hub.now);
    this.#closeWhenSent();
  }

  #wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#hub.wake(this);
  }

  #answer(text: string): void {
    if (this.#ending !== null) return;
    for (const body of this.#hub.outgoing(text)) this.#queue.push(body);
    this.#wake();
  }

  #sendError(error: StreamError): void {
    this.#answer(errorText(error, this.#hub.marketNow));
  }

  /** Anything that arrives is a sign of life, and is counted. False: it is to be ignored. */
  #counted(): boolean {
    this.#heardAt = this.#hub.now;
    const allowed = this.#limit("").refusal === null;
    this.#tooFastInRow = allowed ? 0 : this.#tooFastInRow + 1;
    if (this.#tooFastInRow >= mostStrikes) this.end(4429, "The client sends too much.");
    return allowed && this.#ending === null;
  }

  #pinged(data: Buffer): void {
    if (!this.#counted()) return;
    this.#owedPong = data;
    if (!this.#queue.isBlocked) this.#payPong();
  }

  /** Only the newest ping needs an answer; a reader that takes nothing gets none. */
  #payPong(): void {
    if (this.#owedPong !== null && this.#socket.readyState === this.#socket.OPEN)
      this.#socket.pong(this.#owedPong);
    this.#owedPong = null;
  }

  #heard(data: RawData, isBinary: boolean): void {
    this.record.received += 1;
    if (isBinary) return this.end(1003);
    if (!this.#counted()) {
      const { messagesPerSecond } = this.#hub.limits;
      const message = `At most ${messagesPerSecond} messages a second are read. This one was not: send it again later.`;
      return this.#sendError({ code: "RATE_LIMITED", message, requestId: null });
    }
    // as: a message that is no fragment list arrives as one buffer under the default binary type.
    const read = readMessage(data as Buffer);
    if (!read.ok) return this.#refuse(read.error);
    const message = read.value;
    if (message.type !== "ping") return this.#requested(message);
    this.#refusedInRow = 0;
    this.#answer(pongText(message.requestId, this.#hub.marketNow));
  }

  #refuse(error: StreamError): void {
    this.#sendError(error);
    if (++this.#refusedInRow >= mostStrikes) this.end(4400);
  }

  #requested(request: SubscribeRequest): void {
    const granted = this.#hub.grant(request, this.caller);
    if (!granted.ok) return this.#refuse(granted.error);
    if (request.type === "subscribe") this.#subscribe(request, granted.value);
    else this.#unsubscribe(request, granted.value);
  }

  #subscribe({ requestId }: SubscribeRequest, asked: readonly Subscription[]): void {
    this.#queue.flush(this.#hub.now);
    if (this.#queue.isFull) {
      const message = "Too much waits to be read already. Read it, then subscribe again.";
      return this.#refuse({ code: "RATE_LIMITED", message, requestId });
    }
    const kept = keptBeside(asked, this.#subscriptions);
    const most = this.#hub.limits.subscriptions;
    if (new Set([...kept, ...asked].map(({ key }) => key)).size > most) {
      const message = `A connection has at most ${most} subscriptions. Unsubscribe from some, or open another.`;
      return this.#refuse({ code: "TOO_MANY_SUBSCRIPTIONS", message, requestId });
    }
    this.#refusedInRow = 0;
    this.#leave([...this.#subscriptions.values()].filter((one) => !kept.includes(one)));
    for (const one of asked) this.#subscriptions.set(one.key, one);
    this.record.subscribed(asked);
    const now = this.#hub.marketNow;
    this.#acknowledge(requestId, now);
    for (const text of asked.flatMap((one) => this.#hub.join(this, one, now))) this.#answer(text);
    this.#queue.forgiveBacklog();
  }

  #unsubscribe(request: SubscribeRequest, named: readonly Subscription[]): void {
    this.#refusedInRow = 0;
    this.#leave(request.products === null ? leftBy(request, this.#subscriptions) : named);
    this.#acknowledge(request.requestId, this.#hub.marketNow);
  }

  #acknowledge(requestId: string | null, now: number): void {
    this.#answer(subscriptionsText(this.#subscriptions.values(), requestId, now));
  }

  #leave(subscriptions: readonly Subscription[]): void {
    for (const { key } of subscriptions) {
      const left = this.#subscriptions.get(key);
      if (left !== undefined) this.#hub.leave(this, left);
      this.#subscriptions.delete(key);
    }
  }

  #close(): void {
    this.#leave([...this.#subscriptions.values()]);
    this.#hub.forget(this);
  }
}
