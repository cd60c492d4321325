import type { Difference } from "../model/finding.ts";
import type { Json } from "../model/json.ts";
import type { Value, ValueMap } from "../model/value.ts";

/**
 * The place of a matched value in a reply: its pointer, and the object that contains it, whose fields `$calc` may name.
 */
export interface Place {
  readonly pointer: string;
  readonly around?: Json;
  readonly clause?: string;
  /** The value is a status: `4xx` is a class of numbers, not a text. */
  readonly isStatus?: true;
}

/** The services of a run for matchers: captured values, decimals by name, and recording a label. */
export interface MatchContext {
  readonly lookup: (name: string) => Json | undefined;
  readonly decimal: (name: string) => string | undefined;
  readonly record: (pointer: string, text: string) => void;
}

export interface MatcherCall {
  readonly argument: Value;
  /** The whole mapping, for companions such as `flags` beside `$re`. */
  readonly whole: ValueMap;
  readonly actual: Json | undefined;
  readonly place: Place;
  readonly context: MatchContext;
  /** Matches an inner value. */
  readonly match: (matcher: Value, actual: Json | undefined, place: Place) => Difference[];
}

export interface Matcher {
  /** Keys without `$` that are allowed beside it. */
  readonly companions: readonly string[];
  readonly run: (call: MatcherCall) => Difference[];
  /** The lint of the matcher: finds a mistake in the argument before the run. */
  readonly lint?: (argument: Value, whole: ValueMap) => string | undefined;
  /** The matchers inside the argument, so that lint reaches them. */
  readonly inner?: (argument: Value, whole: ValueMap) => readonly Value[];
}

export const noDifference: Difference[] = [];

export function difference(place: Place, expected: string, actual: string): Difference[] {
  const found = { pointer: place.pointer, expected, actual };
  return [place.clause === undefined ? found : { ...found, clause: place.clause }];
}

/** For matchers that need no data of a run: the field tables. */
export const noContext: MatchContext = {
  lookup: () => undefined,
  decimal: () => undefined,
  record: () => undefined,
};
