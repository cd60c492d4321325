import { isOpen } from "../model/expr.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { checkCalc } from "./calc.ts";

/** Selects a product that may be ordered: some kinds by a property, others by the place in the profile or list. */
export const productKinds: readonly string[] = [
  "tradable",
  "liquid",
  "spare",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "finestPrice",
  "finestQuantity",
];

/** The largest output of one generator, and of all generators in one text of a request. */
export const mostGenerated = 1_000_000;

/** Finds a mistake in the argument of a generator before the run; undefined for a correct one. */
const rules: Readonly<Record<string, (argument: Value) => string | undefined>> = {
  $uuid4: (argument) => (typeof argument === "string" ? undefined : "expects a symbolic name: { $uuid4: a }"),
  $uuid: (argument) =>
    isMap(argument) && ([1, 4, 7].includes(Number(argument["version"])) || isNeighbour(argument))
      ? undefined
      : "expects { version: 1, 4 or 7 } and prefix: the first characters when they matter, or { like: uuid, at: index }",
  $now: (argument) => (argument === "ms" || argument === "iso" ? undefined : "expects ms or iso"),
  $int: (argument) =>
    isList(argument) && argument.length === 2 && argument.every((end) => typeof end === "number")
      ? undefined
      : "expects [lowest, highest]",
  $pick: (argument) => (isList(argument) && argument.length > 0 ? undefined : "expects a list to pick from"),
  $product: oneOf(productKinds),
  $pair: (argument) =>
    isMap(argument) && typeof argument["product"] === "string" && typeof argument["form"] === "string"
      ? undefined
      : "expects { product, form: text with {base} and {quote} }",
  $price: (argument) => {
    const fits =
      isMap(argument) &&
      ["BUY", "SELL"].includes(String(argument["side"])) &&
      ["far", "near", "cross"].includes(String(argument["away"]));
    return fits || isOpen(argument) ? undefined : "expects { side: BUY or SELL, away: far, near or cross }";
  },
  $step: (argument) =>
    isMap(argument) && ["price", "quantity", "value"].includes(String(argument["of"]))
      ? undefined
      : "expects { of: price, quantity or value }",
  $qty: (argument) => sizeProblem(isMap(argument) ? (argument["size"] ?? null) : argument),
  $spend: (argument) => oneOf(["min", "typical"])(isMap(argument) ? (argument["size"] ?? null) : argument),
  $fact: (argument) =>
    typeof argument === "string" ? undefined : "expects the name of a fact in the profile",
  $calc: (argument) =>
    typeof argument === "string" ? checkCalc(argument) : "expects an expression in quotes",
  $merge: (argument) =>
    isList(argument) && argument.length > 1 ? undefined : "expects a list of mappings to merge",
  $json: (argument) => (typeof argument === "string" ? undefined : "expects JSON text in quotes"),
  $zeros: (argument) =>
    isMap(argument) && argument["after"] !== undefined && isCount(argument["count"])
      ? undefined
      : `expects { after: decimal, count: how many zeros } with at most ${mostGenerated} zeros`,
  $repeat: (argument) =>
    isMap(argument) &&
    typeof argument["text"] === "string" &&
    isCount(argument["times"]) &&
    argument["text"].length * argument["times"] <= mostGenerated
      ? undefined
      : `expects { text, times } that make at most ${mostGenerated} characters`,
};

const isCount = (value: Value | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= mostGenerated;

/** A UUID that differs from another one in one hex digit, but not in a hyphen, the version or the variant. */
function isNeighbour(argument: ValueMap): boolean {
  const at = Number(argument["at"]);
  return argument["like"] !== undefined && at >= 0 && at <= 35 && ![8, 13, 14, 18, 19, 23].includes(at);
}

export const generatorNames: readonly string[] = Object.keys(rules);

export function generatorProblem(name: string, argument: Value): string | undefined {
  return isOpen(argument) ? undefined : rules[name]?.(argument);
}

const sizeProblem = oneOf(["min", "typical", "max"]);

function oneOf(words: readonly string[]): (argument: Value) => string | undefined {
  return (argument) =>
    words.some((word) => word === argument) ? undefined : `expects one of ${words.join(", ")}`;
}
