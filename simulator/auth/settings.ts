/** What a venue's owner may choose about authentication. Every entry is a freedom of the specification. */
import { err, ok, type Result } from "../domain/result.ts";

export interface AuthSettings {
  /** F-signed-path */
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
  /** F-auth-diagnostics: `on` explains a 401, `off` gives every 401 the same body. */
  readonly diagnostics: "on" | "off";
}

const FIVE_MINUTES = 300_000;
const LONGEST_WINDOW = 900_000;

export const DEFAULT_AUTH_SETTINGS: AuthSettings = {
  signedPath: "path",
  clockWindowMs: 30_000,
  nonceRetentionMs: FIVE_MINUTES,
  nonceFormat: "uuid",
  strictHexCase: false,
  requireContentTypeAlways: false,
  diagnostics: "on",
};

/**
 * Completes and checks what a configuration gives. Without a retention of its own, it follows the window. A
 * request stamped at the late edge of the window stays acceptable for two windows; a nonce that is forgotten
 * earlier is a replay waiting to happen, so a shorter retention is refused.
 */
export function authSettings(given: Partial<AuthSettings> = {}): Result<AuthSettings, string> {
  const window = given.clockWindowMs ?? DEFAULT_AUTH_SETTINGS.clockWindowMs;
  if (!Number.isInteger(window) || window < 1 || window > LONGEST_WINDOW) {
    return err(`auth.clockWindowMs must be a whole number from 1 to ${LONGEST_WINDOW}, was ${window}`);
  }
  const retention = given.nonceRetentionMs ?? Math.max(FIVE_MINUTES, 2 * window);
  if (!Number.isInteger(retention) || retention < 2 * window) {
    return err(
      `auth.nonceRetentionMs must be at least twice auth.clockWindowMs (2 x ${window} = ${2 * window}), ` +
        `was ${retention}: a shorter memory would accept a request a second time`,
    );
  }
  return ok({ ...DEFAULT_AUTH_SETTINGS, ...given, clockWindowMs: window, nonceRetentionMs: retention });
}
