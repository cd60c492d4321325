import { referencesIn } from "../model/expr.ts";
import type { Path, Problem } from "../model/position.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { Source } from "../parse/source.ts";

/** Limits that no file written by hand reaches, and that cost a machine little. */
const most = { rows: 10_000, values: 200_000, patterns: 100 } as const;

/**
 * A short file can stand for a very long one: axes multiply, fragments use fragments, variables hold variables. The
 * expanded size is checked before anything is expanded, by counting each name once.
 */
export function lintSize(source: Source, fragments: ReadonlyMap<string, Value>): Problem[] {
  const file = isMap(source.value) ? source.value : {};
  const rows = rowsOf(file);
  if (rows > most.rows)
    return [source.problem(["matrix"], `these axes make ${rows} rows; a scenario has at most ${most.rows}`)];
  const patterns = lintPatterns(source);
  if (patterns.length > 0) return patterns;
  const values = new Weights(file, fragments).of(file);
  if (values <= most.values) return [];
  const at = file["fragment"] === undefined ? ["id"] : ["fragment"];
  const message = `written out, with its fragments and variables, this is more than ${most.values} values`;
  return [source.problem(at, message)];
}

/** Every pattern is compiled before it is used, and to compile a thousand patterns takes longer than the run. */
export function lintPatterns(source: Source): Problem[] {
  const seen = new Set<string>();
  const one = firstBeyond(source.value, [], seen);
  if (one === undefined) return [];
  const hint =
    "one pattern can match several texts, as in (?:insufficient|too low); move other cases to another file";
  return [source.problem(one, `a file has at most ${most.patterns} different patterns ($re)`, { hint })];
}

/** The place of the first pattern beyond the limit. */
function firstBeyond(value: Value, path: Path, seen: Set<string>): Path | undefined {
  const pattern = isMap(value) ? value["$re"] : undefined;
  if (isMap(value) && typeof pattern === "string")
    seen.add(JSON.stringify([pattern, value["flags"] ?? null]));
  if (seen.size > most.patterns) return [...path, "$re"];
  const inner = isList(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : [];
  for (const [key, item] of inner) {
    const found = firstBeyond(item, [...path, key], seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rowsOf(file: ValueMap): number {
  const axes = Object.values(isMap(file["matrix"]) ? file["matrix"] : {});
  return axes.reduce((product: number, axis) => product * (isList(axis) ? axis.length : 1), 1);
}

/** The number of values in an expanded value; for a name that refers to itself it is infinite. */
class Weights {
  readonly #vars: ValueMap;
  readonly #fragments: ReadonlyMap<string, Value>;
  readonly #known = new Map<string, number>();

  constructor(file: ValueMap, fragments: ReadonlyMap<string, Value>) {
    this.#vars = isMap(file["vars"]) ? file["vars"] : {};
    this.#fragments = fragments;
  }

  of(value: Value): number {
    if (typeof value === "string") {
      let total = 1;
      for (const reference of referencesIn(value)) {
        const [name = ""] = reference.split(".");
        total += this.#named(`\${${name}}`, this.#vars[name]);
      }
      return total;
    }
    if (isList(value)) return value.reduce((total: number, item) => total + this.of(item), 1);
    if (!isMap(value)) return 1;
    const own = Object.values(value).reduce((total: number, item) => total + this.of(item), 1);
    const used = isMap(value["use"]) ? value["use"]["fragment"] : value["use"];
    if (typeof used !== "string") return own;
    const times = isList(value["rows"]) ? value["rows"].length : 1;
    return own + times * this.#named(used, this.#fragments.get(used));
  }

  #named(name: string, value: Value | undefined): number {
    const known = this.#known.get(name);
    if (known !== undefined || value === undefined) return known ?? 0;
    this.#known.set(name, Number.POSITIVE_INFINITY);
    const weight = this.of(value);
    this.#known.set(name, weight);
    return weight;
  }
}
