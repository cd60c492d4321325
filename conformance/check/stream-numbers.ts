import type { Difference } from "../model/finding.ts";
import { isInteger, type Json, JsonNumber, type JsonObject } from "../model/json.ts";
import type { MessagePlan } from "../model/stream.ts";
import { describeJson } from "./describe.ts";

/**
 * Are messages numbered one by one? Asked of every message of a connection in turn. Only where the profile says where the number stands;
 * the first number is the target's choice. With the scope `connection` every message has one, with `channel` those of a channel.
 */
export class StreamNumbers {
  readonly #plan: MessagePlan;
  readonly #last = new Map<string, bigint>();

  constructor(plan: MessagePlan) {
    this.#plan = plan;
  }

  get declared(): boolean {
    return this.#plan.sequence !== undefined && this.#plan.sequence !== "none";
  }

  /** Empty when the message has the number that it should have. */
  differences(event: JsonObject): Difference[] {
    if (!this.declared) return [];
    const { sequenceScope } = this.#plan;
    const channel = event.get("channel");
    const sequence = event.get("sequence");
    if (sequence === undefined && sequenceScope === "channel") return [];
    const scope =
      sequenceScope === "connection" ? "" : `${describeJson(channel)} ${describeJson(event.get("product"))}`;
    const last = this.#last.get(scope);
    const wanted = last === undefined ? "a whole number" : String(last + 1n);
    const number = wholeNumber(sequence);
    if (number === undefined)
      return [{ pointer: "event/sequence", expected: wanted, actual: describeJson(sequence) }];
    this.#last.set(scope, number);
    if (last === undefined || number === last + 1n) return [];
    return [{ pointer: "event/sequence", expected: wanted, actual: String(number) }];
  }
}

/** Also from a string of digits: some count beyond what a double holds. */
export function wholeNumber(value: Json | undefined): bigint | undefined {
  if (typeof value === "string") return /^\d{1,30}$/.test(value) ? BigInt(value) : undefined;
  if (!(value instanceof JsonNumber) || !isInteger(value) || value.lexeme.length > 30) return undefined;
  return BigInt(value.lexeme);
}
