/** The signature doctor without a venue. */
import { checkSettings } from "./auth/settings.ts";
import { diagnosePasted, type PastedDiagnosis, type PastedRequest } from "./doctor/diagnose-pasted.ts";
import { invariant } from "./domain/invariant.ts";

/** A request as it was sent: `target` is path and query, the others are its headers. */
export type SentRequest = PastedRequest;
export type SignatureDiagnosis = PastedDiagnosis;

/**
 * Names the mistake with which a request was signed: every known mistake, and every pair. The secret and the right signature are
 * in no part of the answer.
 */
export function diagnoseSignature(
  sent: SentRequest,
  secret: string,
  signedPath: "path" | "path-and-query" | "either" = "path",
): Promise<SignatureDiagnosis> {
  const settings = checkSettings({ signedPath });
  invariant(settings.ok, "the defaults are sound");
  return diagnosePasted(sent, secret, settings.value);
}
