/** Settings of the engine (freedoms of the specification) and of the server around it. */
import { longestClockWindowMs } from "../../domain/auth-settings.ts";
import { defaultSettings as engine, switchableVariations } from "../../domain/settings.ts";
import {
  flag,
  integer,
  list,
  milliseconds,
  oneOf,
  optional,
  orNull,
  section,
  withDefault,
} from "../../schema/fields.ts";
import { defaultServerSettings as server } from "../server-settings.ts";

const engineProperties = {
  matchDelayMs: withDefault(
    milliseconds("Market time between acceptance and matching."),
    engine.matchDelayMs,
  ),
  syncDelayMs: withDefault(milliseconds("Market time until synced turns true."), engine.syncDelayMs),
  acceptance: withDefault(
    oneOf(["sync", "async"], "sync: an accepted order is OPEN. async: it is PENDING until confirmed."),
    engine.acceptance,
  ),
  confirmDelayMs: withDefault(
    milliseconds("Market time until an async step is confirmed."),
    engine.confirmDelayMs,
  ),
  cancelMode: withDefault(
    oneOf(
      ["sync", "async"],
      "sync: a cancel is done when answered. async: the order stays OPEN until confirmed.",
    ),
    engine.cancelMode,
  ),
  stp: withDefault(
    oneOf(
      ["cancel-newest", "cancel-oldest", "cancel-both", "decrement", "none"],
      "What happens when two orders of one client meet.",
    ),
    engine.stp,
  ),
  stopOnCrossed: withDefault(
    oneOf(["reject", "trigger"], "What happens to a stop that the last price has already passed."),
    engine.stopOnCrossed,
  ),
  slippageCollarBps: withDefault(
    orNull(
      integer(1, 10_000, "How far from the best price a MARKET order may walk. null: the whole book.", {
        unit: "basis points",
      }),
    ),
    engine.slippageCollarBps,
  ),
  releaseImprovement: withDefault(
    oneOf(["at-end", "per-fill"], "When money saved by a better price leaves the hold."),
    engine.releaseImprovement,
  ),
  marketBuySizeCheck: withDefault(
    oneOf(
      ["estimate", "quote-limits"],
      "estimate: the limits of base sizes bind a MARKET BUY, too: what it buys at the best ask, and what it may fill. " +
        "quote-limits: only limits of quote_value do.",
    ),
    engine.marketBuySizeCheck,
  ),
  answerDelayMs: optional(milliseconds("Real time that an answer may come late at most.", {}, 0, 60_000)),
  variations: optional(
    list(
      oneOf(switchableVariations, "Id of a variation."),
      "Legal variations in force. `freedoms` names them by what they mean.",
      { maxItems: 100, uniqueItems: true },
    ),
  ),
  maxOpenOrders: withDefault(
    integer(0, 1_000_000, "Open orders of one client at most.", { unit: "orders" }),
    engine.maxOpenOrders,
  ),
};

const AuthSchema = section(
  {
    signedPath: withDefault(
      oneOf(["path", "path-and-query", "either"], "Whether the query string is part of the signed path."),
      server.auth.signedPath,
    ),
    clockWindowMs: withDefault(
      milliseconds("Accepted difference between X-API-TIMESTAMP and now.", {}, 1000, longestClockWindowMs),
      server.auth.clockWindowMs,
    ),
    nonceRetentionMs: optional(
      milliseconds("How long a nonce is remembered: at least twice the window. Default: 5 minutes, or that."),
    ),
    nonceFormat: withDefault(oneOf(["uuid", "any"], "What a nonce may look like."), server.auth.nonceFormat),
    strictHexCase: withDefault(
      flag("Whether an upper-case signature is refused."),
      server.auth.strictHexCase,
    ),
    requireContentTypeAlways: withDefault(
      flag("Whether requests without a body need Content-Type, too."),
      server.auth.requireContentTypeAlways,
    ),
  },
  "Authentication of requests.",
);

const RateLimitSchema = section(
  {
    enabled: withDefault(flag("Whether requests are counted and 429 is answered."), server.rateLimit.enabled),
    requestsPerSecond: withDefault(
      integer(1, 1_000_000, "Requests per second of one key.", { unit: "requests per second" }),
      server.rateLimit.requestsPerSecond,
    ),
    burst: withDefault(
      integer(1, 1_000_000, "Largest burst of requests of one key.", { unit: "requests" }),
      server.rateLimit.burst,
    ),
    addressRequestsPerSecond: withDefault(
      integer(1, 1_000_000, "Requests per second of one address, authenticated or not.", {
        unit: "requests per second",
      }),
      server.rateLimit.addressRequestsPerSecond,
    ),
  },
  "Token buckets.",
);

const count = (
  key: keyof typeof server.limits,
  minimum: number,
  maximum: number,
  unit: string,
  description: string,
) => withDefault(integer(minimum, maximum, description, { unit }), server.limits[key]);

const LimitsSchema = section(
  {
    bodyBytes: count("bodyBytes", 1024, 1_048_576, "bytes", "Largest request body; above it 413."),
    urlBytes: count("urlBytes", 256, 65_536, "bytes", "Longest request target."),
    requestTimeoutMs: count("requestTimeoutMs", 100, 600_000, "ms", "Real time for a whole request."),
    headersTimeoutMs: count(
      "headersTimeoutMs",
      100,
      600_000,
      "ms",
      "Real time for the headers of a request.",
    ),
    connections: count(
      "connections",
      10,
      1_000_000,
      "connections",
      "Open sockets of requests and streams together; the process needs as many file descriptors.",
    ),
    streamConnectionsPerKey: count(
      "streamConnectionsPerKey",
      1,
      1_000_000,
      "connections",
      "WebSockets of one key.",
    ),
    streamMessagesPerSecond: count(
      "streamMessagesPerSecond",
      1,
      10_000,
      "messages",
      "Messages from one WebSocket.",
    ),
    streamMessageBytes: count(
      "streamMessageBytes",
      128,
      1_048_576,
      "bytes",
      "Largest message from a client.",
    ),
    streamSubscriptions: count(
      "streamSubscriptions",
      1,
      10_000,
      "subscriptions",
      "Subscriptions of one WebSocket.",
    ),
    streamQueueBytes: count(
      "streamQueueBytes",
      4096,
      268_435_456,
      "bytes",
      "Bytes that may wait for a WebSocket that is read slowly.",
    ),
    streamQueueMessages: count(
      "streamQueueMessages",
      10,
      1_000_000,
      "messages",
      "Messages that may wait for a WebSocket that is read slowly.",
    ),
    streamSubscribeTimeoutMs: count(
      "streamSubscribeTimeoutMs",
      50,
      86_400_000,
      "ms",
      "Real time until a WebSocket must have subscribed to something.",
    ),
    streamPingEveryMs: count(
      "streamPingEveryMs",
      50,
      86_400_000,
      "ms",
      "Real time between two pings on a WebSocket.",
    ),
    streamSilenceMs: count(
      "streamSilenceMs",
      50,
      86_400_000,
      "ms",
      "Real time after which a WebSocket that sends nothing, not even a pong, is closed.",
    ),
  },
  "Sizes and times that the server allows.",
);

export const SettingsSchema = section(
  {
    ...engineProperties,
    auth: optional(AuthSchema),
    diagnostics: withDefault(flag("Whether a refusal names the client's mistake."), server.diagnostics),
    validation: optional(
      section(
        {
          unknownFields: withDefault(
            oneOf(["ignore", "reject"], "What happens to unknown fields of a body."),
            server.validation.unknownFields,
          ),
          unknownQuery: withDefault(
            oneOf(["ignore", "reject"], "What happens to query parameters that a route does not have."),
            server.validation.unknownQuery,
          ),
        },
        "Validation of requests.",
      ),
    ),
    candles: optional(
      section(
        {
          fillGaps: withDefault(flag("Whether spans without trades get a candle."), server.candles.fillGaps),
        },
        "Candles.",
      ),
    ),
    rateLimit: optional(RateLimitSchema),
    limits: optional(LimitsSchema),
  },
  "Points that the specification leaves open.",
);
