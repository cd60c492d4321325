/** Decimals as text: compared without arithmetic, so that nothing is rounded here. */

const plain = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/;

/** One spelling for each number; undefined if the text is not a plain decimal. */
export function amountOf(value: unknown): string | undefined {
  const found = plain.exec(typeof value === "string" ? value : "");
  if (found === null) return undefined;
  const [, sign = "", whole = "", fraction = ""] = found;
  return `${whole === "0" && fraction === "" ? "" : sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

export const sameAmount = (one: unknown, other: unknown): boolean =>
  amountOf(one) !== undefined && amountOf(one) === amountOf(other);

/** Near enough to be meant as the same number, as dust of floating point is. */
export function nearlySame(one: unknown, other: unknown): boolean {
  const [a, b] = [Number(one), Number(other)];
  return Math.abs(a - b) <= 0.001 * Math.max(Math.abs(a), Math.abs(b));
}
