/** The text of a world file to a checked world, or to everything that is wrong with it. */
import path from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import { type PathProblem, pointerOf } from "../schema/problem.ts";
import { baseOf } from "./base-world.ts";
import { asWorldFile, checkWorld } from "./check/check-world.ts";
import { worldDefaults } from "./defaults.ts";
import { type RecordedTrade, readTrades } from "./liquidity/read-trades.ts";
import { sentenceOf, type WorldProblem } from "./problem.ts";
import { readYaml, type YamlText } from "./read-yaml.ts";
import type { ProductEntry, WorldFile } from "./schema.ts";

export interface ReadWorld {
  readonly file: WorldFile;
  /** Input of `buildWorld` for products in liquidity mode `trades`. */
  readonly recorded: ReadonlyMap<string, readonly RecordedTrade[]>;
}

export interface ReadOptions {
  /** Name of the file in messages. */
  readonly file: string;
  /** Text of a file that the world names, relative to it; throws with a sentence when there is none. */
  readonly readText?: (name: string) => Promise<string>;
  /** The files that extend this one, the first of them first. */
  readonly through?: readonly string[];
}

export async function readWorld(
  text: string,
  options: ReadOptions,
): Promise<Result<ReadWorld, readonly WorldProblem[]>> {
  const yaml = await readYaml(text, options.file);
  if (yaml.value === undefined) return err(yaml.problems);
  const base = await baseOf(yaml, options, readWorld);
  if (base?.ok === false) return base;
  const value = base === null ? yaml.value : joined(base.value.file, yaml.value as object);
  const found = checkWorld(value, yaml.spellings).filter(({ path }) => !yaml.unread.has(pointerOf(path)));
  const own = found.filter((problem) => isOwn(problem, yaml)).map((problem) => ownProblem(problem, yaml));
  const problems = [
    ...yaml.problems,
    ...own,
    ...inheritedProblems(
      found.filter((problem) => !isOwn(problem, yaml)),
      yaml,
      base === null ? "the demo world" : "the world that it extends",
    ),
  ];
  if (problems.length > 0) return err(problems.toSorted(byPlace));
  const file = asWorldFile(value);
  if (base !== null && !yaml.has(["products"])) return ok({ file, recorded: base.value.recorded });
  const recorded = new Map<string, readonly RecordedTrade[]>();
  for (const [index, product] of (file.products ?? []).entries()) {
    const trades = await readRecorded(product, index, options, yaml);
    if (trades === null) continue;
    if (trades.ok) recorded.set(product.id, trades.value);
    else problems.push(...trades.error);
    const early = tooEarly(file, product, trades);
    const path = ["products", index, "liquidity", "times"];
    if (early !== null) problems.push({ ...early, place: yaml.locate({ path, on: "value" }) });
  }
  return problems.length > 0 ? err(problems) : ok({ file, recorded });
}

/** Each section of the file instead of that of its base, and the `extends` of the base. */
function joined({ extends: from, ...base }: WorldFile, file: object): object {
  const { extends: _, ...own } = file as WorldFile;
  return { ...base, ...own, ...(from === undefined ? {} : { extends: from }) };
}

/**
 * A world that is a value already, such as the option of a library call: checked in the same way, without
 * places.
 */
export function readWorldValue(value: unknown): Result<ReadWorld, readonly WorldProblem[]> {
  const found = checkWorld(value);
  const said = found.map((problem) => ({ message: sentenceOf(problem), advice: problem.advice }));
  const problems = found.length > 0 ? said : namedFiles(asWorldFile(value));
  if (problems.length === 0) return ok({ file: asWorldFile(value), recorded: new Map() });
  return err(problems.map((problem) => ({ ...problem, place: null })));
}

/** A value has no folder that the name of a file could be relative to. */
function namedFiles({
  extends: base,
  products = [],
}: WorldFile): readonly Pick<WorldProblem, "message" | "advice">[] {
  const named = [
    ...(base === undefined || base === "demo" ? [] : [base]),
    ...products
      .filter((product) => product.liquidity?.mode === "trades")
      .map((product) => `the recorded trades of ${product.id}`),
  ];
  return named.map((what) => ({
    message: `${what} cannot be read: this world was not read from a file`,
    advice: "use a world file",
  }));
}

/** Whether the text itself has the section of a problem, instead of the world that it extends. */
const isOwn = ({ path: [section] }: PathProblem, yaml: YamlText): boolean =>
  section === undefined || yaml.has([section]);

function ownProblem(problem: PathProblem, yaml: YamlText): WorldProblem {
  return { message: sentenceOf(problem), advice: problem.advice, place: yaml.locate(problem) };
}

/**
 * One for each section of the base that does not fit to this file: the rest of them has the same cause.
 */
function inheritedProblems(
  problems: readonly PathProblem[],
  yaml: YamlText,
  base: string,
): readonly WorldProblem[] {
  const sections = new Set(problems.map(({ path }) => String(path[0])));
  const place = yaml.locate({ path: ["extends"], on: "value" });
  return [...sections].map((section) => {
    const first = problems.find(({ path }) => path[0] === section);
    const sentence = first === undefined ? "" : sentenceOf(first);
    const message = `${section} of ${base} do not fit this file: ${sentence}`;
    const given = `a section of this file replaces that of ${base}`;
    return { message, advice: `${given}: complete it, or give the section ${section}, too`, place };
  });
}

const byPlace = (a: WorldProblem, b: WorldProblem): number =>
  (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0);

/** Trades at their own times need a clock that begins before them. */
function tooEarly(
  { clock }: WorldFile,
  { id, liquidity }: ProductEntry,
  trades: Result<readonly RecordedTrade[], unknown>,
): Pick<WorldProblem, "message" | "advice"> | null {
  if (liquidity?.mode !== "trades" || liquidity.times !== "recorded" || !trades.ok) return null;
  const first = trades.value[0]?.at ?? 0;
  const start = clock?.start ?? worldDefaults.clock.start;
  if (clock?.mode === "manual" && Date.parse(start) <= first) return null;
  const time = new Date(first).toISOString();
  const message = `the trades of ${id} keep their times, and the market clock is not a manual one that begins before the first of them, at ${time}`;
  return { message, advice: `write clock: { mode: manual, start: "${time}" }` };
}

async function readRecorded(
  product: ProductEntry,
  index: number,
  options: ReadOptions,
  yaml: YamlText,
): Promise<Result<readonly RecordedTrade[], readonly WorldProblem[]> | null> {
  const { liquidity } = product;
  if (liquidity?.mode !== "trades") return null;
  const at = ["products", index, "liquidity", "trades"];
  try {
    if (options.readText === undefined) throw new Error("this world was given as text alone");
    const name = path.join(path.dirname(options.file), liquidity.trades);
    return readTrades(await options.readText(liquidity.trades), name, product);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${liquidity.trades} cannot be read: ${reason}`;
    return err([{ message, advice: null, place: yaml.locate({ path: at, on: "value" }) }]);
  }
}
