/** Limits of the listener (F-request-size, F-timeouts), and what follows from the address it is bound to. */
import type { GuardSettings } from "./guard.ts";

export interface ListenerSettings {
  /** Address to listen on; decides whether foreign Host headers are refused. */
  readonly host: string;
  readonly bodyLimit: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaderCount: number;
  readonly maxTargetBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often slow connections are looked for. */
  readonly checkIntervalMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxRequestsPerSocket: number;
  /** Requests of one connection that are served at a time; the others wait for their turn. */
  readonly maxOutstandingAnswers: number;
  /** A connection is closed when its client has taken nothing of an answer for this long. */
  readonly answerTimeoutMs: number;
  readonly maxConnections: number;
  /** How long requests in progress may take once the server closes. */
  readonly shutdownGraceMs: number;
  /** Host names, without port, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export const defaultListenerSettings: ListenerSettings = {
  host: "127.0.0.1",
  bodyLimit: 102_400,
  maxHeaderBytes: 8192,
  maxHeaderCount: 100,
  maxTargetBytes: 2048,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkIntervalMs: 1000,
  // As gateways behind a load balancer have it. A request that meets the close is lost, so it should be rare.
  keepAliveTimeoutMs: 60_000,
  maxRequestsPerSocket: 1000,
  maxOutstandingAnswers: 8,
  answerTimeoutMs: 10_000,
  // The usual 1024 file descriptors of a process, less what database, logs and the process itself need.
  maxConnections: 960,
  shutdownGraceMs: 4000,
  allowedHosts: [],
  allowedOrigins: [],
};

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.[0-9.]+$/.test(host);

/**
 * Bound to loopback, only its names and the configured ones are answered: a web page whose name was rebound
 * to this address sends its own name. Bound to anything else, the names by which others know this machine
 * are not ours to guess, so any is answered unless some are configured.
 */
export function guardSettings(settings: ListenerSettings): GuardSettings {
  const { bodyLimit, maxHeaderCount, maxTargetBytes, host, allowedHosts, allowedOrigins } = settings;
  const restricted = isLoopback(host) || allowedHosts.length > 0;
  const names = [...loopbackNames, ...(isLoopback(host) ? [host] : []), ...allowedHosts].map((name) =>
    name.toLowerCase(),
  );
  return {
    bodyLimit,
    maxHeaderCount,
    maxTargetBytes,
    allowedHosts: restricted ? new Set(names) : null,
    allowedOrigins: new Set(allowedOrigins),
  };
}
