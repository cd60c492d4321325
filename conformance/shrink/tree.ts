import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { sections, stepsIn } from "./names.ts";

/** Where a value is in a scenario. */
export type Place = readonly (string | number)[];

export function valueAt(value: Value | undefined, [key, ...rest]: Place): Value | undefined {
  if (key === undefined) return value;
  const inner = isList(value) ? value[Number(key)] : isMap(value) ? value[key] : undefined;
  return valueAt(inner, rest);
}

/** The same with another value at the place. */
export function withValueAt(value: Value, [key, ...rest]: Place, put: Value): Value {
  if (key === undefined) return put;
  if (isList(value)) return value.map((item, index) => (index === key ? withValueAt(item, rest, put) : item));
  return isMap(value) && value[key] !== undefined
    ? { ...value, [key]: withValueAt(value[key], rest, put) }
    : value;
}

/** Is the value at the place a list of steps? */
export function holdsSteps(place: Place): boolean {
  const last = place.at(-1);
  if (typeof last === "number") return place.at(-2) === "branches";
  return sections.some((section) => section === last);
}

/** Forms of a step that do less, the shortest first. */
export function simplerForms(step: ValueMap): ValueMap[][] {
  const { poll, never, concurrent, group, repeat, ...rest } = step;
  if (isMap(poll)) {
    const { call = {}, until = {} } = poll;
    return [[{ ...rest, call }], [{ ...rest, call, expect: until }]];
  }
  if (isMap(never)) return [[{ ...rest, call: never["call"] ?? {} }]];
  if (isMap(concurrent)) {
    const branches = isList(concurrent["branches"]) ? concurrent["branches"].map(stepsIn) : [];
    return [...branches, branches.flat()];
  }
  const inner = [group, repeat].find(isMap);
  return inner === undefined ? [] : [stepsIn(inner["steps"])];
}

/** Plainer values in place of this one, the plainest first. */
export function plainerValues(value: Value): Value[] {
  if (typeof value === "number") return unlike(value, [1, Math.ceil(value / 2)]);
  if (typeof value !== "string" || !/^\d+(?:\.\d+)?$/.test(value)) return [];
  const [digits = ""] = /^0*\.?0*[1-9]/.exec(value) ?? [];
  const [whole = ""] = value.split(".");
  const rounded =
    digits.includes(".") || whole.length <= digits.length ? digits : digits.padEnd(whole.length, "0");
  return unlike(value, ["1", rounded, whole]);
}

const unlike = (value: Value, plainer: readonly Value[]): Value[] =>
  plainer.filter((one) => one !== value && one !== "" && one !== 0);

/**
 * The scenario without its expectations of answers: the rules for every answer judge the rest. `except` names a
 * step that keeps its own. A client that waited still waits, and goes on when it waited in vain.
 */
export function loosened(document: ValueMap, except?: string): ValueMap {
  const lists = sections.flatMap((section) =>
    document[section] === undefined
      ? []
      : [[section, stepsIn(document[section]).map((step) => loose(step, except))] as const],
  );
  return { ...document, ...Object.fromEntries(lists) };
}

function loose(step: ValueMap, except: string | undefined): ValueMap {
  if (step["id"] !== undefined && step["id"] === except) return step;
  const { expect: _, should: _should, observe: _observe, ...rest } = step;
  const { concurrent, poll } = rest;
  if (isMap(poll)) return waiting(rest, poll);
  if (!isMap(concurrent) || !isList(concurrent["branches"])) return rest;
  const branches = concurrent["branches"].map((branch) => stepsIn(branch).map((one) => loose(one, except)));
  return { ...rest, concurrent: { ...concurrent, branches } };
}

/** It waits for the status of its order; where it waited for anything else, it asks once. */
function waiting({ poll: _, ...rest }: ValueMap, { call = {}, until, ...pace }: ValueMap): ValueMap {
  const status = valueAt(until, ["order", "status"]);
  if (status === undefined) return { ...rest, call };
  return { ...rest, poll: { ...pace, call, until: { order: { status } }, within: "1s" }, onFail: "continue" };
}
