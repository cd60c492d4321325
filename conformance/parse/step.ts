import { durationMs } from "../model/duration.ts";
import type { Condition, Expectation } from "../model/language.ts";
import type { Path } from "../model/position.ts";
import {
  actionNames,
  type GroupStep,
  type Law,
  type Step,
  type StreamAction,
  streamActionNames,
  strengths,
  type WaitFrom,
} from "../model/step.ts";
import { asMap, isList, type Value, type ValueMap } from "../model/value.ts";
import type { Source } from "./source.ts";

/**
 * The one reader of steps: from the values of a file to the tree of `model/step.ts`. It also reads a file that the
 * schema refuses, so that lint reports all mistakes in one round, but such a file is never run. So calls and
 * expectations have the types of the tree wherever a case runs, but lint and effort must not rely on them.
 */
export function toSteps(source: Source, value: Value | undefined, path: Path): Step[] {
  return maps(value).map((step, index) => toStep(source, step, [...path, index]));
}

function toStep(source: Source, step: ValueMap, path: Path): Step {
  const timeoutMs = durationOf(step["timeout"]);
  const when = step["when"] === undefined ? undefined : as<Condition>(step["when"]);
  const traits = {
    ...textIn(step, "id"),
    rows: maps(step["rows"]),
    ...textIn(step, "note"),
    ...(when === undefined ? {} : { when }),
    spec: [step["spec"] ?? []].flat().map(String),
    onFail: oneOf(["stop", "continue", "block"], step["onFail"]) ?? "stop",
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    assertions: Object.fromEntries(
      strengths.flatMap((key) => (step[key] === undefined ? [] : [[key, as<Expectation>(step[key])]])),
    ),
    capture: asMap(step["capture"]),
    position: source.positionOf(path),
    path,
  };
  const action = actionNames.find((name) => step[name] !== undefined) ?? "call";
  const value = step[action];
  const stepsIn = (inner: Value | undefined, ...below: Path): Step[] =>
    toSteps(source, inner, [...path, action, ...below]);
  return readers[action]({ traits, value, block: asMap(value), stepsIn });
}

/** The source of an action: the other members of its step, the value under its name, and its position. */
interface ActionSource {
  readonly traits: Omit<GroupStep, "action" | "steps">;
  readonly value: Value | undefined;
  /** The value, if it is a mapping. */
  readonly block: ValueMap;
  readonly stepsIn: (value: Value | undefined, ...path: Path) => Step[];
}

const readers: {
  readonly [A in Step["action"]]: (from: ActionSource) => Extract<Step, { readonly action: A }>;
} = {
  call: ({ traits, block }) => ({ ...traits, action: "call", call: as(block) }),
  raw: ({ traits, block }) => ({ ...traits, action: "raw", raw: as(block) }),
  ws: ({ traits, block }) => ({
    ...traits,
    action: "ws",
    on: textOf(block["on"]) ?? "main",
    does: streamActionOf(block),
  }),
  poll: ({ traits, block }) => ({
    ...traits,
    action: "poll",
    call: as(block["call"]),
    until: as(block["until"]),
    everyMs: durationOf(block["every"]) ?? 300,
    withinMs: durationOf(block["within"]) ?? 5_000,
    stable: numberOf(block["stable"]) ?? 1,
    backoff: numberOf(block["backoff"]) ?? 1,
  }),
  never: ({ traits, block }) => ({
    ...traits,
    action: "never",
    call: as(block["call"]),
    match: as(block["match"]),
    everyMs: durationOf(block["every"]) ?? 250,
    forMs: durationOf(block["for"]) ?? 1_000,
  }),
  concurrent: ({ traits, block, stepsIn }) => ({
    ...traits,
    action: "concurrent",
    release: oneOf(["barrier", "stagger", "none"], block["release"]) ?? "barrier",
    fanout: numberOf(block["fanout"]) ?? 1,
    branches: listOf(block["branches"]).map((branch, index) => stepsIn(branch, "branches", index)),
    ...textIn(block, "collect"),
  }),
  repeat: ({ traits, block, stepsIn }) => ({
    ...traits,
    action: "repeat",
    times: numberOf(block["times"]) ?? 1,
    ...textIn(block, "as"),
    steps: stepsIn(block["steps"], "steps"),
  }),
  group: ({ traits, block, stepsIn }) => ({
    ...traits,
    action: "group",
    steps: stepsIn(block["steps"], "steps"),
  }),
  use: ({ traits, value, block }) => ({
    ...traits,
    action: "use",
    fragment: textOf(value) ?? textOf(block["fragment"]) ?? "",
    with: asMap(block["with"]),
  }),
  assert: ({ traits, block }) => ({
    ...traits,
    action: "assert",
    ...valueIn(block, "left"),
    ...valueIn(block, "is"),
    ...textIn(block, "of"),
  }),
  check: ({ traits, block }) => {
    const law = lawOf(block);
    return { ...traits, action: "check", ...(law === undefined ? {} : { law }) };
  },
  clock: ({ traits, block }) => ({
    ...traits,
    action: "clock",
    clock: {
      ...textIn(block, "advance"),
      ...textIn(block, "set"),
      ...(block["freeze"] === true ? { freeze: true } : {}),
    },
  }),
  inject: ({ traits, block }) => ({ ...traits, action: "inject", fault: block }),
  sleep: ({ traits, value }) => ({ ...traits, action: "sleep", forMs: durationOf(value) ?? 0 }),
};

const waitFrom = ["connect", "now", "read"] as const satisfies readonly WaitFrom[];

/** Undefined if the step names no action; lint reports a step that names several. */
function streamActionOf(block: ValueMap): StreamAction {
  const kind = streamActionNames.find((name) => block[name] !== undefined) ?? "closed";
  const inner = asMap(block[kind]);
  const from = oneOf(waitFrom, inner["from"]) ?? "read";
  const match = as<Expectation>(inner["match"]);
  const withinMs = durationOf(inner["within"]) ?? 5_000;
  const forMs = durationOf(inner["for"]) ?? 1_000;
  switch (kind) {
    case "connect":
      return { kind, connect: as(inner) };
    case "subscribe":
      return { kind, subscribe: as(inner) };
    case "unsubscribe":
      return { kind, unsubscribe: as(inner) };
    case "send":
      return { kind, send: as(inner) };
    case "frames":
      return { kind, frames: as(inner) };
    case "expect":
      return { kind, match, withinMs, from };
    case "until":
      return { kind, match, withinMs, from, ...textIn(inner, "collect") };
    case "collect":
      return {
        kind,
        forMs,
        as: textOf(inner["as"]) ?? "",
        ...(inner["match"] === undefined ? {} : { match }),
        from,
      };
    case "none":
      return { kind, match, forMs, from };
    case "close":
      return { kind, close: as(inner) };
    case "closed":
      return { kind, closed: as(inner) };
    default:
      return kind satisfies never;
  }
}

function lawOf(check: ValueMap): Law | undefined {
  const { linearizable, history, unique, multiset, is, numbered, book, equals, prices } = check;
  const inside = check["in"];
  if (linearizable !== undefined && history !== undefined)
    return { kind: "linearizable", of: names(history) };
  if (multiset !== undefined && is !== undefined) return { kind: "multiset", of: names(multiset), is };
  if (unique !== undefined && inside !== undefined)
    return { kind: "unique", of: names(inside), pointer: String(unique) };
  if (book !== undefined && equals !== undefined)
    return { kind: "book", of: names(book), equals: String(equals) };
  if ((prices === "bids" || prices === "asks") && inside !== undefined && is !== undefined)
    return { kind: "prices", of: names(inside), side: prices, is };
  return numbered === undefined ? undefined : { kind: "numbered", of: names(numbered) };
}

const names = (value: Value): string[] => [value].flat().map(String);

const listOf = (value: Value | undefined): readonly Value[] => (isList(value) ? value : []);

export const maps = (value: Value | undefined): ValueMap[] => listOf(value).map(asMap);

// as: the schema guarantees this for every file that is run.
const as = <T extends object>(value: Value | undefined): T => asMap(value) as T;

const textOf = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const numberOf = (value: Value | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;

const durationOf = (value: Value | undefined): number | undefined =>
  typeof value === "string" ? durationMs(value) : undefined;

const oneOf = <const W extends string>(words: readonly W[], value: Value | undefined): W | undefined =>
  words.find((word) => word === value);

function textIn<K extends string>(block: ValueMap, key: K): { readonly [P in K]?: string } {
  const value = block[key];
  // as: the only member has this name.
  return (typeof value === "string" ? { [key]: value } : {}) as { readonly [P in K]?: string };
}

function valueIn<K extends string>(block: ValueMap, key: K): { readonly [P in K]?: Value } {
  const value = block[key];
  // as: the only member has this name.
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: Value };
}
