import { shortKeyId } from "../model/credential.ts";
import { ownText } from "../model/own-text.ts";
import { base64Digits, hexDigits, SignaturePieces } from "./signature-pieces.ts";

/** Replaces a text that could not be searched for secrets: an unsearched text is not shown. */
export const unsearchable = "«a text that could not be searched for secrets»";

/** Texts of a report that are searched as one. */
const searchedAtOnce = 200;

/**
 * Removes secrets from everything that leaves the kit. It searches for values, in every spelling in which a target may
 * echo one: plain, hex, base64 at any offset, URL-encoded, escaped in JSON or HTML. A signature can be replayed within
 * the clock tolerance, so eight digits of each piece of one are kept, whatever is between them; of a key id four
 * characters are kept.
 *
 * Known limits: a secret that a target splits, reverses or encrypts is not found, nor is one shorter than four
 * characters.
 */
export class Redactor {
  readonly #exact: readonly Replacement[];
  readonly #anyCase: readonly { readonly pattern: RegExp; readonly name: string }[];
  readonly #keyIds: readonly Replacement[];
  readonly #signatures = [new SignaturePieces(hexDigits), new SignaturePieces(base64Digits)] as const;
  /** The length of the shortest text that can contain a hidden value. */
  readonly #shortest: number;
  /** The length of the longest spelling of a secret or a signature. */
  readonly #longest: number;

  constructor(secrets: ReadonlyMap<string, string>, keyIds: readonly string[] = []) {
    const named = [...secrets].filter(([, secret]) => secret.length >= 4);
    this.#exact = longestFirst(
      named.flatMap(([name, secret]) => spellings(secret).map((text) => ({ text, by: `«${name}»` }))),
    );
    this.#anyCase = named.flatMap(([name, secret]) =>
      caselessSpellings(secret).map((source) => ({ pattern: new RegExp(source, "gi"), name: `«${name}»` })),
    );
    this.#keyIds = longestFirst(
      keyIds.filter((id) => id.length >= 8).map((id) => ({ text: id, by: shortKeyId(id) })),
    );
    // No spelling of a secret is shorter than the secret itself, except at an offset of base64.
    this.#shortest = Math.min(
      base64Digits.least,
      ...[...this.#exact, ...this.#keyIds].map(({ text }) => text.length),
    );
    this.#longest = Math.max(2048, ...named.map(([, secret]) => secret.length * 48));
  }

  /** From now on this signature is shortened in every text. */
  noteSignature(signature: string | undefined): void {
    if (signature === undefined || !/^[0-9a-f]{64}$/i.test(signature)) return;
    const [hex, base64] = this.#signatures;
    hex.note(signature);
    base64.note(Buffer.from(signature, "hex").toString("base64").replace(/=+$/, ""));
  }

  redact(text: string): string {
    if (text.length < this.#shortest) return text;
    try {
      return this.#hidden(text);
    } catch {
      return unsearchable;
    }
  }

  /**
   * The first `most` characters of the result of `redact`, without searching all of a long text. The search goes
   * further than the shown part, and the rest of the end is dropped, because it could be half a secret.
   */
  redactStart(text: string, most: number): string {
    const room = most + 2 * this.#longest;
    const hidden =
      text.length <= room ? this.redact(text) : this.redact(text.slice(0, room)).slice(0, -this.#longest);
    return hidden.length <= most && text.length <= room ? hidden : `${ownText(hidden.slice(0, most))}…`;
  }

  #hidden(text: string): string {
    let hidden = text;
    for (const { text: secret, by } of this.#exact) hidden = hidden.replaceAll(secret, by);
    for (const { pattern, name } of this.#anyCase) hidden = hidden.replace(pattern, name);
    hidden = hidden.replace(/(signature[^0-9a-z\n]{1,8})([0-9a-f]{8})[0-9a-f]{56}/gi, "$1$2…");
    for (const pieces of this.#signatures) hidden = withoutPieces(hidden, pieces);
    for (const { text: id, by } of this.#keyIds) hidden = hidden.replaceAll(id, by);
    return hidden;
  }

  /** The same value with every string in it redacted, including names of properties. */
  redactDeep<T>(value: T): T {
    // A report names the same clauses and fields over and over; each text is searched once.
    const texts = new Set<string>();
    collectTexts(value, texts);
    const changed = this.#changed([...texts]);
    if (changed.size === 0) return value;
    const text = (found: string): string => changed.get(found) ?? found;
    const deep = (found: unknown): unknown => {
      if (typeof found === "string") return text(found);
      if (Array.isArray(found)) return found.map(deep);
      if (typeof found !== "object" || found === null) return found;
      return Object.fromEntries(Object.entries(found).map(([key, item]) => [text(key), deep(item)]));
    };
    return deep(value) as T; // as: nothing but the content of strings changes
  }

  /** Those of the texts that hold something to hide, each with its redacted form. */
  #changed(texts: readonly string[]): ReadonlyMap<string, string> {
    const changed = new Map<string, string>();
    for (let from = 0; from < texts.length; from += searchedAtOnce) {
      const group = texts.slice(from, from + searchedAtOnce);
      // What is in a text is in the joined texts, too. A search takes about as long for many short texts as for one.
      const joined = group.join("\n");
      if (this.redact(joined) === joined) continue;
      for (const text of group) {
        const hidden = this.redact(text);
        if (hidden !== text) changed.set(text, hidden);
      }
    }
    return changed;
  }

  /** Does the text contain a secret or a whole signature, in any spelling? */
  finds(text: string): boolean {
    return (
      this.#exact.some(({ text: secret }) => text.includes(secret)) ||
      this.#anyCase.some(({ pattern }) => text.search(pattern) !== -1) ||
      this.#signatures.some((pieces) => pieces.find(text).next().done !== true)
    );
  }
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === "string") texts.add(value);
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      texts.add(key);
      collectTexts(item, texts);
    }
}

/** Keeps the first eight digits of each piece of a signature. */
function withoutPieces(text: string, pieces: SignaturePieces): string {
  let [shown, from] = ["", 0];
  for (const piece of pieces.find(text)) {
    shown += `${text.slice(from, piece.shownTo)}…`;
    from = piece.to;
  }
  return from === 0 ? text : shown + text.slice(from);
}

interface Replacement {
  readonly text: string;
  readonly by: string;
}

function longestFirst(list: readonly Replacement[]): Replacement[] {
  return [...list].sort((a, b) => b.text.length - a.text.length);
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const aligned = [0, 1, 2].map((shift) => base64At(bytes, shift)).filter((text) => text.length >= 8);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ...new Set([
      secret,
      bytes.toString("base64"),
      bytes.toString("base64url"),
      ...aligned,
      ...aligned.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
      encodeURIComponent(secret),
      encodeURIComponent(secret).replaceAll("%20", "+"),
      json,
      JSON.stringify(json).slice(1, -1),
      json.replaceAll("/", "\\/"),
      htmlSpelling(secret, "&#39;"),
      htmlSpelling(secret, "&apos;"),
    ]),
  ];
}

/**
 * Spellings as regular expressions, because every digit may have either case: hex, %XX, \uXXXX and &#xXX; of every
 * character.
 */
function caselessSpellings(secret: string): string[] {
  const bytes = [...Buffer.from(secret, "utf8")].map((byte) => byte.toString(16).padStart(2, "0"));
  const units = Array.from({ length: secret.length }, (_, index) =>
    secret.charCodeAt(index).toString(16).padStart(4, "0"),
  );
  const spaced = bytes.join("[ :-]?");
  return [
    spaced,
    escaped(encodeURIComponent(secret)),
    bytes.map((byte) => `%${byte}`).join(""),
    units.map((unit) => `\\\\u${unit}`).join(""),
    units.map((unit) => `&#x0{0,8}${Number.parseInt(unit, 16).toString(16)};`).join(""),
    units.map((unit) => `&#0{0,8}${Number.parseInt(unit, 16)};`).join(""),
  ];
}

function htmlSpelling(secret: string, apostrophe: string): string {
  const named: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": apostrophe,
  };
  return secret.replace(/[&<>"']/g, (character) => named[character] ?? character);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** The characters of a base64 text that depend only on the secret, if it starts at this offset of a triple. */
function base64At(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const start = Math.ceil((shift * 8) / 6);
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(start, whole);
}
