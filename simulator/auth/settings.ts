/** The settings by which requests are checked: the owner's choices, completed and checked. */
import {
  type AuthSettings,
  defaultAuthSettings,
  longestClockWindowMs,
  nonceRetention,
} from "../domain/auth-settings.ts";
import { err, ok, type Result } from "../domain/result.ts";

export interface CheckSettings extends AuthSettings {
  /** F-auth-diagnostics: `on` explains a 401, `off` gives every 401 the same body. */
  readonly diagnostics: "on" | "off";
}

/**
 * Completes and checks what a configuration gives. Without a retention of its own, it follows the window. A
 * request stamped at the late edge of the window stays acceptable for two windows; a nonce that is forgotten
 * earlier is a replay waiting to happen, so a shorter retention is refused.
 */
export function checkSettings(given: Partial<CheckSettings> = {}): Result<CheckSettings, string> {
  const window = given.clockWindowMs ?? defaultAuthSettings.clockWindowMs;
  if (!Number.isInteger(window) || window < 1 || window > longestClockWindowMs) {
    return err(`auth.clockWindowMs must be a whole number from 1 to ${longestClockWindowMs}, was ${window}`);
  }
  const retention = given.nonceRetentionMs ?? nonceRetention(window);
  if (!Number.isInteger(retention) || retention < 2 * window) {
    return err(
      `auth.nonceRetentionMs must be at least twice auth.clockWindowMs (2 x ${window} = ${2 * window}), ` +
        `was ${retention}: a shorter memory would accept a request a second time`,
    );
  }
  return ok({
    ...defaultAuthSettings,
    diagnostics: "on",
    ...given,
    clockWindowMs: window,
    nonceRetentionMs: retention,
  });
}
