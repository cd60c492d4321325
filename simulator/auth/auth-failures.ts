/**
 * Every reason for a 401, each with a sentence that says what was expected, what was found and what to do.
 */
import { explainedPerSecond } from "./explanation-budget.ts";
import type { Diagnosis, SignatureSearch } from "./signature-search.ts";

export type AuthCode =
  | "MISSING_CREDENTIALS"
  | "INVALID_API_KEY"
  | "INVALID_TIMESTAMP"
  | "TIMESTAMP_OUT_OF_WINDOW"
  | "INVALID_NONCE"
  | "NONCE_REUSED"
  | "INVALID_SIGNATURE"
  | "UNAUTHORIZED";

export type CredentialHeader = "X-API-KEY" | "X-API-TIMESTAMP" | "X-API-NONCE" | "X-API-SIGNATURE";

export type AuthDetail = Readonly<Record<string, string | number | object | null>>;

export interface AuthFailure {
  readonly code: AuthCode;
  readonly message: string;
  readonly details: readonly AuthDetail[];
  /** Of a wrong signature: the search for the mistake, which may be unfinished. */
  readonly search?: SignatureSearch;
}

/** The only message to a client when diagnostics are off (F-auth-diagnostics). */
export const uniformFailure: AuthFailure = { code: "UNAUTHORIZED", message: "Unauthorized", details: [] };

const failure = (code: AuthCode, check: string, message: string, facts: AuthDetail = {}): AuthFailure => ({
  code,
  message,
  details: [{ check, ...facts }],
});

export function missingHeaders(missing: readonly CredentialHeader[]): AuthFailure {
  const names = missing.join(", ");
  const verb = missing.length === 1 ? "is" : "are";
  const message =
    `${names} ${verb} missing or empty. Send all four: X-API-KEY, X-API-TIMESTAMP, X-API-NONCE and ` +
    "X-API-SIGNATURE; they are read from headers only.";
  return failure("MISSING_CREDENTIALS", "headers", message, { missing: names });
}

const codeOfHeader: Readonly<Record<CredentialHeader, AuthCode>> = {
  "X-API-KEY": "INVALID_API_KEY",
  "X-API-TIMESTAMP": "INVALID_TIMESTAMP",
  "X-API-NONCE": "INVALID_NONCE",
  "X-API-SIGNATURE": "INVALID_SIGNATURE",
};

/** F-duplicate-auth-headers */
export const repeatedHeader = (header: CredentialHeader): AuthFailure =>
  failure(
    codeOfHeader[header],
    "headers",
    `${header} was sent more than once, so it is ambiguous. Send it once.`,
    {
      repeated: header,
    },
  );

/** `meant`: the id of the key of which the name was sent. */
export function unknownKey(sent = "", meant?: string): AuthFailure {
  const advice =
    meant === undefined
      ? "Compare it with the key ids printed at start; letter case counts."
      : `The id of the key ${sent} is ${meant}.`;
  return failure("INVALID_API_KEY", "key", `X-API-KEY names no key of this venue. ${advice}`);
}

export const disabledKey = (): AuthFailure =>
  failure(
    "INVALID_API_KEY",
    "key",
    "The signature is right, but this key is disabled. Enable it, or use another key.",
  );

export const malformedTimestamp = (text: string): AuthFailure =>
  failure(
    "INVALID_TIMESTAMP",
    "timestamp",
    "X-API-TIMESTAMP must be 1 to 16 decimal digits, milliseconds since the epoch, such as 1767225600000. " +
      guessAt(text),
  );

function guessAt(text: string): string {
  if (/^[0-9]+\.[0-9]+$/.test(text)) return "This one has a fraction: round it to whole milliseconds.";
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text))
    return "This one looks like ISO text: send the number instead.";
  if (/^[0-9]{17,}$/.test(text)) return "This one has too many digits: it looks like nanoseconds.";
  return "This one has other characters.";
}

const day = 86_400_000;

export function outsideWindow(timestamp: number, now: number, windowMs: number): AuthFailure {
  const difference = timestamp - now;
  const side = difference < 0 ? "behind" : "ahead of";
  const message =
    `X-API-TIMESTAMP is ${Math.abs(difference)} ms ${side} this server's clock; ` +
    `at most ${windowMs} ms are accepted.`;
  const facts = { received: timestamp, serverTime: now, differenceMs: difference, windowMs };
  return failure("TIMESTAMP_OUT_OF_WINDOW", "timestamp", `${message} ${remedyFor(timestamp, now)}`, facts);
}

function remedyFor(timestamp: number, now: number): string {
  if (Math.abs(timestamp * 1000 - now) < day) return "It looks like seconds: send milliseconds.";
  if (Math.abs(timestamp / 1000 - now) < day) return "It looks like microseconds: send milliseconds.";
  return "Correct the sender's clock, or take serverTime from GET /health/live, and sign when you send.";
}

/** The timestamp is in the window, but so far in the past of this venue that used nonces were forgotten. */
export const belowFloor = (timestamp: number, floor: number): AuthFailure =>
  failure(
    "TIMESTAMP_OUT_OF_WINDOW",
    "timestamp",
    `X-API-TIMESTAMP is at or before ${floor}, and this venue no longer remembers the nonces of that time: ` +
      "its clock was set back, or the key sends very many requests. " +
      "Sign again with the present time and a new nonce.",
    { received: timestamp, floor },
  );

export const malformedNonce = (format: "uuid" | "any"): AuthFailure =>
  failure(
    "INVALID_NONCE",
    "nonce",
    format === "uuid"
      ? "X-API-NONCE must be a UUID in its usual spelling, for example 9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10."
      : "X-API-NONCE must be 1 to 128 printable ASCII characters without blanks.",
  );

export const reusedNonce = (): AuthFailure =>
  failure(
    "NONCE_REUSED",
    "nonce",
    "X-API-NONCE was used before. Make a new nonce for every request, repeats included, and sign again; " +
      "an order that is repeated keeps its client_order_id.",
  );

/** `received` has no known mistake, or none that is known at once. The signature that would match is never told. */
export function wrongSignature(
  { state, mistakes, hint, expectedCanonical, signedCanonical, firstDifference }: Diagnosis,
  received: string,
): AuthFailure {
  const advice = hint ?? (state === "notSearched" ? notSearched : unexplained(received));
  const named = hint === null ? {} : { mistakes, signedCanonical, firstDifference };
  const facts = { expectedCanonical, hint: advice, ...named };
  return failure("INVALID_SIGNATURE", "signature", `X-API-SIGNATURE does not verify. ${advice}`, facts);
}

const notSearched =
  `At most ${explainedPerSecond} wrong signatures a second are searched for a mistake, and this one was not. ` +
  "Compare the text that you signed with expectedCanonical, byte for byte, or send it again in a few seconds.";

function unexplained(received: string): string {
  if (!/^[0-9a-fA-F]{64}$/.test(received)) {
    return `It must be 64 hex digits, the HMAC-SHA256 of expectedCanonical; not ${received.length} characters.`;
  }
  return (
    "Compare the text that you signed with expectedCanonical, byte for byte. Where they are equal, the " +
    "secret is wrong; where only the last line differs, the body was changed after signing; where the timestamp or the nonce " +
    "differs, it was made twice, once for the header and once for the text."
  );
}
