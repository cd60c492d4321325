import { readJsonText } from "../check/lossless-json.ts";
import { claimedLevels } from "../model/clause.ts";
import { isArray, isInteger, type Json, JsonNumber, JsonObject, kindOf } from "../model/json.ts";
import type { Certificate, Signature } from "./certificate.ts";
import { keyProblem, signatureProblem } from "./keys.ts";

/** The type of a part of a certificate: a text, a whole number, a list of texts, or exactly these members. */
export type Shape = "text" | "count" | "texts" | { readonly [member: string]: Shape };

const shape: Shape = {
  type: "text",
  level: "text",
  verdict: "text",
  interface: { document: "text", version: "text", digest: "text" },
  suite: { kit: "text", register: "text", digest: "text" },
  target: { name: "text", baseUrlHash: "text" },
  profile: { digest: "text", absent: "texts", adopted: "texts", rejected: "texts", promised: "texts" },
  run: {
    started: "text",
    ended: "text",
    challenge: "text",
    seed: "count",
    clockSkew: "text",
    requests: "count",
    orders: "count",
    report: "text",
  },
  clauses: {
    required: {
      satisfied: "count",
      warned: "count",
      violated: "count",
      unverified: "count",
      notApplicable: "count",
    },
    warned: "texts",
    notApplicable: "texts",
    notTried: "texts",
    untestable: "count",
  },
  expires: "text",
  signature: { alg: "text", key: "text", value: "text" },
};

/**
 * Reads a certificate; returns a sentence if the text is none. Two readers must never understand one file differently:
 * duplicate members, unknown members and second spellings of a key or a signature are refused.
 */
export function certificateIn(text: string): Certificate | string {
  const found = signedIn<Certificate>(text, "gatewright-certificate/1", shape);
  if (typeof found === "string" || claimedLevels.some((level) => level === found.level)) return found;
  return `its level ${JSON.stringify(found.level)} does not exist`;
}

/** The same for anything that is signed so; `wanted` must be the shape of `Signed`. */
export function signedIn<Signed extends { readonly signature: Signature }>(
  text: string,
  type: string,
  wanted: Shape,
): Signed | string {
  const reading = readJsonText(text);
  if (!reading.ok) return `it is ${reading.problem.replace(/^body is /, "")}`;
  const { json } = reading;
  if (!(json instanceof JsonObject)) return "it is not a JSON object";
  if (json.get("type") !== type)
    return `its type is ${JSON.stringify(json.get("type")) ?? "missing"}, not ${JSON.stringify(type)}`;
  const problem = problemIn(json, wanted, "");
  if (problem !== undefined) return problem;
  // as: it has the shape.
  const found = plain(json) as Signed;
  return keyProblem(found.signature) ?? signatureProblem(found.signature) ?? found;
}

function problemIn(json: Json | undefined, wanted: Shape, path: string): string | undefined {
  const named = path === "" ? "it" : `its part "${path}"`;
  if (json === undefined) return `${named} is missing`;
  if (wanted === "text")
    return typeof json === "string" ? undefined : `${named} is ${kindOf(json)}, not a text`;
  if (wanted === "count") return isInteger(json) ? undefined : `${named} is not a whole number`;
  if (wanted === "texts")
    return isArray(json) && json.every((item) => typeof item === "string")
      ? undefined
      : `${named} is not a list of texts`;
  if (!(json instanceof JsonObject)) return `${named} is ${kindOf(json)}, not an object`;
  const [twice] = json.duplicates;
  if (twice !== undefined) return `the member "${twice}" of ${named} occurs twice`;
  const unknown = [...json.entries.keys()].find((key) => !Object.hasOwn(wanted, key));
  if (unknown !== undefined) return `${named} has a member "${unknown}" that no certificate has`;
  for (const [member, inner] of Object.entries(wanted)) {
    const problem = problemIn(json.get(member), inner, path === "" ? member : `${path}.${member}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function plain(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.lexeme);
  if (json instanceof JsonObject)
    return Object.fromEntries([...json.entries].map(([key, value]) => [key, plain(value)]));
  return isArray(json) ? json.map(plain) : json;
}
