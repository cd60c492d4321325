/** Decimal amounts as whole numbers of the 18th place after the point. */
const places = 18;
const one = 10n ** BigInt(places);

/** A decimal in plain digits, or nothing: signs, exponents, empty parts and a 19th place are not understood. */
export function amountOf(text: unknown): bigint | undefined {
  if (typeof text !== "string" || text.length > 60) return undefined;
  const [, whole = "", fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "" || /[1-9]/.test(fraction.slice(places))) return undefined;
  return BigInt(whole) * one + BigInt(fraction.slice(0, places).padEnd(places, "0"));
}

/** For amounts of our own, which are known to be good. */
export function fixed(text: string): bigint {
  const value = amountOf(text);
  if (value === undefined) throw new Error(`${text} is no decimal`);
  return value;
}

/** This gateway writes eight places, and more when there are more. */
export function textOf(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0{1,10}$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -places)}.${fraction}`;
}

export const times = (a: bigint, b: bigint): bigint => (a * b) / one;

/** A quotient with so many places, the last one rounded half up. */
export function ratio(a: bigint, b: bigint, digits = 12): bigint {
  return rounded((a * one) / b, digits);
}

export function rounded(value: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(places - digits);
  return ((value + unit / 2n) / unit) * unit;
}

/** The largest quantity of whole steps that costs no more than this. */
export const affordable = (money: bigint, price: bigint, step: bigint): bigint => {
  const quantity = (money * one) / price;
  return quantity - (quantity % step);
};

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
