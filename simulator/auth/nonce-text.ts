/**
 * The spellings of a nonce, brought to 32 lower-case hex digits (F-nonce-format, F-nonce-scope: letter case
 * ignored).
 */
import { hash } from "node:crypto";

const uuid = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const printable = /^[\x21-\x7e]{1,128}$/;
const hexDigits = 32;

/**
 * Null when the text is not a nonce. Text that is no uuid is hashed; a uuid stays itself under either
 * format.
 */
export function nonceFromText(text: string, format: "uuid" | "any"): string | null {
  if (uuid.test(text)) return text.replaceAll("-", "").toLowerCase();
  if (format === "uuid" || !printable.test(text)) return null;
  return hash("sha256", text.toLowerCase(), "hex").slice(0, hexDigits);
}
