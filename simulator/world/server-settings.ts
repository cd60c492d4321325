/**
 * Settings of the HTTP edge: authentication, diagnosis, rates and limits. The engine does not see them.
 */
import { type AuthSettings, defaultAuthSettings } from "../domain/auth-settings.ts";

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
  readonly connections: number;
  readonly streamConnectionsPerKey: number;
  readonly streamMessagesPerSecond: number;
  readonly streamMessageBytes: number;
  readonly streamSubscriptions: number;
  readonly streamQueueBytes: number;
  readonly streamQueueMessages: number;
  readonly streamSubscribeTimeoutMs: number;
  readonly streamPingEveryMs: number;
  readonly streamSilenceMs: number;
}

export interface ServerSettings {
  readonly auth: AuthSettings;
  /** Whether a refusal says which mistake the client made. */
  readonly diagnostics: boolean;
  readonly validation: {
    readonly unknownFields: "ignore" | "reject";
    readonly unknownQuery: "ignore" | "reject";
  };
  readonly candles: { readonly fillGaps: boolean };
  readonly rateLimit: RateLimitSettings;
  readonly limits: LimitSettings;
}

export const defaultServerSettings: ServerSettings = {
  auth: defaultAuthSettings,
  diagnostics: true,
  validation: { unknownFields: "ignore", unknownQuery: "reject" },
  candles: { fillGaps: false },
  rateLimit: { enabled: false, requestsPerSecond: 25, burst: 50, addressRequestsPerSecond: 100 },
  limits: {
    bodyBytes: 102_400,
    urlBytes: 8_192,
    requestTimeoutMs: 30_000,
    headersTimeoutMs: 10_000,
    // The usual 1024 file descriptors of a process, less what database, logs and the process itself need.
    connections: 960,
    streamConnectionsPerKey: 5,
    streamMessagesPerSecond: 10,
    streamMessageBytes: 16_384,
    streamSubscriptions: 100,
    streamQueueBytes: 1_048_576,
    streamQueueMessages: 1000,
    streamSubscribeTimeoutMs: 30_000,
    streamPingEveryMs: 20_000,
    streamSilenceMs: 60_000,
  },
};
