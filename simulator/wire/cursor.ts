/**
 * Opaque cursors (F-order-list): the last item of a page, the direction and a fingerprint of the filters. Rows made
 * while somebody pages never shift or repeat a page; a cursor used with other filters is refused.
 */
import { hash } from "node:crypto";

export interface Cursor {
  readonly after: number;
}

export const filterFingerprint = (filters: unknown): string =>
  hash("sha256", JSON.stringify(filters), "hex").slice(0, 12);

export function encodeCursor(after: number, fingerprint: string): string {
  return Buffer.from(`${fingerprint}.${after}`, "utf8").toString("base64url");
}

/** Null when it is no cursor of ours or belongs to other filters: encoding its place again tells both. */
export function decodeCursor(text: string, fingerprint: string): Cursor | null {
  const [, after = ""] = Buffer.from(text, "base64url").toString("utf8").split(".");
  if (!/^[1-9][0-9]{0,15}$/.test(after)) return null;
  return encodeCursor(Number(after), fingerprint) === text ? { after: Number(after) } : null;
}
