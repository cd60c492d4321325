/** From a scenario or a recording in which something fails to the least scenario in which it still does. */

import type { Exported } from "./export/export-scenario.ts";
import { exportedFrom, idOf } from "./export-file.ts";
import { readRegister, readSuite, suiteOf } from "./load-suite.ts";
import { counted } from "./model/counted.ts";
import { UsageError } from "./model/position.ts";
import { didYouMean } from "./model/suggest.ts";
import { asMap, type ValueMap } from "./model/value.ts";
import { prescan } from "./parse/prescan.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { readSource } from "./parse/source.ts";
import { scenarioText } from "./parse/write-scenario.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { schemaLine } from "./schema-line.ts";
import { endOf, sliceUpTo, stepsIn } from "./shrink/names.ts";
import { Shrinker } from "./shrink/shrink.ts";
import { suspectsIn } from "./shrink/suspects.ts";
import { loosened } from "./shrink/tree.ts";
import { lookFor, type Seen, type ShrinkGoal, type ShrinkTarget } from "./shrink-trial.ts";

/** Either what is looked for on a target, or what asks a command about the text of a scenario. */
export type ShrinkQuestion =
  | {
      readonly kind: "target";
      /** A clause that is violated; without one, any answer that is not as expected. */
      readonly violates?: string | undefined;
      readonly open: () => Promise<ShrinkTarget>;
      /** A target without the bug. */
      readonly openClean?: (() => Promise<ShrinkTarget>) | undefined;
    }
  | { readonly kind: "command"; readonly fails: (text: string) => Promise<boolean> };

export interface ShrinkOptions {
  readonly file: string;
  /** Names the scenario. */
  readonly out: string;
  readonly question: ShrinkQuestion;
  readonly mostTries: number;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

export interface Shrunk {
  /**
   * `shrunk`: nothing more can be left out. `stopped`: the time, the tries or the user ended it. `absent`: it did not fail.
   * `unsteady`: it failed, and then not again.
   */
  readonly kind: "shrunk" | "stopped" | "absent" | "unsteady";
  /** The scenario; empty when it did not fail. */
  readonly text: string;
  readonly steps: number;
  readonly stepsAtFirst: number;
  readonly tries: number;
  readonly durationMs: number;
  /** It was seen to pass where the bug is not. */
  readonly passesClean: boolean;
  /** The failure, or what was seen in its place. */
  readonly sentence: string;
  readonly remarks: readonly string[];
}

/** A session of a day, and not of a year. */
const mostRequests = 20_000;

export async function shrinkFile(options: ShrinkOptions): Promise<Shrunk> {
  const begun = performance.now();
  const { document, remarks, earlier } = await documentIn(options);
  const goal = await goalOf(options.question);
  const suspects = suspectsIn(earlier, goal.clauses ?? []);
  const shrunk = await new Shrinkage(options, goal, begun).of(document, suspects);
  return { ...shrunk, remarks: [...remarks, ...shrunk.remarks] };
}

async function documentIn({ file, out, question }: ShrinkOptions): Promise<Exported> {
  const id = idOf(out);
  if (!/\.ya?ml$/i.test(file)) {
    const whole = await exportedFrom({ file, out }, mostRequests);
    return question.kind === "command" ? fitting(whole) : whole;
  }
  const { problems } = await readSuite([file]);
  if (problems.length > 0) throw new UsageError("the scenario is not valid", problems);
  using reader = new YamlReader();
  const reading = await readSource(file, await readCapped("scenario", file, mostBytes.small), reader);
  const value = asMap(reading.source?.value);
  if (value["steps"] === undefined) throw new UsageError(`${file} is a fragment; name a scenario`);
  return { document: { ...value, id }, remarks: [], earlier: [] };
}

/** A command reads a file, which holds no long session: the end of it, found by halving. */
function fitting(whole: Exported): Exported {
  const { document, remarks } = whole;
  const { length } = stepsIn(document["steps"]);
  if (prescan(scenarioText(document)) === undefined) return whole;
  let [best, low, high] = [document, 0, length];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const end = endOf(document, middle);
    if (prescan(scenarioText(end)) === undefined) [best, low] = [end, middle];
    else high = middle;
  }
  const remark = `a file holds no more than its last ${counted(low, "step")} of ${length}, with what they need: only these are reduced. To reduce others: gatewright export --from --to`;
  return { ...whole, document: best, remarks: [...remarks, remark] };
}

async function goalOf(question: ShrinkQuestion): Promise<ShrinkGoal> {
  if (question.kind === "command" || question.violates === undefined) return {};
  const { clauses } = await readRegister();
  const id = question.violates.toUpperCase();
  if (clauses.get(id) !== undefined) return { clauses: [id, ...clauses.deciding(id)] };
  const hint = didYouMean(id, [...clauses.clauses.keys()]);
  throw new UsageError(`there is no clause ${question.violates}${hint === undefined ? "" : `: ${hint}`}`);
}

/** One reduction, from the first try of the whole to the last of what is left. */
class Shrinkage {
  readonly #options: ShrinkOptions;
  readonly #goal: ShrinkGoal;
  readonly #begun: number;
  #tries = 0;
  /** The findings of the whole file: a candidate has to show a part of them. */
  #wanted: ReadonlySet<string> = new Set();
  #sentence = "";

  constructor(options: ShrinkOptions, goal: ShrinkGoal, begun: number) {
    this.#options = options;
    this.#goal = goal;
    this.#begun = begun;
  }

  async of(document: ValueMap, suspects: readonly string[]): Promise<Shrunk> {
    const { question } = this.#options;
    const stepsAtFirst = stepsIn(document["steps"]).length;
    const first = (await this.#ofSuspects(document, suspects)) ?? (await this.#firstFailure(document));
    if (first === undefined) return this.#result("absent", document, stepsAtFirst, false);
    const shrinker = new Shrinker(first.document, {
      fails: (candidate) => this.#fails(candidate),
      holdsElsewhere:
        question.kind === "target" && question.openClean !== undefined
          ? (candidate) => this.#passesClean(candidate)
          : undefined,
      onSmaller: (steps) => this.#say(`${counted(steps, "step")} left`),
      isOver: () => this.#isOver(),
    });
    await shrinker.shrink(first.step);
    const { best, holdsElsewhere, isDone } = shrinker;
    const named = this.#named(best, stepsAtFirst);
    // A result that was only found by chance does not fail again.
    const isSure = this.#options.signal.aborted || (await this.#fails(named)) || (await this.#fails(best));
    const kind = isSure ? (isDone ? "shrunk" : "stopped") : "unsteady";
    return this.#result(kind, named, stepsAtFirst, holdsElsewhere);
  }

  /** A finding that the recorded answers already show needs only the steps that led to it. */
  async #ofSuspects(whole: ValueMap, suspects: readonly string[]) {
    const document = loosened(whole);
    for (const step of suspects) {
      this.#say(`the recording shows it at ${step}: what that depends on`);
      const seen = await this.#look(sliceUpTo(document, step));
      if (seen.signs.size === 0) continue;
      this.#wanted = seen.signs;
      return { document, step };
    }
    return undefined;
  }

  /** The whole is tried without its expectations first: the rules for every answer need none. */
  async #firstFailure(document: ValueMap) {
    this.#say(`${counted(stepsIn(document["steps"]).length, "step")}: the whole, to see it fail`);
    if (this.#options.question.kind === "command")
      return (await this.#fails(document)) ? { document, step: undefined } : undefined;
    for (const whole of this.#goal.clauses === undefined ? [document] : [loosened(document), document]) {
      const seen = await this.#look(whole);
      this.#sentence = seen.sentence;
      if (seen.signs.size === 0) continue;
      this.#wanted = seen.signs;
      this.#say(`it fails${seen.step === undefined ? "" : ` at ${seen.step}`}`);
      return { document: whole, step: seen.step };
    }
    return undefined;
  }

  async #look(document: ValueMap): Promise<Seen> {
    const { question, signal } = this.#options;
    if (question.kind === "command") throw new Error("a command is not looked at");
    this.#tries += 1;
    await using target = await question.open();
    return await lookFor(this.#goal, document, target, signal);
  }

  async #fails(document: ValueMap): Promise<boolean> {
    const { question } = this.#options;
    if (question.kind === "command") {
      this.#tries += 1;
      const text = scenarioText(document);
      const { problems } = await suiteOf(this.#options.out, document);
      return problems.length === 0 && prescan(text) === undefined && question.fails(text);
    }
    const { signs } = await this.#look(document);
    return [...signs].some((sign) => this.#wanted.has(sign));
  }

  async #passesClean(document: ValueMap): Promise<boolean> {
    const { question, signal } = this.#options;
    if (question.kind === "command" || question.openClean === undefined) return false;
    await using target = await question.openClean();
    return (await lookFor(this.#goal, document, target, signal)).passed;
  }

  #isOver(): boolean {
    const { signal, limitMs, mostTries } = this.#options;
    return signal.aborted || this.#tries >= mostTries || performance.now() - this.#begun > limitMs;
  }

  #say(what: string): void {
    const seconds = ((performance.now() - this.#begun) / 1000).toFixed(1);
    this.#options.onProgress(`${what} (${counted(this.#tries, "try", "tries")}, ${seconds} s)`);
  }

  /** The clause that it violates is what the file is about. */
  #named(document: ValueMap, stepsAtFirst: number): ValueMap {
    const { question } = this.#options;
    const clause = question.kind === "target" ? question.violates?.toUpperCase() : undefined;
    const title = String(document["title"]);
    // What is left shows that the clause is violated, and is no recording any more.
    const { recorded, ...rest } = asMap(document["origin"]);
    const origin = clause === undefined && recorded !== undefined ? { ...rest, recorded } : rest;
    return {
      ...document,
      ...(clause === undefined ? {} : { spec: [clause] }),
      title: title.startsWith("Recorded on ")
        ? title.replace(/: .*/, `, reduced from ${counted(stepsAtFirst, "step")}`)
        : title,
      origin: { ...origin, stepsAtFirst },
    };
  }

  #result(kind: Shrunk["kind"], document: ValueMap, stepsAtFirst: number, passesClean: boolean): Shrunk {
    const text = kind === "absent" ? "" : schemaLine(this.#options.out) + scenarioText(document);
    const tooLarge = prescan(text);
    return {
      kind,
      text,
      steps: stepsIn(document["steps"]).length,
      stepsAtFirst,
      tries: this.#tries,
      durationMs: Math.round(performance.now() - this.#begun),
      passesClean,
      sentence: this.#sentence,
      remarks: tooLarge === undefined ? [] : [`it is still too large to be run: ${tooLarge.message}`],
    };
  }
}
