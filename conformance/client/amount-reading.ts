import { type ExactDecimal, parseDecimal } from "../check/decimal.ts";

/** What a text could be as an amount, to any reader that a target may have. */
export interface AmountReading {
  /** Empty for a text that is no number to anybody. */
  readonly values: readonly ExactDecimal[];
  /** Some language reads a number in it, and this kit cannot say which: it counts as the worst one. */
  readonly isUnreadable: boolean;
}

const none: AmountReading = { values: [], isUnreadable: false };
const worst: AmountReading = { values: [], isUnreadable: true };

/**
 * Parsers of decimals differ in what they take: a point at the end, exponents and zeros without end, digits of every
 * script, a number with letters behind it, numbers in another base, groups of digits. A text without any digit is no
 * number, except infinity.
 */
export function readAmount(text: string): AmountReading {
  const bare = text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}]/gu, "")
    .trim();
  if (!/\p{N}/u.test(text + bare)) return /^[+-]?(?:inf|infinity|∞)$/i.test(bare) ? worst : none;
  if (/(?![0-9])\p{N}/u.test(bare)) return worst;
  const plain = exact(bare);
  if (plain !== undefined) return plain;
  if (/^0(?:x[0-9a-f]{1,40}|o[0-7]{1,40}|b[01]{1,99})$/i.test(bare)) return all(String(BigInt(bare)), "0");
  if (/^[+-]?\d[\d,_'\s]*(?:[.,]\d+)?$/.test(bare))
    return all(bare.replace(/[,_'\s]/g, ""), bare.replace(",", "."), leading(bare));
  return /\d/.test(bare.slice(leading(bare).length)) ? worst : all(leading(bare));
}

/** The number at the start of a text: some readers ignore everything behind it. */
function leading(text: string): string {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(text)?.[0] ?? "";
}

function all(...texts: readonly string[]): AmountReading {
  const found = texts.map((text) => exact(text)).filter((one) => one !== undefined);
  return found.some(({ isUnreadable }) => isUnreadable)
    ? worst
    : { values: found.flatMap(({ values }) => values), isUnreadable: false };
}

/** The value of one decimal with any number of zeros; undefined for a text that is none. */
function exact(text: string): AmountReading | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?)(\d+))?$/i.exec(text);
  if (parts === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponentSign = "", exponent = "0"] = parts;
  if (whole + fraction === "") return undefined;
  const [head, tail] = [whole.replace(/^0+/, ""), fraction.replace(/0+$/, "")];
  const power = head + tail === "" ? "0" : exponent.replace(/^0+(?=\d)/, "");
  const value = parseDecimal(`${sign}${head || "0"}.${tail || "0"}e${exponentSign}${power}`, "lax");
  return value === undefined ? worst : { values: [value], isUnreadable: false };
}
