/** Whether the signature of a pasted request is right, and if not, which mistake it has. Its secret goes nowhere. */
import { createSecretKey } from "node:crypto";
import { malformedNonce, malformedTimestamp } from "../auth/auth-failures.ts";
import { type ReceivedRequest, signatureVerifies } from "../auth/authenticate.ts";
import { nonceFromText } from "../auth/nonce-text.ts";
import type { CheckSettings } from "../auth/settings.ts";
import { type Diagnosis, SignatureSearch } from "../auth/signature-search.ts";
import { Doctor } from "./doctor.ts";

export interface PastedRequest extends ReceivedRequest {
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

export interface PastedDiagnosis extends Diagnosis {
  /** Then nothing is searched. */
  readonly verifies: boolean;
  /** Other reasons for which a venue would refuse it. */
  readonly remarks: readonly string[];
}

/** How old it is and whether its nonce was used are not looked at: it was sent before. */
export async function diagnosePasted(
  pasted: PastedRequest,
  secret: string,
  settings: CheckSettings,
  otherSecrets: ReadonlyMap<string, string> = new Map(),
): Promise<PastedDiagnosis> {
  const signingKey = createSecretKey(secret, "utf8");
  const verifies = signatureVerifies(settings, { sent: pasted, key: { signingKey } }, pasted);
  const search = new SignatureSearch({ ...pasted, secret, signedPath: settings.signedPath, otherSecrets });
  if (!verifies) search.atOnce();
  if (!search.isOver) {
    const doctor = new Doctor();
    doctor.examine(pasted.nonce, search, () => undefined);
    await doctor.settled(pasted.nonce);
  }
  const remarks = [...remarksOnTimestamp(pasted.timestamp), ...remarksOnNonce(pasted.nonce, settings)];
  return { verifies, remarks, ...search.diagnosis };
}

/** Milliseconds of the years 1973 and 5138. */
const [early, late] = [1e11, 1e14];

function remarksOnTimestamp(text: string): readonly string[] {
  if (!/^[0-9]{1,16}$/.test(text)) return [malformedTimestamp(text).message];
  if (Number(text) < early) return [`X-API-TIMESTAMP ${text} looks like seconds: send milliseconds.`];
  if (Number(text) > late) return [`X-API-TIMESTAMP ${text} looks like microseconds: send milliseconds.`];
  return [];
}

const remarksOnNonce = (nonce: string, { nonceFormat }: CheckSettings): readonly string[] =>
  nonceFromText(nonce, nonceFormat) === null ? [malformedNonce(nonceFormat).message] : [];
