import { type ExactDecimal, parseDecimal } from "../check/decimal.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";

/**
 * A value as a client can describe it, in words that two targets share. Identifiers, times and amounts that a market made are
 * others on each target, so only their kind counts; an amount that the client sent is compared with what was sent.
 */
export class Tokens {
  readonly #hide: (text: string) => string;
  readonly #texts = new Set<string>();
  readonly #amounts: ExactDecimal[] = [];

  /** `hide` takes secrets out of a text: a target may echo them, and this text is shown. */
  constructor(hide: (text: string) => string) {
    this.#hide = hide;
  }

  /** Texts of a request: one that comes back is the client's own. */
  sent(json: Json | undefined): void {
    if (typeof json === "string") this.#note(json);
    else if (json instanceof JsonObject) for (const item of json.entries.values()) this.sent(item);
    else if (isArray(json)) for (const item of json) this.sent(item);
  }

  of(json: Json, key: string): string {
    if (json === null) return "null";
    // When an order is synced is a matter of time.
    if (typeof json === "boolean") return key === "synced" ? "true or false" : String(json);
    if (json instanceof JsonNumber) return key === "statusCode" ? `number ${json.lexeme}` : "number";
    return typeof json === "string" ? `text: ${this.#text(json, key)}` : "list or object";
  }

  #note(text: string): void {
    const amount = parseDecimal(text);
    this.#texts.add(text);
    if (amount !== undefined && this.#amounts.length < mostAmounts) this.#amounts.push(amount);
  }

  #text(text: string, key: string): string {
    const amount = parseDecimal(text);
    if (amount !== undefined) return this.#amount(text, amount);
    if (this.#texts.has(text)) return "as sent";
    if (uuid.test(text) || opaque.test(text) || /cursor$|hash$/i.test(key)) return "an identifier";
    if (time.test(text)) return "a time";
    // Before its numbers go, or a secret with a digit in it would not be found.
    return this.#hide(text).replace(uuids, "{id}").replace(numbers, "#").slice(0, mostText);
  }

  #amount(text: string, amount: ExactDecimal): string {
    if (amount.isZero()) return text === "0" ? "0" : `0, written ${text}`;
    if (this.#texts.has(text)) return "the amount that was sent";
    if (!this.#amounts.some((one) => one.eq(amount))) return "an amount";
    return `the amount that was sent, written ${/\.\d*0$/.test(text) ? "with zeros at its end" : "otherwise"}`;
  }
}

const mostAmounts = 200;
const mostText = 200;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const opaque = /^(?=[A-Za-z0-9+/_=-]*\d)[A-Za-z0-9+/_=-]{16,}$/;
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/;
const numbers = /\d+(?:\.\d+)?/g;
