import { formatNames, hasFormat } from "../contract/formats.ts";
import { isInteger, type Json, JsonNumber, JsonObject, kindOf } from "../model/json.ts";
import { isList, type Value } from "../model/value.ts";
import { CalcProblem, checkCalc } from "./calc.ts";
import { parseDecimal, plain } from "./decimal.ts";
import { describeForText, describeJson, describeValue } from "./describe.ts";
import { instantMatcher } from "./matcher-instant.ts";
import { difference, type Matcher, type MatcherCall, noDifference } from "./matching.ts";
import { decimalMismatch, decimalProblem } from "./relation.ts";
import { fitsPattern, patternProblem } from "./text-pattern.ts";

/** Matchers for one value: decimals, types, formats, patterns, captured values. */
export const valueMatchers: Readonly<Record<string, Matcher>> = {
  $dec: {
    companions: ["grammar"],
    lint: (argument, whole) => {
      const grammar = whole["grammar"] ?? "strict";
      return grammar === "strict" || grammar === "lax"
        ? decimalProblem(argument)
        : "grammar is strict or lax";
    },
    run: (call) => matchDecimal(call, call.argument, call.whole["grammar"] === "lax" ? "lax" : "strict"),
  },
  $decVar: {
    companions: [],
    lint: (argument) =>
      typeof argument === "string" ? checkCalc(argument) : "expects an expression such as qty * price",
    run: (call) => matchDecimal(call, { $calc: call.argument }, "strict"),
  },
  $type: {
    companions: [],
    lint: (argument) =>
      [argument]
        .flat()
        .map(typeProblem)
        .find((problem) => problem !== undefined),
    run: (call) => {
      const wanted = [call.argument].flat().map(String);
      const { actual } = call;
      const fits = actual !== undefined && wanted.some((type) => isOfType(actual, type));
      return fits
        ? noDifference
        : difference(call.place, `type ${wanted.join(" or ")}`, describeForText(actual));
    },
  },
  $format: {
    companions: [],
    lint: (argument) =>
      formatNames.some((name) => name === argument) ? undefined : `expects one of ${formatNames.join(", ")}`,
    run: (call) => {
      const format = formatNames.find((name) => name === call.argument);
      const fits = typeof call.actual === "string" && format !== undefined && hasFormat(format, call.actual);
      return fits
        ? noDifference
        : difference(call.place, `a string in format ${String(format)}`, describeForText(call.actual));
    },
  },
  $instant: instantMatcher,
  $re: {
    companions: ["flags"],
    lint: (argument, whole) =>
      typeof argument === "string"
        ? patternProblem(argument, String(whole["flags"] ?? ""))
        : "expects a pattern",
    run: matchPattern,
  },
  // Works for texts of any length: a pattern matches no text beyond its limit, but a leaked secret may be in a long
  // text.
  $contains: {
    companions: [],
    lint: (argument) =>
      typeof argument === "string" && argument !== "" ? undefined : "expects text that is not empty",
    run: (call) => {
      const part = String(call.argument).toLowerCase();
      const fits = typeof call.actual === "string" && call.actual.toLowerCase().includes(part);
      return fits
        ? noDifference
        : difference(
            call.place,
            `text with ${describeValue(call.argument)} in it`,
            describeJson(call.actual),
          );
    },
  },
  $in: {
    companions: [],
    lint: (argument) => (isList(argument) && argument.length > 0 ? undefined : "expects a list of values"),
    run: (call) => {
      const values = isList(call.argument) ? call.argument : [];
      const fits = values.some((value) => call.match({ $eq: value }, call.actual, call.place).length === 0);
      return fits
        ? noDifference
        : difference(call.place, `one of ${describeValue(values)}`, describeJson(call.actual));
    },
  },
  $eq: {
    companions: [],
    run: (call) =>
      isEqual(call.argument, call.actual)
        ? noDifference
        : difference(call.place, describeValue(call.argument), describeJson(call.actual)),
  },
  $json: {
    companions: [],
    lint: (argument) => (typeof argument === "string" ? undefined : "expects JSON text in quotes"),
    run: (call) => {
      const fits = call.actual instanceof JsonNumber && sameNumber(call.actual.lexeme, String(call.argument));
      return fits
        ? noDifference
        : difference(call.place, `number ${String(call.argument)}`, describeJson(call.actual));
    },
  },
  $eqVar: { companions: [], lint: nameProblem, run: (call) => compareWithVariable(call, true) },
  $neVar: { companions: [], lint: nameProblem, run: (call) => compareWithVariable(call, false) },
};

const types = ["string", "number", "integer", "boolean", "null", "array", "object"] as const;

function typeProblem(argument: Value): string | undefined {
  return types.some((type) => type === argument) ? undefined : `expects one of ${types.join(", ")}`;
}

function isOfType(actual: Json, type: string): boolean {
  return type === "integer" ? isInteger(actual) : kindOf(actual) === type;
}

function nameProblem(argument: Value): string | undefined {
  return typeof argument === "string" ? undefined : "expects the name of a variable";
}

/** GEN-04 is part of the matcher: a decimal on the wire is a JSON string, so a number never matches. */
function matchDecimal(call: MatcherCall, argument: Value, grammar: "strict" | "lax") {
  const { actual, place } = call;
  if (typeof actual !== "string") return difference(place, "a decimal string", describeForText(actual));
  const decimal = parseDecimal(actual, grammar);
  if (decimal === undefined)
    return difference(place, `a decimal string (${grammar} grammar)`, describeJson(actual));
  const names = { calc: (name: string) => call.context.decimal(name) ?? fieldAround(call, name) };
  try {
    const expected = decimalMismatch(actual, decimal, argument, names);
    return expected === undefined
      ? noDifference
      : difference(place, expected, `${describeJson(actual)} = ${plain(decimal)}`);
  } catch (error) {
    if (error instanceof CalcProblem)
      return difference(place, `${describeValue(argument)} (${error.message})`, actual);
    throw error;
  }
}

/** `$calc` may name a decimal field of the object that contains the value: `filledValue / filledQuantity @ 8`. */
function fieldAround(call: MatcherCall, name: string): string | undefined {
  const { around } = call.place;
  const field = around instanceof JsonObject ? around.get(name) : undefined;
  return typeof field === "string" ? field : undefined;
}

function matchPattern(call: MatcherCall) {
  const { actual, place } = call;
  const source = String(call.argument);
  if (typeof actual !== "string")
    return difference(place, `a string like /${source}/`, describeForText(actual));
  const fits = fitsPattern(source, String(call.whole["flags"] ?? ""), actual);
  return fits ? noDifference : difference(place, `a string like /${source}/`, describeForText(actual));
}

function compareWithVariable(call: MatcherCall, wantEqual: boolean) {
  const name = String(call.argument);
  const expected = call.context.lookup(name);
  const equal = expected !== undefined && call.actual !== undefined && sameJson(expected, call.actual);
  if (expected !== undefined && equal === wantEqual) return noDifference;
  const word = wantEqual ? "equal to" : "different from";
  return difference(call.place, `${word} ${name} = ${describeJson(expected)}`, describeJson(call.actual));
}

/** JSON-typed equality with a scenario literal: "1", 1 and true are three different values. */
export function isEqual(wanted: Value, actual: Json | undefined): boolean {
  if (actual === undefined) return false;
  if (typeof wanted === "number")
    return actual instanceof JsonNumber && sameNumber(actual.lexeme, String(wanted));
  if (isList(wanted)) {
    return (
      Array.isArray(actual) &&
      actual.length === wanted.length &&
      wanted.every((item, index) => isEqual(item, (actual as readonly Json[])[index]))
    );
  }
  if (typeof wanted === "object" && wanted !== null) {
    if ("$json" in wanted)
      return actual instanceof JsonNumber && sameNumber(actual.lexeme, String(wanted["$json"]));
    const keys = Object.keys(wanted);
    return (
      actual instanceof JsonObject &&
      actual.entries.size === keys.length &&
      keys.every((key) => isEqual(wanted[key] ?? null, actual.get(key)))
    );
  }
  return wanted === actual;
}

export function sameJson(left: Json, right: Json): boolean {
  if (left instanceof JsonNumber) return right instanceof JsonNumber && sameNumber(left.lexeme, right.lexeme);
  if (left instanceof JsonObject) {
    return (
      right instanceof JsonObject &&
      left.entries.size === right.entries.size &&
      [...left.entries].every(([key, value]) => {
        const other = right.get(key);
        return other !== undefined && sameJson(value, other);
      })
    );
  }
  if (Array.isArray(left)) {
    const items: readonly Json[] = left;
    return (
      Array.isArray(right) &&
      right.length === items.length &&
      items.every((item, index) => sameJson(item, (right as readonly Json[])[index] ?? null))
    );
  }
  return left === right;
}

function sameNumber(left: string, right: string): boolean {
  if (left === right) return true;
  const [a, b] = [parseDecimal(left, "lax"), parseDecimal(right, "lax")];
  return a !== undefined && b !== undefined && a.eq(b);
}
