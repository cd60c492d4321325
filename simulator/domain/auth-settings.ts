/** Settings of authentication. Every entry is a freedom of the specification. */

export interface AuthSettings {
  /** F-signed-path: whether the query string belongs to the signed path. */
  readonly signedPath: "path" | "path-and-query" | "either";
  /** F-clock-window: accepted difference to the server's clock, in either direction, inclusive. */
  readonly clockWindowMs: number;
  /** F-nonce-retention: how long after its receipt a nonce is remembered at least. */
  readonly nonceRetentionMs: number;
  /** F-nonce-format */
  readonly nonceFormat: "uuid" | "any";
  /** F-signature-case: true accepts lower-case digits only. */
  readonly strictHexCase: boolean;
  /** F-content-type-header: true asks for `application/json` on requests without a body, too. */
  readonly requireContentTypeAlways: boolean;
}

const fiveMinutes = 300_000;

export const defaultAuthSettings: AuthSettings = {
  signedPath: "path",
  clockWindowMs: 30_000,
  nonceRetentionMs: fiveMinutes,
  nonceFormat: "uuid",
  strictHexCase: false,
  requireContentTypeAlways: false,
};

/** The widest window that can be set. */
export const longestClockWindowMs = 900_000;

/** Default time for which a nonce is remembered: five minutes, or twice a longer window. */
export const nonceRetention = (clockWindowMs: number): number => Math.max(fiveMinutes, 2 * clockWindowMs);
