/** The body of a control, read by its declaration; a refusal names every mistake and shows a body that is taken. */
import { err, type Result } from "../domain/result.ts";
import type { Refusal } from "../http/errors.ts";
import { refuseProblems } from "../http/route.ts";
import { decode } from "../schema/decode.ts";
import { type Shape, section } from "../schema/fields.ts";
import { type PathProblem, spellIssue, spellPath } from "../schema/problem.ts";
import type { Problem } from "../wire/body.ts";
import type { ControlRoute } from "./control-route.ts";

const nothing = section({});

export function readBody<B>(route: Pick<ControlRoute<B>, "body">, body: unknown): Result<B, Refusal> {
  // as: without a declared body B is nothing but what an empty one has.
  const read = decode(route.body?.shape ?? (nothing as unknown as Shape<B>), body);
  return read.ok
    ? read
    : err(withExample(refuseProblems("VALIDATION_FAILED", read.error.map(asProblem)).error, route));
}

/** The same problem as a detail of a refusal. */
export const asProblem = (problem: PathProblem): Problem => ({
  field: spellPath(problem.path),
  issue: `${problem.path.length === 0 ? "the body " : ""}${spellIssue(problem)}`,
});

/** Further text of a refusal of the body. */
export const withExample = <T extends Pick<Refusal, "code" | "message">>(
  refusal: T,
  { body }: Pick<ControlRoute, "body">,
): T =>
  body === undefined || refusal.code !== "VALIDATION_FAILED"
    ? refusal
    : { ...refusal, message: `${sentence(refusal.message)} For example: ${JSON.stringify(body.example)}` };

/** A question is a whole sentence already. */
const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
