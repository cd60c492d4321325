/**
 * Authentication in two phases, so that the body of a request without usable credentials is never read.
 *
 * `screen` looks at the four headers: present, once each -> timestamp syntax -> key known -> clock window ->
 * nonce syntax. `verify` looks at the whole request: signature over the raw bytes -> key enabled -> nonce
 * unused. The order is F-check-order. With diagnostics on, an unknown key is named in the first phase; with
 * diagnostics off it goes through the second with a secret of its own, so that neither the answer nor the
 * time to it tells it from a wrong signature.
 *
 * The nonce is consumed by `verify`, and only if everything else was right. Its record must be committed
 * before the answer leaves (F-nonce-durability), whatever that answer is.
 */
import { err, ok, type Result } from "../domain/result.ts";
import type { AuthFailure, CredentialHeader } from "./auth-failures.ts";
import * as failures from "./auth-failures.ts";
import { bodyHashOf, canonicalRequest, pathOf } from "./canonical-request.ts";
import { ExplanationBudget } from "./explanation-budget.ts";
import type { Caller, Keyring, KnownKey } from "./keyring.ts";
import { nonceFromText } from "./nonce-text.ts";
import type { NonceMemory, NonceRecord } from "./nonces.ts";
import type { CheckSettings } from "./settings.ts";
import { SignatureSearch } from "./signature-search.ts";
import { verifySignature } from "./verify-signature.ts";

/** Credentials of a request. An empty header counts as a missing one. */
export interface SentCredentials {
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  /** A header that came more than once. */
  readonly repeated: CredentialHeader | null;
}

/** Credentials that passed the first phase. */
export interface Screened {
  readonly sent: SentCredentials;
  readonly key: KnownKey;
  readonly timestamp: number;
  /** 32 lower-case hex digits. */
  readonly nonce: string;
}

export interface ReceivedRequest {
  readonly method: string;
  /** The request target as received: never decoded, never cleaned up (F-path-form). */
  readonly target: string;
  readonly host: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

export interface Verified {
  readonly caller: Caller;
  readonly nonce: NonceRecord;
}

export interface Authenticator {
  readonly settings: CheckSettings;
  readonly screen: (sent: SentCredentials) => Result<Screened, AuthFailure>;
  readonly verify: (screened: Screened, request: ReceivedRequest) => Result<Verified, AuthFailure>;
  /** The part of a failure that is shown to the client. */
  readonly shown: (failure: AuthFailure) => AuthFailure;
}

export interface AuthenticatorParts {
  readonly settings: CheckSettings;
  readonly keyring: Keyring;
  readonly nonces: NonceMemory;
  /** Real time in milliseconds since the epoch; the market clock has no say here. */
  readonly now: () => number;
}

export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const budget = new ExplanationBudget();
  return {
    settings: parts.settings,
    screen: (sent) => screen(parts, sent),
    verify: (screened, request) => verify(parts, budget, screened, request),
    shown: (failure) => (parts.settings.diagnostics === "on" ? failure : failures.uniformFailure),
  };
}

/** Milliseconds since the epoch, or null when the text is anything but 1 to 16 digits. */
const timestampOf = (text: string): number | null => (/^[0-9]{1,16}$/.test(text) ? Number(text) : null);

function screen(
  { settings, keyring, now }: AuthenticatorParts,
  sent: SentCredentials,
): Result<Screened, AuthFailure> {
  if (sent.repeated !== null) return err(failures.repeatedHeader(sent.repeated));
  if (sent.keyId === "" || sent.timestamp === "" || sent.nonce === "" || sent.signature === "") {
    return err(failures.missingHeaders(missingIn(sent)));
  }
  const timestamp = timestampOf(sent.timestamp);
  if (timestamp === null) return err(failures.malformedTimestamp(sent.timestamp));
  const known = keyring.find(sent.keyId);
  if (known === undefined && settings.diagnostics === "on")
    return err(failures.unknownKey(sent.keyId, keyring.idOf(sent.keyId)));
  const present = now();
  if (Math.abs(present - timestamp) > settings.clockWindowMs) {
    return err(failures.outsideWindow(timestamp, present, settings.clockWindowMs));
  }
  const nonce = nonceFromText(sent.nonce, settings.nonceFormat);
  if (nonce === null) return err(failures.malformedNonce(settings.nonceFormat));
  return ok({ sent, key: known ?? keyring.stranger, timestamp, nonce });
}

function missingIn(sent: SentCredentials): CredentialHeader[] {
  const missing: CredentialHeader[] = [];
  if (sent.keyId === "") missing.push("X-API-KEY");
  if (sent.timestamp === "") missing.push("X-API-TIMESTAMP");
  if (sent.nonce === "") missing.push("X-API-NONCE");
  if (sent.signature === "") missing.push("X-API-SIGNATURE");
  return missing;
}

function verify(
  parts: AuthenticatorParts,
  budget: ExplanationBudget,
  screened: Screened,
  request: ReceivedRequest,
): Result<Verified, AuthFailure> {
  const { settings, keyring, nonces } = parts;
  const { caller } = screened.key;
  const right = signatureVerifies(settings, screened, request);
  if (screened.key === keyring.stranger) return err(failures.unknownKey());
  if (!right) {
    const isSearched = settings.diagnostics === "on" && budget.allows(request.body.length, parts.now());
    return err(explainSignature(parts, screened, request, isSearched));
  }
  if (keyring.stateOf(caller.keyId) !== "enabled") return err(failures.disabledKey());
  // The clock again: a slow body may have taken the request out of the window in which its nonce is
  // remembered.
  const receivedAt = parts.now();
  if (Math.abs(receivedAt - screened.timestamp) > settings.clockWindowMs) {
    return err(failures.outsideWindow(screened.timestamp, receivedAt, settings.clockWindowMs));
  }
  const nonce: NonceRecord = {
    key: caller.key,
    nonce: screened.nonce,
    timestamp: screened.timestamp,
    receivedAt,
  };
  const verdict = nonces.consume(nonce);
  if (verdict === "reused") return err(failures.reusedNonce());
  if (verdict === "below-floor") return err(failures.belowFloor(nonce.timestamp, nonces.floorOf(nonce.key)));
  return ok({ caller, nonce });
}

/** The rules by which a signature is compared. */
interface Signer {
  readonly sent: Pick<SentCredentials, "timestamp" | "nonce" | "signature">;
  readonly key: Pick<KnownKey, "signingKey">;
}

export function signatureVerifies(
  settings: CheckSettings,
  signer: Signer,
  request: ReceivedRequest,
): boolean {
  const bodyHash = bodyHashOf(request.body);
  const [first, second] = signedPaths(settings, request.target);
  if (signedOver(settings, signer, request.method, first, bodyHash)) return true;
  return second !== null && signedOver(settings, signer, request.method, second, bodyHash);
}

/** F-signed-path */
function signedPaths(settings: CheckSettings, target: string): readonly [string, string | null] {
  if (settings.signedPath === "path-and-query") return [target, null];
  const path = pathOf(target);
  return [path, settings.signedPath === "either" && path !== target ? target : null];
}

function signedOver(
  settings: CheckSettings,
  { sent, key }: Signer,
  method: string,
  path: string,
  bodyHash: string,
): boolean {
  const canonical = canonicalRequest({
    timestamp: sent.timestamp,
    nonce: sent.nonce,
    method,
    path,
    bodyHash,
  });
  return verifySignature(key.signingKey, canonical, sent.signature, settings.strictHexCase);
}

/** The mistake is named if it is known at once; the search can go on after the answer. */
function explainSignature(
  { settings, keyring }: AuthenticatorParts,
  { sent, key }: Screened,
  request: ReceivedRequest,
  isSearched: boolean,
): AuthFailure {
  const { signedPath } = settings;
  const otherSecrets = keyring.secretsBeside(key.caller.keyId);
  const search = new SignatureSearch({ ...request, ...sent, secret: key.secret, signedPath, otherSecrets });
  if (!isSearched) return failures.wrongSignature(search.diagnosis, sent.signature);
  return { ...failures.wrongSignature(search.atOnce(), sent.signature), search };
}
