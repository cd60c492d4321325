/**
 * The unsent messages of one connection.
 *
 * **Purpose.** Messages wait here as references to bytes that all who get them share, each with its number of this
 * connection. A flush puts as many as fit into one buffer and hands it to the socket in one write. The next write waits until
 * the socket has taken this one, so a slow reader costs this queue and one buffer, and the queue has a bound.
 *
 * **Invariants.** Messages leave in the order in which they came, numbered from 1 without a gap; none is dropped. A
 * queue over its bound is not closed at once: a reader is not to blame for a burst that its socket could not take yet.
 *
 * **Known limits.** Bytes that the kernel holds for a connection are not counted.
 */
import type { Socket } from "node:net";
import { type Body, frameSize, writeFrame } from "./frame.ts";

export interface QueueLimits {
  readonly bytes: number;
  readonly messages: number;
}

/** A reader over the limit has this long to read; at `hardFactor` times the limit it is closed at once. */
const blockedLimitMs = 1000;
const hardFactor = 16;

/** Bytes of one write. A socket takes about this much at once, and no more is copied for a reader that stopped. */
const chunkBytes = 65_536;

export class SendQueue {
  readonly #socket: Socket;
  readonly #limits: QueueLimits;
  readonly #onTaken: () => void;
  readonly #waiting: { readonly body: Body; readonly sequence: number }[] = [];
  #waitingBytes = 0;
  #lastNumber = 0;
  #unfinished = false;
  #blockedSince = 0;
  /** Bytes and messages of requested snapshots beyond the bound, until the queue is empty again. */
  #extraBytes = 0;
  #extraMessages = 0;

  /** `onTaken`: the socket has taken what it was given while more waits. */
  constructor(socket: Socket, limits: QueueLimits, onTaken: () => void) {
    this.#socket = socket;
    this.#limits = limits;
    this.#onTaken = onTaken;
  }

  /** Of all messages so far, lost ones included. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get messages(): number {
    return this.#waiting.length;
  }

  /** The socket has not taken the last write yet. */
  get isBlocked(): boolean {
    return this.#unfinished;
  }

  /** The number of the next message; one that is taken and not used is a gap. */
  takeNumber(): number {
    return ++this.#lastNumber;
  }

  /** Of a lost message, only the number is taken. */
  push(body: Body, sequence = this.takeNumber()): void {
    if (body.length === 0) return;
    this.#waiting.push({ body, sequence });
    this.#waitingBytes += body.length;
  }

  /** The messages that wait now were requested: they do not count against the bound. */
  forgiveBacklog(): void {
    this.#extraBytes = this.#waitingBytes;
    this.#extraMessages = this.messages;
  }

  /** As much waits as may wait without having been asked for. */
  get isFull(): boolean {
    return this.#isOver(1, 0, 0);
  }

  isTooSlow(now: number): boolean {
    const extraBytes = this.#extraBytes;
    const extraMessages = this.#extraMessages;
    if (this.#isOver(hardFactor, extraBytes, extraMessages)) return true;
    const isPatient = !this.#unfinished || now - this.#blockedSince < blockedLimitMs;
    return !isPatient && this.#isOver(1, extraBytes, extraMessages);
  }

  #isOver(bounds: number, extraBytes: number, extraMessages: number): boolean {
    const { bytes, messages } = this.#limits;
    return (
      this.#waitingBytes > bounds * bytes + extraBytes || this.messages > bounds * messages + extraMessages
    );
  }

  /** Writes until the socket is full or nothing waits. `now` is real time, as coarse as need be. */
  flush(now: number): void {
    while (!this.#unfinished && this.messages > 0 && this.#socket.writable) {
      this.#socket.write(this.#nextChunk(), this.#onWritten);
      // A socket that takes a write at once has nothing left to write.
      this.#unfinished = this.#socket.writableLength > 0;
      this.#blockedSince = now;
    }
  }

  readonly #onWritten = (): void => {
    if (!this.#unfinished) return;
    this.#unfinished = false;
    this.#onTaken();
  };

  #nextChunk(): Buffer {
    let [count, size] = [0, 0];
    for (const { body, sequence } of this.#waiting) {
      if (size >= chunkBytes) break;
      size += frameSize(body, sequence);
      count++;
    }
    const chunk = Buffer.allocUnsafe(size);
    let written = 0;
    for (const { body, sequence } of this.#waiting.splice(0, count)) {
      written = writeFrame(chunk, written, body, sequence);
      this.#waitingBytes -= body.length;
    }
    if (this.messages === 0) this.#extraBytes = this.#extraMessages = 0;
    return chunk;
  }
}
