import { readFile } from "node:fs/promises";
import type { Dialect } from "../model/dialect.ts";
import { ownFile } from "./own-file.ts";
import { readSource } from "./source.ts";
import { YamlReader } from "./yaml-reader.ts";

interface MistakeFile {
  readonly groups: readonly { readonly mistakes: readonly Omit<Dialect, "breaks">[] }[];
  readonly dialects: readonly { readonly mistake: string; readonly breaks: string }[];
}

let known: Promise<readonly Dialect[]> | undefined;

/**
 * The `dialects` of fixtures/signing/mistakes.yaml, in their order. The head of the file explains each key. The file is
 * part of the kit, so a process reads it once.
 */
export function readDialects(): Promise<readonly Dialect[]> {
  known ??= dialectsInFile();
  return known;
}

async function dialectsInFile(): Promise<readonly Dialect[]> {
  using reader = new YamlReader();
  const name = "fixtures/signing/mistakes.yaml";
  const reading = await readSource(name, await readFile(ownFile(name), "utf8"), reader);
  if (!reading.ok) throw new Error(`${name} cannot be read: ${reading.problems[0]?.message ?? ""}`);
  // as: the file belongs to the project, and a test builds a gateway from each of its dialects.
  const { groups, dialects } = reading.source.value as unknown as MistakeFile;
  const mistakes = new Map(groups.flatMap((group) => group.mistakes).map((one) => [one.id, one] as const));
  return dialects.map(({ mistake, breaks }) => {
    const found = mistakes.get(mistake);
    if (found === undefined) throw new Error(`${name} has no mistake ${mistake}`);
    return { ...found, breaks };
  });
}
