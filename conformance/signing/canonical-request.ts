import { createHash } from "node:crypto";

/**
 * The canonical string of "Authentication": six values joined with a newline, in this order (AUTH-10). Written from the
 * specification alone. The simulator has its own implementation, and the vectors in fixtures/signing decide between
 * them.
 */
export const canonicalOrder = ["timestamp", "nonce", "method", "path", "contentType", "bodyHash"] as const;
export type CanonicalPart = (typeof canonicalOrder)[number];
export type CanonicalParts = Readonly<Record<CanonicalPart, string>>;

export interface CanonicalForm {
  readonly order: readonly CanonicalPart[];
  readonly joiner: string;
  readonly suffix: string;
}

export const specifiedForm: CanonicalForm = { order: canonicalOrder, joiner: "\n", suffix: "" };

export function canonicalRequest(parts: CanonicalParts, form: CanonicalForm = specifiedForm): string {
  return form.order.map((part) => parts[part]).join(form.joiner) + form.suffix;
}

/** Lower-case hex SHA-256 of the body as sent; of the empty string when there is none (AUTH-19, AUTH-20). */
export function bodyHash(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
