import { type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { ownText } from "../model/own-text.ts";

/**
 * The largest nesting depth. A hostile target may nest without end, and recursive code here and later relies on this
 * limit.
 */
export const maxDepth = 64;
/** The most values. A hostile target may send millions of empty objects; 900 whole orders have fewer values. */
export const maxValues = 30_000;
/** The largest body after decoding; 1000 whole orders are smaller. */
export const maxBytes = 1024 * 1024;

export type JsonReading =
  | { readonly ok: true; readonly json: Json; readonly values: number }
  | { readonly ok: false; readonly problem: string };

/** Reads a body: bounded in bytes, depth and values, UTF-8 without a byte order mark, one JSON value (GEN-13). */
export function readJson(bytes: Uint8Array): JsonReading {
  if (bytes.length > maxBytes) return { ok: false, problem: `body is larger than ${maxBytes} bytes` };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, problem: "body is not UTF-8" };
  }
  return readJsonText(text);
}

/** `mostValues`: a file from a user may have more values than an answer. */
export function readJsonText(text: string, mostValues = maxValues): JsonReading {
  if (text.trim() === "") return { ok: false, problem: "body is empty" };
  try {
    const reader = new Reader(text, mostValues);
    return { ok: true, json: reader.document(), values: reader.values };
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, problem: error.message };
    return { ok: false, problem: `the kit failed to read it: ${String(error)}` };
  }
}

class JsonProblem extends Error {}

const noEntries: ReadonlyMap<string, Json> = new Map();

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  readonly #text: string;
  readonly #mostValues: number;
  #at = 0;
  values = 0;

  constructor(text: string, mostValues: number) {
    this.#text = text;
    this.#mostValues = mostValues;
  }

  document(): Json {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the body");
    return value;
  }

  #value(depth: number): Json {
    this.values += 1;
    if (this.values > this.#mostValues) throw new JsonProblem(`more than ${this.#mostValues} values`);
    if (depth > maxDepth) throw new JsonProblem(`nested deeper than ${maxDepth} levels`);
    this.#space();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return new JsonNumber(ownText(this.#take(numberPattern, "a JSON value")));
    }
  }

  #object(depth: number): JsonObject {
    this.#at += 1;
    this.#space();
    if (this.#skip("}")) return new JsonObject(noEntries);
    const entries = new Map<string, Json>();
    const duplicates: string[] = [];
    do {
      this.#space();
      const key = this.#string();
      this.#space();
      if (!this.#skip(":")) throw this.#unexpected("a colon");
      const value = this.#value(depth + 1);
      if (entries.has(key)) duplicates.push(key);
      entries.set(key, value);
      this.#space();
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#unexpected("a comma or }");
    return new JsonObject(entries, duplicates);
  }

  #array(depth: number): Json[] {
    const items: Json[] = [];
    this.#at += 1;
    this.#space();
    if (this.#skip("]")) return items;
    do {
      items.push(this.#value(depth + 1));
      this.#space();
    } while (this.#skip(","));
    if (!this.#skip("]")) throw this.#unexpected("a comma or ]");
    return items;
  }

  /** The end is searched without a regular expression, because a pattern uses stack space for each character. */
  #string(): string {
    const from = this.#at;
    if (this.#text[from] !== '"') throw this.#unexpected("a string");
    let at = from + 1;
    for (let code = this.#text.charCodeAt(at); code !== quote; code = this.#text.charCodeAt(at)) {
      if (!(code >= space)) throw this.#unexpected("the end of a string", at);
      at += code === backslash ? 2 : 1;
    }
    this.#at = at + 1;
    try {
      return JSON.parse(this.#text.slice(from, this.#at)) as string;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw this.#unexpected("a string with escapes that JSON knows", from);
    }
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected("a JSON value");
    this.#at += word.length;
    return value;
  }

  #take(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || found === "") throw this.#unexpected(what);
    this.#at += found.length;
    return found;
  }

  #space(): void {
    while (blanks.has(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(wanted: string, at = this.#at): JsonProblem {
    const found = at < this.#text.length ? JSON.stringify(this.#text[at]) : "the end";
    return new JsonProblem(`not JSON: expected ${wanted} at character ${at + 1}, found ${found}`);
  }
}

const [quote, backslash, space] = [0x22, 0x5c, 0x20];
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
