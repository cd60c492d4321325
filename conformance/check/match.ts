import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { describeJson, describeValue } from "./describe.ts";
import { shapeMatchers } from "./matchers-shape.ts";
import { isEqual, valueMatchers } from "./matchers-value.ts";
import { difference, type MatchContext, type Matcher, noDifference, type Place } from "./matching.ts";
import { expandValueMacro, valueMacroProblem } from "./value-macros.ts";

/** Every matcher of the format by its `$name`. */
export const matchers: Readonly<Record<string, Matcher>> = {
  ...valueMatchers,
  ...shapeMatchers,
  $macro: {
    companions: [],
    lint: (argument) => (typeof argument === "string" ? valueMacroProblem(argument) : "expects a macro name"),
    run: (call) => call.match(expandValueMacro(String(call.argument)), call.actual, call.place),
  },
};

/** Matchers without a required argument may be written as a bare word: `message: $any`. */
export const bareMatchers = ["$any", "$absent", "$present"];

const here: Place = { pointer: "" };

/**
 * Matches a value with a matcher. A mapping without `$` keys is a subset match, a list matches by length and order, a
 * scalar by JSON-typed equality. All differences are returned, not only the first.
 */
export function match(
  matcher: Value,
  actual: Json | undefined,
  context: MatchContext,
  place: Place = here,
): Difference[] {
  const again = (inner: Value, value: Json | undefined, at: Place) => match(inner, value, context, at);
  if (typeof matcher === "string" && bareMatchers.includes(matcher)) {
    return match({ [matcher]: true }, actual, context, place);
  }
  if (place.isStatus === true && typeof matcher === "string" && /^[1-5]xx$/.test(matcher)) {
    const fits = actual instanceof JsonNumber && actual.lexeme.startsWith(matcher.slice(0, 1));
    return fits ? noDifference : difference(place, matcher, describeJson(actual));
  }
  if (isList(matcher)) return matchList(matcher, actual, place, again);
  if (!isMap(matcher)) {
    return isEqual(matcher, actual)
      ? noDifference
      : difference(place, describeValue(matcher), describeJson(actual));
  }
  const named = Object.keys(matcher).filter((key) => key.startsWith("$"));
  if (named.length === 0) return matchFields(matcher, actual, place, again);
  return named.flatMap((name) => {
    const definition = matchers[name];
    if (definition === undefined)
      throw new Error(`unknown matcher ${name} reached the run: lint should have refused it`);
    return definition.run({
      argument: matcher[name] ?? null,
      whole: matcher,
      actual,
      place,
      context,
      match: again,
    });
  });
}

type Again = (matcher: Value, actual: Json | undefined, place: Place) => Difference[];

function matchFields(fields: ValueMap, actual: Json | undefined, place: Place, again: Again): Difference[] {
  if (!(actual instanceof JsonObject)) return difference(place, "an object", describeJson(actual));
  return Object.entries(fields).flatMap(([key, matcher]) =>
    again(matcher, actual.get(key), {
      ...place,
      pointer: `${place.pointer}/${escapeKey(key)}`,
      around: actual,
    }),
  );
}

function matchList(
  items: readonly Value[],
  actual: Json | undefined,
  place: Place,
  again: Again,
): Difference[] {
  if (!isArray(actual)) return difference(place, "an array", describeJson(actual));
  if (actual.length !== items.length)
    return difference(place, `${items.length} items`, `${actual.length} items`);
  return items.flatMap((item, index) =>
    again(item, actual[index], { ...place, pointer: `${place.pointer}/${index}` }),
  );
}

const escapeKey = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
