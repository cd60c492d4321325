/**
 * Secrets, to be found in what a client sent. The log leaves out what a signed request carries; this is about a client that
 * puts a secret where it does not belong, such as the body or the path.
 */
import type { ApiKey } from "../domain/account.ts";
import { type Bytes, type Exchange, mostKept } from "./exchange.ts";

/** Fewer characters of a secret are none. */
const fewestCut = 8;

type Said = Pick<Exchange, "request" | "answer">;

export class Secrets {
  readonly #spellings: readonly string[];

  constructor(keys: readonly Pick<ApiKey, "secret">[]) {
    this.#spellings = keys.flatMap(({ secret }) => {
      const bytes = Buffer.from(secret);
      return [secret, bytes.toString("base64url"), bytes.toString("base64").replace(/=+$/, "")];
    });
  }

  /** As it is, percent-encoded, in base64, or with characters escaped as JSON allows, once or twice. */
  areIn(text: string): boolean {
    if (this.#areSpelledIn(text)) return true;
    if (!text.includes("\\") && !text.includes("%")) return false;
    const once = unescaped(text);
    return [once, unescaped(once), percentDecoded(once)].some((form) => this.#areSpelledIn(form));
  }

  /** Bodies that are no text. */
  areInBytes({ request, answer }: Said): boolean {
    return [request.body, answer.body].some((body) => body.base64 !== undefined && this.#areInBody(body));
  }

  /** Whether any part of an exchange holds one. Every request pays for this look. */
  areAnywhereIn({ request, answer }: Said): boolean {
    return (
      this.areIn(request.target) ||
      this.#areInBody(request.body) ||
      this.#areInBody(answer.body) ||
      request.headers.some(({ value }) => this.areIn(value))
    );
  }

  /** The same without the parts that hold one. */
  leftOutOf({ request, answer }: Said): Said {
    const safe = (body: Bytes): Bytes => (this.#areInBody(body) ? { length: body.length } : body);
    const isSafeTarget = !this.areIn(request.target);
    return {
      request: {
        ...request,
        target: isSafeTarget ? request.target : leftOut,
        headers: request.headers.map((one) => (this.areIn(one.value) ? { ...one, value: leftOut } : one)),
        body: safe(request.body),
      },
      answer: { ...answer, body: safe(answer.body) },
    };
  }

  #areSpelledIn(text: string): boolean {
    return this.#spellings.some((spelling) => text.includes(spelling));
  }

  #areInBody({ length, text, base64 }: Bytes): boolean {
    const kept = base64 === undefined ? (text ?? "") : Buffer.from(base64, "base64").toString("latin1");
    return this.areIn(kept) || (length > mostKept && this.#isCutThrough(kept));
  }

  /** Whether the end of what is kept of a body is the beginning of a secret. */
  #isCutThrough(text: string): boolean {
    return this.#spellings.some((spelling) => {
      const last = text.lastIndexOf(spelling.slice(0, fewestCut));
      return last !== -1 && spelling.startsWith(text.slice(last));
    });
  }
}

const leftOut = "(left out: a secret)";

/** Each escape once, from left to right: a second pass finds what was escaped twice. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, other: string | undefined) =>
    hex === undefined ? (other ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
