/**
 * Secrets of a world, to be found in what a client sent. The log has left out what a signed request carries; this is about
 * a client that puts its secret where it does not belong, such as the body or the path.
 */
import type { ApiKey } from "../domain/account.ts";
import type { Bytes, Exchange } from "../exchanges/exchange.ts";

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
    const once = unescaped(text);
    const forms = new Set([text, once, unescaped(once), percentDecoded(once)]);
    return [...forms].some((form) => this.#spellings.some((spelling) => form.includes(spelling)));
  }

  /** Bodies that are no text. */
  areInBytes({ request, answer }: Pick<Exchange, "request" | "answer">): boolean {
    return [request.body, answer.body].some(({ base64 }: Bytes) =>
      base64 === undefined ? false : this.areIn(Buffer.from(base64, "base64").toString("latin1")),
    );
  }
}

/** Each escape once, from left to right: a second pass finds what was escaped twice. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, other: string | undefined) =>
    hex === undefined ? (other ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
