/** Fits the adapters to the ports: the listener, and the worlds behind it. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { defaultClaims } from "./auth/claims.ts";
import { mountGuide } from "./control/guide.ts";
import { mountControls } from "./control/mount.ts";
import { ExchangeLog } from "./exchanges/exchange-log.ts";
import { type Owner, Recorder } from "./exchanges/recorder.ts";
import { mountRoutes } from "./http/gateway.ts";
import { controlPrefix } from "./http/guard.ts";
import { mountHealth } from "./http/health.ts";
import { createListener, type Listener } from "./http/listener.ts";
import { defaultListenerSettings, isLoopback } from "./http/listener-settings.ts";
import { idsOfRecords } from "./http/openapi/record-ids.ts";
import { tradingRoutes } from "./http/routes/all.ts";
import type { InternalOptions } from "./internal-options.ts";
import { mountStream } from "./mount-stream.ts";
import type { Nodes } from "./nodes.ts";
import { type SimulatorOptions, StartFailure } from "./options.ts";
import { RequestLines } from "./request-lines.ts";
import { withoutDefects } from "./seams.ts";
import { memory } from "./store/database.ts";
import { exchangesOf } from "./store/database-file.ts";
import { version } from "./version.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { authSettings } from "./world-parts.ts";
import { Worlds } from "./worlds.ts";

export const apiPrefix = "/api/v1/trading";

export interface Composed {
  readonly listener: Listener;
  readonly worlds: Worlds;
  /** Null when the control surface is off. */
  readonly controlToken: string | null;
  /** Null without a store that nodes share. */
  readonly nodes: Nodes | null;
}

/** Other seams are given for a venue that is to misbehave. */
export function compose(
  built: BuiltWorld,
  options: InternalOptions,
  seams = withoutDefects,
  makeNodes: (parts: Composed) => Nodes | null = () => null,
): Composed {
  const host = options.host ?? "127.0.0.1";
  const authClock = options.authClock ?? Date.now;
  const controlToken = controlTokenFor(options, host);
  const ownerOf = (keyId: string): Owner => nodes?.ownerOf(keyId) ?? worlds.ownerOf(keyId);
  const recorder = recorderFor(options, controlToken, ownerOf);
  const listener = makeListener(built, { ...options, host }, () => worlds.main.venue.clock.now());
  if (recorder !== null) listener.observers.add(recorder);
  const { onRequest } = options;
  if (onRequest !== undefined) listener.observers.add(new RequestLines(onRequest, ownerOf));
  const exchanges = recorder?.log ?? null;
  exchanges?.fill(options.begun?.exchanges ?? []);
  const worlds = new Worlds(built, options, { listener, prefix: apiPrefix, seams, exchanges });
  const nodes = makeNodes({ listener, worlds, controlToken, nodes: null });
  mountRoutes(listener, (keyId) => worlds.ofKey(keyId).gateway, apiPrefix, tradingRoutes, defaultClaims);
  mountHealth(listener, apiPrefix, () => worlds.main.venue, authClock);
  mountStream({
    listener,
    worlds,
    nodes,
    path: `${apiPrefix}/ws`,
    opened: recorder === null ? undefined : (request, id) => recorder.opened(request, id),
  });
  if (controlToken !== null) {
    const controlled = nodes?.controlled() ?? worlds;
    mountControls(listener, controlled, { version, exchanges, token: controlToken, nodes });
    mountGuide(listener, guideTo(built, worlds));
  }
  return { listener, worlds, controlToken, nodes };
}

const guideTo = ({ server }: BuiltWorld, worlds: Worlds) => ({
  prefix: controlPrefix,
  tradingPrefix: apiPrefix,
  routes: tradingRoutes,
  claims: defaultClaims,
  venue: { auth: authSettings(server), ...server.validation },
  ids: () => idsOfRecords(worlds.main.venue.state, worlds.main.ids),
  version: version,
});

/** Null when the exchange log is off. */
function recorderFor(
  { exchanges = true, db = memory, onNotice = () => undefined }: InternalOptions,
  controlToken: string | null,
  ownerOf: (keyId: string) => Owner,
): Recorder | null {
  if (!exchanges) return null;
  const file = db === memory ? memory : exchangesOf(path.resolve(db));
  return new Recorder({
    log: new ExchangeLog({ file, notice: onNotice }),
    ownerOf,
    controlPrefix,
    controlToken,
  });
}

function makeListener(
  { server: { limits } }: BuiltWorld,
  { host, allowHosts: allowedHosts = [] }: SimulatorOptions & { readonly host: string },
  now: () => number,
): Listener {
  return createListener({
    now,
    settings: {
      host,
      allowedHosts,
      bodyLimit: limits.bodyBytes,
      maxTargetBytes: limits.urlBytes,
      // Node counts the request line among the headers: the longest target must not use up their room.
      maxHeaderBytes: defaultListenerSettings.maxHeaderBytes + limits.urlBytes,
      requestTimeoutMs: limits.requestTimeoutMs,
      headersTimeoutMs: limits.headersTimeoutMs,
      maxConnections: limits.connections,
    },
  });
}

function controlTokenFor(options: SimulatorOptions, host: string): string | null {
  const where = options.control ?? "loopback";
  if (where === "off" || (where === "loopback" && !isLoopback(host))) return null;
  const { controlToken: given = randomBytes(24).toString("base64url") } = options;
  if (!/^[\w.~+/-]{16,256}={0,2}$/.test(given))
    throw new StartFailure(
      "The control token must have 16 to 256 characters, of letters, digits and - . _ ~ + / (`openssl rand -hex 24` makes one).",
    );
  return given;
}
