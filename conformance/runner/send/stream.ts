import { readJson } from "../../check/lossless-json.ts";
import { eventOf, messagesIn } from "../../check/stream-event.ts";
import { StreamNumbers } from "../../check/stream-numbers.ts";
import type { Ended, Received, StreamSocket } from "../../client/stream-socket.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { Blocked } from "../../model/outcome.ts";
import type { StreamPlan } from "../../model/stream.ts";

/** The most values in all messages of a connection: parsed messages take many times the size of their bytes. */
const mostValues = 100_000;

/**
 * One connection of a case: its messages in the order of arrival, each passed once to `onMessage`, and the position up
 * to which steps have read. A waiting step is woken by a message, by the end of the connection, by its time limit or by
 * the end of the run.
 */
export class Stream {
  readonly name: string;
  readonly messages: Exchange[] = [];
  /** Messages before this one have been skipped or found. */
  read = 0;
  /** For each subscription whose answer nobody waits for, the number of messages before it. */
  readonly unawaited: number[] = [];
  readonly #socket: StreamSocket;
  readonly #plan: StreamPlan;
  readonly #request: SentRequest;
  readonly #onMessage: (exchange: Exchange, numbers: StreamNumbers) => void;
  readonly numbers: StreamNumbers;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #asked = 0;
  #values = 0;

  constructor(
    name: string,
    socket: StreamSocket,
    request: SentRequest,
    plan: StreamPlan,
    onMessage: (exchange: Exchange, numbers: StreamNumbers) => void,
  ) {
    this.name = name;
    this.#socket = socket;
    this.#request = request;
    this.#plan = plan;
    this.#onMessage = onMessage;
    this.numbers = new StreamNumbers(plan.message);
    socket.onChange = () => this.#changed();
    this.#changed();
  }

  /** Counted from the first of each connection, as clients do, so connections have the same ids. */
  nextRequestId(): string {
    this.#asked += 1;
    return `r${this.#asked}`;
  }

  get ended(): Ended | undefined {
    return this.#socket.ended;
  }

  /** For the end of a sentence about what did not come. */
  get endText(): string {
    if (this.ended === undefined) return "";
    const { code, problem, reason } = this.ended;
    return `; the connection was closed with ${code} ${problem ?? reason}`.trimEnd();
  }

  get request(): SentRequest {
    return this.#request;
  }

  get socket(): StreamSocket {
    return this.#socket;
  }

  /** The first matching message from `from` on, as soon as it arrives; undefined if none arrives in time. */
  async next(
    fits: (message: Exchange) => boolean,
    from: number,
    withinMs: number,
    signal?: AbortSignal,
  ): Promise<number | undefined> {
    let at = from;
    const deadline = performance.now() + withinMs;
    for (;;) {
      for (; at < this.messages.length; at += 1) {
        const message = this.messages[at];
        if (message !== undefined && fits(message)) return at;
      }
      if (this.ended !== undefined || performance.now() >= deadline) return undefined;
      await this.#change(deadline - performance.now(), signal);
    }
  }

  /** Waits until the target or the kit has ended the connection. */
  async end(withinMs: number, signal?: AbortSignal): Promise<Ended | undefined> {
    const deadline = performance.now() + withinMs;
    while (this.ended === undefined && performance.now() < deadline)
      await this.#change(deadline - performance.now(), signal);
    return this.ended;
  }

  /** After the kit stopped reading it cannot know what was sent, so no clause is violated. */
  assertHeard(): void {
    const problem = this.ended?.problem;
    if (problem?.startsWith("the kit hung up") === true)
      throw new Blocked(`connection ${this.name}: ${problem}`);
  }

  assertOpen(): void {
    const { ended } = this;
    if (ended === undefined) return;
    const why = ended.problem ?? `closed with ${ended.code} ${ended.reason}`;
    throw new Blocked(`the connection ${this.name} is not open any more: ${why}`);
  }

  release(): void {
    this.#socket.release();
    this.messages.length = 0;
  }

  #changed(): void {
    const { received } = this.#socket;
    for (; this.#taken < received.length; this.#taken += 1) {
      const frame = received[this.#taken];
      if (frame !== undefined) this.#take(frame);
    }
    for (const wake of this.#waiting) wake();
  }

  #take(frame: Received): void {
    const reading = readJson(frame.body);
    this.#values += reading.ok ? reading.values : 0;
    if (this.#values > mostValues) return this.#socket.cut(`more than ${mostValues} values`);
    const whole = reading.ok ? reading.json : undefined;
    for (const part of messagesIn(whole, this.#plan)) {
      const message = this.#exchange(frame, part, whole, reading.ok ? undefined : reading.problem);
      this.messages.push(message);
      this.#onMessage(message, this.numbers);
    }
  }

  #exchange(
    frame: Received,
    json: Json | undefined,
    whole: Json | undefined,
    problem: string | undefined,
  ): Exchange {
    return {
      request: this.#request,
      transport: "message",
      ...(json === undefined ? {} : { json }),
      ...(problem === undefined ? {} : { jsonProblem: problem }),
      stream: { connection: this.name, event: eventOf(json, this.#plan, whole), body: frame.body },
      startedAt: frame.at,
      endedAt: frame.at,
    };
  }

  #change(atMostMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", abort);
      };
      const wake = (): void => {
        stop();
        resolve();
      };
      const abort = (): void => {
        stop();
        reject(new Blocked("the run was interrupted"));
      };
      const timer = setTimeout(wake, Math.max(0, atMostMs));
      this.#waiting.add(wake);
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }
}
