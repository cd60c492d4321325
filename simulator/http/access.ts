/**
 * Authentication and rate limits. A signed request and the handshake of a WebSocket come through the same two phases: `screen`
 * looks at the headers alone, before anything of a body is read, and `verify` at every byte that was signed.
 */
import type { Authenticator, ReceivedRequest, Screened, Verified } from "../auth/authenticate.ts";
import { mayCall } from "../auth/claims.ts";
import type { Caller } from "../auth/keyring.ts";
import type { Claim } from "../domain/account.ts";
import { err, type Result } from "../domain/result.ts";
import type { Refusal } from "./errors.ts";
import { type RateLimit, rateLimited } from "./rate-limit.ts";
import type { ReceivedHeaders } from "./received-headers.ts";

export interface Access {
  readonly authenticator: Authenticator;
  readonly keyLimit?: RateLimit;
  readonly addressLimit?: RateLimit;
}

/** The first phase, from the headers alone. */
export function screen(
  { authenticator, addressLimit }: Access,
  { credentials }: ReceivedHeaders,
  address: string,
): Result<Screened, Refusal> {
  const allowance = addressLimit?.(address);
  if (allowance?.allowed === false) return err(rateLimited(allowance));
  const screened = authenticator.screen(credentials);
  return screened.ok ? screened : err(authenticator.shown(screened.error));
}

/** The second phase, over the bytes. It uses up the nonce, which has to be committed before any answer leaves. */
export function verify(
  { authenticator }: Access,
  screened: Screened,
  received: ReceivedRequest,
): Result<Verified, Refusal> {
  const verified = authenticator.verify(screened, received);
  return verified.ok ? verified : err(authenticator.shown(verified.error));
}

/** Any one of `claims` is enough. */
export function missingClaim(route: string, claims: readonly Claim[], caller: Caller): Refusal | null {
  if (mayCall(caller.claims, claims)) return null;
  return {
    code: "MISSING_CLAIM",
    message:
      `${route} asks for the claim ${claims.join(" or ")}, which this key does not have. ` +
      "Use a key that has it.",
    details: [{ required: claims, held: caller.claims }],
  };
}
