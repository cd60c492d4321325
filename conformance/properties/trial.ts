import { resolvePointer } from "../check/pointer.ts";
import type { Exchange } from "../model/exchange.ts";
import { namesIn } from "../model/expr.ts";
import type { RowResult } from "../model/outcome.ts";
import { isWithin, type SafetyClass } from "../model/profile.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { toScenario } from "../parse/scenario.ts";
import { GeneratedSource } from "../parse/source.ts";
import type { Market } from "../runner/prepare/market.ts";
import { runCase } from "../runner/run-case.ts";
import type { Session } from "../runner/session.ts";
import type { Plan, Property } from "./property.ts";

/** One execution of a plan: its result, and its requests. */
export interface Trial {
  readonly plan: Plan;
  readonly result: RowResult;
  readonly exchanges: readonly Exchange[];
}

/** The scenario file of the plan, as data. */
export function documentOf(property: Property, plan: Plan): ValueMap {
  const { requires, level, assumes } = property;
  return {
    kit: 1,
    id: property.id.toLowerCase(),
    title: property.title,
    spec: [...property.spec],
    ...(level === undefined ? {} : { level }),
    ...(assumes === undefined ? {} : { assumes: [...assumes] }),
    ...(property.tags === undefined ? {} : { tags: [...property.tags] }),
    safety: property.safety,
    ...(plan.isolation === undefined ? {} : { isolation: plan.isolation }),
    ...(requires === undefined ? {} : { requires: { ...requires } }),
    ...(plan.vars === undefined ? {} : { vars: usedVars(plan) }),
    steps: [...plan.steps],
  };
}

/** Variables are templates. Unused ones are left out, so that a file shows only what matters. */
function usedVars({ vars = {}, steps }: Plan): ValueMap {
  const used = new Set<string>();
  const look = (value: Value): void => {
    for (const name of namesIn(value)) {
      const definition = vars[name];
      if (used.has(name) || definition === undefined) continue;
      used.add(name);
      look(definition);
    }
  };
  look(steps);
  return Object.fromEntries(Object.entries(vars).filter(([name]) => used.has(name)));
}

/**
 * A scenario without a file. Its positions count steps: line 3 is the third step of the plan. It is computed once per
 * plan, because it is needed several times.
 */
export function scenarioOf(property: Property, plan: Plan): Scenario {
  const known = scenarios.get(plan);
  if (known?.property === property) return known.scenario;
  const scenario = toScenario(new GeneratedSource(property.id, documentOf(property, plan)));
  scenarios.set(plan, { property, scenario });
  return scenario;
}

const scenarios = new WeakMap<Plan, { readonly property: Property; readonly scenario: Scenario }>();

/** A plan that trades, although its property allows only less, raises the safety class. */
export function safetyOf(property: Property, plan: Plan): SafetyClass {
  const { safety: _, ...rest } = documentOf(property, plan);
  const { safety } = toScenario(new GeneratedSource(property.id, rest));
  return isWithin(safety, property.safety) ? property.safety : safety;
}

/** Runs a plan like a scenario file. `attempt` makes its identifiers unique. */
export async function tryPlan(
  property: Property,
  plan: Plan,
  attempt: string,
  session: Session,
  market: Market,
): Promise<Trial> {
  const scenario = scenarioOf(property, plan);
  const exchanges: Exchange[] = [];
  const id = `${property.id}#${attempt}`;
  const collect = (exchange: Exchange): void => {
    const { request, transport } = exchange;
    if (request.permit?.caseId === id && transport !== "message") exchanges.push(exchange);
  };
  session.observers.add(collect);
  try {
    const row = { id, scenario, row: {}, spec: property.spec };
    const level = property.level === undefined ? {} : { level: property.level };
    const result = await runCase({ ...row, ...level }, session, market);
    return { plan, result, exchanges };
  } finally {
    session.observers.delete(collect);
  }
}

/** Steps after the failed one have not run and explain nothing. */
export function trimmed({ plan, result }: Trial): Plan {
  const last = Math.max(0, ...result.findings.map(({ position }) => position.line));
  return last === 0 ? plan : { ...plan, steps: plan.steps.slice(0, last) };
}

/** Did the target accept any order? Without one, a property of orders has shown nothing. */
export function tookAnOrder({ exchanges }: Trial): boolean {
  return exchanges.some(({ json }) => resolvePointer(json, "#/data/type") === "NEW_ORDER");
}
