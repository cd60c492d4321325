/**
 * Signing mistakes from public issues, pull requests and samples, run from the idioms of their languages. They were not invented
 * here, and the catalogue was not made for them: they measure it. Each is carried over to the six lines of this gateway.
 */
import { diagnoseSignature, type SignatureDiagnosis } from "../../simulator/index.ts";
import { compiledAndOthers } from "./compiled.ts";
import { type Collected, host, keyId, nonce, timestamp } from "./idioms.ts";
import { javaScriptAndTypeScript } from "./javascript.ts";
import { pythonAndPhp } from "./python-php.ts";

export const collected: readonly Collected[] = [
  ...pythonAndPhp,
  ...javaScriptAndTypeScript,
  ...compiledAndOthers,
];

export interface Judged {
  readonly mistake: Collected;
  readonly diagnosis: SignatureDiagnosis;
  readonly outcome: "right" | "wrong" | "unnamed";
}

export async function judge(mistake: Collected): Promise<Judged> {
  const { sent, sign } = mistake;
  const { secret, signedPath, body, ...request } = sent;
  const asked = { ...request, host, keyId, timestamp, nonce, signature: sign(sent), body: Buffer.from(body) };
  const diagnosis = await diagnoseSignature(asked, secret, signedPath);
  if (diagnosis.verifies) throw new Error(`${mistake.source} makes a right signature`);
  return { mistake, diagnosis, outcome: outcomeOf(mistake, diagnosis) };
}

/** Of several that come to the same, the expected one must be among those named; a pair must be the expected pair. */
function outcomeOf(
  { expected }: Collected,
  { state, mistakes, hint }: SignatureDiagnosis,
): Judged["outcome"] {
  if (state !== "found") return "unnamed";
  const isEither = mistakes.length === 1 || (hint ?? "").includes(" or if ");
  const fits = expected.some((names) =>
    isEither
      ? names.length === 1 && mistakes.includes(names[0] ?? "")
      : names.toSorted().join() === mistakes.toSorted().join(),
  );
  return fits ? "right" : "wrong";
}
