import { hasFormat } from "../contract/formats.ts";
import { isOpen } from "../model/expr.ts";
import { isMap, type Value } from "../model/value.ts";
import { describeJson, describeValue } from "./describe.ts";
import { difference, type MatchContext, type Matcher, noDifference } from "./matching.ts";

/**
 * `$instant: { gte, lte, near + seconds }` compares points in time: ISO 8601 text with any zone, or milliseconds since
 * the epoch as text, the form of a signed timestamp. Known limit: precise to the millisecond; finer digits are ignored.
 */
const bounds = ["gte", "lte", "near"] as const;

export const instantMatcher: Matcher = {
  companions: [],
  lint: (argument) => {
    if (!isMap(argument)) return "expects { gte, lte, near } with points in time";
    const wrong = Object.keys(argument).find(
      (key) => key !== "seconds" && !bounds.some((name) => name === key),
    );
    if (wrong !== undefined) return `has no "${wrong}": use ${bounds.join(", ")} and seconds`;
    if (!bounds.some((name) => argument[name] !== undefined)) return "compares with gte, lte or near";
    if (argument["near"] !== undefined && typeof argument["seconds"] !== "number")
      return "near needs seconds";
    return bounds.map((name) => boundProblem(argument[name])).find((problem) => problem !== undefined);
  },
  run: ({ argument, actual, place, context }) => {
    const wanted = isMap(argument) ? argument : {};
    const found = typeof actual === "string" ? instantOf(actual) : undefined;
    const holds = bounds.every((name) => {
      const bound = boundOf(wanted[name], context);
      return bound === undefined || compares(name, found, instantOf(bound), Number(wanted["seconds"] ?? 0));
    });
    return holds && found !== undefined
      ? noDifference
      : difference(place, `a time ${describeValue(argument)}`, describeJson(actual));
  },
};

function compares(
  name: (typeof bounds)[number],
  found: number | undefined,
  bound: number | undefined,
  seconds: number,
): boolean {
  if (found === undefined || bound === undefined) return false;
  if (name === "near") return Math.abs(found - bound) <= seconds * 1000;
  return name === "gte" ? found >= bound : found <= bound;
}

/** `{ $eqVar: name }` is a captured time; a time that the target never showed is no bound. */
function boundOf(bound: Value | undefined, context: MatchContext): string | undefined {
  if (!isMap(bound)) return bound === undefined ? undefined : String(bound);
  const captured = context.lookup(String(bound["$eqVar"]));
  return typeof captured === "string" ? captured : undefined;
}

function boundProblem(bound: Value | undefined): string | undefined {
  if (bound === undefined || (isMap(bound) && bound["$eqVar"] !== undefined)) return undefined;
  if (isOpen(bound)) return undefined;
  return instantOf(String(bound)) === undefined
    ? `${describeValue(bound)} is not a point in time`
    : undefined;
}

/** Milliseconds since the epoch; undefined when the text is not a point in time. */
export function instantOf(text: string): number | undefined {
  if (/^\d{12,14}$/.test(text)) return Number(text);
  return hasFormat("iso8601", text) ? Date.parse(text.replace(/(\.\d{3})\d+/, "$1")) : undefined;
}
