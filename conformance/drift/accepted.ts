import { type Position, UsageError } from "../model/position.ts";
import { asMap, isList } from "../model/value.ts";
import { mostBytes, readCapped } from "../parse/read-capped.ts";
import { checkSchema } from "../parse/schema-check.ts";
import { readSource } from "../parse/source.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import { yamlScalar } from "../parse/yaml-text.ts";
import { fits } from "../runner/prepare/select.ts";
import type { TargetDifference } from "./differences.ts";

/** A difference that somebody knows of, and why it may be. */
export interface AcceptedDifference {
  readonly where: string;
  readonly a: string;
  readonly b: string;
  readonly reason: string;
  readonly position: Position;
}

/** Reads a list of accepted differences strictly. @throws UsageError with the place of each mistake. */
export async function readAccepted(file: string): Promise<AcceptedDifference[]> {
  using reader = new YamlReader();
  const text = await readCapped("list of accepted differences", file, mostBytes.small);
  const reading = await readSource(file, text, reader);
  const invalid = "the list of accepted differences is not valid";
  if (!reading.ok) throw new UsageError(invalid, reading.problems);
  const { source } = reading;
  const problems = checkSchema(source, "accepted");
  if (problems.length > 0) throw new UsageError(invalid, problems);
  const entries = isList(source.value) ? source.value.map(asMap) : [];
  return entries.map(({ where, a = "*", b = "*", reason }, index) => ({
    where: String(where),
    a: String(a),
    b: String(b),
    reason: String(reason),
    position: source.positionOf([index]),
  }));
}

/** The first entry that covers a difference. */
export function acceptedBy(
  { where, a, b }: TargetDifference,
  entries: readonly AcceptedDifference[],
): AcceptedDifference | undefined {
  return entries.find((entry) => fits(entry.where, where) && fits(entry.a, a) && fits(entry.b, b));
}

/** A list that covers these differences. The empty reasons are refused, so that a person reads each. */
export function draftAccepted(differences: readonly TargetDifference[]): string {
  const head =
    "# Differences between two targets. An entry without a reason is refused: fill in every one.\n";
  if (differences.length === 0) return `${head}[]\n`;
  return `${head}${differences
    .map(
      ({ where, a, b }) =>
        `- where: ${yamlScalar(where)}\n  a: ${yamlScalar(a)}\n  b: ${yamlScalar(b)}\n  reason: ''\n`,
    )
    .join("")}`;
}
