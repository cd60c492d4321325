import { amountFields } from "../contract/order-text.ts";
import { soleReference } from "../model/expr.ts";
import { asMap, isList, isMap, soleKey, toJsonText, type Value, type ValueMap } from "../model/value.ts";
import { type Names, resolved } from "./known-values.ts";

/** Generators of amounts; an amount belongs to one product. */
const generators = ["$qty", "$price", "$spend", "$step"];

/** An amount without `product` is one of this product. */
const usual: Value = { $product: "tradable" };

/**
 * An amount in the body of an order that belongs to another product than the order does: the quantity of one product is
 * a thousand times that of another.
 */
export function strayAmount(body: ValueMap, names: Names): string | undefined {
  const { product } = body;
  if (product === undefined || !isProduct(product)) return undefined;
  for (const field of amountFields) {
    const stray = productsOf(body[field] ?? null, names).find((other) => other !== toJsonText(product));
    if (stray !== undefined)
      return `its ${field} is for the product ${stray}, and the order is for ${toJsonText(product)}: give the amount the product of the order, as in { $qty: { size: typical, product: '\${product}' } }`;
  }
  return undefined;
}

/** Other values are no pair, or only the run knows them. A disabled product has no amounts. */
function isProduct(product: Value): boolean {
  if (typeof product === "string") return /^\w+-\w+$/.test(product);
  const key = soleKey(product);
  return key === "$product" || (key === "$fact" && asMap(product)["$fact"] !== "disabledProduct");
}

/** The products of all amounts that a value is computed from, as JSON. */
function productsOf(value: Value, names: Names, depth = 0): string[] {
  if (depth > 12) return [];
  const below = (item: Value): string[] => productsOf(item, names, depth + 1);
  if (typeof value === "string") {
    const known = resolved(value, names);
    return soleReference(value) === undefined || known === value ? [] : below(known);
  }
  if (isList(value)) return value.flatMap(below);
  if (!isMap(value)) return [];
  const key = soleKey(value) ?? "";
  const argument = value[key] ?? null;
  if (generators.includes(key)) {
    const named = isMap(argument) ? argument["product"] : undefined;
    return [toJsonText(named === undefined ? usual : resolved(named, names))];
  }
  if (key === "$calc")
    return [...String(argument).matchAll(/[A-Za-z_]\w*(?:\.\w+)*/g)].flatMap(([name]) =>
      below(`\${${name}}`),
    );
  return Object.values(value).flatMap(below);
}
