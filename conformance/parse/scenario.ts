import type { SafetyClass } from "../model/profile.ts";
import { actionNames, type Scenario, type Step, strengths } from "../model/scenario.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { durationMs } from "./duration.ts";
import { type FragmentSteps, leastSafety } from "./effort.ts";
import type { Path, Source } from "./source.ts";

/** A named list of steps that scenarios share through `use`. */
export interface Fragment {
  readonly name: string;
  readonly vars: ValueMap;
  readonly steps: readonly Step[];
  /** Its steps run once per run, for the first case that uses it; the others get what they left behind. */
  readonly shared: boolean;
}

/** From here on a scenario is typed; the schema has been held against the file before. */
export function toScenario(source: Source, fragments: FragmentSteps = new Map()): Scenario {
  const file = asMap(source.value);
  const stepsAt = (key: string) => toSteps(source, file[key], [key]);
  const requires = asMap(file["requires"]);
  const level = file["level"] as Scenario["level"];
  const certificate = file["certificate"] as Scenario["certificate"];
  const scenario: Omit<Scenario, "safety"> = {
    id: String(file["id"]),
    title: String(file["title"]),
    ...(typeof file["why"] === "string" ? { why: file["why"] } : {}),
    spec: strings(file["spec"]),
    ...(level === undefined ? {} : { level }),
    ...(certificate === undefined ? {} : { certificate }),
    assumes: strings(file["assumes"]),
    tags: strings(file["tags"]),
    requires: {
      capabilities: strings(requires["capabilities"]),
      operations: strings(requires["operations"]),
      routes: strings(requires["routes"]),
      credentials: strings(requires["credentials"]),
      targetFacts: strings(requires["targetFacts"]),
    },
    isolation: (file["isolation"] as Scenario["isolation"] | undefined) ?? "shared",
    timeoutMs: durationMs(String(file["timeout"] ?? "60s")) ?? 60_000,
    vars: asMap(file["vars"]),
    rows: rowsIn(file),
    setup: stepsAt("setup"),
    steps: stepsAt("steps"),
    cleanup: stepsAt("cleanup"),
    ...(isMap(file["origin"]) ? { origin: file["origin"] } : {}),
    cost: costOf(file["cost"]),
    position: source.positionOf(["id"]),
  };
  const stated = file["safety"] as SafetyClass | undefined;
  return { ...scenario, safety: stated ?? leastSafety(scenario, fragments) };
}

export function toFragment(source: Source): Fragment {
  const file = asMap(source.value);
  return {
    name: String(file["fragment"]),
    vars: asMap(file["vars"]),
    steps: toSteps(source, file["steps"], ["steps"]),
    shared: file["shared"] === true,
  };
}

function toSteps(source: Source, value: Value | undefined, path: Path): Step[] {
  return isList(value) ? value.map((step, index) => toStep(source, asMap(step), [...path, index])) : [];
}

function toStep(source: Source, step: ValueMap, path: Path): Step {
  const action = actionNames.find((name) => step[name] !== undefined) ?? "call";
  const argument = step[action] ?? null;
  const inner = asMap(argument);
  const spec = [step["spec"] ?? []].flat().map(String);
  const timeout = step["timeout"] === undefined ? undefined : durationMs(String(step["timeout"]));
  const branches = action === "concurrent" && isList(inner["branches"]) ? inner["branches"] : [];
  return {
    ...(typeof step["id"] === "string" ? { id: step["id"] } : {}),
    action,
    argument,
    rows: isList(step["rows"]) ? step["rows"].map(asMap) : [],
    ...(typeof step["note"] === "string" ? { note: step["note"] } : {}),
    ...(step["when"] === undefined ? {} : { when: step["when"] }),
    spec,
    onFail: onFailures.find((known) => known === step["onFail"]) ?? "stop",
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    assertions: Object.fromEntries(
      strengths.flatMap((key) => (step[key] === undefined ? [] : [[key, step[key]]])),
    ),
    capture: asMap(step["capture"]),
    steps:
      action === "repeat" || action === "group"
        ? toSteps(source, inner["steps"], [...path, action, "steps"])
        : [],
    branches: branches.map((branch, index) => toSteps(source, branch, [...path, action, "branches", index])),
    vars: {},
    position: source.positionOf(path),
  };
}

const onFailures = ["stop", "continue", "block"] as const satisfies readonly Step["onFail"][];

/** A table is given row by row, or as axes whose combinations are the rows. */
function rowsIn(file: ValueMap): ValueMap[] {
  if (isList(file["rows"])) return file["rows"].map(asMap);
  let rows: ValueMap[] = [];
  for (const [axis, values] of Object.entries(asMap(file["matrix"]))) {
    const choices = isList(values) ? values : [values];
    const base = rows.length === 0 ? [{}] : rows;
    rows = base.flatMap((row) => choices.map((choice) => named({ ...row, [axis]: choice })));
  }
  return rows;
}

function named(row: ValueMap): ValueMap {
  const parts = Object.entries(row).filter(([key]) => key !== "name");
  const name = parts
    .map(([, value]) => (isMap(value) && typeof value["name"] === "string" ? value["name"] : String(value)))
    .join(",");
  return { ...row, name };
}

/** What its author promises that a row never exceeds. */
function costOf(value: Value | undefined): Scenario["cost"] {
  const { requests, orders } = asMap(value);
  return {
    ...(typeof requests === "number" ? { requests } : {}),
    ...(typeof orders === "number" ? { orders } : {}),
  };
}

export function asMap(value: Value | undefined): ValueMap {
  return isMap(value) ? value : {};
}

function strings(value: Value | undefined): string[] {
  return isList(value) ? value.map(String) : [];
}
