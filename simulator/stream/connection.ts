/**
 * One WebSocket of one caller: it reads wishes, grants them, and sends what its audiences hear.
 *
 * **Invariants.** Everything that leaves as text goes through the outbox, so numbers and bytes agree. A connection that
 * is ending hears nothing new; what was queued before still leaves, then its last error, then the close frame. One that
 * does not take them in time is cut. An exception of ours ends the connection on which it happened, never the process.
 *
 * **Known limits.** Answers to pings and the close frame are written by `ws` itself: they may overtake queued messages.
 */
import type { Socket } from "node:net";
import type { RawData, WebSocket } from "ws";
import type { Caller } from "../auth/keyring.ts";
import type { StreamFault } from "../domain/fault.ts";
import type { Result } from "../domain/result.ts";
import { errorText, heartbeatText, pongText, subscriptionsText } from "./answers.ts";
import type { Listener } from "./audience.ts";
import { CLOSE_CODES, type CloseCode } from "./channels.ts";
import { type Body, bodyOf } from "./frame.ts";
import { changedBody } from "./habits.ts";
import { InboundLimit, MOST_STRIKES } from "./inbound-limit.ts";
import { Mischief } from "./mischief.ts";
import { Outbox } from "./outbox.ts";
import { type Complaint, readMessage, type Wish } from "./read-message.ts";
import type { StreamLimits } from "./settings.ts";
import { HEARTBEAT, Subscribed } from "./subscribed.ts";
import type { Subscription } from "./subscriptions.ts";

/** What a connection needs of the stream that it belongs to. */
export interface Surroundings {
  readonly limits: StreamLimits;
  /** Real time in milliseconds, as coarse as the stream's own timer. */
  readonly now: () => number;
  /** The venue's clock. */
  readonly marketNow: () => number;
  /** Asks for a flush before the next turn ends. */
  readonly wake: (connection: Connection) => void;
  readonly gone: (connection: Connection) => void;
  /** What a wish names at this moment; throws when the venue cannot be read. */
  readonly grant: (wish: Wish, caller: Caller) => Result<readonly Subscription[], Complaint>;
  /** Called before somebody begins to listen; returns the messages of the snapshot. */
  readonly join: (subscription: Subscription) => readonly string[];
  /** Whether there are rules for faults of the stream, and what they come to for one message. */
  readonly hasFaults: () => boolean;
  readonly faultFor: (caller: Caller, product: string | null) => StreamFault | null;
  /** Hears of a mistake of ours that ended a connection. */
  readonly failed: (error: unknown) => void;
  /** Set in a venue that misbehaves on purpose. */
  outgoing: ((text: string) => readonly string[]) | null;
}

/** How long a connection that is ending may take for what is still queued, and for its own close frame. */
const LONGEST_FAREWELL_MS = 2000;

/** A reader that was too slow has as long as any client may be silent: a breakpoint is not over in two seconds. */
const slowFarewellMs = ({ silenceMs }: StreamLimits): number => Math.max(LONGEST_FAREWELL_MS, silenceMs);

interface Ending {
  readonly code: CloseCode;
  readonly reason: string;
  /** When it is cut, in real time. */
  by: number;
  /** The close frame has been sent. */
  closed: boolean;
}

export class Connection implements Listener {
  readonly caller: Caller;
  private readonly socket: WebSocket;
  private readonly around: Surroundings;
  private readonly outbox: Outbox;
  private readonly mischief: Mischief;
  private silentUntil = 0;
  private readonly limit: InboundLimit;
  private readonly subscribed = new Subscribed(this);
  private readonly openedAt: number;
  private heardAt: number;
  private pingedAt: number;
  private counter = 0;
  private complaints = 0;
  private everSubscribed = false;
  private owedPong: Buffer | null = null;
  private ending: Ending | null = null;
  /** Whether a flush is asked for already. */
  isAwake = false;

  constructor(caller: Caller, socket: WebSocket, raw: Socket, around: Surroundings) {
    this.caller = caller;
    this.socket = socket;
    this.around = around;
    const now = around.now();
    this.openedAt = now;
    this.heardAt = now;
    this.pingedAt = now;
    this.limit = new InboundLimit(around.limits.messagesPerSecond, now);
    const { queueBytes: bytes, queueMessages: messages } = around.limits;
    this.outbox = new Outbox(raw, { bytes, messages }, () => this.wake());
    this.mischief = new Mischief(this.outbox);
    socket.on("message", (data, isBinary) => this.attempt(() => this.heard(data, isBinary)));
    socket.on("ping", (data) => this.attempt(() => this.pinged(data)));
    socket.on("pong", () => this.attempt(() => void this.counted()));
    socket.on("error", () => this.attempt(() => this.broke()));
    socket.on("close", () => this.attempt(() => this.leave()));
  }

  hear(body: Body, product: string | null): void {
    this.attempt(() => this.take(body, product));
  }

  /** Writes what waits, as far as the socket takes it. */
  flush(): void {
    this.attempt(() => this.write());
  }

  /** Called about once a second. */
  attend(): void {
    this.attempt(() => this.lookAfter());
  }

  /** Whatever goes wrong in here is a mistake of ours. It ends this connection, and nothing else. */
  private attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.around.failed(error);
      if (this.ending === null) this.end(1011);
      else this.socket.terminate();
    }
  }

  private take(body: Body, product: string | null): void {
    if (this.ending !== null) return;
    const fault = this.around.hasFaults() ? this.around.faultFor(this.caller, product) : null;
    const silence = this.mischief.strike(body, fault);
    if (silence?.kind === "stall") this.silentUntil = this.around.now() + silence.ms;
    if (silence?.kind === "cut") this.socket.terminate();
    this.wake();
  }

  private send(body: Body): void {
    if (this.ending !== null) return;
    this.outbox.push(body);
    this.wake();
  }

  private write(): void {
    this.isAwake = false;
    if (this.socket.readyState !== this.socket.OPEN) return;
    const now = this.around.now();
    if (now < this.silentUntil) return;
    this.outbox.flush(now);
    if (this.ending !== null) this.closeWhenSent();
    else if (this.outbox.isTooSlow(now)) this.endForSlowness();
    if (this.owedPong !== null && !this.outbox.isBlocked) this.payPong();
  }

  private lookAfter(): void {
    const now = this.around.now();
    if (this.ending !== null) {
      if (now > this.ending.by) this.socket.terminate();
      return;
    }
    if (now < this.silentUntil) return;
    if (this.silentUntil > 0) this.speakAgain();
    const { subscribeTimeoutMs, pingEveryMs, silenceMs } = this.around.limits;
    if (!this.everSubscribed && now - this.openedAt > subscribeTimeoutMs)
      return this.end(4408, "No subscription came in time.");
    if (now - this.heardAt > silenceMs) return this.end(4408, "No answer to pings.");
    if (this.outbox.isTooSlow(now)) return this.endForSlowness();
    if (now - this.pingedAt >= pingEveryMs) {
      this.pingedAt = now;
      this.socket.ping();
    }
    if (this.subscribed.has(HEARTBEAT)) this.answer(heartbeatText(++this.counter, this.around.marketNow()));
  }

  /** What came up during a fault's silence was nobody's slowness. */
  private speakAgain(): void {
    this.silentUntil = 0;
    this.outbox.forgiveBacklog();
    this.wake();
  }

  /** Sends what is queued, then a close frame. The first reason counts, and the earliest end. */
  end(code: CloseCode, reason: string = CLOSE_CODES[code], farewellMs = LONGEST_FAREWELL_MS): void {
    const by = this.around.now() + farewellMs;
    if (this.ending !== null) {
      this.ending.by = Math.min(this.ending.by, by);
      return;
    }
    this.ending = { code, reason, by, closed: false };
    this.subscribed.clear();
    this.wake();
  }

  /** `ws` has found a protocol error and closes with the code that says which. */
  private broke(): void {
    if (this.ending === null) this.end(1002);
    if (this.ending !== null) this.ending.closed = true;
  }

  private closeWhenSent(): void {
    if (this.ending === null || this.ending.closed || this.outbox.messages > 0) return;
    this.ending.closed = true;
    this.socket.close(this.ending.code, this.ending.reason);
  }

  private endForSlowness(): void {
    const message =
      "Too much waits to be read: this connection is closed. Connect again, subscribe to less, or read faster.";
    this.answer(errorText({ code: "SLOW_CONSUMER", message, requestId: null }, this.around.marketNow()));
    this.end(4429, "slow consumer", slowFarewellMs(this.around.limits));
    this.outbox.flush(this.around.now());
    this.closeWhenSent();
  }

  private wake(): void {
    if (!this.isAwake) this.around.wake(this);
  }

  private answer(text: string): void {
    const { outgoing } = this.around;
    if (outgoing === null) this.send(bodyOf(text));
    else for (const changed of outgoing(text)) this.send(changedBody(changed));
  }

  /** Anything that arrives is a sign of life, and is counted. False: it is to be ignored. */
  private counted(): boolean {
    const now = this.around.now();
    this.heardAt = now;
    const isAllowed = this.limit.allows(now);
    if (!isAllowed && this.limit.isExhausted) this.end(4429, "The client sends too much.");
    return isAllowed && this.ending === null;
  }

  private pinged(data: Buffer): void {
    if (!this.counted()) return;
    this.owedPong = data;
    if (!this.outbox.isBlocked) this.payPong();
  }

  /** Only the newest ping needs an answer; a reader that takes nothing gets none. */
  private payPong(): void {
    if (this.owedPong !== null && this.socket.readyState === this.socket.OPEN)
      this.socket.pong(this.owedPong);
    this.owedPong = null;
  }

  private heard(data: RawData, isBinary: boolean): void {
    if (isBinary) return this.end(1003);
    if (!this.counted()) {
      if (this.ending === null)
        this.complain({ code: "RATE_LIMITED", message: this.tooFast(), requestId: null });
      return;
    }
    // as: a message that is no fragment list arrives as one buffer under the default binary type.
    const read = readMessage(data as Buffer);
    if (!read.ok) return this.misunderstood(read.error);
    const message = read.value;
    if (message.type === "ping") {
      this.complaints = 0;
      return this.answer(pongText(message.requestId, this.around.marketNow()));
    }
    this.wished(message);
  }

  private tooFast(): string {
    const { messagesPerSecond } = this.around.limits;
    return `At most ${messagesPerSecond} messages a second are read. This one was not: send it again later.`;
  }

  private complain(complaint: Complaint): void {
    this.answer(errorText(complaint, this.around.marketNow()));
  }

  private misunderstood(complaint: Complaint): void {
    this.complain(complaint);
    if (++this.complaints >= MOST_STRIKES) this.end(4400);
  }

  private wished(wish: Wish): void {
    const granted = this.around.grant(wish, this.caller);
    if (!granted.ok) return this.misunderstood(granted.error);
    if (wish.type === "subscribe") this.subscribe(wish, granted.value);
    else this.unsubscribe(wish, granted.value);
  }

  private subscribe(wish: Wish, asked: readonly Subscription[]): void {
    this.outbox.flush(this.around.now());
    if (this.outbox.isFull) {
      const message = "Too much waits to be read already. Read it, then subscribe again.";
      return this.misunderstood({ code: "RATE_LIMITED", message, requestId: wish.requestId });
    }
    const most = this.around.limits.subscriptions;
    if (this.subscribed.sizeWith(asked) > most) {
      const message = `A connection has at most ${most} subscriptions. Unsubscribe from some, or open another.`;
      return this.misunderstood({ code: "TOO_MANY_SUBSCRIPTIONS", message, requestId: wish.requestId });
    }
    this.complaints = 0;
    this.everSubscribed = true;
    const snapshots: string[] = [];
    for (const subscription of asked) snapshots.push(...this.around.join(subscription));
    this.subscribed.add(asked);
    this.acknowledge(wish.requestId);
    for (const text of snapshots) this.answer(text);
    this.outbox.forgiveBacklog();
  }

  private unsubscribe(wish: Wish, named: readonly Subscription[]): void {
    this.complaints = 0;
    for (const { key } of named) this.subscribed.remove(key);
    if (wish.products === null) this.subscribed.removeChannels(wish.channels, wish.granularity);
    this.acknowledge(wish.requestId);
  }

  private acknowledge(requestId: string | null): void {
    this.answer(subscriptionsText(this.subscribed.all(), requestId, this.around.marketNow()));
  }

  private leave(): void {
    this.subscribed.clear();
    this.around.gone(this);
  }
}
