import { type ExpectationResult, type ExpectedFailure, failsTheRun } from "../model/expected-failure.ts";
import { type Difference, type Finding } from "../model/finding.ts";
import type { RowResult } from "../model/outcome.ts";
import { placeOf } from "../model/position.ts";
import { yamlScalar } from "../parse/yaml-text.ts";
import type { Judged } from "./apply-expectations.ts";
import { fingerprintOf } from "./fingerprint.ts";

interface Draft {
  readonly key: "case" | "clause";
  readonly id: string;
  readonly fingerprints: readonly string[];
  readonly note: string;
}

/**
 * Drafts an expectation file for the failures of a run. Entries that matched are kept; new ones get a reason that the
 * reader refuses, so that a person has to read each failure before accepting it. Entries that did not match are left
 * out.
 */
export function draftFrom(
  {
    rows,
    ambient,
    expectations = [],
    ids = new Set(),
  }: Judged & {
    readonly ids?: ReadonlySet<string>;
    readonly expectations?: readonly ExpectationResult[] | undefined;
  },
  entries: readonly ExpectedFailure[],
  today: string,
): string {
  const holding = new Set(expectations.filter((result) => !failsTheRun(result)).map(({ place }) => place));
  const kept = entries.filter(({ position }) => holding.has(placeOf(position)));
  const until = new Date(Date.parse(today) + 90 * 86_400_000).toISOString().slice(0, 10);
  return drafted({ rows, ambient }, kept, until, ids);
}

function drafted(
  { rows, ambient }: Judged,
  kept: readonly ExpectedFailure[],
  expires: string,
  ids: ReadonlySet<string>,
): string {
  const spelled = (differences: readonly Difference[]): string[] => [
    ...new Set(differences.map((one) => fingerprintOf(one, ids))),
  ];
  const drafts = [...caseDrafts(rows, spelled), ...lineDrafts(ambient.filter(isNew), spelled)];
  const head = "# Known failures of this target. An entry without a reason is refused: fill in every one.";
  const entries = [...kept.map(keptEntry), ...drafts.map((draft) => draftEntry(draft, expires))];
  return `${[head, ...(entries.length === 0 ? ["[]"] : entries)].join("\n")}\n`;
}

const isNew = ({ severity, expectedBy }: Pick<Finding, "severity" | "expectedBy">): boolean =>
  severity === "fail" && expectedBy === undefined;

/** The fingerprints of some differences, each once. */
type Spelling = (differences: readonly Difference[]) => string[];

/** One entry for a case if all its rows fail alike, else one for each row. */
function caseDrafts(rows: readonly RowResult[], spelled: Spelling): Draft[] {
  const byCase = new Map<string, RowResult[]>();
  for (const row of rows.filter(({ outcome }) => ["passed", "warned", "failed"].includes(outcome))) {
    const id = row.id.replace(/\[.*$/s, "");
    byCase.set(id, [...(byCase.get(id) ?? []), row]);
  }
  return [...byCase].flatMap(([id, group]) => {
    const drafts = group.map((row) => draftOf(row, spelled)).filter((draft) => draft.fingerprints.length > 0);
    const alike = new Set(drafts.map(({ fingerprints }) => fingerprints.join("\n"))).size === 1;
    const [first] = drafts;
    return first !== undefined && alike && drafts.length === group.length ? [{ ...first, id }] : drafts;
  });
}

function draftOf(row: RowResult, spelled: Spelling): Draft {
  return { key: "case", id: row.id, fingerprints: spelled(row.findings.filter(isNew)), note: row.title };
}

function lineDrafts(
  lines: readonly (Difference & { readonly clause: string })[],
  spelled: Spelling,
): Draft[] {
  const clauses = [...new Set(lines.map(({ clause }) => clause))];
  return clauses.map((id) => ({
    key: "clause",
    id,
    fingerprints: spelled(lines.filter(({ clause }) => clause === id)),
    note: "seen on replies of any case",
  }));
}

function draftEntry({ key, id, fingerprints, note }: Draft, expires: string): string {
  return [
    `# ${note.replace(/[^\x20-\x7e]/g, "·")}`,
    `- ${key}: ${yamlScalar(id)}`,
    "  outcome: fail",
    ...fingerprintLines(fingerprints),
    "  reason: 'TODO: why is this accepted, and who is responsible for it?'",
    `  expires: '${expires}'`,
  ].join("\n");
}

function keptEntry(entry: ExpectedFailure): string {
  const { subject, outcome, fingerprints, maxRate, reason, issue, expires } = entry;
  return [
    `- ${subject.kind}: ${yamlScalar(subject.id)}`,
    `  outcome: ${outcome}`,
    ...fingerprintLines(fingerprints),
    ...(maxRate === undefined ? [] : [`  maxRate: '${maxRate === 1 ? "1.0" : maxRate}'`]),
    `  reason: ${yamlScalar(reason)}`,
    ...(issue === undefined ? [] : [`  issue: ${yamlScalar(issue)}`]),
    ...(expires === undefined ? [] : [`  expires: '${expires}'`]),
  ].join("\n");
}

function fingerprintLines(fingerprints: readonly string[]): string[] {
  if (fingerprints.length === 0) return [];
  const [only] = fingerprints;
  if (only !== undefined && fingerprints.length === 1) return [`  fingerprint: ${yamlScalar(only)}`];
  return ["  fingerprint:", ...fingerprints.map((text) => `    - ${yamlScalar(text)}`)];
}
