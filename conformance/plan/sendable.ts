import { headerProblem, methodProblem, targetProblem } from "../contract/http-request.ts";
import { soleReference, withReferences } from "../model/expr.ts";
import type { FilledCall } from "./call.ts";

/**
 * The reason why the transport would not send this call or handshake, as far as the file shows. References are not
 * filled here; their values are checked when the request is sent.
 */
export function unsendable({ method, path, headers, sign }: FilledCall): string | undefined {
  const { plan, mutation } = sign;
  const { override } = plan;
  const signed = [override, mutation].flatMap(({ keyId, nonce, timestamp }) => [keyId, nonce, timestamp]);
  return (
    first([method, mutation.method], methodProblem) ??
    first([path, mutation.path, mutation.query], (text) => targetProblem(`/${text}`)) ??
    ofHeaders(headers) ??
    ofHeaders(plan.headers.set) ??
    first(Object.values(plan.headers.rename), (name) => headerProblem(name, "")) ??
    first([...signed, ...plan.transform, mutation.contentType], (value) => headerProblem("X", value))
  );
}

function ofHeaders(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers)
    .map(([name, value]) =>
      name.toLowerCase() === "host"
        ? "the kit sets Host itself, to that of the target"
        : (first([name], (text) => headerProblem(text, "")) ??
          first([value], (text) => headerProblem(name, text))),
    )
    .find((problem) => problem !== undefined);
}

function first(
  values: readonly (string | undefined)[],
  problem: (text: string) => string | undefined,
): string | undefined {
  return values
    .filter((value) => value !== undefined)
    .map((text) => (soleReference(text) === undefined ? problem(withReferences(text, () => "x")) : undefined))
    .find((found) => found !== undefined);
}
