import { CalcProblem, calculate } from "../../check/calc.ts";
import { generatorNames, generatorProblem } from "../../check/generator-rules.ts";
import { soleReference, withReferences } from "../../model/expr.ts";
import type { Json } from "../../model/json.ts";
import type { Expectation, Matcher } from "../../model/language.ts";
import { Blocked } from "../../model/outcome.ts";
import { asJson } from "../../model/step.ts";
import {
  isList,
  isMap,
  mergePatch,
  soleKey,
  toJsonText,
  type Value,
  type ValueMap,
} from "../../model/value.ts";
import type { Market } from "./market.ts";
import { drawInteger, drawUuid } from "./random.ts";
import { type Scope, toJson } from "./scope.ts";

/**
 * The inputs of generators. Identifiers depend on the run (`salt`), so a rerun never repeats them; choices depend on
 * the seed.
 */
export interface RandomSource {
  readonly seed: number;
  readonly salt: string;
  readonly caseId: string;
  readonly now: () => number;
  /** Told of every identifier that was drawn, and not chosen. */
  readonly drawn?: (id: string) => void;
}

const maxDepth = 24;

/** Fills `${…}` and computes generators for one case row. */
export class Evaluator {
  readonly #random: RandomSource;
  readonly #market: Market;
  /** May an unknown price or size be replaced by a placeholder? Only if the request must be refused anyway. */
  readonly #lenient: boolean;
  readonly #facts: ValueMap;

  constructor(random: RandomSource, market: Market, facts: ValueMap, lenient: boolean) {
    this.#random = random;
    this.#market = market;
    this.#facts = facts;
    this.#lenient = lenient;
  }

  /** The same seed and market for steps that belong to no case, without placeholders. */
  of(caseId: string): Evaluator {
    return new Evaluator({ ...this.#random, caseId }, this.#market, this.#facts, false);
  }

  /** For requests: references are filled and generators computed. */
  value(template: Value, scope: Scope): Value {
    return this.#walk(template, scope, "request", 0);
  }

  /** For matchers: references are filled and matchers stay. A value from the target can never become a matcher. */
  matcher(template: Matcher, scope: Scope): Matcher {
    return this.#walk(template, scope, "expectation", 0);
  }

  /** The same for a whole block. */
  expectation(block: Expectation, scope: Scope): Expectation {
    // as: filling changes values and drops members, but adds none.
    return this.matcher(asJson(block), scope) as unknown as Expectation;
  }

  text(template: Value, scope: Scope): string {
    return textOf(this.value(template, scope));
  }

  /** A captured value or variable for `$eqVar`, by name. */
  lookup(name: string, scope: Scope): Json | undefined {
    const captured = scope.captured(name);
    if (captured !== undefined) return captured;
    const found = this.#find(name, scope)?.value;
    return found === undefined ? undefined : toJson(found);
  }

  decimal(name: string, scope: Scope): string | undefined {
    const found = this.#find(name, scope)?.value;
    const plain = isMap(found) && typeof found["$json"] === "string" ? found["$json"] : found;
    return typeof plain === "string" || typeof plain === "number" ? String(plain) : undefined;
  }

  uuid(name: string): string {
    const id = drawUuid(4, this.#random.now(), this.#random.salt, this.#random.caseId, name);
    this.#random.drawn?.(id);
    return id;
  }

  #walk(template: Value, scope: Scope, mode: "request" | "expectation", depth: number): Value {
    if (depth > maxDepth) throw new Error("a value refers to itself");
    if (typeof template === "string") return this.#string(template, scope, mode, depth);
    if (isList(template)) return template.map((item) => this.#walk(item, scope, mode, depth + 1));
    if (!isMap(template)) return template;
    const key = soleKey(template);
    if (mode === "request" && key !== undefined && isGenerator(template)) {
      return this.#generate(key, template[key] ?? null, scope, depth);
    }
    // A key whose value is a column that this row does not have is left out: rows need not have all columns.
    const present = Object.entries(template).filter(([, item]) => !this.#isMissingColumn(item, scope));
    return Object.fromEntries(
      present.map(([name, item]) => [name, this.#walk(item, scope, mode, depth + 1)]),
    );
  }

  #isMissingColumn(item: Value, scope: Scope): boolean {
    const column = soleReference(item);
    return column?.startsWith("row.") === true && this.#find(column, scope) === undefined;
  }

  #string(template: string, scope: Scope, mode: "request" | "expectation", depth: number): Value {
    const whole = soleReference(template);
    if (whole !== undefined) return this.#reference(whole, scope, mode, depth);
    let size = 0;
    return withReferences(template, (name) => {
      const part = textOf(this.#reference(name, scope, "request", depth));
      size += part.length;
      if (size > mostFilled) throw new Blocked(`a text comes to more than ${mostFilled} characters`);
      return part;
    });
  }

  #reference(name: string, scope: Scope, mode: "request" | "expectation", depth: number): Value {
    const found = this.#find(name, scope);
    if (found === undefined) {
      const why = scope.missed(name) ?? "no earlier step delivered it";
      throw new Blocked(`\${${name}} has no value: ${why}`);
    }
    // A generator in a column is replaced by its value, also in an expectation.
    if (!found.final)
      return this.#walk(found.value, scope, isGenerator(found.value) ? "request" : mode, depth + 1);
    const literal =
      typeof found.value === "string"
        ? found.value.startsWith("$")
        : isMap(found.value) || isList(found.value);
    return mode === "expectation" && literal ? { $eq: found.value } : found.value;
  }

  #find(name: string, scope: Scope) {
    if (name.startsWith("id.")) return { value: this.uuid(name.slice(3)), final: true };
    return scope.find(name, (definition, variable) => this.#define(definition, variable, scope));
  }

  #define(definition: Value, variable: string, scope: Scope): Value {
    try {
      return this.#walk(definition, scope, "request", 0);
    } catch (error) {
      if (error instanceof Blocked) throw new Blocked(`${variable}: ${error.message}`);
      throw error;
    }
  }

  #generate(name: string, raw: Value, scope: Scope, depth: number): Value {
    const argument = name === "$calc" ? raw : this.#walk(raw, scope, "request", depth + 1);
    const options = isMap(argument) ? argument : {};
    const { seed, salt, caseId, now } = this.#random;
    switch (name) {
      case "$uuid4":
        return this.uuid(String(argument));
      case "$uuid":
        if (options["like"] !== undefined) return neighbour(String(options["like"]), Number(options["at"]));
        return (
          String(options["prefix"] ?? "") +
          drawUuid(Number(options["version"]), now(), salt, caseId, JSON.stringify(argument)).slice(
            String(options["prefix"] ?? "").length,
          )
        );
      case "$now":
        return argument === "iso" ? new Date(now()).toISOString() : String(now());
      case "$int":
        return drawInteger(
          Number((argument as readonly Value[])[0]),
          Number((argument as readonly Value[])[1]),
          seed,
          caseId,
          JSON.stringify(argument),
        );
      case "$pick":
        return pick(isList(argument) ? argument : [argument], seed, caseId);
      case "$repeat":
      case "$zeros": {
        const problem = generatorProblem(name, argument);
        if (problem !== undefined) throw new Blocked(`${name} ${problem}`);
        return name === "$repeat"
          ? String(options["text"]).repeat(Number(options["times"]))
          : withZeros(String(options["after"]), Number(options["count"]));
      }
      case "$merge":
        return (isList(argument) ? argument : []).reduce(
          (merged: Value, patch) => mergePatch(merged, patch),
          {},
        );
      case "$calc":
        return this.#calculate(String(argument), scope);
      case "$fact":
        return this.#fact(String(argument));
      default:
        return this.#market.generate(name, argument, this.#lenient);
    }
  }

  #calculate(expression: string, scope: Scope): string {
    try {
      return calculate(expression, (name) => this.decimal(name, scope));
    } catch (error) {
      if (error instanceof CalcProblem)
        throw new Blocked(`"${expression}" cannot be computed: ${error.message}`);
      throw error;
    }
  }

  #fact(name: string): Value {
    let value: Value | undefined = this.#facts;
    for (const key of name.split(".")) value = isMap(value) ? value[key] : undefined;
    if (value === undefined)
      throw new Blocked(`the profile does not state the fact ${name}: add it under facts`);
    return value;
  }
}

/** The limit of one text with all its references filled. */
const mostFilled = 8_000_000;

function isGenerator(value: Value): boolean {
  const key = isMap(value) ? soleKey(value) : undefined;
  return key !== undefined && key !== "$json" && generatorNames.includes(key);
}

function pick(choices: readonly Value[], seed: number, caseId: string): Value {
  return choices[drawInteger(0, choices.length - 1, seed, caseId, JSON.stringify(choices))] ?? null;
}

/** The same UUID with one other hex digit. */
function neighbour(uuid: string, at: number): string {
  const digit = Number.parseInt(uuid[at] ?? "0", 16);
  return `${uuid.slice(0, at)}${((digit + 1) % 16).toString(16)}${uuid.slice(at + 1)}`;
}

/** The same number with more digits. */
function withZeros(decimal: string, count: number): string {
  return `${decimal}${decimal.includes(".") ? "" : "."}${"0".repeat(count)}`;
}

function textOf(value: Value): string {
  return typeof value === "string" ? value : toJsonText(value);
}
