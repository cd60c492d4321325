/**
 * Follows one product of a gateway and shows it until it is stopped. On a terminal it is a window; in a pipe,
 * lines. It only reads: nothing that it sends changes anything at the target.
 */

import * as kit from "../../conformance/commands.ts";
import type { CommandFailure } from "../command-failure.ts";
import { harmless, jsonText } from "../screen.ts";
import { Feed } from "./feed.ts";
import { type FrameContext, frame, type Look } from "./frame.ts";
import { orderOf, productOf, refusal, type WatchedGateway } from "./gateway.ts";
import { jsonFor, linesFor, type Told } from "./lines.ts";
import { Market, type MarketEvent, type WatchedOrder } from "./market.ts";
import { type Fields, readMessage } from "./message.ts";
import { type Input, type Output, Screen } from "./screen.ts";

export interface Shown {
  readonly output: Output;
  readonly input: Input;
  readonly kind: "window" | "lines" | "json";
  readonly look: Look;
}

const watchedChannels = ["heartbeat", "orderBook", "trades", "ticker", "orders"] as const;
/** Errors that another connection, after a pause, may not meet. */
const passing = new Set(["SLOW_CONSUMER", "RATE_LIMITED", "NOT_READY"]);

/** Ends when `enough` is aborted or the person quits; throws where the target refuses. */
export async function watch(
  gateway: WatchedGateway,
  wanted: string | undefined,
  shown: Shown,
  enough: AbortSignal,
): Promise<void> {
  await using _ = gateway.reader;
  const product = await productOf(gateway, wanted);
  const watching = new Watching(gateway, product, shown);
  enough.addEventListener("abort", () => watching.stop(), { once: true });
  if (enough.aborted) watching.stop();
  const failure = await watching.ended;
  if (failure !== undefined) throw failure;
}

class Watching {
  readonly ended: Promise<CommandFailure | undefined>;
  readonly #market = new Market();
  readonly #gateway: WatchedGateway;
  readonly #product: string;
  readonly #feed: Feed;
  readonly #screen: Screen | undefined;
  readonly #told: Told | undefined;
  readonly #end: (failure?: CommandFailure) => void;
  readonly #write: (line: string) => void;
  #live = false;
  #stopped = false;
  #notice = "connecting";
  #connections = 0;

  constructor(gateway: WatchedGateway, product: string, { output, input, kind, look }: Shown) {
    this.#gateway = gateway;
    this.#product = product;
    this.#write = (line) => void output.write(`${harmless(line)}\n`);
    let end: (failure?: CommandFailure) => void = () => {};
    this.ended = new Promise((resolve) => (end = resolve));
    this.#end = end;
    const told = {
      window: undefined,
      lines: linesFor(this.#write, kit.printable),
      json: jsonFor((value) => this.#write(jsonText(value))),
    };
    this.#told = told[kind];
    const draw = (size: { columns: number; rows: number }): string[] =>
      frame(this.#market, this.#context(), size, look);
    this.#screen = kind === "window" ? new Screen(output, input, draw, () => this.stop()) : undefined;
    this.#feed = new Feed({
      open: () => gateway.reader.open("/ws"),
      onOpen: () => this.#opened(),
      onText: (text) => this.#heard(text),
      onLost: (reason, pause) => this.#lost(reason, pause),
      onRefused: (status, body) => this.stop(refusal(gateway, "the stream", status, body)),
    });
    this.#feed.start();
  }

  stop(failure?: CommandFailure): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#feed.stop();
    this.#screen?.close();
    const { messages, gaps } = this.#market;
    const reconnects = Math.max(this.#connections - 1, 0);
    const sentence = `watched ${this.#product}: messages ${messages}, gaps ${gaps}, reconnects ${reconnects}`;
    if (failure === undefined) this.#told?.note("end", sentence, { messages, gaps, reconnects });
    if (failure === undefined && this.#screen !== undefined) this.#write(sentence);
    this.#end(failure);
  }

  #context(): FrameContext {
    const { baseUrl: target, keyId } = this.#gateway;
    const reconnects = Math.max(this.#connections - 1, 0);
    return { product: this.#product, target, keyId, live: this.#live, notice: this.#notice, reconnects };
  }

  #opened(): void {
    this.#connections += 1;
    this.#live = true;
    this.#notice = "";
    const { baseUrl, keyId } = this.#gateway;
    this.#note("connected", `connected to ${baseUrl} as ${keyId}, watching ${this.#product}`);
    this.#subscribe(watchedChannels);
  }

  #lost(reason: string, pause: number): void {
    this.#live = false;
    this.#market.connectionLost();
    this.#notice = `disconnected (${reason}): connecting again in ${(pause / 1000).toFixed(1)} s`;
    this.#note("disconnected", this.#notice, { pauseMs: pause });
  }

  #heard(text: string): void {
    const message = readMessage(text);
    if (message === undefined) return;
    this.#told?.message(message.fields);
    for (const event of this.#market.apply(message)) this.#react(event);
    this.#screen?.changed();
  }

  #react(event: MarketEvent): void {
    this.#told?.happened(event, this.#market);
    if (event.kind === "gap") {
      this.#note("gap", `messages are missing in ${event.channels.join(", ")}: requesting a snapshot`);
      this.#subscribe(event.channels);
    }
    if (event.kind === "missed") for (const order of event.orders) void this.#readOrder(order);
    if (event.kind !== "error") return;
    this.#notice = `error from the target: ${event.code}: ${event.message}`;
    this.#note("error", this.#notice);
    if (passing.has(event.code)) this.#feed.reconnect(event.code);
  }

  /** It ended while there was no connection, and the stream does not mention it again. */
  async #readOrder(order: WatchedOrder): Promise<void> {
    const record = await orderOf(this.#gateway, order.id).catch(() => undefined);
    if (record === undefined) return; // the next connection asks again
    this.#market.readOrder(record, order);
    this.#screen?.changed();
  }

  /** One message for each channel: a key that lacks a claim is refused that one alone. */
  #subscribe(channels: readonly string[]): void {
    for (const channel of channels) {
      const products = channel === "heartbeat" ? {} : { products: [this.#product] };
      this.#feed.send({ type: "subscribe", channel, ...products });
    }
  }

  #note(event: string, sentence: string, more: Fields = {}): void {
    this.#told?.note(event, sentence, more);
    this.#screen?.changed();
  }
}
