import fc from "fast-check";
import { shorten } from "../check/describe.ts";
import type { WrittenStep } from "../model/language.ts";
import { Blocked, NotApplicable, type RowResult, SafetyStop, TargetUnusable } from "../model/outcome.ts";
import { isAlone, type Task } from "../runner/prepare/schedule.ts";
import { runSideBySide } from "../runner/wait/side-by-side.ts";
import type { Phase } from "./phase.ts";
import type { Plan, Property } from "./property.ts";
import { type Trial, tookAnOrder } from "./trial.ts";

/**
 * Looks for a plan that fails, and for the smallest one that still does. A hard failure ends the search; a warning is
 * remembered and reduced only if no failure is found. A plan that cannot run (no order was accepted, no budget) is
 * neither: it counts as not run. No plan is tried twice, except a race. The plans of a run depend on its seed and not
 * on the clock.
 */
export interface Found {
  /** The smallest plan that failed, or otherwise one that warned. */
  readonly trial?: Trial;
  readonly path?: string;
  /** Number of steps of the plan that failed first. */
  readonly stepsAtFirst?: number;
  readonly shrinks: number;
  readonly runs: number;
  /** Start of its first plan, after waiting for others. */
  readonly startedAt?: number;
  readonly planned: number;
  /** Plans that ran to their end. */
  readonly ran: readonly Plan[];
  readonly tookAnOrder: boolean;
  /** The search ended early: no budget, an unhealthy target, an interruption. */
  readonly stopped: boolean;
  /** The latest reason why plans were not run. */
  readonly obstacle?: Pick<RowResult, "notSupplied"> & {
    readonly outcome: "blocked" | "notApplicable";
    readonly reason: string;
  };
  readonly error?: string;
}

/** Small sets of plans repeat themselves, so that many draws are made for each wanted plan. */
const drawsPerPlan = 4;
/** How many smaller plans are sent to find the smallest: few on a machine that is not ours. */
const shrinkLimit = { local: 200, remote: 12 } as const;
const shrinkMs = 15_000;
/** The plainest plans of a table come first. If so many could not run and none could, the others are not tried. */
const mostInVain = 6;

type Strength = "failed" | "warned";

export class Search {
  readonly #property: Property;
  readonly #phase: Phase;
  readonly #seed: number;
  readonly #runs: number | undefined;
  /** Plans that held. They would hold again, except in a race. */
  readonly #held = new Set<string>();
  #planned = 0;
  #attempts = 0;
  readonly #ran: Plan[] = [];
  #inVain = 0;
  #tookAnOrder = false;
  #obstacle: Found["obstacle"];
  #stopped = false;
  #exhaustive = false;
  #error: string | undefined;
  #thrown: { readonly error: unknown } | undefined;
  #smallest: Trial | undefined;
  #stepsAtFirst: number | undefined;
  #shrinkUntil = Number.POSITIVE_INFINITY;
  #startedAt: number | undefined;
  #firstWarning: { readonly attempt: number; readonly trial: Trial } | undefined;

  constructor(property: Property, phase: Phase, seed: number, runs: number | undefined) {
    this.#property = property;
    this.#phase = phase;
    this.#seed = seed;
    this.#runs = runs;
  }

  /**
   * A generator works on the product list of the target, which can have any content: if it throws, no more plans can be
   * made.
   */
  async run(): Promise<Found> {
    const { market, session } = this.#phase;
    try {
      const plans = this.#property.plans({ profile: session.profile, market });
      return await (isList(plans) ? this.#all(plans) : this.#some(plans));
    } catch (error) {
      this.#stop(obstacleIn(error));
      return this.#found({ shrinks: 0, planned: this.#planned });
    }
  }

  /**
   * Every plan of a short list; the first that fails is the one to show. On this machine they run in parallel if they
   * do not disturb each other.
   */
  async #all(plans: readonly Plan[]): Promise<Found> {
    this.#exhaustive = true;
    const tasks = plans.map((plan, index) => ({
      ...this.#phase.taskOf(this.#property, plan),
      id: String(index),
      plan,
    }));
    const failed = new Map<number, Trial>();
    const open = (): boolean => failed.size === 0 && !this.#stopped;
    const run = async ({ id, plan }: (typeof tasks)[number]): Promise<void> => {
      const bad = await this.#badTrial(plan, "failed", open).catch((error: unknown) => {
        this.#stopped = true;
        throw error;
      });
      if (bad !== undefined) failed.set(Number(id), bad);
    };
    // Plans that wait for others must not delay those that do not.
    const waits = (task: Task): boolean => this.#phase.ours && (isAlone(task) || task.isolation !== "shared");
    const waiting = tasks.filter(waits);
    const shared = tasks.filter((task) => !waits(task));
    const ends = await Promise.allSettled([
      runSideBySide(shared, { limit: this.#phase.width, open, run }),
      ...waiting.map(run),
    ]);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    const first = Math.min(...failed.keys());
    const worst = failed.get(first) ?? this.#firstWarning?.trial;
    this.#smallest = worst === undefined ? undefined : await this.#alone(worst);
    return this.#found({ shrinks: this.#smallest === worst ? 0 : 1, planned: plans.length });
  }

  /** Of several things that were tried one after the other, the first with the same result when it is tried alone. */
  async #alone(trial: Trial): Promise<Trial> {
    const strength = trial.result.outcome === "failed" ? "failed" : "warned";
    this.#shrinkUntil = performance.now() + shrinkMs;
    for (const plan of trial.plan.alone?.() ?? []) {
      const alone = await this.#badTrial(plan, strength);
      if (alone !== undefined) return alone;
    }
    return trial;
  }

  async #some(plans: fc.Arbitrary<Plan>): Promise<Found> {
    const { local, staging } = this.#property.runs;
    const planned = this.#runs ?? (this.#phase.ours ? Math.max(local, staging) : staging);
    this.#planned = planned;
    const limit = this.#phase.ours ? shrinkLimit.local : shrinkLimit.remote;
    const limited = fc.limitShrink(plans, limit);
    const against = (strength: Strength) => fc.asyncProperty(limited, (plan) => this.#holds(plan, strength));
    const details = await this.#check(against("failed"), {
      numRuns: planned * drawsPerPlan,
      seed: this.#seed,
    });
    const warning = this.#firstWarning;
    if (details.failed || warning === undefined)
      return this.#found({
        shrinks: details.numShrinks,
        planned,
        path: details.counterexamplePath ?? undefined,
      });
    this.#smallest = warning.trial;
    if (!this.#phase.ours) return this.#found({ shrinks: 0, planned, path: String(warning.attempt) });
    const again = await this.#check(against("warned"), {
      numRuns: 1,
      seed: this.#seed,
      path: String(warning.attempt),
    });
    return this.#found({ shrinks: again.numShrinks, planned, path: again.counterexamplePath ?? undefined });
  }

  /** For the library of generators every exception is a failing plan, except a safety stop. */
  async #holds(plan: Plan, strength: Strength): Promise<boolean> {
    try {
      return (await this.#badTrial(plan, strength)) === undefined;
    } catch (error) {
      this.#thrown ??= { error };
      this.#stopped = true;
      return true;
    }
  }

  async #check(property: fc.IAsyncProperty<[Plan]>, parameters: fc.Parameters<[Plan]>) {
    const details = await fc.check(property, parameters);
    if (this.#thrown !== undefined) throw this.#thrown.error;
    return details;
  }

  async #badTrial(
    plan: Plan,
    strength: Strength,
    open: () => boolean = () => true,
  ): Promise<Trial | undefined> {
    const attempt = this.#attempts;
    this.#attempts += 1;
    if (this.#stopped || performance.now() > this.#shrinkUntil || this.#isEnough()) return undefined;
    const text = JSON.stringify(plan);
    if (this.#held.has(text)) return undefined;
    const task = this.#phase.taskOf(this.#property, plan);
    const trial = await this.#phase.beside(task, async () => {
      if (!open()) return undefined;
      const reason = this.#phase.obstacle(this.#property.cost);
      if (reason !== undefined) return this.#stop({ outcome: "blocked", reason });
      this.#startedAt ??= performance.now();
      return this.#phase.try(this.#property, plan, `${this.#seed}-${attempt}-${strength}`);
    });
    if (trial === undefined) return undefined;
    const holds = this.#judge(trial, attempt, strength);
    if (trial.result.outcome !== "warned" && holds && !isRace(plan.steps)) this.#held.add(text);
    return holds ? undefined : trial;
  }

  #isEnough(): boolean {
    return !this.#exhaustive && this.#smallest === undefined && this.#ran.length >= this.#planned;
  }

  #judge(trial: Trial, attempt: number, strength: Strength): boolean {
    const { outcome, reason = "", notSupplied } = trial.result;
    if (outcome === "error") {
      this.#error = reason;
      this.#stopped = true;
      return true;
    }
    if (outcome === "blocked" || outcome === "notApplicable") {
      this.#obstacle = { outcome, reason, ...(notSupplied === undefined ? {} : { notSupplied }) };
      this.#inVain += 1;
      const hopeless = this.#ran.length === 0 && this.#inVain >= mostInVain;
      if (hopeless && this.#property.table !== undefined) this.#stopped = true;
      return true;
    }
    if (this.#smallest === undefined && strength === "failed") this.#ran.push(trial.plan);
    this.#tookAnOrder ||= tookAnOrder(trial);
    if (outcome === "warned") this.#firstWarning ??= { attempt, trial };
    const bad = outcome === "failed" || (strength === "warned" && outcome === "warned");
    if (!bad) return true;
    if (this.#smallest === undefined || strength === "warned")
      this.#shrinkUntil = Math.min(this.#shrinkUntil, performance.now() + shrinkMs);
    this.#stepsAtFirst ??= trial.plan.steps.length;
    this.#smallest = trial;
    return false;
  }

  #stop(obstacle: NonNullable<Found["obstacle"]>): undefined {
    this.#obstacle = obstacle;
    this.#stopped = true;
  }

  #found(parts: { shrinks: number; planned: number; path?: string | undefined }): Found {
    const { shrinks, planned, path } = parts;
    return {
      shrinks,
      planned,
      runs: this.#ran.length,
      ran: this.#ran,
      tookAnOrder: this.#tookAnOrder,
      stopped: this.#stopped,
      ...(this.#startedAt === undefined ? {} : { startedAt: this.#startedAt }),
      ...(path === undefined ? {} : { path }),
      ...(this.#stepsAtFirst === undefined ? {} : { stepsAtFirst: this.#stepsAtFirst }),
      ...(this.#smallest === undefined ? {} : { trial: this.#smallest }),
      ...(this.#obstacle === undefined ? {} : { obstacle: this.#obstacle }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
    };
  }
}

/**
 * Two equal plans can have different results if requests are in progress at the same time, or an answer is not awaited.
 */
const isRace = (steps: readonly WrittenStep[]): boolean =>
  steps.some(
    ({ concurrent, call, repeat, group }) =>
      concurrent !== undefined ||
      call?.abandon !== undefined ||
      isRace(repeat?.steps ?? []) ||
      isRace(group?.steps ?? []),
  );

function isList(plans: fc.Arbitrary<Plan> | readonly Plan[]): plans is readonly Plan[] {
  return Array.isArray(plans);
}

function obstacleIn(error: unknown): NonNullable<Found["obstacle"]> {
  if (error instanceof Blocked) return { outcome: "blocked", reason: error.message };
  if (error instanceof NotApplicable) return { outcome: "notApplicable", reason: error.message };
  // An error that ends a run also ends the search; an error of the system is not an answer of the target.
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (isOfSystem || error instanceof SafetyStop || error instanceof TargetUnusable) throw error;
  const reason = `no plan could be made of what the target shows: ${shorten(String(error), 300)}`;
  return { outcome: "blocked", reason };
}
