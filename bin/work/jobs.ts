/**
 * The jobs that workers do, and how they are written down. A queue is for one version of Gatewright, that of shards for one
 * profile, too, and that of situations for one client: other workers never see its jobs. What comes from the database is checked before it is used.
 */
import { createHash } from "node:crypto";
import type { ClaimedLevel } from "../../conformance/commands.ts";
import { count, flag, listOf, oneOf, optional, record, type Shape, text } from "../answer-shape.ts";
import type { Trial } from "../detection/catalogue.ts";
import type { TrialResult, TrialSettings } from "../detection/trial.ts";

export interface TrialJob {
  readonly trial: Trial;
  readonly settings: TrialSettings;
}

/** A part of a run, for a worker that has its profile. */
export interface ShardJob {
  readonly shard: { readonly index: number; readonly count: number };
  readonly seed: number;
  readonly level: ClaimedLevel;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly order: "shuffled" | "stable";
  readonly properties: "auto" | "on" | "off" | "only";
  readonly runs?: number;
  readonly gate: "conformance" | "regressions" | "selection";
  readonly failOnWarnings: boolean;
  readonly failOnExtra: boolean;
  /** The folder of who asks. */
  readonly counterexamples: string;
  readonly command: string;
}

/** A situation of an exam, for a worker that has the client. */
export interface SituationJob {
  readonly situation: string;
  readonly limitMs: number;
  readonly seed: number;
}

export interface SituationResult {
  /** The text of the JSON report of an exam with this situation alone. */
  readonly report: string;
}

export interface ShardResult {
  /** The text of its JSON report. */
  readonly report: string;
  readonly counterexamples: readonly { readonly name: string; readonly text: string }[];
}

/** What a worker leaves of a job: the value as JSON, because a database takes no text with a NUL; or why there is none. */
export interface Outcome {
  readonly worker: string;
  readonly value?: string;
  readonly problem?: string;
  readonly code?: number;
}

export const trialQueue = (version: string): string => `trials-${version}`;
export const shardQueue = (version: string, profile: Buffer): string =>
  `shards-${version}-${digestOf(profile)}`;
/** The command is in no job: who reaches the database cannot choose what a worker starts. */
export const situationQueue = (version: string, client: string): string =>
  `situations-${version}-${digestOf(client)}`;

const digestOf = (of: Buffer | string): string => createHash("sha256").update(of).digest("hex").slice(0, 32);

/** Undefined: it is no queue of ours. */
export function versionOf(queue: string): string | undefined {
  const [, ofTrials, ofOthers] =
    /^(?:trials-(.+)|(?:shards|situations)-(.+)-[0-9a-f]{32})$/.exec(queue) ?? [];
  return ofTrials ?? ofOthers;
}

const mostJobBytes = 65_536;
const isBounded = (value: unknown): boolean => JSON.stringify(value).length <= mostJobBytes;
const texts = listOf(text);
const level = oneOf("core", "core+limits", "core+events", "full");

const trialShape = record({
  id: text,
  title: text,
  kind: oneOf("named", "field", "independent", "variation", "combination", "hostile"),
  defects: texts,
  hostile: optional(count),
  violates: texts,
  mild: texts,
  by: oneOf("all", "one"),
  noticeable: flag,
});
const settingsShape = record({
  level,
  seed: count,
  properties: oneOf("on", "off", "unconvicted"),
  stopAtConviction: flag,
  only: optional(texts),
});
const trialJobShape = record({ trial: trialShape, settings: settingsShape });
export const isTrialJob: Shape<TrialJob> = (value): value is TrialJob =>
  isBounded(value) && trialJobShape(value);

const shardJobShape = record({
  shard: record({ index: count, count }),
  seed: count,
  level,
  only: texts,
  skip: texts,
  order: oneOf("shuffled", "stable"),
  properties: oneOf("auto", "on", "off", "only"),
  runs: optional(count),
  gate: oneOf("conformance", "regressions", "selection"),
  failOnWarnings: flag,
  failOnExtra: flag,
  counterexamples: text,
  command: text,
});
export const isShardJob: Shape<ShardJob> = (value): value is ShardJob =>
  isBounded(value) && shardJobShape(value);

const situationJobShape = record({ situation: text, limitMs: count, seed: count });
export const isSituationJob: Shape<SituationJob> = (value): value is SituationJob =>
  isBounded(value) && situationJobShape(value);
export const isSituationResult: Shape<SituationResult> = record({ report: text });

const outcomeShape = record({
  worker: text,
  value: optional(text),
  problem: optional(text),
  code: optional(count),
});
export const isOutcome: Shape<Outcome> = (value): value is Outcome => outcomeShape(value);

const trialResultShape = record({
  id: text,
  title: text,
  expected: texts,
  outcome: oneOf("convicted", "refused", "by-another-clause", "unnoticed", "noted", "false-alarm", "error"),
  violated: texts,
  warned: texts,
  cases: texts,
  verdict: text,
  note: optional(text),
  early: optional(flag),
  durationMs: count,
});
export const isTrialResult: Shape<TrialResult> = (value): value is TrialResult => trialResultShape(value);

/** The name of a counterexample is that of a file in one folder. */
const fileName: Shape<string> = (value): value is string =>
  typeof value === "string" && /^cx-[\w-]{1,80}\.yaml$/.test(value);
export const isShardResult: Shape<ShardResult> = record({
  report: text,
  counterexamples: listOf(record({ name: fileName, text })),
});
