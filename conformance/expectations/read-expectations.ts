import type { ClauseRegister } from "../model/clause.ts";
import { type ExpectationSubject, type ExpectedFailure } from "../model/expected-failure.ts";
import { forEachStep } from "../model/for-each-step.ts";
import { type Problem, UsageError } from "../model/position.ts";
import { rowsOf, type Scenario } from "../model/scenario.ts";
import { type Fragments, type Step } from "../model/step.ts";
import { didYouMean } from "../model/suggest.ts";
import { asMap, isList, type ValueMap } from "../model/value.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";
import { checkSchema } from "../parse/schema-check.ts";
import { readSource, type Source } from "../parse/source.ts";
import type { YamlReader } from "../parse/yaml-reader.ts";
import { assertionParts, clausesOf, isRowOf } from "./subjects.ts";

/** The known names with which an expectation file is compared. */
export interface KnownSuite {
  readonly scenarios: readonly Scenario[];
  readonly fragments: Fragments;
  readonly clauses: ClauseRegister;
  /** Rows that come from no scenario file: the properties. */
  readonly properties?: readonly string[];
}

/**
 * Reads an expectation file strictly: an entry names existing subjects, the expected failure, and the reason for
 * accepting it. Anything else is a mistake in the file (exit 2, before anything is sent).
 */
export async function readExpectations(
  file: string,
  suite: KnownSuite,
  reader: YamlReader,
): Promise<ExpectedFailure[]> {
  const text = await readCapped("expectation file", file, mostBytes.small);
  const reading = await readSource(file, text, reader);
  if (!reading.ok) throw invalid(reading.problems);
  const { source } = reading;
  const schemaProblems = checkSchema(source, "expectations");
  if (schemaProblems.length > 0) throw invalid(schemaProblems);
  const problems = entriesOf(source).flatMap((entry, index) => problemsOf(entry, index, source, suite));
  if (problems.length > 0) throw invalid(problems);
  return entriesOf(source).map((entry, index) => toExpectedFailure(entry, index, source));
}

function invalid(problems: readonly Problem[]): UsageError {
  return new UsageError("the expectation file is not valid", problems);
}

function entriesOf(source: Source): readonly ValueMap[] {
  return isList(source.value) ? source.value.map(asMap) : [];
}

const subjectKeys = ["case", "clause", "assertion"] as const;

function subjectOf(entry: ValueMap): ExpectationSubject | undefined {
  const given = subjectKeys.filter((key) => entry[key] !== undefined);
  const [kind] = given;
  return kind === undefined || given.length > 1 ? undefined : { kind, id: String(entry[kind]) };
}

function toExpectedFailure(entry: ValueMap, index: number, source: Source): ExpectedFailure {
  const { maxRate, issue, expires } = entry;
  return {
    subject: subjectOf(entry) ?? { kind: "case", id: "" },
    outcome: entry["outcome"] === "flaky" ? "flaky" : "fail",
    fingerprints: [entry["fingerprint"] ?? []].flat().map(String),
    ...(typeof maxRate === "string" ? { maxRate: Number(maxRate) } : {}),
    reason: String(entry["reason"]),
    ...(typeof issue === "string" ? { issue } : {}),
    ...(typeof expires === "string" ? { expires } : {}),
    position: source.positionOf([index]),
  };
}

function problemsOf(entry: ValueMap, index: number, source: Source, suite: KnownSuite): Problem[] {
  const say = (key: string | undefined, message: string, hint?: string): Problem =>
    source.problem(key === undefined ? [index] : [index, key], message, { hint });
  const subject = subjectOf(entry);
  if (subject === undefined)
    return [say(undefined, "an entry names exactly one of case, clause and assertion")];
  const problems: Problem[] = [];
  const unknown = unknownSubject(subject, suite);
  if (unknown !== undefined) problems.push(say(subject.kind, unknown.message, unknown.hint));
  if (/^\s*(?:to-?do\b|$)/i.test(String(entry["reason"])))
    problems.push(
      say(
        "reason",
        "the reason is not filled in",
        "state why this failure is accepted, and who is responsible for it",
      ),
    );
  const { expires, fingerprint, maxRate, outcome } = entry;
  if (typeof expires === "string" && !isDay(expires))
    problems.push(say("expires", `there is no day ${expires}`));
  if (outcome === "fail" && fingerprint === undefined)
    problems.push(
      say(
        undefined,
        "a failure that is expected needs its fingerprint, or any other failure would match it",
        "gatewright conform --write-expectations FILE writes it",
      ),
    );
  if (outcome === "fail" && maxRate !== undefined)
    problems.push(say("maxRate", "maxRate is for outcome: flaky"));
  if (outcome === "flaky" && unknown === undefined && isRequiredOnly(subject, suite))
    problems.push(say("outcome", "a required clause must always hold: flaky is for the lower levels only"));
  return problems;
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function unknownSubject(
  subject: ExpectationSubject,
  suite: KnownSuite,
): { readonly message: string; readonly hint?: string | undefined } | undefined {
  if (subject.kind === "clause") {
    const known = [...suite.clauses.clauses.keys()];
    if (known.includes(subject.id) || subject.id.startsWith("X-")) return undefined;
    return { message: `there is no clause ${subject.id}`, hint: didYouMean(subject.id, known) };
  }
  const parts = subject.kind === "assertion" ? assertionParts(subject.id) : { caseId: subject.id };
  if (parts === undefined) return { message: `expected case/step#/pointer, found "${subject.id}"` };
  const known = [
    ...suite.scenarios.flatMap((scenario) => [scenario.id, ...rowsOf(scenario).map(({ id }) => id)]),
    ...(suite.properties ?? []),
  ];
  if (!known.includes(parts.caseId))
    return {
      message: `there is no case "${parts.caseId}" in this suite`,
      hint: didYouMean(parts.caseId, known),
    };
  if (!("step" in parts) || suite.properties?.includes(parts.caseId) === true) return undefined;
  const steps = stepNames(suite, parts.caseId);
  const step = parts.step.replace(/\[[^\]]*\]$/, "");
  if (steps.includes(step)) return undefined;
  return { message: `there is no step "${step}" in ${parts.caseId}`, hint: didYouMean(step, steps) };
}

/**
 * The names of steps in findings: their ids, or their actions. Steps of fragments belong to the cases that use them.
 */
function stepNames(suite: KnownSuite, caseId: string): string[] {
  const scenario = suite.scenarios.find(({ id }) => isRowOf(id, caseId));
  if (scenario === undefined) return [];
  const names = new Set<string>();
  const visit = (step: Step): unknown => names.add(step.id ?? step.action);
  for (const steps of [scenario.setup, scenario.steps])
    forEachStep(steps, undefined, { visit }, suite.fragments);
  return [...names];
}

/** Are all clauses of the subject required? */
function isRequiredOnly(subject: ExpectationSubject, suite: KnownSuite): boolean {
  const isRequired = (id: string): boolean => suite.clauses.levelOf(id) === "required";
  if (subject.kind === "clause") return clausesOf(subject.id, suite.clauses).every(isRequired);
  const caseId = subject.kind === "case" ? subject.id : (assertionParts(subject.id)?.caseId ?? "");
  const rows = suite.scenarios
    .filter(({ id }) => isRowOf(id, caseId))
    .flatMap(rowsOf)
    .filter((row) => isRowOf(caseId, row.id));
  return rows.length > 0 && rows.every((row) => row.level === undefined && row.spec.every(isRequired));
}
