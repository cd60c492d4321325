/**
 * What the edge of the venue may choose: authentication, diagnosis, rates and limits. The engine sees none of
 * it.
 */

export interface AuthSettings {
  /** F-signed-path: whether the query string belongs to the signed path. */
  readonly signedPath: "path" | "path-and-query" | "either";
  readonly clockWindowMs: number;
  /** At least twice the window: a nonce forgotten earlier could be replayed. */
  readonly nonceRetentionMs: number;
  readonly nonceFormat: "uuid" | "any";
  readonly strictHexCase: boolean;
  readonly requireContentTypeAlways: boolean;
}

export interface RateLimitSettings {
  readonly enabled: boolean;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly addressRequestsPerSecond: number;
}

export interface LimitSettings {
  readonly bodyBytes: number;
  readonly urlBytes: number;
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly streamConnectionsPerKey: number;
  readonly streamMessagesPerSecond: number;
  readonly streamMessageBytes: number;
  readonly streamSubscriptions: number;
}

export interface ServerSettings {
  readonly auth: AuthSettings;
  /** Whether a refusal says which mistake the client made. */
  readonly diagnostics: boolean;
  readonly validation: { readonly unknownFields: "ignore" | "reject" };
  readonly candles: { readonly fillGaps: boolean };
  readonly rateLimit: RateLimitSettings;
  readonly limits: LimitSettings;
}

const MINUTE = 60_000;

export const DEFAULT_SERVER_SETTINGS: ServerSettings = {
  auth: {
    signedPath: "path",
    clockWindowMs: 30_000,
    nonceRetentionMs: 5 * MINUTE,
    nonceFormat: "uuid",
    strictHexCase: false,
    requireContentTypeAlways: false,
  },
  diagnostics: true,
  validation: { unknownFields: "ignore" },
  candles: { fillGaps: false },
  rateLimit: { enabled: false, requestsPerSecond: 25, burst: 50, addressRequestsPerSecond: 100 },
  limits: {
    bodyBytes: 102_400,
    urlBytes: 8_192,
    requestTimeoutMs: 30_000,
    headersTimeoutMs: 10_000,
    streamConnectionsPerKey: 5,
    streamMessagesPerSecond: 10,
    streamMessageBytes: 16_384,
    streamSubscriptions: 100,
  },
};

/** How long a nonce is remembered when the world does not say: five minutes, or twice a longer window. */
export const nonceRetention = (clockWindowMs: number): number =>
  Math.max(DEFAULT_SERVER_SETTINGS.auth.nonceRetentionMs, 2 * clockWindowMs);
