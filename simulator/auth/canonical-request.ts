/**
 * The canonical request: the six values that are signed, one per line, joined with a single line feed and
 * nothing after the last. No value can hold a line feed itself: the header values come from an HTTP parser
 * that refuses them, and the target is taken as received, never decoded.
 */
import { hash } from "node:crypto";

/** Line 5 is this constant, whatever the Content-Type header says (F-content-type-line). */
export const signedContentType = "application/json";

/** SHA-256 of no bytes at all: line 6 of every request without a body. */
export const emptyBodyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export interface SignedValues {
  /** As in the header, not normalised. */
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** The path, or path and query, byte for byte as in the request target. */
  readonly path: string;
  /** Lower-case hex. */
  readonly bodyHash: string;
}

export const canonicalRequest = ({ timestamp, nonce, method, path, bodyHash }: SignedValues): string =>
  `${timestamp}\n${nonce}\n${method.toUpperCase()}\n${path}\n${signedContentType}\n${bodyHash}`;

/** Lower-case hex SHA-256 of the bytes as they were received. */
export const bodyHashOf = (body: Uint8Array): string =>
  body.length === 0 ? emptyBodyHash : hash("sha256", body, "hex");

/** The part of a request target before its query. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
