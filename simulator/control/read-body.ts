/** The body of a lever, read by its declaration; a refusal names every mistake and shows a body that is taken. */
import { err, ok, type Result } from "../domain/result.ts";
import type { Refusal } from "../http/errors.ts";
import { refuseProblems } from "../http/route.ts";
import type { Problem } from "../wire/order-request.ts";
import { checkShape } from "../world/check/shape.ts";
import { type PathProblem, spellPath } from "../world/problem.ts";
import { section } from "../world/schema/fields.ts";
import type { ControlRoute } from "./control-route.ts";

const NOTHING = section({});

export function readBody<B>(route: Pick<ControlRoute<B>, "body">, body: unknown): Result<B, Refusal> {
  const found = checkShape(route.body?.shape ?? NOTHING, body);
  // as: nothing is wrong with it, so it is what its shape says.
  return found.length === 0
    ? ok(body as B)
    : err(withExample(refuseProblems("VALIDATION_FAILED", found.map(asProblem)).error, route));
}

/** The same problem as a detail of a refusal. */
export const asProblem = ({ path, issue, advice }: PathProblem): Problem => ({
  field: spellPath(path),
  issue: `${path.length === 0 ? "the body " : ""}${issue}${advice === null ? "" : `; ${advice}`}`,
});

/** What a refusal of the body says besides. */
export const withExample = <T extends Pick<Refusal, "code" | "message">>(
  refusal: T,
  { body }: Pick<ControlRoute, "body">,
): T =>
  body === undefined || refusal.code !== "VALIDATION_FAILED"
    ? refusal
    : { ...refusal, message: `${refusal.message}. For example: ${JSON.stringify(body.example)}` };
