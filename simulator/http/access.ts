/**
 * Authentication and rate limits. A signed request and the handshake of a WebSocket come through the same two phases: `screen`
 * looks at the headers alone, before anything of a body is read, and `verify` at every byte that was signed.
 */
import type { Authenticator, ReceivedRequest, Screened, Verified } from "../auth/authenticate.ts";
import { err, type Result } from "../domain/result.ts";
import type { Refusal } from "./errors.ts";
import type { Allowance, RateLimit } from "./limits.ts";
import type { ReceivedHeaders } from "./received-headers.ts";

export interface Access {
  readonly authenticator: Authenticator;
  readonly keyLimit?: RateLimit;
  readonly addressLimit?: RateLimit;
  /** Of all keys of the world together. */
  readonly worldLimit?: () => Allowance;
}

/** The first phase, from the headers alone. */
export function screen(
  { authenticator, addressLimit, worldLimit }: Access,
  { credentials }: ReceivedHeaders,
  address: string,
): Result<Screened, Refusal> {
  const refusal = addressLimit?.(address).refusal ?? worldLimit?.().refusal ?? null;
  if (refusal !== null) return err(refusal);
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
