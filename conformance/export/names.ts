import { parseDecimal } from "../check/decimal.ts";
import type { Value, ValueMap } from "../model/value.ts";

/** Where a value of an answer can be captured. */
interface Source {
  readonly step: string;
  readonly name: string;
  readonly pointer: string;
}

/**
 * The names of values in the scenario: a client's identifiers are generated anew, and those of the gateway are
 * captured from the answer that showed them first, if they are used at all.
 */
export class Names {
  readonly #vars = new Map<string, { readonly name: string; readonly definition: Value }>();
  readonly #sources = new Map<string, Source>();
  readonly #captures = new Map<string, Map<string, string>>();
  readonly #prices = new Map<string, Source>();
  readonly #taken = new Set<string>();
  #dollar: string | undefined;

  /** A value that the scenario makes itself. */
  define(text: string, name: string, definition: Value): void {
    if (!this.#vars.has(text)) this.#vars.set(text, { name: this.#free(name), definition });
  }

  isDefined(text: string): boolean {
    return this.#vars.has(text);
  }

  get defined(): number {
    return this.#vars.size;
  }

  /** A value that an answer shows; the first offer counts. */
  offer(text: string, source: Source): void {
    if (this.#vars.has(text) || this.#sources.has(text)) return;
    this.#sources.set(text, { ...source, name: this.#free(source.name) });
  }

  /** The best price of a side, as a book that the client read shows it; the last book counts. */
  offerPrice(text: string, source: Source): void {
    const price = parseDecimal(text);
    if (price !== undefined) this.#prices.set(price.toString(), source);
  }

  /** The name of a price that a client took from the book. */
  priceOf(text: string): string | undefined {
    const source = this.#prices.get(parseDecimal(text)?.toString() ?? "");
    if (source === undefined) return undefined;
    // Not the text: an amount may be the same.
    const place = `${source.step} ${source.pointer}`;
    this.offer(place, source);
    return this.nameOf(place);
  }

  /** The name of a value, which is captured from then on; undefined for one that has none. */
  nameOf(text: string): string | undefined {
    const variable = this.#vars.get(text);
    if (variable !== undefined) return variable.name;
    const source = this.#sources.get(text);
    if (source === undefined) return undefined;
    const captures = this.#captures.get(source.step) ?? new Map<string, string>();
    this.#captures.set(source.step, captures.set(source.name, source.pointer));
    return source.name;
  }

  /** The step that shows a value first. */
  stepOf(text: string): string | undefined {
    return this.#vars.has(text) ? undefined : this.#sources.get(text)?.step;
  }

  /** The text with the name of what it is, or of what a part of it between slashes is. */
  inText(text: string): string {
    const whole = this.nameOf(text);
    if (whole !== undefined) return `\${${whole}}`;
    if (!text.includes("/")) return this.#literal(text);
    return text
      .split("/")
      .map((part) => {
        const name = part === "" ? undefined : this.nameOf(part);
        return name === undefined ? this.#literal(part) : `\${${name}}`;
      })
      .join("/");
  }

  /** A body as text, in which the client's identifiers are named wherever they stand. */
  inBody(text: string): string {
    return this.#literal(text).replace(uuids, (id) => {
      const variable = this.#vars.get(id);
      return variable === undefined ? id : `\${${variable.name}}`;
    });
  }

  /** A `${` of the recording is no reference. */
  #literal(text: string): string {
    if (!text.includes("${")) return text;
    this.#dollar ??= this.#free("dollar");
    return text.replaceAll("${", `\${${this.#dollar}}{`);
  }

  capturesOf(step: string): ValueMap | undefined {
    const captures = this.#captures.get(step);
    return captures === undefined ? undefined : Object.fromEntries(captures);
  }

  get vars(): ValueMap {
    return {
      ...Object.fromEntries([...this.#vars.values()].map(({ name, definition }) => [name, definition])),
      ...(this.#dollar === undefined ? {} : { [this.#dollar]: "$" }),
    };
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Does an answer name something by this text? */
export const isIdentifier = (text: string, key: string): boolean =>
  text !== "" &&
  !text.includes("$") &&
  key !== "clientOrderId" &&
  (/^id$|Id$|_id$|[cC]ursor$/.test(key) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) &&
  !/^[A-Z0-9]+-[A-Z0-9]+$/.test(text);

export const nameFor = (key: string): string => {
  const name = key.replace(/[^A-Za-z0-9]/g, "");
  return /^[a-z]/.test(name) && name !== "id" ? name : "found";
};
