/** Settings of the engine (freedoms of the specification) and of the server around it. */
import { DEFAULT_SETTINGS as engine } from "../../domain/settings.ts";
import { flag, integer, milliseconds, oneOf, optional, orNull, section } from "../../schema/fields.ts";
import { DEFAULT_SERVER_SETTINGS as server } from "../server-settings.ts";

const engineProperties = {
  matchDelayMs: optional(
    milliseconds("Market time between acceptance and matching.", { default: engine.matchDelayMs }),
  ),
  syncDelayMs: optional(
    milliseconds("Market time until synced turns true.", { default: engine.syncDelayMs }),
  ),
  acceptance: optional(
    oneOf(["sync", "async"], "sync: an accepted order is OPEN. async: it is PENDING until confirmed.", {
      default: engine.acceptance,
    }),
  ),
  confirmDelayMs: optional(
    milliseconds("Market time until an async step is confirmed.", {
      default: engine.confirmDelayMs,
    }),
  ),
  cancelMode: optional(
    oneOf(
      ["sync", "async"],
      "sync: a cancel is done when answered. async: the order stays OPEN until confirmed.",
      { default: engine.cancelMode },
    ),
  ),
  stp: optional(
    oneOf(
      ["cancel-newest", "cancel-oldest", "cancel-both", "decrement", "none"],
      "What happens when two orders of one client meet.",
      { default: engine.stp },
    ),
  ),
  stopOnCrossed: optional(
    oneOf(["reject", "trigger"], "What happens to a stop that the last price has already passed.", {
      default: engine.stopOnCrossed,
    }),
  ),
  slippageCollarBps: optional(
    orNull(
      integer(1, 10_000, "How far from the best price a MARKET order may walk. null: the whole book.", {
        default: engine.slippageCollarBps,
        unit: "basis points",
      }),
    ),
  ),
  releaseImprovement: optional(
    oneOf(["at-end", "per-fill"], "When money saved by a better price leaves the hold.", {
      default: engine.releaseImprovement,
    }),
  ),
  marketBuySizeCheck: optional(
    oneOf(
      ["estimate", "quote-limits"],
      "estimate: the limits of base sizes bind a MARKET BUY, too: what it buys at the best ask, and what it may fill. " +
        "quote-limits: only limits of quote_value do.",
      { default: engine.marketBuySizeCheck },
    ),
  ),
  maxOpenOrders: optional(
    integer(0, 1_000_000, "Open orders of one client at most.", {
      default: engine.maxOpenOrders,
      unit: "orders",
    }),
  ),
};

const AuthSchema = section(
  {
    signedPath: optional(
      oneOf(["path", "path-and-query", "either"], "Whether the query string is part of the signed path.", {
        default: server.auth.signedPath,
      }),
    ),
    clockWindowMs: optional(
      milliseconds(
        "Accepted difference between X-API-TIMESTAMP and now.",
        { default: server.auth.clockWindowMs },
        1000,
        900_000,
      ),
    ),
    nonceRetentionMs: optional(
      milliseconds("How long a nonce is remembered: at least twice the window. Default: 5 minutes, or that."),
    ),
    nonceFormat: optional(
      oneOf(["uuid", "any"], "What a nonce may look like.", { default: server.auth.nonceFormat }),
    ),
    strictHexCase: optional(
      flag("Whether an upper-case signature is refused.", { default: server.auth.strictHexCase }),
    ),
    requireContentTypeAlways: optional(
      flag("Whether requests without a body need Content-Type, too.", {
        default: server.auth.requireContentTypeAlways,
      }),
    ),
  },
  "Authentication of requests.",
);

const RateLimitSchema = section(
  {
    enabled: optional(
      flag("Whether requests are counted and 429 is answered.", { default: server.rateLimit.enabled }),
    ),
    requestsPerSecond: optional(
      integer(1, 1_000_000, "Requests per second of one key.", {
        default: server.rateLimit.requestsPerSecond,
        unit: "requests per second",
      }),
    ),
    burst: optional(
      integer(1, 1_000_000, "Requests of one key that may come at once.", {
        default: server.rateLimit.burst,
        unit: "requests",
      }),
    ),
    addressRequestsPerSecond: optional(
      integer(1, 1_000_000, "Requests per second of one address, authenticated or not.", {
        default: server.rateLimit.addressRequestsPerSecond,
        unit: "requests per second",
      }),
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
) => optional(integer(minimum, maximum, description, { default: server.limits[key], unit }));

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
      "Real time after which a WebSocket that says nothing, not even a pong, is closed.",
    ),
  },
  "Sizes and times that the server allows.",
);

export const SettingsSchema = section(
  {
    ...engineProperties,
    auth: optional(AuthSchema),
    diagnostics: optional(
      flag("Whether a refusal names the client's mistake.", { default: server.diagnostics }),
    ),
    validation: optional(
      section(
        {
          unknownFields: optional(
            oneOf(["ignore", "reject"], "What happens to fields of a body that nobody knows.", {
              default: server.validation.unknownFields,
            }),
          ),
          unknownQuery: optional(
            oneOf(["ignore", "reject"], "What happens to query parameters that a route does not have.", {
              default: server.validation.unknownQuery,
            }),
          ),
        },
        "Validation of requests.",
      ),
    ),
    candles: optional(
      section(
        {
          fillGaps: optional(
            flag("Whether spans without trades get a candle.", { default: server.candles.fillGaps }),
          ),
        },
        "Candles.",
      ),
    ),
    rateLimit: optional(RateLimitSchema),
    limits: optional(LimitsSchema),
  },
  "What the specification leaves to the venue.",
);
