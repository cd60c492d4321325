import { randomInt } from "node:crypto";
import { assertHostAllowed } from "./client/host-guard.ts";
import { readExpectations } from "./expectations/read-expectations.ts";
import { profileFrom } from "./load-profile.ts";
import { type Suite, suiteFrom } from "./load-suite.ts";
import type { ClaimedLevel } from "./model/clause.ts";
import type { ExpectedFailure } from "./model/expected-failure.ts";
import { UsageError } from "./model/position.ts";
import { printable } from "./model/printable.ts";
import type { Profile } from "./model/profile.ts";
import type { CaseRow } from "./model/scenario.ts";
import { didYouMean } from "./model/suggest.ts";
import { type Environment, plainProfile } from "./parse/profile.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { secretWatch } from "./properties/p34-secrets-stay-secret.ts";
import { type PropertyOptions, selectProperties } from "./property-phase.ts";
import { type Selected, select, unmatchedAmong } from "./runner/prepare/select.ts";
import type { Shard } from "./runner/prepare/shard.ts";

/** Either a profile file, or the address and credential of a target on this machine. */
export interface TargetOptions {
  readonly profile?: string;
  readonly target?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly environment?: Environment;
}

export interface InputOptions extends TargetOptions, Pick<PropertyOptions, "properties"> {
  /** The profile and the suite, if they were read before for several runs of one process. */
  readonly read?: { readonly profile: Profile; readonly suite: Suite };
  readonly scenarios?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly level?: ClaimedLevel;
  readonly seed?: number;
  /** `stable` runs the cases in the order of their files. */
  readonly order?: "shuffled" | "stable";
  /** Runs one part of the cases; `mergeReports` makes one verdict from the reports of all parts. */
  readonly shard?: Shard;
  /** A file of known failures. It replaces the one that the profile names; `false` uses none. */
  readonly expectations?: string | false;
}

/** The inputs of a run. All of them are read and checked before anything is sent. */
export interface RunInput {
  readonly profile: Profile;
  readonly suite: Suite;
  readonly selected: Selected;
  readonly expected: readonly ExpectedFailure[] | undefined;
  readonly seed: number;
  readonly level: ClaimedLevel;
}

export async function readInput(options: InputOptions): Promise<RunInput> {
  const { shard } = options;
  if (shard !== undefined && options.seed === undefined)
    throw new UsageError(
      `shard ${shard.index}/${shard.count} has no seed: give all shards of the run the same --seed, for example the number of the CI run; gatewright merge joins no others`,
    );
  using reader = new YamlReader();
  const profile = options.read?.profile ?? (await profileWith(options, reader));
  assertHostAllowed(profile);
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  const level = options.level ?? "core";
  const suite = options.read?.suite ?? (await validSuite(options, reader));
  await tellUnmatched(suite, options);
  const selected = selection(suite, options, options.order ?? "shuffled", level, seed);
  const file = options.expectations ?? profile.expectations;
  const expected = typeof file === "string" ? await expectationsIn(file, suite, reader) : undefined;
  return { profile, suite, selected, expected, seed, level };
}

/** The case rows that a run with these options would try, in the order of their files. Sends nothing. */
export async function selectedCases(options: InputOptions): Promise<readonly CaseRow[]> {
  using reader = new YamlReader();
  const suite = options.read?.suite ?? (await validSuite(options, reader));
  return selection(suite, options, "stable", options.level ?? "core", 1).rows;
}

/** The target that the options name: a profile file, or the address and credential of one on this machine. */
export async function profileOf(options: TargetOptions): Promise<Profile> {
  using reader = new YamlReader();
  return await profileWith(options, reader);
}

export async function profileWith(options: TargetOptions, reader: YamlReader): Promise<Profile> {
  const environment = options.environment ?? process.env;
  if (options.profile !== undefined) return (await profileFrom(options.profile, reader))(environment);
  const { target, keyId, secret } = options;
  if (target === undefined || keyId === undefined || secret === undefined) {
    throw new UsageError("give a profile, or a target with key id and secret");
  }
  const profile = plainProfile(target, keyId, secret);
  if (typeof profile === "string") throw new UsageError(profile);
  return profile;
}

export async function validSuite({ scenarios = [] }: InputOptions, reader: YamlReader): Promise<Suite> {
  const { suite, problems } = await suiteFrom(scenarios, reader);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  return suite;
}

function selection(
  suite: Suite,
  { only = [], skip = [], shard, properties }: InputOptions,
  order: "shuffled" | "stable",
  level: ClaimedLevel,
  seed: number,
): Selected {
  const named = selectProperties({ only, ...(properties === undefined ? {} : { properties }) });
  const wanted = { only: named.cases, skip, level, order, shard };
  const selected = select(suite.scenarios, wanted, suite, seed);
  if (named.choice !== "only") return selected;
  return { ...selected, rows: [], filtered: [...selected.filtered, ...selected.rows] };
}

/** Reports patterns without a match, because the user expects them to change the run. */
async function tellUnmatched(suite: Suite, { only = [], skip = [] }: InputOptions): Promise<void> {
  const patterns = [...only, ...skip];
  if (patterns.length === 0) return;
  const { allProperties } = await import("./properties/all-properties.ts");
  const properties = [...allProperties.map(({ id }) => id), secretWatch];
  for (const pattern of unmatchedAmong(patterns, suite.scenarios, suite.clauses, properties)) {
    const known = [...suite.scenarios.map(({ id }) => id), ...properties];
    const hint = didYouMean(pattern, known) ?? "gatewright list shows all names";
    process.stderr.write(
      `gatewright: "${printable(pattern)}" names no case, tag, clause or property: ${hint}\n`,
    );
  }
}

async function expectationsIn(
  file: string,
  suite: Suite,
  reader: YamlReader,
): Promise<readonly ExpectedFailure[]> {
  const { allProperties } = await import("./properties/all-properties.ts");
  const known = { ...suite, properties: allProperties.map(({ id }) => id) };
  return readExpectations(file, known, reader);
}
