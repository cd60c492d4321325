/**
 * What one connection still has to send.
 *
 * **Purpose.** Messages wait here as references to bytes that all who get them share. A flush puts as many as fit into
 * one buffer, each with the connection's next number, and hands it to the socket in one write. The next write waits until
 * the socket has taken this one, so what a slow reader costs is this queue and one buffer, and the queue has a bound.
 *
 * **Invariants.** Messages leave in the order in which they came, numbered from 1 without a gap; none is dropped. What is
 * over the bound is not judged here and now: a burst that the socket has not had a chance to take is no sin of its reader.
 *
 * **Known limits.** What the kernel holds for a connection is not counted.
 */
import type { Socket } from "node:net";
import { type Body, frameSize, writeFrame } from "./frame.ts";

export interface QueueLimits {
  readonly bytes: number;
  readonly messages: number;
}

/** Over the bound, a reader has this long to take something; beyond so many bounds, it has no time at all. */
const PATIENCE_MS = 1000;
const HARD_FACTOR = 16;
/** Not messages, but what happens to their numbers: one is passed over, or used again. Faults of the stream need it. */
export const SKIP_NUMBER: Body = Buffer.alloc(0);
export const NUMBER_AGAIN: Body = Buffer.alloc(0);

/** Bytes of one write: what a socket takes at once, and all that is copied for a reader that stopped. */
const CHUNK = 65_536;

export class Outbox {
  private readonly socket: Socket;
  private readonly limits: QueueLimits;
  private readonly onTaken: () => void;
  private queue: Body[] = [];
  private head = 0;
  private queuedBytes = 0;
  /** Number of the last message that was handed to the socket. */
  private sent = 0;
  private unfinished = false;
  private blockedSince = 0;
  /** What snapshots that the client asked for may take beyond the bound, until the queue is empty again. */
  private extraBytes = 0;
  private extraMessages = 0;

  /** `onTaken`: the socket has taken what it was given while more waits. */
  constructor(socket: Socket, limits: QueueLimits, onTaken: () => void) {
    this.socket = socket;
    this.limits = limits;
    this.onTaken = onTaken;
  }

  get messages(): number {
    return this.queue.length - this.head;
  }

  /** Nothing waits, neither here nor in the socket. */
  get isEmpty(): boolean {
    return this.messages === 0 && !this.unfinished;
  }

  /** The socket has not taken the last write yet. */
  get isBlocked(): boolean {
    return this.unfinished;
  }

  push(body: Body): void {
    this.queue.push(body);
    this.queuedBytes += body.length;
  }

  /** What waits now was asked for at once: it does not count against the bound. */
  forgiveBacklog(): void {
    this.extraBytes = this.queuedBytes;
    this.extraMessages = this.messages;
  }

  /** As much waits as may wait without having been asked for. */
  get isFull(): boolean {
    return this.queuedBytes > this.limits.bytes || this.messages > this.limits.messages;
  }

  private get isOver(): boolean {
    return (
      this.queuedBytes > this.limits.bytes + this.extraBytes ||
      this.messages > this.limits.messages + this.extraMessages
    );
  }

  isTooSlow(now: number): boolean {
    if (!this.isOver) return false;
    const { bytes, messages } = this.limits;
    if (this.queuedBytes > HARD_FACTOR * bytes + this.extraBytes) return true;
    if (this.messages > HARD_FACTOR * messages + this.extraMessages) return true;
    return this.unfinished && now - this.blockedSince >= PATIENCE_MS;
  }

  /** Writes until the socket is full or nothing waits. `now` is real time, as coarse as need be. */
  flush(now: number): void {
    while (!this.unfinished && this.messages > 0 && this.socket.writable) {
      const chunk = this.nextChunk();
      if (chunk.length === 0) continue;
      this.socket.write(chunk, this.onWritten);
      // A socket that takes a write at once has nothing left to write.
      this.unfinished = this.socket.writableLength > 0;
      this.blockedSince = now;
    }
  }

  private readonly onWritten = (): void => {
    if (!this.unfinished) return;
    this.unfinished = false;
    this.onTaken();
  };

  private nextChunk(): Buffer {
    const { queue } = this;
    let end = this.head;
    let size = 0;
    for (let sequence = this.sent; end < queue.length && size < CHUNK; end++) {
      const body = at(queue, end);
      sequence += stepOf(body);
      if (body.length > 0) size += frameSize(body, sequence);
    }
    const chunk = Buffer.allocUnsafe(size);
    let written = 0;
    for (let next = this.head; next < end; next++) {
      const body = at(queue, next);
      this.sent += stepOf(body);
      if (body.length > 0) written = writeFrame(chunk, written, body, this.sent);
      this.queuedBytes -= body.length;
    }
    this.drop(end);
    return chunk;
  }

  private drop(end: number): void {
    if (end === this.queue.length) {
      this.queue = [];
      this.head = 0;
      this.extraBytes = 0;
      this.extraMessages = 0;
      return;
    }
    this.head = end;
    if (this.head < 1024 || this.head * 2 < this.queue.length) return;
    this.queue = this.queue.slice(this.head);
    this.head = 0;
  }
}

const stepOf = (body: Body): number => (body === NUMBER_AGAIN ? -1 : 1);

function at(queue: readonly Body[], index: number): Body {
  const body = queue[index];
  if (body === undefined) throw new RangeError(`no message ${index} waits`);
  return body;
}
