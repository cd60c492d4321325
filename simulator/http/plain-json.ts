/**
 * The short way through JSON: one flat object with known names and strings of printable ASCII, as nearly every body of
 * this venue is. One pass over the bytes stands in for the check of UTF-8, the bounds, `JSON.parse` and the search for
 * names that come twice.
 *
 * Invariant: what it reads, `parse-json.ts` reads to the same value. Everything else is null, mistakes as well as
 * numbers, escapes, unknown names and names that come twice: the strict way reads it, or says what is wrong.
 */

export type PlainReader = (body: Buffer) => Readonly<Record<string, string>> | null;

interface KnownName {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Its place among the names that an object has already. */
  readonly bit: number;
}

/** `names` are those that an object may have: at most 31, in printable ASCII. */
export function plainReader(names: readonly string[]): PlainReader {
  const known = names.map(
    (name, place): KnownName => ({ name, bytes: Buffer.from(name, "latin1"), bit: 1 << place }),
  );
  return (body) => {
    const text = body.toString("latin1");
    const object: Record<string, string> = {};
    let seen = 0;
    let at = skipBlanks(body, 0);
    if (body[at] !== OPEN) return null;
    do {
      at = skipBlanks(body, at + 1);
      const nameEnd = endOfString(body, at);
      const name = nameEnd < 0 ? null : nameIn(known, body, at + 1, nameEnd);
      if (name === null || (seen & name.bit) !== 0) return null;
      seen |= name.bit;
      at = skipBlanks(body, nameEnd + 1);
      if (body[at] !== COLON) return null;
      at = skipBlanks(body, at + 1);
      const end = endOfString(body, at);
      if (end < 0) return null;
      object[name.name] = copyOf(text, body, at + 1, end);
      at = skipBlanks(body, end + 1);
    } while (body[at] === COMMA);
    return body[at] === CLOSE && skipBlanks(body, at + 1) === body.length ? object : null;
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Longer strings are for the strict way, which has a bound for them. */
const MOST_BYTES = 256;

function skipBlanks(body: Buffer, from: number): number {
  for (let at = from; ; at++) {
    const byte = body[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
  }
}

/** Place of the closing quote of the string that starts at `from`, or -1 where none stands or it is not plain. */
function endOfString(body: Buffer, from: number): number {
  if (body[from] !== QUOTE) return -1;
  const limit = Math.min(body.length, from + 2 + MOST_BYTES);
  for (let at = from + 1; at < limit; at++) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return -1;
  }
  return -1;
}

function nameIn(known: readonly KnownName[], body: Buffer, start: number, end: number): KnownName | null {
  for (const name of known) {
    const { bytes } = name;
    if (bytes.length !== end - start) continue;
    let at = 0;
    while (at < bytes.length && bytes[at] === body[start + at]) at++;
    if (at === bytes.length) return name;
  }
  return null;
}

/** V8 copies a slice of fewer characters; of more it keeps the whole text behind the slice, and an id is kept for ever. */
const SLICE_IS_REFERENCE = 13;

const copyOf = (text: string, body: Buffer, start: number, end: number): string =>
  end - start < SLICE_IS_REFERENCE ? text.slice(start, end) : body.toString("latin1", start, end);
