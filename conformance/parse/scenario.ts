import { durationMs } from "../model/duration.ts";
import type { SafetyClass } from "../model/profile.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Fragment, Fragments } from "../model/step.ts";
import { asMap, isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { leastSafety } from "../plan/effort.ts";
import type { Source } from "./source.ts";
import { maps, toSteps } from "./step.ts";

/** The steps of a file. Lint reads them even if the rest of the file is wrong. */
export type Sections = Pick<Scenario, "setup" | "steps" | "cleanup">;

export function toSections(source: Source): Sections {
  const file = asMap(source.value);
  const stepsAt = (key: string) => toSteps(source, file[key], [key]);
  return { setup: stepsAt("setup"), steps: stepsAt("steps"), cleanup: stepsAt("cleanup") };
}

/** Turns a file into a typed scenario. The schema has been checked before. */
export function toScenario(
  source: Source,
  fragments: Fragments = new Map(),
  sections = toSections(source),
): Scenario {
  const file = asMap(source.value);
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
    ...sections,
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

/** The rows of a table: listed one by one, or all combinations of axes. */
function rowsIn(file: ValueMap): ValueMap[] {
  if (isList(file["rows"])) return maps(file["rows"]);
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

/** The limits that the author states for every row. */
function costOf(value: Value | undefined): Scenario["cost"] {
  const { requests, orders } = asMap(value);
  return {
    ...(typeof requests === "number" ? { requests } : {}),
    ...(typeof orders === "number" ? { orders } : {}),
  };
}

function strings(value: Value | undefined): string[] {
  return isList(value) ? value.map(String) : [];
}
