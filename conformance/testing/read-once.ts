import type { ConformOptions } from "../conform.ts";
import { profileFrom } from "../load-profile.ts";
import { type Suite, type SuiteReading, suiteFrom } from "../load-suite.ts";
import { UsageError } from "../model/position.ts";
import type { Profile } from "../model/profile.ts";
import type { Environment } from "../parse/profile.ts";
import { YamlReader } from "../parse/yaml-reader.ts";

const reader = new YamlReader();
const suites = new Map<string, Promise<Suite>>();

/**
 * The same options, with profile and scenarios read. To read the suite takes longer than many a run of a few cases, so
 * the runs of one process share it, and the process that parses YAML. A file of scenarios must not change between runs.
 */
export async function readOnce<T extends ConformOptions & { readonly profile: string }>(
  options: T,
): Promise<T & Required<Pick<ConformOptions, "read">>> {
  const { profile: file, environment = {}, scenarios = [] } = options;
  const profile = await readProfile(file, environment);
  return { ...options, read: { profile, suite: await suiteOf(scenarios) } };
}

/** As `readProfile` and `readSuite` do, without a process of their own that parses YAML. */
export async function readProfile(file: string, environment: Environment): Promise<Profile> {
  return (await profileFrom(file, reader))(environment);
}

export const readSuite = (places: readonly string[]): Promise<SuiteReading> => suiteFrom(places, reader);

async function suiteOf(scenarios: readonly string[]): Promise<Suite> {
  const key = scenarios.join("\n");
  const suite = suites.get(key) ?? readValid(scenarios);
  suites.set(key, suite);
  return suite;
}

async function readValid(scenarios: readonly string[]): Promise<Suite> {
  const { suite, problems } = await readSuite(scenarios);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  return suite;
}
