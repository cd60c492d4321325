import { shortKeyId } from "../model/credential.ts";

/**
 * Removes secrets from everything that leaves the kit. Value-based, in every spelling a target may echo one in: plain,
 * hex, base64 at any offset, URL-encoded, escaped in JSON or HTML. Signatures are replay material within the clock
 * tolerance, so eight digits of them stay; of key ids four characters stay.
 *
 * Known limits: a secret that a target splits, reverses or encrypts is not found, nor is one shorter than four characters.
 */
export class Redactor {
  readonly #exact: readonly Replacement[];
  readonly #anyCase: readonly { readonly pattern: RegExp; readonly name: string }[];
  readonly #keyIds: readonly Replacement[];
  readonly #signatures = new Set<string>();
  /** Shorter text holds nothing that is hidden. */
  readonly #shortest: number;

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
    // Of a secret, no spelling has fewer characters than the secret itself, but for those at an offset of base64.
    this.#shortest = Math.min(
      signatureRuns[1][1],
      ...[...this.#exact, ...this.#keyIds].map(({ text }) => text.length),
    );
  }

  /** From now on this signature is shortened wherever it turns up. */
  noteSignature(signature: string | undefined): void {
    if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) return;
    const base64 = Buffer.from(signature, "hex").toString("base64").replace(/=+$/, "");
    for (const spelling of [signature, base64, base64.replaceAll("+", "-").replaceAll("/", "_")])
      this.#signatures.add(spelling);
  }

  redact(text: string): string {
    if (text.length < this.#shortest) return text;
    let hidden = text;
    for (const { text: secret, by } of this.#exact) hidden = hidden.replaceAll(secret, by);
    for (const { pattern, name } of this.#anyCase) hidden = hidden.replace(pattern, name);
    hidden = this.#withoutSignatures(hidden);
    for (const { text: id, by } of this.#keyIds) hidden = hidden.replaceAll(id, by);
    return hidden;
  }

  /** The same value with every string in it redacted, names of properties included. */
  redactDeep<T>(value: T): T;
  redactDeep(value: unknown): unknown {
    if (typeof value === "string") return this.redact(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.redactDeep(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.redact(key), this.redactDeep<unknown>(item)]),
    );
  }

  /** Is there a secret or a whole signature in it, in any spelling? */
  finds(text: string): boolean {
    return (
      this.#exact.some(({ text: secret }) => text.includes(secret)) ||
      this.#anyCase.some(({ pattern }) => text.search(pattern) !== -1) ||
      signatureRuns.some(([pattern, length]) =>
        (text.match(pattern) ?? []).some((run) => this.#holdsSignature(run, length)),
      )
    );
  }

  #withoutSignatures(text: string): string {
    const labelled = text.replace(/(signature[^0-9a-z\n]{1,8})([0-9a-f]{8})[0-9a-f]{56}/gi, "$1$2…");
    return signatureRuns.reduce(
      (result, [pattern, length]) =>
        result.replace(pattern, (run) => this.#shorten(run, length === 64 ? run.toLowerCase() : run, length)),
      labelled,
    );
  }

  #holdsSignature(run: string, length: number): boolean {
    const normal = length === 64 ? run.toLowerCase() : run;
    for (let at = 0; at + length <= run.length; at += 1) {
      if (this.#signatures.has(normal.slice(at, at + length))) return true;
    }
    return false;
  }

  /** A signature may stand in a longer run of digits; a run too long to search keeps its first eight only. */
  #shorten(run: string, normal: string, length: number): string {
    if (this.#signatures.size === 0) return run;
    if (run.length > longestRun) return `${run.slice(0, 8)}…`;
    let shown = "";
    let from = 0;
    for (let at = 0; at + length <= run.length; at += 1) {
      if (!this.#signatures.has(normal.slice(at, at + length))) continue;
      shown += `${run.slice(from, at + 8)}…`;
      from = at + length;
      at = from - 1;
    }
    return shown + run.slice(from);
  }
}

interface Replacement {
  readonly text: string;
  readonly by: string;
}

const longestRun = 8192;

/** What a signature can stand in, and its own length there: hex digits, or base64 without its padding. */
const signatureRuns = [
  [/[0-9a-f]{64,}/gi, 64],
  [/[A-Za-z0-9+/_-]{43,}/g, 43],
] as const satisfies readonly (readonly [pattern: RegExp, length: number])[];

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

/** As regular expressions, because every digit may come in either case: hex, %XX, \uXXXX and &#xXX; of every character. */
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
    units.map((unit) => `&#x0*${Number.parseInt(unit, 16).toString(16)};`).join(""),
    units.map((unit) => `&#0*${Number.parseInt(unit, 16)};`).join(""),
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

/** The characters of a base64 text that depend on the secret alone when it starts at this offset of a triple. */
function base64At(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const start = Math.ceil((shift * 8) / 6);
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(start, whole);
}
