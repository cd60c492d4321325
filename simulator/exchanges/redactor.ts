/**
 * Finds secrets in what clients send and get, and leaves out the parts that hold one. The exchange log uses it before
 * anything is written, and the capsule once more.
 *
 * **Invariant.** It looks at every text of an exchange: the request id, names and values of headers, target, bodies, the
 * reason of a close. A secret is found as it is and in hex, in any case; in base64 at each of its three alignments, with
 * either alphabet; and behind up to three layers of percent-encoding and of escapes of JSON.
 *
 * **Cost.** Every exchange pays for the look, so all spellings of all secrets of a world are looked for in one pass.
 *
 * Known limits: a secret that a client splits, reverses or encrypts is not found.
 */
import type { Bytes, Exchange } from "./exchange.ts";

/** Fewer characters are not looked for: they would be found in anything. */
const fewest = 4;
/** Fewer characters of the beginning of a secret are none. */
const fewestCut = 8;
/** No text that is shorter was cut by the log: it keeps 1024 bytes at least. */
const shortestCut = 256;
const layers = 3;

export interface WithSecret {
  readonly secret: string;
}

export class Redactor {
  /** All spellings, by their first characters. */
  readonly #spellings = new Map<number, string[]>();
  /** Whether a spelling may begin with characters of this hash. */
  readonly #beginnings = new Uint8Array(2 ** hashBits);

  constructor(...groups: readonly (readonly WithSecret[])[]) {
    const spellings = new Set(groups.flat().flatMap(({ secret }) => spellingsOf(secret)));
    for (const spelling of spellings) {
      const first = beginningOf(spelling);
      this.#spellings.set(first, [...(this.#spellings.get(first) ?? []), spelling]);
      this.#beginnings[hashOf(first)] = 1;
    }
  }

  isIn(text: string): boolean {
    if (text.length < fewest) return false;
    const mayBeCut = text.length >= shortestCut;
    let [layer, form] = [0, text];
    for (;;) {
      if (this.#isSpelledIn(form, mayBeCut)) return true;
      if (layer === layers || !/[\\%]/.test(form)) return false;
      form = unfolded(form);
      layer += 1;
    }
  }

  /** The same exchange, or one in whose place of each text with a secret stands a remark. */
  redacted(exchange: Exchange): Exchange {
    const digits = signaturesIn(exchange);
    if (digits.length === 0 && !this.#isWithin(exchange)) return exchange;
    const isSafe = (text: string): boolean => !this.isIn(text) && !digits.some((one) => text.includes(one));
    const without = (value: unknown): unknown => {
      if (typeof value === "string") return isSafe(value) ? value : leftOut;
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map(without);
      if (isBytes(value)) return isSafe(textOf(value)) ? value : { length: value.length };
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, without(member)]));
    };
    // as: texts were replaced by texts
    return without(exchange) as Exchange;
  }

  /** Its many short texts are looked at together: every exchange pays for the look. */
  #isWithin(exchange: Exchange): boolean {
    const texts: string[] = [];
    collect(exchange, texts);
    const short = texts.filter(({ length }) => length < shortestCut).join("\n");
    return this.isIn(short) || texts.some((text) => text.length >= shortestCut && this.isIn(text));
  }

  /** Whether a spelling is in it, or the beginning of one at the end of a text that may have been cut. */
  #isSpelledIn(text: string, mayBeCut: boolean): boolean {
    const [beginnings, length] = [this.#beginnings, text.length];
    let recent = 0;
    for (let at = 0; at < length; at += 1) {
      recent = next(recent, text.charCodeAt(at));
      if (beginnings[hashOf(recent)] === 0 || at < fewest - 1) continue;
      const from = at - fewest + 1;
      for (const spelling of this.#spellings.get(recent) ?? [])
        if (isAt(text, from, spelling, mayBeCut)) return true;
    }
    return false;
  }
}

function collect(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  if (typeof value !== "object" || value === null) return;
  if (isBytes(value)) into.push(textOf(value));
  // Faster than a list of members, and every exchange pays for it.
  else for (const name in value) collect((value as Readonly<Record<string, unknown>>)[name], into);
}

const leftOut = "(left out: a secret)";

/** Whether more was left out of it than headers. */
export const isIncomplete = ({ id, request, answer }: Exchange): boolean =>
  [id, request.target].includes(leftOut) ||
  [request.body, answer.body].some((body) => body.length > 0 && textOf(body) === "");

const isBytes = (value: object): value is Bytes =>
  "length" in value && ("text" in value || "base64" in value);

const textOf = ({ text, base64 = "" }: Bytes): string =>
  text ?? Buffer.from(base64, "base64").toString("latin1");

/**
 * Signatures that stand where none belongs: 64 digits in hex, anywhere but in `X-API-SIGNATURE`, which the log does not keep.
 * One that was not used up can be sent by another.
 */
function signaturesIn({ id, request, answer, stream }: Exchange): readonly string[] {
  const found: string[] = [];
  const look = (text: string): void => {
    if (text.length >= 64) found.push(...(text.match(/[0-9a-f]{64,}/gi) ?? []));
  };
  for (const text of [id, request.target, stream?.reason ?? ""]) look(text);
  for (const headers of [request.headers, answer.headers])
    for (const { name, value } of headers) {
      look(name);
      look(value);
    }
  return found;
}

function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const forms = [secret, bytes.toString("latin1"), bytes.toString("hex")];
  const aligned = [0, 1, 2]
    .map((before) => base64At(bytes, before))
    .filter((form) => form.length >= fewestCut);
  return [...forms, ...aligned].filter((form) => form.length >= fewest).map(folded);
}

/** The characters of a base64 text that depend on the secret alone, when `before` other bytes stand in front of it. */
function base64At(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

/** One case, and one of the two alphabets of base64. */
const folds = Uint16Array.from({ length: 0x02_50 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (character === "-" ? "+" : character === "_" ? "/" : character.toLowerCase()).charCodeAt(0);
});
const fold = (code: number): number => (code < folds.length ? (folds[code] ?? code) : code);
const folded = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => String.fromCharCode(fold(text.charCodeAt(at)))).join("");

/** The last four characters that were seen, as a number. */
const next = (recent: number, code: number): number => ((recent << 7) | (fold(code) & 0x7f)) & 0xf_ff_ff_ff;
function beginningOf(spelling: string): number {
  let recent = 0;
  for (let at = 0; at < fewest; at += 1) recent = next(recent, spelling.charCodeAt(at));
  return recent;
}
const hashBits = 13;
const hashOf = (recent: number): number => Math.imul(recent, 0x9e_37_79_b1) >>> (32 - hashBits);

/** A text that was cut may end within a spelling. */
function isAt(text: string, from: number, spelling: string, mayBeCut: boolean): boolean {
  const length = Math.min(spelling.length, text.length - from);
  if (length < spelling.length && !(mayBeCut && length >= fewestCut)) return false;
  for (let at = 0; at < length; at += 1)
    if (fold(text.charCodeAt(from + at)) !== spelling.charCodeAt(at)) return false;
  return true;
}

/** Each escape and each percent-encoded byte once. */
const unfolded = (text: string): string =>
  text
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex: string | undefined, other: string | undefined) =>
      hex === undefined ? (other ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
