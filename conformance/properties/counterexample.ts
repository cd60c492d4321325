import { createHash } from "node:crypto";
import { resolvePointer } from "../check/pointer.ts";
import { resultTypes } from "../contract/fields.ts";
import type { Exchange } from "../model/exchange.ts";
import type { ValueMap } from "../model/value.ts";
import { tupleText } from "./covering-array.ts";
import type { Property } from "./property.ts";
import { documentOf, safetyOf, type Trial, trimmed } from "./trial.ts";

/**
 * A failing plan as a scenario file: symbolic identifiers, no secret, the observed answers under `origin`
 * (docs/properties.md).
 */
export interface Counterexample {
  readonly id: string;
  readonly document: ValueMap;
}

export interface Origin {
  readonly kitVersion: string;
  readonly seed: number;
  readonly path: string;
  readonly runs: number;
  readonly shrinks: number;
  /** Number of steps of the plan that failed first, before it was reduced. */
  readonly stepsAtFirst: number;
  readonly confirmed: string;
  readonly target: string;
}

export function counterexampleOf(property: Property, trial: Trial, origin: Origin): Counterexample {
  const plan = trimmed(trial);
  const document = { ...documentOf(property, plan), safety: safetyOf(property, plan) };
  const digest = createHash("sha256").update(JSON.stringify(document)).digest("hex").slice(0, 6);
  const id = `cx-${property.id.toLowerCase().replace("-", "")}-${digest}`;
  const { tuples } = trial.plan;
  const blamed = [...new Set(trial.result.findings.flatMap(({ clauses }) => clauses))];
  const { steps = [], ...head }: ValueMap = document;
  return {
    id,
    document: {
      ...head,
      id,
      title: `Counterexample of ${property.id}: ${property.title}`.slice(0, 120),
      spec: blamed.length > 0 ? blamed : [...property.spec],
      origin: {
        property: property.id,
        ...(tuples === undefined ? {} : { tuple: tupleText(tuples) }),
        ...origin,
        observed: observedOf(trial.exchanges),
      },
      steps,
    },
  };
}

/**
 * The observed answers of a run, without values that belong to one target: `ord#1` is the first order that was seen.
 */
export function observedOf(exchanges: readonly Exchange[]): ValueMap[] {
  const orders: string[] = [];
  return exchanges.map((exchange) => {
    const status = exchange.reply?.status;
    if (status === undefined) return { transport: exchange.transport };
    const type = resolvePointer(exchange.json, "#/data/type");
    const order = resolvePointer(exchange.json, "#/data/order/id");
    if (typeof order === "string" && !orders.includes(order)) orders.push(order);
    return {
      status,
      ...(resultTypes.some((known) => known === type) ? { type: String(type) } : {}),
      ...(typeof order === "string" ? { order: `ord#${orders.indexOf(order) + 1}` } : {}),
    };
  });
}
