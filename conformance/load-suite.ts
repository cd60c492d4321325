import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { operationNames } from "./contract/operations.ts";
import { circleOf, lintEffort } from "./lint/lint-effort.ts";
import { lintScenario } from "./lint/lint-scenario.ts";
import { lintSize } from "./lint/lint-size.ts";
import type { ClauseRegister } from "./model/clause.ts";
import { inOneRound, type Problem } from "./model/position.ts";
import { safetyClasses } from "./model/profile.ts";
import type { Scenario } from "./model/scenario.ts";
import type { Fragment, Fragments } from "./model/step.ts";
import { asMap, isList, type Value, type ValueMap } from "./model/value.ts";
import { packageRoot } from "./package-root.ts";
import { toClauses } from "./parse/clauses.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { toFragment, toScenario, toSections } from "./parse/scenario.ts";
import { checkSchema } from "./parse/schema-check.ts";
import { GeneratedSource, readSource, type Source } from "./parse/source.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import {
  builtIn,
  builtInFiles,
  type FoundFile,
  filesIn,
  isInFragments,
  shownName,
} from "./scenario-files.ts";
import { validatorOf } from "./schema/validators.ts";

export interface Suite {
  readonly scenarios: readonly Scenario[];
  readonly fragments: Fragments;
  readonly clauses: ClauseRegister;
  readonly digest: SuiteDigest;
}

/** The digests of the files that were read, to compare the suites of two reports. `sha256:` and 64 hex digits. */
export interface SuiteDigest {
  /** Scenarios, fragments and the clause register; names of files are relative to the given place. */
  readonly suite: string;
  readonly register: string;
}

export interface SuiteReading {
  readonly suite: Suite;
  /** Problems of scenario files; a file with a problem is not in the suite. */
  readonly problems: readonly Problem[];
  readonly files: readonly string[];
}

/** Reads scenario files or folders of them; without any, the built-in suite. */
export async function readSuite(places: readonly string[]): Promise<SuiteReading> {
  using reader = new YamlReader();
  return await suiteFrom(places, reader);
}

export function suiteFrom(places: readonly string[], reader: YamlReader): Promise<SuiteReading> {
  return places.length > 0 ? suiteAt(places, reader) : builtInSuite(reader);
}

const suiteAt = async (places: readonly string[], reader: YamlReader): Promise<SuiteReading> =>
  suiteIn((await Promise.all(places.map(filesIn))).flat(), reader, { isOwn: places.includes(builtIn()) });

/** The suite of one scenario that no file holds. It is judged like a file, except for what YAML itself limits. */
export async function suiteOf(name: string, document: ValueMap): Promise<SuiteReading> {
  const { clauses, digest } = await readRegister();
  const source = new GeneratedSource(name, document);
  const suite = `sha256:${sha256(JSON.stringify(document))}`;
  return judged([{ source, misspelt: [] }], [], [name], { clauses, digest: { suite, register: digest } });
}

/** The digest of the suite that the build linted, with the code that it built; sources have none, and lint always. */
export function checkedSuite(): string | undefined {
  const file = new URL("checked-suite.txt", import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const builtInSuite = once(async (reader: YamlReader) =>
  suiteIn(await builtInFiles(), reader, { isOwn: true, checked: checkedSuite() }),
);

interface Given {
  /** The files are those of the built-in suite, so they need no fragments of it. */
  readonly isOwn?: boolean;
  readonly checked?: string | undefined;
}

async function suiteIn(
  files: readonly FoundFile[],
  reader: YamlReader,
  { isOwn = false, checked }: Given = {},
): Promise<SuiteReading> {
  // All files are requested at once. While another process parses them, this one compiles the schema.
  const readings = Promise.all([
    clauseRegister(),
    ...files.map((found) => readScenarioFile(found, reader)),
  ] as const);
  if (checked === undefined) validatorOf("scenario");
  const [{ clauses, digest: register }, ...own] = await readings;
  const paths = files.map(({ file }) => file);
  const shared = isOwn ? [] : await sharedFragments(own, reader);
  const read = [...own, ...shared];
  const digests = read.map(({ text }) => sha256(text));
  const names = [...files, ...shared].map(({ root, file }) =>
    relative(dirname(root), file).replaceAll("\\", "/"),
  );
  const parts = [register, ...names.flatMap((name, index) => [name, digests[index] ?? ""])];
  const digest = { suite: `sha256:${sha256(parts.join("\n"))}`, register: `sha256:${register}` };
  if (digest.suite === checked) {
    const sources = read.flatMap(({ source }) => source ?? []);
    const fragments = new Map(sources.filter(isFragment).map((one) => [nameOf(one), toFragment(one)]));
    const scenarios = sources.filter((one) => !isFragment(one)).map((one) => toScenario(one, fragments));
    return { suite: { scenarios, fragments, clauses, digest }, problems: [], files: paths };
  }
  return judged(
    read.flatMap(({ source, misspelt }) => (source === undefined ? [] : [{ source, misspelt }])),
    read.flatMap(({ source, misspelt }) => (source === undefined ? misspelt : [])),
    paths,
    { clauses, digest },
  );
}

/** The fragments of the built-in suite that these files use and do not have, and those that they use in turn. */
async function sharedFragments(own: readonly { readonly source: Source | undefined }[], reader: YamlReader) {
  const sources = own.flatMap(({ source }) => source ?? []);
  const taken = new Set(sources.filter(isFragment).map(nameOf));
  const missing = new Set(sources.flatMap(({ value }) => usedIn(value)).filter((name) => !taken.has(name)));
  if (missing.size === 0) return [];
  const found = (await builtInFiles()).filter(isInFragments);
  const all = await Promise.all(
    found.map(async (one) => ({ ...one, ...(await readScenarioFile(one, reader)) })),
  );
  // A set is walked to what is added meanwhile, too.
  for (const name of missing) {
    const { source } = all.find((one) => one.source !== undefined && nameOf(one.source) === name) ?? {};
    for (const used of source === undefined ? [] : usedIn(source.value))
      if (!taken.has(used)) missing.add(used);
  }
  return all.filter(({ source }) => source !== undefined && missing.has(nameOf(source)));
}

/** The fragments that are named by `use` at any depth. */
function usedIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(usedIn);
  return Object.entries(asMap(value)).flatMap(([key, inner]) =>
    key === "use" && typeof inner === "string" ? [inner] : usedIn(inner),
  );
}

async function readScenarioFile(found: FoundFile, reader: YamlReader) {
  const text = found.text ?? (await readCapped("scenario file", found.file, mostBytes.small));
  const reading = await readSource(shownName(found), text, reader);
  return { text, source: reading.source, misspelt: reading.ok ? [] : reading.problems };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A file that was read, with the problems of its scalars. */
interface ReadSource {
  readonly source: Source;
  readonly misspelt: readonly Problem[];
}

/** All problems of a file are reported in one round; problems of another file are reported there. */
function judged(
  read: readonly ReadSource[],
  problems: Problem[],
  files: readonly string[],
  { clauses, digest }: Pick<Suite, "clauses" | "digest">,
): SuiteReading {
  const scenarios: Scenario[] = [];
  const sources = read.map(({ source }) => source);
  const { fragments, named } = fragmentsOf(read, problems);
  const circles = [...named.keys()].map((name) => circleOf(name, named));
  for (const source of sources.filter(isFragment)) {
    const circle = circles.find((names) => names?.[0] === nameOf(source));
    if (circle === undefined) continue;
    problems.push(source.problem(["fragment"], `the fragment uses itself: ${circle.join(" uses ")}`));
    return { suite: { scenarios: [], fragments, clauses, digest }, problems, files };
  }
  const written = new Map(sources.filter(isFragment).map((source) => [nameOf(source), source.value]));
  // A generated source was made from something that was read under limits of its own.
  const tooLarge = sources.flatMap((source) =>
    source instanceof GeneratedSource ? [] : lintSize(source, written),
  );
  if (tooLarge.length > 0) {
    problems.push(...tooLarge);
    return { suite: { scenarios: [], fragments, clauses, digest }, problems, files };
  }
  const context = { clauses, operations: operationNames, fragments: named };
  const seen = new Map<string, Scenario>();
  for (const { source, misspelt } of read) {
    if (isFragment(source)) {
      problems.push(...lintScenario(source, toSections(source), context));
      continue;
    }
    const sections = toSections(source);
    const found = inOneRound(
      misspelt,
      checkSchema(source, "scenario"),
      lintScenario(source, sections, context),
    );
    const scenario = canBeWeighed(source) ? toScenario(source, named, sections) : undefined;
    const misjudged = scenario === undefined ? [] : lintEffort(source, scenario, named);
    problems.push(...inOneRound(found, misjudged));
    if (scenario === undefined || found.length + misjudged.length > 0) continue;
    const twin = seen.get(scenario.id);
    if (twin === undefined) scenarios.push(scenario);
    else problems.push(source.problem(["id"], `the id "${scenario.id}" is taken by ${twin.position.file}`));
    seen.set(scenario.id, scenario);
  }
  return { suite: { scenarios, fragments, clauses, digest }, problems, files };
}

/**
 * The correct fragments, and all fragments. A fragment with a mistake still has a name and captures, so that its users
 * are not blamed for it.
 */
function fragmentsOf(
  read: readonly ReadSource[],
  problems: Problem[],
): { readonly fragments: Fragments; readonly named: Fragments } {
  const fragments = new Map<string, Fragment>();
  const named = new Map<string, Fragment>();
  for (const { source, misspelt } of read.filter((one) => isFragment(one.source))) {
    const found = inOneRound(misspelt, checkSchema(source, "fragment"));
    problems.push(...found);
    const fragment = toFragment(source);
    named.set(fragment.name, fragment);
    if (found.length === 0) fragments.set(fragment.name, fragment);
  }
  return { fragments, named };
}

/** Has the file steps and a valid safety class? That is enough to compute its effort, whatever its other mistakes. */
function canBeWeighed({ value }: Source): boolean {
  const { steps, safety } = asMap(value);
  return (
    isList(steps) &&
    steps.length > 0 &&
    (safety === undefined || safetyClasses.some((known) => known === safety))
  );
}

const nameOf = (source: Source): string => String(asMap(source.value)["fragment"]);

function isFragment(source: Source): boolean {
  return asMap(source.value)["fragment"] !== undefined;
}

/** The clause register of this kit, with its digest. */
export async function readRegister(): Promise<{ readonly clauses: ClauseRegister; readonly digest: string }> {
  const { clauses, digest } = await clauseRegister();
  return { clauses, digest: `sha256:${digest}` };
}

interface Register {
  readonly clauses: ClauseRegister;
  /** 64 hex digits. */
  readonly digest: string;
}

const clauseRegister = once(async (): Promise<Register> => {
  const text = await readFile(join(packageRoot(), "fixtures", "spec", "clauses.json"), "utf8");
  return { clauses: toClauses(text), digest: sha256(text) };
});

/** Files of the kit do not change, so a process reads them once; a reading that failed is tried again. */
export function once<T, A extends readonly unknown[]>(
  read: (...given: A) => Promise<T>,
): (...given: A) => Promise<T> {
  let known: Promise<T> | undefined;
  return (...given) => {
    known ??= read(...given).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
