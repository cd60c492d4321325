/** How sockets to a target are opened: one way for requests, raw bytes, streams and both proxies. */
import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import type { Profile } from "../model/profile.ts";
import { pinnedLookup } from "./address.ts";
import { proxyFor, tunnelThrough } from "./environment-proxy.ts";

export type Connector = buildConnector.connector;

export interface Connecting {
  readonly tls?: Profile["tls"];
  readonly timeoutMs?: number;
  readonly lookup?: LookupFunction;
  /** A connection goes on after the target has closed its side. */
  readonly allowHalfOpen?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Connects to the one checked address of this host, or through the proxy that the environment names for it. A proxy
 * resolves the name itself. `timeoutMs` holds for each of the two connections.
 */
export function connectorTo(
  url: URL,
  { tls, timeoutMs = 10_000, lookup, allowHalfOpen = false, environment = process.env }: Connecting = {},
): Connector {
  const { insecure, ...certificates } = tls ?? {};
  const direct = buildConnector({
    timeout: timeoutMs,
    ...(insecure === undefined ? {} : { rejectUnauthorized: !insecure }),
    lookup: lookup ?? pinnedLookup(url.hostname),
    ...certificates,
    ...(allowHalfOpen ? { allowHalfOpen } : {}),
  });
  const proxy = proxyFor(url, environment);
  if (proxy === undefined) return direct;
  return (options, callback) => {
    tunnelThrough(proxy, `${url.hostname}:${url.port || 443}`, timeoutMs, (tunnel) => {
      if (tunnel instanceof Error) callback(tunnel, null);
      else direct({ ...options, httpSocket: tunnel }, callback);
    });
  };
}

/** The place of an address, as a connector takes it. */
export function placeOf({ protocol, hostname, host, port }: URL): buildConnector.Options {
  const isTls = /^(https|wss):$/.test(protocol);
  return {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    host,
    protocol: isTls ? "https:" : "http:",
    port: port || (isTls ? "443" : "80"),
  };
}

/** A socket for bytes of one's own. */
export const openSocket = (url: URL, connect: Connector): Promise<Socket> =>
  new Promise((resolve, reject) => {
    connect(placeOf(url), (error, socket) => (error === null ? resolve(socket) : reject(error)));
  });
