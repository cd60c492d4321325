/** The fields of an order, spelled as in a request. */
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

export const amountFields: readonly OrderField[] = ["base_quantity", "price", "quote_value", "stop_price"];

/**
 * A text, the text with its escapes decoded, and both without comments. NUL bytes are dropped, so that UTF-16 is
 * readable.
 */
export function readingsOf(text: string): readonly string[] {
  const bare = text.replaceAll("\0", "");
  const both = [bare, unescaped(bare)];
  return [...both, ...both.map(withoutComments)];
}

/** Runs in linear time for any text. */
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

/**
 * Ignores underscores, hyphens and letter case, and knows two synonyms: the id of the product and the limit of the
 * price.
 */
export function orderFieldOf(name: string): OrderField | undefined {
  const bare = name.toLowerCase().replace(/[-_\s]/g, "");
  const usual = otherNames.get(bare) ?? bare;
  return orderFields.find((field) => field.replaceAll("_", "") === usual);
}

/**
 * A field name with quotes of either kind or none, then a colon or an equals sign; the value may be the first of a
 * list.
 */
const spelled = orderFields.map((field) => field.replaceAll("_", "[-_]?")).join("|");
const named = `\\b(${spelled}|product[-_]?id|limit[-_]?price)\\b["'\\\\\\s\\]]*[:=]`;

/** A value without quotes, brackets and separators, or what stands in brackets. */
const written = /[^\s"'\\,;&{}[\]<>]+/g;
const assignment = `${named}["'\\\\\\s]*(?:([[{][^}\\]&]*)|(${written.source}))`;

/** Every value that any reader could find for a field of an order in this text. */
export function* assignmentsIn(text: string): Generator<readonly [field: OrderField, value: string]> {
  for (const [, name = "", inside, value = ""] of text.matchAll(new RegExp(assignment, "gi"))) {
    const field = orderFieldOf(name);
    if (field === undefined) continue;
    if (inside === undefined) yield [field, value];
    else yield* insideOf(field, inside).map((part) => [field, part] as const);
  }
}

/** The words in brackets. Several with digits could be any number, so they stay one text. */
function insideOf(field: OrderField, inside: string): readonly string[] {
  const words = inside.match(written) ?? [];
  if (!amountFields.includes(field)) return words;
  const numbers = words.filter((word) => /\p{N}/u.test(word));
  return numbers.length > 1 ? [inside] : numbers;
}

/** Does the text name the fields that every order has? Their values may still be filled in. */
export function namesOrder(text: string): boolean {
  return readingsOf(text).some((reading) => {
    const found = new Set<string | undefined>(
      [...reading.matchAll(new RegExp(named, "gi"))].map(([, name = ""]) => orderFieldOf(name)),
    );
    const sized = found.has("base_quantity") || found.has("quote_value");
    return sized && ["side", "type", "product", "client_order_id"].every((field) => found.has(field));
  });
}
