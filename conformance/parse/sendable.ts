import { headerProblem, methodProblem, targetProblem } from "../contract/http-request.ts";
import { isMap, type Value, type ValueMap } from "../model/value.ts";

/**
 * Why the transport would not send this call or handshake, as far as its text stands in the file: nobody has filled in references,
 * and what they deliver is looked at when it leaves.
 */
export function unsendable(call: ValueMap): string | undefined {
  const sign = mapOf(call["sign"]);
  const [override, edits, changed] = ["override", "headers", "mutateAfterSign"].map((key) =>
    mapOf(sign[key]),
  );
  const signed = ["keyId", "nonce", "timestamp"].flatMap((part) => [override?.[part], changed?.[part]]);
  const transforms = [sign["transform"] ?? []].flat();
  return (
    first([call["method"], changed?.["method"]], methodProblem) ??
    first([call["path"], changed?.["path"], changed?.["query"]], (text) => targetProblem(`/${text}`)) ??
    ofHeaders(mapOf(call["headers"])) ??
    ofHeaders(mapOf(edits?.["set"])) ??
    first(Object.values(mapOf(edits?.["rename"])), (name) => headerProblem(name, "")) ??
    first([...signed, ...transforms, changed?.["contentType"]], (value) => headerProblem("X", value))
  );
}

function ofHeaders(headers: ValueMap): string | undefined {
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
  values: readonly (Value | undefined)[],
  problem: (text: string) => string | undefined,
): string | undefined {
  return values
    .filter((value) => typeof value === "string")
    .map((text) => (isWhole(text) ? undefined : problem(text.replace(/\$\{[^}]*\}/g, "x"))))
    .find((found) => found !== undefined);
}

const isWhole = (text: string): boolean => /^\$\{[^}]*\}$/.test(text);

const mapOf = (value: Value | undefined): ValueMap => (isMap(value) ? value : {});
