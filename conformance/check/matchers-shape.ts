import { isArray, JsonObject } from "../model/json.ts";
import { isList, isMap, type Value } from "../model/value.ts";
import { describeJson, describeValue, shorten } from "./describe.ts";
import { difference, type Matcher, type MatcherCall, noDifference } from "./matching.ts";
import { appendPointer } from "./pointer.ts";
import { holdsForInteger, integerProblem } from "./relation.ts";

const single = (argument: Value): readonly Value[] => [argument];
const listed = (argument: Value): readonly Value[] => (isList(argument) ? argument : []);
const listProblem = (argument: Value): string | undefined =>
  isList(argument) && argument.length > 0 ? undefined : "expects a list of matchers";

/** Matchers that combine others, test the presence of a value, or judge collections. */
export const shapeMatchers: Readonly<Record<string, Matcher>> = {
  $any: {
    companions: [],
    run: (call) => {
      call.context.record(call.place.pointer, describeJson(call.actual));
      return noDifference;
    },
  },
  $absent: {
    companions: [],
    run: (call) =>
      call.actual === undefined
        ? noDifference
        : difference(call.place, "(missing)", describeJson(call.actual)),
  },
  $present: {
    companions: [],
    run: (call) =>
      call.actual === undefined ? difference(call.place, "a value", "(missing)") : noDifference,
  },
  $nullable: {
    companions: [],
    inner: single,
    run: (call) => (call.actual === null ? noDifference : call.match(call.argument, call.actual, call.place)),
  },
  $optional: {
    companions: [],
    inner: single,
    run: (call) =>
      call.actual === undefined ? noDifference : call.match(call.argument, call.actual, call.place),
  },
  $not: {
    companions: [],
    inner: single,
    run: (call) =>
      call.match(call.argument, call.actual, call.place).length > 0
        ? noDifference
        : difference(call.place, `not ${describeValue(call.argument)}`, describeJson(call.actual)),
  },
  $allOf: {
    companions: [],
    lint: listProblem,
    inner: listed,
    run: (call) => listed(call.argument).flatMap((matcher) => call.match(matcher, call.actual, call.place)),
  },
  $anyOf: {
    companions: [],
    lint: listProblem,
    inner: listed,
    run: (call) => {
      const fits = listed(call.argument).some(
        (matcher) => call.match(matcher, call.actual, call.place).length === 0,
      );
      return fits
        ? noDifference
        : difference(call.place, `any of ${describeValue(call.argument)}`, describeJson(call.actual));
    },
  },
  $oneOf: {
    companions: [],
    lint: (argument) => (isMap(argument) ? undefined : "expects { label: matcher, … }"),
    inner: (argument) => (isMap(argument) ? Object.values(argument) : []),
    run: matchOneOf,
  },
  $cite: {
    companions: ["is"],
    lint: (argument, whole) =>
      typeof argument === "string" && whole["is"] !== undefined
        ? undefined
        : "expects a clause id, and is: matcher",
    inner: (_, whole) => [whole["is"] ?? null],
    run: (call) =>
      call.match(call.whole["is"] ?? null, call.actual, { ...call.place, clause: String(call.argument) }),
  },
  $exact: {
    companions: [],
    lint: (argument) => (isMap(argument) ? undefined : "expects a mapping of fields"),
    inner: single,
    run: (call) => [
      ...call.match(call.argument, call.actual, call.place),
      ...onlyKeys(call, isMap(call.argument) ? Object.keys(call.argument) : []),
    ],
  },
  $only: {
    companions: [],
    lint: (argument) => (isList(argument) ? undefined : "expects a list of key names"),
    run: (call) => onlyKeys(call, listed(call.argument).map(String)),
  },
  $each: { companions: [], inner: single, run: matchEach },
  $some: {
    companions: [],
    inner: single,
    run: (call) =>
      overItems(call, (_, fitting) =>
        fitting > 0
          ? noDifference
          : difference(
              call.place,
              `an item that is ${describeValue(call.argument)}`,
              describeJson(call.actual),
            ),
      ),
  },
  $none: {
    companions: [],
    inner: single,
    run: (call) =>
      overItems(call, (_, fitting) =>
        fitting === 0
          ? noDifference
          : difference(
              call.place,
              `no item that is ${describeValue(call.argument)}`,
              describeJson(call.actual),
            ),
      ),
  },
  $count: {
    companions: [],
    lint: integerProblem,
    run: (call) =>
      overItems(call, (all) =>
        holdsForInteger(all, call.argument)
          ? noDifference
          : difference(call.place, `${describeValue(call.argument)} items`, `${all} items`),
      ),
  },
  $len: {
    companions: [],
    lint: integerProblem,
    run: (call) => {
      const length =
        typeof call.actual === "string"
          ? [...call.actual].length
          : isArray(call.actual)
            ? call.actual.length
            : undefined;
      const fits = length !== undefined && holdsForInteger(length, call.argument);
      return fits
        ? noDifference
        : difference(call.place, `length ${describeValue(call.argument)}`, describeJson(call.actual));
    },
  },
  $unordered: { companions: [], lint: listProblem, inner: listed, run: matchUnordered },
};

/**
 * Exactly one branch must match. Its label is recorded, so that legal variations are distinguished without a judgement.
 */
function matchOneOf(call: MatcherCall) {
  const branches = isMap(call.argument) ? Object.entries(call.argument) : [];
  const results = branches.map(
    ([label, matcher]) => [label, call.match(matcher, call.actual, call.place)] as const,
  );
  const fitting = results.filter(([, found]) => found.length === 0).map(([label]) => label);
  if (fitting.length === 1) {
    call.context.record(call.place.pointer, String(fitting[0]));
    return noDifference;
  }
  const was = fitting.length === 0 ? describeJson(call.actual) : `${fitting.join(" and ")} at once`;
  return difference(call.place, `exactly one of ${branches.map(([label]) => label).join(", ")}`, was);
}

function onlyKeys(call: MatcherCall, keys: readonly string[]) {
  if (!(call.actual instanceof JsonObject))
    return difference(call.place, "an object", describeJson(call.actual));
  const extra = [...call.actual.entries.keys()].filter((key) => !keys.includes(key));
  return extra.length === 0
    ? noDifference
    : difference(call.place, `only the keys ${keys.join(", ")}`, shorten(extra.slice(0, 20).join(", ")));
}

/** `judge` receives the number of items and the number of matching ones. */
function overItems(call: MatcherCall, judge: (all: number, fitting: number) => ReturnType<Matcher["run"]>) {
  const { actual } = call;
  if (!isArray(actual)) return difference(call.place, "an array", describeJson(actual));
  const fitting = actual.filter((item, index) => {
    const pointer = appendPointer(call.place.pointer, index);
    return call.match(call.argument, item, { ...call.place, pointer }).length === 0;
  });
  return judge(actual.length, fitting.length);
}

/** The problems of the first hundred items that do not match are enough. */
const mostUnfit = 100;

function matchEach(call: MatcherCall) {
  const { actual } = call;
  if (!isArray(actual)) return difference(call.place, "an array", describeJson(actual));
  const found: ReturnType<Matcher["run"]>[] = [];
  for (const [index, item] of actual.entries()) {
    const pointer = appendPointer(call.place.pointer, index);
    const differences = call.match(call.argument, item, { ...call.place, pointer });
    if (differences.length > 0 && found.push(differences) === mostUnfit) break;
  }
  return found.flat();
}

/** A greedy assignment would refuse lists that a better one accepts, so every item is tried with every matcher. */
function matchUnordered(call: MatcherCall) {
  const matchers = listed(call.argument);
  const { actual } = call;
  if (!isArray(actual)) return difference(call.place, "an array", describeJson(actual));
  const expected = `in any order ${describeValue(matchers)}`;
  if (actual.length !== matchers.length) return difference(call.place, expected, describeJson(actual));
  const fits = matchers.map((matcher) =>
    actual.map((item) => call.match(matcher, item, call.place).length === 0),
  );
  const taken = new Array<number>(actual.length).fill(-1);
  const place = (matcher: number, seen: Set<number>): boolean =>
    actual.some((_, item) => {
      if (fits[matcher]?.[item] !== true || seen.has(item)) return false;
      seen.add(item);
      const holder = taken[item] ?? -1;
      if (holder !== -1 && !place(holder, seen)) return false;
      taken[item] = matcher;
      return true;
    });
  const matched = matchers.filter((_, index) => place(index, new Set())).length;
  return matched === matchers.length ? noDifference : difference(call.place, expected, describeJson(actual));
}
