/** One signed GET and what the authenticator says to it. */
import type { AuthFailure } from "../auth-failures.ts";
import type { SentCredentials } from "../authenticate.ts";
import { sign } from "./sign.ts";
import { now, received, type TestVenue } from "./venue.ts";

export const someNonce = "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10";
export const openOrdersPath = "/api/v1/trading/order/open";
export const right = (more: Partial<Parameters<typeof sign>[0]> = {}): SentCredentials =>
  sign({ timestamp: now, nonce: someNonce, path: openOrdersPath, ...more });

/** The code of the outcome, or "ok". */
export function attempt(venue: TestVenue, sent: SentCredentials, request = received(openOrdersPath)): string {
  const screened = venue.authenticator.screen(sent);
  if (!screened.ok) return screened.error.code;
  const verified = venue.authenticator.verify(screened.value, request);
  return verified.ok ? "ok" : verified.error.code;
}

export function failureOf(
  venue: TestVenue,
  sent: SentCredentials,
  request = received(openOrdersPath),
): AuthFailure {
  const screened = venue.authenticator.screen(sent);
  if (!screened.ok) return screened.error;
  const verified = venue.authenticator.verify(screened.value, request);
  if (verified.ok) throw new Error("the request was accepted");
  return verified.error;
}
