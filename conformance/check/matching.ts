import type { Difference } from "../model/finding.ts";
import type { Json } from "../model/json.ts";
import type { Value, ValueMap } from "../model/value.ts";

/** Where in a reply a matcher stands: its pointer and the object around it, whose fields `$calc` may name. */
export interface Place {
  readonly pointer: string;
  readonly around?: Json;
  readonly clause?: string;
  /** A status stands here: `4xx` is a class of numbers, not a text. */
  readonly isStatus?: true;
}

/** What matchers may ask of the run: captured values, decimals by name, and to remember a label. */
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
  /** Matching again, further down. */
  readonly match: (matcher: Value, actual: Json | undefined, place: Place) => Difference[];
}

export interface Matcher {
  /** Keys without `$` that may stand beside it. */
  readonly companions: readonly string[];
  readonly run: (call: MatcherCall) => Difference[];
  /** What is wrong with the argument, found before the run; the matcher's lint. */
  readonly lint?: (argument: Value, whole: ValueMap) => string | undefined;
  /** The matchers inside the argument, so that lint reaches them. */
  readonly inner?: (argument: Value, whole: ValueMap) => readonly Value[];
}

export const noDifference: Difference[] = [];

export function difference(place: Place, expected: string, actual: string): Difference[] {
  const found = { pointer: place.pointer, expected, actual };
  return [place.clause === undefined ? found : { ...found, clause: place.clause }];
}

/** For matchers that need nothing from a run: the field tables. */
export const noContext: MatchContext = {
  lookup: () => undefined,
  decimal: () => undefined,
  record: () => undefined,
};
