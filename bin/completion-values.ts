/** What can stand behind a flag or as an argument, as far as it is known beforehand: ids of cases, clauses, freedoms, bugs. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import * as kit from "../conformance/commands.ts";
import { freedomSets, knownDefects, knownFreedoms } from "../simulator/index.ts";

/** By the word that help texts have in the place of the value: `--only <pattern>`, `explain <clause>`. */
export type Values = ReadonlyMap<string, readonly string[]>;

/**
 * Run files of the sandboxes that run in the folder; the shell unfolds it when it is asked. It expands once more what it is
 * offered, and a folder may come from a stranger: only names with the number of a port pass.
 */
const runFiles = "$(ls .gatewright 2>/dev/null | grep -xE 'run-[0-9]+[.]json' | sed 's,^,.gatewright/,')";

export async function knownValues(): Promise<Values> {
  const { clauses: all } = fixture<{ readonly clauses: readonly { readonly id: string }[] }>(
    "spec",
    "clauses.json",
  );
  const { forced } = fixture<{ readonly forced: readonly { readonly code: string }[] }>("outcomes.json");
  const clauses = all.map(({ id }) => id);
  const cases = [...(await scenarioIds()), ...clauses];
  const freedoms = knownFreedoms().flatMap(({ id, options }) =>
    options.map((option) => `${id}=${option.id}`),
  );
  const defects = (await knownDefects()).map(({ id }) => id);
  const outcomes = forced.map(({ code }) => code);
  return new Map<string, readonly string[]>([
    ["--only <pattern>", cases],
    ["--skip <pattern>", cases],
    ["explain <clause>", clauses],
    ["--freedom <id=option>", freedoms],
    ["ctl freedom <freedom=option>", freedoms],
    ["ctl freedoms use <set>", freedomSets],
    ["--defect <id>", defects.filter((id) => !id.startsWith("V-"))],
    ["--variant <id>", defects.filter((id) => id.startsWith("V-"))],
    ["--outcome <value>", outcomes],
    ["ctl outcomes next <code>", outcomes],
    ["--ready-file <file>", [runFiles]],
  ]);
}

const fixture = <T>(...name: readonly string[]): T =>
  JSON.parse(readFileSync(path.join(kit.packageRoot(), "fixtures", ...name), "utf8")) as T;

/** By their files, which is faster than to read them; a scenario of many cases is named without its rows. */
async function scenarioIds(): Promise<string[]> {
  const files = await kit.builtInFiles();
  return files
    .filter((found) => !kit.isInFragments(found))
    .map(({ root, file }) => path.relative(root, file).slice(0, -5).replaceAll(path.sep, "-"))
    .toSorted();
}

/** Of each flag of a command that takes a value from a known list. */
export function valuesOfFlags(
  { options }: CommandUnknownOpts,
  known: Values,
): [flag: string, values: readonly string[]][] {
  return options.flatMap(({ long, flags, argChoices }) => {
    const values = argChoices ?? known.get(flags.replace(/^-\w, /, ""));
    return long === undefined || long === null || values === undefined ? [] : [[long, values]];
  });
}

/** Of its first argument. */
export function valuesOfArgument(
  words: string,
  { registeredArguments: [first] }: CommandUnknownOpts,
  known: Values,
) {
  return first === undefined ? [] : (first.argChoices ?? known.get(`${words} <${first.name()}>`) ?? []);
}
