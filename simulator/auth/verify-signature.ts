/** HMAC-SHA256, in lower-case hex. The text of a secret is used as its UTF-8 bytes (F-secret-bytes). */
import { createHmac, timingSafeEqual } from "node:crypto";

const EITHER_CASE = /^[0-9a-fA-F]{64}$/;
const LOWER_CASE = /^[0-9a-f]{64}$/;

/** The signature that a correct client sends. It must never leave this process. */
export const signatureOf = (secret: string | Uint8Array, canonical: string): string =>
  createHmac("sha256", secret).update(canonical).digest("hex");

/** Always does the same work: a signature of a wrong shape is compared, too, with itself. */
export function verifySignature(
  secret: string,
  canonical: string,
  received: string,
  strictHexCase: boolean,
): boolean {
  const expected = createHmac("sha256", secret).update(canonical).digest();
  const isShaped = (strictHexCase ? LOWER_CASE : EITHER_CASE).test(received);
  const isEqual = timingSafeEqual(expected, isShaped ? Buffer.from(received, "hex") : expected);
  return isShaped && isEqual;
}
