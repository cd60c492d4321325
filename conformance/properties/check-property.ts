import type { Finding } from "../model/finding.ts";
import type { RowOutcome, RowResult } from "../model/outcome.ts";
import type { Fragments } from "../model/step.ts";
import { effortOf } from "../plan/effort.ts";
import { draw } from "../runner/prepare/random.ts";
import { suppliedNothing, whyNotRun } from "../runner/prepare/why-not-run.ts";
import { type Counterexample, counterexampleOf } from "./counterexample.ts";
import { tupleText } from "./covering-array.ts";
import { interleaving } from "./interleaving.ts";
import type { Phase } from "./phase.ts";
import type { Ask, Property } from "./property.ts";
import { type Found, Search } from "./search.ts";
import { triedOf } from "./table.ts";
import { scenarioOf, type Trial } from "./trial.ts";

export interface CheckOptions {
  readonly kit: string;
  readonly seed: number;
  readonly runs?: number | undefined;
  /** Writes the file and returns its path. */
  readonly keep: (counterexample: Counterexample) => Promise<string | undefined>;
}

/** One property, from its requirements to its result: search, confirmation, counterexample. */
export async function checkProperty(
  property: Property,
  phase: Phase,
  options: CheckOptions,
): Promise<RowResult> {
  let startedAt = performance.now();
  const finish = (outcome: RowOutcome, more: Partial<RowResult> = {}): RowResult => ({
    id: property.id,
    title: property.title,
    outcome,
    clauses: property.spec,
    findings: [],
    observations: {},
    durationMs: Math.round(performance.now() - startedAt),
    place: `property ${property.id}`,
    ...more,
  });
  const row = {
    id: property.id,
    scenario: scenarioOf(property, { steps: [] }),
    row: {},
    spec: property.spec,
  };
  const { session, market } = phase;
  const notRun = whyNotRun(row, session, market);
  if (notRun !== undefined)
    return finish(notRun.outcome, { reason: notRun.reason, ...suppliedNothing(notRun) });
  const seed = draw(options.seed, property.id).readInt32BE(0) >>> 1;
  const found = await new Search(property, phase, seed, options.runs).run();
  startedAt = found.startedAt ?? startedAt;
  const { table } = property;
  const tried = table === undefined ? {} : triedOf(table, { profile: session.profile, market }, found.ran);
  const left =
    found.obstacle === undefined || table === undefined ? {} : { "not run": found.obstacle.reason };
  const observations = { runs: `${found.runs} of ${found.planned}`, ...tried, ...left };
  if (found.error !== undefined) return finish("error", { reason: found.error, observations });
  if (found.trial === undefined) {
    const { fragments } = session.parts;
    const [outcome, more] = outcomeWithoutFailure(property, found, observations, fragments);
    const kept = {
      observations: { ...(table === undefined ? {} : observations), ...(await observed(property, phase)) },
    };
    return finish(outcome, outcome === "passed" ? kept : more);
  }
  const [outcome, more] = await outcomeOfFailure(property, found, found.trial, phase, { ...options, seed });
  return finish(outcome, { ...more, observations: { ...observations, ...more.observations } });
}

/** The remaining parts of the failed trial, after it was confirmed and kept. */
async function outcomeOfFailure(
  property: Property,
  found: Found,
  failed: Trial,
  phase: Phase,
  { kit, seed, keep }: CheckOptions,
): Promise<[RowOutcome, Partial<RowResult>]> {
  const confirmed = await confirm(property, failed, phase);
  const stable = confirmed.seen === confirmed.tried;
  const counterexample = counterexampleOf(property, confirmed.trial, {
    kitVersion: kit,
    seed,
    path: found.path ?? "",
    runs: found.runs,
    shrinks: found.shrinks,
    stepsAtFirst: found.stepsAtFirst ?? confirmed.trial.plan.steps.length,
    confirmed: `${confirmed.seen} of ${confirmed.tried}`,
    target: phase.session.profile.name,
  });
  const file = await keep(counterexample);
  const findings = findingsOf(confirmed.trial, file ?? property.id, stable);
  const reasons = reasonsOf(file, stable, confirmed);
  const { trace } = confirmed.trial.result;
  return [
    findings.some(({ severity }) => severity === "fail") ? "failed" : "warned",
    {
      findings,
      observations: { shrinks: String(found.shrinks), seed: String(seed) },
      ...(reasons.length === 0 ? {} : { reason: reasons.join("; ") }),
      ...(trace === undefined ? {} : { trace }),
    },
  ];
}

function outcomeWithoutFailure(
  property: Property,
  found: Found,
  observations: RowResult["observations"],
  fragments: Fragments,
): [RowOutcome, Partial<RowResult>] {
  const { obstacle, runs, planned } = found;
  if (obstacle !== undefined && !isEnough(found, Math.min(planned, property.runs.staging)))
    return [
      obstacle.outcome,
      {
        reason: planned === 0 ? obstacle.reason : `${obstacle.reason} (after ${runs} of ${planned} runs)`,
        observations,
        ...(obstacle.notSupplied === undefined ? {} : { notSupplied: obstacle.notSupplied }),
      },
    ];
  if (isAboutOrders(property, found, fragments) && !found.tookAnOrder)
    return ["blocked", { reason: "the target took no order in any run: nothing was shown", observations }];
  return ["passed", {}];
}

/** In a table, all plans that can be tried here may be about refused orders. */
function isAboutOrders(property: Property, { ran }: Found, fragments: Fragments): boolean {
  if (property.safety !== "rests" && property.safety !== "trades") return false;
  return (
    ran.length === 0 || ran.some((plan) => effortOf(scenarioOf(property, plan), {}, fragments).orders > 0)
  );
}

async function observed(property: Property, phase: Phase): Promise<RowResult["observations"]> {
  let asked = 0;
  const ask: Ask = async (plan) => {
    if (phase.obstacle({ requests: 1, orders: 0 }) !== undefined) return undefined;
    asked += 1;
    const name = `observe-${asked}`;
    const { exchanges } = await phase.beside(phase.taskOf(property, plan), () =>
      phase.try(property, plan, name),
    );
    return exchanges[0]?.reply?.status;
  };
  return (await property.observe?.(ask)) ?? {};
}

/** A few plans that could not run are chance. If most could not, or the search ended early, that is a reason. */
function isEnough({ runs, planned, stopped }: Found, least: number): boolean {
  return (planned > 0 && runs >= least) || (!stopped && runs > 0 && runs * 2 >= Math.min(planned, least));
}

interface Confirmation {
  readonly trial: Trial;
  readonly seen: number;
  readonly tried: number;
}

/**
 * A counterexample has to fail twice more, unless its effects are proof enough (docs/properties.md). A lost answer has
 * no such effects.
 */
async function confirm(property: Property, trial: Trial, phase: Phase): Promise<Confirmation> {
  if (isProof(property, trial)) return { trial, seen: 1, tried: 1 };
  let [seen, latest] = [0, trial];
  const tried = 2;
  for (let round = 1; round <= tried; round += 1) {
    if (phase.obstacle(property.cost) !== undefined) break;
    const again = await phase.beside(phase.taskOf(property, trial.plan), () =>
      phase.try(property, trial.plan, `confirm-${round}-${trial.result.id}`),
    );
    if (again.result.outcome !== trial.result.outcome) continue;
    seen += 1;
    latest = again;
  }
  return { trial: latest, seen, tried };
}

function isProof({ durable = [] }: Property, { result }: Trial): boolean {
  if (result.findings.some(({ pointer }) => pointer === "transport")) return false;
  if (typeof durable === "boolean") return durable;
  const failed = result.findings.filter(({ severity }) => severity === "fail");
  return failed.length > 0 && failed.every(({ clauses }) => clauses.some((id) => durable.includes(id)));
}

function findingsOf(trial: Trial, file: string, stable: boolean): Finding[] {
  const drawing = interleaving(trial);
  return trial.result.findings
    .filter(({ severity }) => severity !== "info")
    .map((finding) => ({
      ...finding,
      severity: stable ? finding.severity : "warn",
      position: { ...finding.position, file },
      ...(drawing.length === 0 ? {} : { drawing }),
    }));
}

function reasonsOf(
  file: string | undefined,
  stable: boolean,
  { trial, seen, tried }: Confirmation,
): string[] {
  const { tuples } = trial.plan;
  const place = tuples === undefined ? [] : [`at ${tupleText(tuples)}`];
  const replay =
    file === undefined ? [] : [`counterexample in ${file}; to run it: gatewright replay ${file} …`];
  const unstable = stable ? [] : [`unstable, seen in ${seen} of ${tried} repetitions: a warning only`];
  return [...place, ...unstable, ...replay];
}
