import type { Difference } from "../model/finding.ts";
import { isInteger, type Json, JsonNumber, type JsonObject } from "../model/json.ts";
import type { MessagePlan } from "../model/stream.ts";
import { describeJson } from "./describe.ts";

/**
 * Are messages numbered without gaps? Checks every message of a connection in turn, if the profile names the place of
 * the number; the target may choose the first number. With the scope `connection` every message has a number. With
 * `channel` the messages of a channel are counted, or those of a channel and a product. The numbers show which of the
 * two applies, and only a number that fits neither is a gap.
 */
export class StreamNumbers {
  readonly #plan: MessagePlan;
  readonly #last = new Map<string, bigint>();
  readonly #ruledOut = new Set<string>();
  /** Channels that were left: their numbers may go on or begin anew when they are joined again. */
  readonly #left: Set<string>;

  constructor(plan: MessagePlan, left: ReadonlySet<string> = new Set()) {
    this.#plan = plan;
    this.#left = new Set(left);
  }

  get left(): ReadonlySet<string> {
    return this.#left;
  }

  /** The client has left this channel. */
  leave(channel: string): void {
    this.#left.add(channel);
  }

  get declared(): boolean {
    return this.#plan.sequence !== undefined && this.#plan.sequence !== "none";
  }

  /** Empty if the message has the expected number. */
  differences(event: JsonObject): Difference[] {
    if (!this.declared) return [];
    const sequence = event.get("sequence");
    if (sequence === undefined && this.#plan.sequenceScope === "channel") return [];
    const channel = event.get("channel");
    if (this.#plan.sequenceScope === "channel" && typeof channel === "string" && this.#left.has(channel))
      return [];
    const counts = this.#countsOf(event);
    const number = wholeNumber(sequence);
    const wanted = this.#wanted(counts[0]?.key ?? "");
    if (number === undefined) return [gap(wanted, describeJson(sequence))];
    const broken = counts.filter(({ key }) => (this.#last.get(key) ?? number - 1n) + 1n !== number);
    for (const { key } of counts) this.#last.set(key, number);
    if (broken.length === counts.length) return [gap(wanted, String(number))];
    for (const { way } of broken) this.#ruledOut.add(way);
    return [];
  }

  /** The counts that this message may belong to, without those that were already excluded. */
  #countsOf(event: JsonObject): readonly { readonly way: string; readonly key: string }[] {
    if (this.#plan.sequenceScope === "connection") return [{ way: "connection", key: "" }];
    const channel = describeJson(event.get("channel"));
    const ways = [
      { way: `channel ${channel}`, key: channel },
      { way: `product ${channel}`, key: `${channel} ${describeJson(event.get("product"))}` },
    ];
    return ways.filter(({ way }) => !this.#ruledOut.has(way));
  }

  #wanted(key: string): string {
    const last = this.#last.get(key);
    return last === undefined ? "a whole number" : String(last + 1n);
  }
}

const gap = (expected: string, actual: string): Difference => ({
  pointer: "event/sequence",
  expected,
  actual,
});

/** Also reads a string of digits: some counts exceed the precision of a double. */
export function wholeNumber(value: Json | undefined): bigint | undefined {
  if (typeof value === "string") return /^\d{1,30}$/.test(value) ? BigInt(value) : undefined;
  if (!(value instanceof JsonNumber) || !isInteger(value) || value.lexeme.length > 30) return undefined;
  return BigInt(value.lexeme);
}
