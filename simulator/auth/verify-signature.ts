/** HMAC-SHA256, in lower-case hex. The text of a secret is used as its UTF-8 bytes (F-secret-bytes). */
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

const eitherCase = /^[0-9a-fA-F]{64}$/;
const lowerCase = /^[0-9a-f]{64}$/;

/** The signature that a correct client sends. It must never leave this process. */
export const signatureOf = (secret: string | Uint8Array | KeyObject, canonical: string): string =>
  createHmac("sha256", secret).update(canonical).digest("hex");

/** Always does the same work: a signature of a wrong shape is compared, too, with itself. */
export function verifySignature(
  secret: KeyObject,
  canonical: string,
  received: string,
  strictHexCase: boolean,
): boolean {
  const expected = signatureOf(secret, canonical);
  const isShaped = (strictHexCase ? lowerCase : eitherCase).test(received);
  const isEqual = timingSafeEqual(bytesOf(expected), bytesOf(isShaped ? received : expected));
  return isShaped && isEqual;
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, "hex");
