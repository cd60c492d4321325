/** Decimals as texts: amounts are never floats here. Only what is drawn becomes a number, on the last step to a pixel. */

/** Whole number and its scale: 1.25 is 125 at 2. */
function scaled(text: string): { readonly digits: bigint; readonly scale: number } {
  const [whole = "0", part = ""] = text.split(".", 2);
  return { digits: BigInt(whole + part), scale: part.length };
}

export function sum(a: string, b: string): string {
  const [left, right] = [scaled(a), scaled(b)];
  const scale = Math.max(left.scale, right.scale);
  const at = ({ digits, scale: own }: typeof left): bigint => digits * 10n ** BigInt(scale - own);
  return spelled(at(left) + at(right), scale);
}

function spelled(digits: bigint, scale: number): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const sign = digits < 0n ? "-" : "";
  const whole = text.slice(0, text.length - scale);
  const part = text.slice(text.length - scale).replace(/0+$/, "");
  return `${sign}${whole}${part === "" ? "" : `.${part}`}`;
}

/** With a thin space between thousands. */
export function grouped(text: string): string {
  const [whole = "", part] = text.split(".", 2);
  const spaced = whole.replace(/\B(?=(?:\d{3})+$)/g, "\u2009");
  return part === undefined ? spaced : `${spaced}.${part}`;
}

export const isNegative = (text: string): boolean => text.startsWith("-");

/** For a pixel, never for a text. */
export const toDraw = (text: string): number => Number(text);
