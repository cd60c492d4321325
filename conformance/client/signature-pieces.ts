/** The digits in a spelling of a signature. `block` digits of `bits` each make one number. */
export interface Alphabet {
  readonly digit: (code: number) => number;
  readonly bits: number;
  readonly block: number;
  /** Every piece of `least` digits contains a block at a multiple of `stride`. */
  readonly stride: number;
  readonly least: number;
}

export interface Piece {
  readonly from: number;
  /** The position after the eighth digit. */
  readonly shownTo: number;
  readonly to: number;
}

const longestGap = 16;
const digitsShown = 8;

/**
 * Finds pieces of known signatures in a text. Only digits are compared, so colons, blanks and percent signs between
 * them hide nothing, and a missing digit leaves two pieces. It needs one pass for any text.
 */
export class SignaturePieces {
  readonly #alphabet: Alphabet;
  readonly #known: string[] = [];
  /** The signature and the position of a block, by its value. */
  readonly #blocks = new Map<number, { readonly signature: string; readonly at: number }>();

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet;
  }

  get isEmpty(): boolean {
    return this.#known.length === 0;
  }

  note(signature: string): void {
    const { block, stride } = this.#alphabet;
    this.#known.push(signature);
    for (let at = 0; at + block <= signature.length; at += stride) {
      let value = 0;
      for (let index = at; index < at + block; index += 1)
        value = this.#next(value, this.#digit(signature, index));
      if (!this.#blocks.has(value)) this.#blocks.set(value, { signature, at });
    }
  }

  /** In the order of the text, without overlaps. */
  *find(text: string): Generator<Piece> {
    if (this.isEmpty) return;
    const { block } = this.#alphabet;
    let [value, digits, last, floor] = [0, 0, 0, 0];
    for (let at = 0; at < text.length; at += 1) {
      const digit = this.#digit(text, at);
      if (digit === -1) continue;
      digits = at - last > longestGap ? 1 : digits + 1;
      value = this.#next(value, digit);
      last = at;
      const known = digits < block ? undefined : this.#blocks.get(value);
      const piece =
        known === undefined
          ? undefined
          : this.#around(text, at, floor, known.signature, known.at + block - 1);
      if (piece === undefined) continue;
      yield piece;
      [digits, floor] = [0, piece.to];
      at = piece.to - 1;
      last = at;
    }
  }

  /**
   * The digit at `at` of the text is the one at `index` of the signature: how far do text and signature agree before
   * and after it?
   */
  #around(text: string, at: number, floor: number, signature: string, index: number): Piece | undefined {
    const places = [at];
    for (let before = index - 1; before >= 0; before -= 1) {
      const place = this.#neighbour(text, places[0] ?? at, -1, floor);
      if (place === undefined || this.#digit(text, place) !== this.#digit(signature, before)) break;
      places.unshift(place);
    }
    for (let behind = index + 1; behind < signature.length; behind += 1) {
      const place = this.#neighbour(text, places.at(-1) ?? at, 1, floor);
      if (place === undefined || this.#digit(text, place) !== this.#digit(signature, behind)) break;
      places.push(place);
    }
    if (places.length < this.#alphabet.least) return undefined;
    const [from = at, to = at, shown = at] = [places[0], places.at(-1), places[digitsShown - 1]];
    return { from, shownTo: shown + 1, to: to + 1 };
  }

  #neighbour(text: string, from: number, step: 1 | -1, floor: number): number | undefined {
    for (
      let at = from + step;
      at >= floor && at < text.length && Math.abs(at - from) <= longestGap;
      at += step
    )
      if (this.#digit(text, at) !== -1) return at;
    return undefined;
  }

  #digit(text: string, at: number): number {
    return this.#alphabet.digit(text.charCodeAt(at));
  }

  #next(value: number, digit: number): number {
    const { bits, block } = this.#alphabet;
    return ((value << bits) | digit) & (bits * block === 32 ? -1 : (1 << (bits * block)) - 1);
  }
}

function alphabetOf(spelling: readonly string[], rest: Omit<Alphabet, "digit">): Alphabet {
  const digits = new Int8Array(128).fill(-1);
  for (const letters of spelling)
    for (const [index, letter] of [...letters].entries()) digits[letter.charCodeAt(0)] = index;
  return { ...rest, digit: (code) => (code < 128 ? (digits[code] ?? -1) : -1) };
}

export const hexDigits = alphabetOf(["0123456789abcdef", "0123456789ABCDEF"], {
  bits: 4,
  block: 8,
  stride: 16,
  least: 24,
});

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const base64Digits = alphabetOf([`${letters}+/`, `${letters}-_`], {
  bits: 6,
  block: 5,
  stride: 10,
  least: 16,
});
