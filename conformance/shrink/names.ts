/** The names in a scenario: those that a step leaves for others, and those that it takes from them. */
import { variablesIn } from "../model/expr.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";

type Steps = readonly ValueMap[];

/** Where a scenario has steps of its own. */
export const sections = ["setup", "steps", "cleanup"] as const;

export const stepsIn = (value: Value | undefined): ValueMap[] => (isList(value) ? value.filter(isMap) : []);

/** The lists of steps inside a step. */
function innerLists(step: ValueMap): ValueMap[][] {
  const { concurrent, repeat, group } = step;
  const branches = isMap(concurrent) && isList(concurrent["branches"]) ? concurrent["branches"] : [];
  const nested = [repeat, group].map((one) => (isMap(one) ? stepsIn(one["steps"]) : stepsIn(one)));
  return [...branches.map(stepsIn), ...nested].filter(({ length }) => length > 0);
}

/** Its own name, its captures and lists, and those of the steps inside it. */
export function definedBy(step: ValueMap): string[] {
  const { id, capture, concurrent, repeat, ws } = step;
  const until = isMap(ws) ? [ws["until"], ws["collect"]] : [];
  const listed = [concurrent, repeat, ...until].flatMap((one) =>
    isMap(one) ? [one["collect"], one["as"]] : [],
  );
  return [
    ...[id, ...listed].filter((name) => typeof name === "string"),
    ...(isMap(capture) ? Object.keys(capture) : []),
    ...innerLists(step).flatMap((list) => list.flatMap(definedBy)),
  ];
}

/** Keys whose text names steps, lists or variables without `${…}`. */
const bare: ReadonlySet<string> = new Set(
  "$calc $decVar reuse of in history unique multiset numbered book equals".split(" "),
);

function namesBelow(value: Value, names = new Set<string>(), key = ""): Set<string> {
  if (typeof value === "string") {
    for (const name of variablesIn(value, key)) names.add(name);
    if (bare.has(key)) for (const [name] of value.matchAll(/[A-Za-z_]\w*/g)) names.add(name);
  } else if (isList(value)) for (const item of value) namesBelow(item, names, key);
  else if (isMap(value)) for (const [inner, item] of Object.entries(value)) namesBelow(item, names, inner);
  return names;
}

const known = new WeakMap<ValueMap, ReadonlySet<string>>();

/** The names that a step uses. It is asked for each of many candidates. */
function usedBy(step: ValueMap): ReadonlySet<string> {
  const names = known.get(step) ?? namesBelow(step);
  known.set(step, names);
  return names;
}

/** Those of `names` that the step takes from others. */
function takenBy(step: ValueMap, names: ReadonlySet<string>): string[] {
  const own = new Set(definedBy(step));
  return [...usedBy(step)].filter((name) => names.has(name) && !own.has(name));
}

/**
 * The steps without which the one at `last` means something else: those that made what it names, and those that dealt
 * with the same things before it.
 */
export function sliceOf(document: ValueMap, last: number): ReadonlySet<number> {
  const steps = stepsIn(document["steps"]).slice(0, last + 1);
  const end = steps[last];
  if (end === undefined) return new Set();
  const names = namesIn(document);
  const made = [...withMakers(steps, new Set([last]))].map((index) => steps[index] ?? {});
  const things = new Set(made.flatMap((step) => [...definedBy(step), ...takenBy(step, names)]));
  const touches = (step: ValueMap): boolean =>
    [...definedBy(step), ...takenBy(step, names)].some((name) => things.has(name));
  const touching = steps.flatMap((step, index) => (touches(step) ? [index] : []));
  return withMakers(steps, new Set(touching));
}

/** The scenario up to this step, with nothing but what it depends on. */
export function sliceUpTo(document: ValueMap, id: string): ValueMap {
  const steps = stepsIn(document["steps"]);
  const slice = sliceOf(
    document,
    steps.findIndex((step) => definedBy(step).includes(id)),
  );
  return closed({ ...document, steps: steps.filter((_, index) => slice.has(index)) }, document);
}

/** The last `count` steps, with those that made what they name. */
export function endOf(document: ValueMap, count: number): ValueMap {
  const steps = stepsIn(document["steps"]);
  const last = [...steps.keys()].slice(Math.max(0, steps.length - count));
  const kept = withMakers(steps, new Set(last));
  return closed({ ...document, steps: steps.filter((_, index) => kept.has(index)) }, document);
}

/** The names of all steps and variables. */
function namesIn(document: ValueMap): ReadonlySet<string> {
  const vars = isMap(document["vars"]) ? Object.keys(document["vars"]) : [];
  const steps = sections.flatMap((section) => stepsIn(document[section]));
  return new Set([...vars, ...steps.flatMap(definedBy)]);
}

function withMakers(steps: Steps, kept: Set<number>): ReadonlySet<number> {
  const makers = new Map(
    steps.flatMap((step, index) => definedBy(step).map((name) => [name, index] as const)),
  );
  const names = new Set(makers.keys());
  // A step that is added is looked at as well.
  for (const index of kept)
    for (const name of takenBy(steps[index] ?? {}, names)) kept.add(makers.get(name) ?? index);
  return kept;
}

/** The scenario without the steps that use what no step makes any more, and without variables that nothing names. */
export function closed(document: ValueMap, before: ValueMap): ValueMap {
  const all = sections.flatMap((section) => stepsIn(before[section]));
  const made = all.flatMap(definedBy);
  let whole = document;
  for (;;) {
    const left = new Set(sections.flatMap((section) => stepsIn(whole[section])).flatMap(definedBy));
    const gone = new Set(made.filter((name) => !left.has(name)));
    const next = gone.size === 0 ? whole : withoutUsers(whole, gone);
    if (next === whole) return withoutIdleVars(whole);
    whole = next;
  }
}

function withoutUsers(document: ValueMap, gone: ReadonlySet<string>): ValueMap {
  const fits = (step: ValueMap): boolean => [...usedBy(step)].every((name) => !gone.has(name));
  const lists = sections.flatMap((section) => {
    const steps = stepsIn(document[section]);
    const left = steps.filter(fits);
    return left.length === steps.length ? [] : [[section, left] as const];
  });
  return lists.length === 0 ? document : { ...document, ...Object.fromEntries(lists) };
}

function withoutIdleVars(document: ValueMap): ValueMap {
  const { vars } = document;
  if (!isMap(vars)) return document;
  const names = new Set(
    sections.flatMap((section) => stepsIn(document[section])).flatMap((step) => [...usedBy(step)]),
  );
  for (const row of stepsIn(document["rows"])) for (const name of usedBy(row)) names.add(name);
  // A variable may name others.
  for (const name of names) {
    const value = vars[name];
    if (value !== undefined) for (const inner of namesBelow(value)) names.add(inner);
  }
  const used = Object.fromEntries(Object.entries(vars).filter(([name]) => names.has(name)));
  const hasNone = Object.keys(used).length === 0;
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]) =>
      key !== "vars" ? [[key, value] as const] : hasNone ? [] : [[key, used] as const],
    ),
  );
}
