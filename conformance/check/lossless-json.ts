import { type Json, JsonNumber, JsonObject } from "../model/json.ts";

/** A hostile target may nest without end; nothing recursive here or later sees more than this (reliability F13). */
export const maxDepth = 64;
export const maxBytes = 8 * 1024 * 1024;

export type JsonReading =
  | { readonly ok: true; readonly json: Json }
  | { readonly ok: false; readonly problem: string };

/** Reads a body: at most 8 MiB, UTF-8 without a byte order mark, one JSON value, depth at most 64 (GEN-13). */
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

export function readJsonText(text: string): JsonReading {
  if (text.trim() === "") return { ok: false, problem: "body is empty" };
  try {
    return { ok: true, json: new Reader(text).document() };
  } catch (error) {
    if (error instanceof JsonProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

class JsonProblem extends Error {}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const spacePattern = /[ \t\n\r]*/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Json {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the body");
    return value;
  }

  #value(depth: number): Json {
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
        return new JsonNumber(this.#take(numberPattern, "a JSON value"));
    }
  }

  #object(depth: number): JsonObject {
    const entries = new Map<string, Json>();
    const duplicates: string[] = [];
    this.#at += 1;
    this.#space();
    if (this.#skip("}")) return new JsonObject(entries);
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

  /** The grammar is checked first, so that handing the lexeme to JSON.parse only resolves escapes. */
  #string(): string {
    return JSON.parse(this.#take(stringPattern, "a string")) as string;
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
    spacePattern.lastIndex = this.#at;
    this.#at += spacePattern.exec(this.#text)?.[0].length ?? 0;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(wanted: string): JsonProblem {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text[this.#at]) : "the end";
    return new JsonProblem(`not JSON: expected ${wanted} at character ${this.#at + 1}, found ${found}`);
  }
}
