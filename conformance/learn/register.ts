import { existsSync } from "node:fs";
import { join } from "node:path";
import { asMap, isList, isMap, type Value } from "../model/value.ts";
import { packageRoot } from "../package-root.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";
import { readSource } from "../parse/source.ts";
import type { YamlReader } from "../parse/yaml-reader.ts";

/** An entry of fixtures/spec/freedoms.yaml, as far as the kit needs it. */
export interface FreedomEntry {
  readonly id: string;
  readonly gap: string;
  readonly options: readonly { readonly id: string; readonly means: string; readonly variation: boolean }[];
  readonly usual: string;
  /** Where a world of a simulator sets it; null where the option is taken otherwise, or not at all. */
  readonly setting: string | null;
}

export async function readFreedoms(reader: YamlReader): Promise<readonly FreedomEntry[]> {
  const source = join(packageRoot(), "fixtures", "spec", "freedoms.yaml");
  // The package has the built form alone, which is JSON.
  const file = existsSync(source) ? source : join(packageRoot(), "dist", "spec-freedoms.yaml.json");
  const reading = await readSource(file, await readCapped("register", file, mostBytes.small), reader);
  const listed = reading.ok ? asMap(reading.source.value)["freedoms"] : undefined;
  if (!isList(listed)) throw new Error(`${file} is not the register of freedoms`);
  return listed.filter(isMap).map((entry) => ({
    id: String(entry["id"]),
    gap: String(entry["gap"]),
    options: optionsIn(entry["options"]),
    usual: String(entry["default"]),
    setting: typeof entry["setting"] === "string" ? entry["setting"] : null,
  }));
}

const optionsIn = (value: Value | undefined): FreedomEntry["options"] =>
  (isList(value) ? value : []).filter(isMap).map((option) => ({
    id: String(option["id"]),
    means: String(option["means"]),
    variation: option["variation"] !== undefined,
  }));

/** Can a world of a simulator take this option? A number fits where a setting takes numbers. */
export function isChoosable({ setting, options, usual }: FreedomEntry, option: string): boolean {
  if (setting !== null) return true;
  return (
    options.some((one) => one.variation) &&
    options.some(({ id, variation }) => id === option && (variation || id === usual))
  );
}
