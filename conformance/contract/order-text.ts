/** The fields of an order, as a request spells them. */
export const orderFields = [
  "side",
  "type",
  "product",
  "client_order_id",
  "base_quantity",
  "price",
  "quote_value",
  "stop_price",
] as const;
export type OrderField = (typeof orderFields)[number];

/** A text, what it means when its escapes are read, and both without comments; NUL bytes away, so that UTF-16 is readable. */
export function readingsOf(text: string): readonly string[] {
  const bare = text.replaceAll("\0", "");
  const both = [bare, unescaped(bare)];
  return [...both, ...both.map(withoutComments)];
}

/** In linear time, whatever the text is. */
function withoutComments(text: string): string {
  const [first = "", ...others] = text.split("/*");
  const rest = others.map((part) => part.split("*/").slice(1).join("*/"));
  return [first, ...rest].join(" ").replace(/(?:\/\/|#)[^\r\n]*/g, " ");
}

export function unescaped(text: string): string {
  return text.replace(
    /\\u([0-9a-f]{4})|%([0-9a-f]{2})/gi,
    (_, code: string | undefined, byte: string | undefined) =>
      String.fromCharCode(Number.parseInt(code ?? byte ?? "", 16)),
  );
}

const otherNames = new Map([
  ["productid", "product"],
  ["limitprice", "price"],
]);

/** Underscores, hyphens and the letter case come and go, and some say the id of the product or the limit of the price. */
export function orderFieldOf(name: string): OrderField | undefined {
  const bare = name.toLowerCase().replace(/[-_\s]/g, "");
  const usual = otherNames.get(bare) ?? bare;
  return orderFields.find((field) => field.replaceAll("_", "") === usual);
}

/** A field, quotes of both kinds or none, a colon or an equals sign; the value may be the first of a list. */
const spelled = orderFields.map((field) => field.replaceAll("_", "[-_]?")).join("|");
const named = `\\b(${spelled}|product[-_]?id|limit[-_]?price)\\b["'\\\\\\s\\]]*[:=]`;

/** Every value that anybody could read for a field of an order in this text. */
export function* assignmentsIn(text: string): Generator<readonly [field: OrderField, value: string]> {
  const pattern = new RegExp(`${named}["'\\\\\\s[]*([A-Za-z0-9.+_-]{1,400})`, "gi");
  for (const [, name = "", value = ""] of text.matchAll(pattern)) {
    const field = orderFieldOf(name);
    if (field !== undefined) yield [field, value];
  }
}

/** Does the text name what every order has? Its values may still be filled in. */
export function namesOrder(text: string): boolean {
  return readingsOf(text).some((reading) => {
    const found = new Set<string | undefined>(
      [...reading.matchAll(new RegExp(named, "gi"))].map(([, name = ""]) => orderFieldOf(name)),
    );
    const sized = found.has("base_quantity") || found.has("quote_value");
    return sized && ["side", "type", "product", "client_order_id"].every((field) => found.has(field));
  });
}
