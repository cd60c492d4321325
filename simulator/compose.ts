/** Fits the adapters to the ports; the only file that makes things. */
import { randomBytes } from "node:crypto";
import { createAuthenticator } from "./auth/authenticate.ts";
import { defaultClaims } from "./auth/claims.ts";
import { createKeyring } from "./auth/keyring.ts";
import { NonceMemory } from "./auth/nonces.ts";
import { type CheckSettings, checkSettings } from "./auth/settings.ts";
import { mountGuide } from "./control/guide.ts";
import { controlPrefix, mountControls } from "./control/mount.ts";
import { InvariantViolation } from "./domain/invariant.ts";
import type { Access } from "./http/access.ts";
import { mountRoutes } from "./http/gateway.ts";
import { serveCall } from "./http/handle-request.ts";
import { mountHealth } from "./http/health.ts";
import { createListener, type Listener } from "./http/listener.ts";
import { defaultListenerSettings, isLoopback } from "./http/listener-settings.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { tradingRoutes } from "./http/routes/all.ts";
import { Journals } from "./journals.ts";
import { LiquiditySchedule } from "./liquidity-schedule.ts";
import { mountStream } from "./mount-stream.ts";
import { type InternalOptions, type SimulatorOptions, StartFailure } from "./options.ts";
import { withoutDefects } from "./seams.ts";
import { MarketClock } from "./sequencer/clock.ts";
import { FaultDrawer } from "./sequencer/fault-drawer.ts";
import type { Journal } from "./sequencer/ports.ts";
import { JournalDiverged } from "./sequencer/recover.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { Venue } from "./sequencer/venue.ts";
import type { Evidence } from "./sequencer/venue-options.ts";
import { keepEvidence } from "./store/evidence.ts";
import { keepAndRestore } from "./store/store-failure.ts";
import { Hub, type HubOptions } from "./stream/hub.ts";
import { engineVersion, version } from "./version.ts";
import { Identities } from "./wire/identities.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { magicFaults } from "./world/magic.ts";
import type { ServerSettings } from "./world/server-settings.ts";

export const apiPrefix = "/api/v1/trading";

export interface Composed {
  readonly listener: Listener;
  readonly venue: Venue;
  readonly ids: Identities;
  /** Null when the control surface is off. */
  readonly controlToken: string | null;
}

/** Other seams are given for a venue that is to misbehave. */
export function compose(built: BuiltWorld, options: InternalOptions, seams = withoutDefects): Composed {
  const { world, server } = built;
  const authClock = options.authClock ?? Date.now;
  const auth = authSettings(server);
  const nonces = new NonceMemory(auth);
  const journals = new Journals(
    built,
    options,
    nonces,
    authClock,
    auth.clockWindowMs + auth.nonceRetentionMs,
  );
  const ids = new Identities(world.seed);
  const drawer = new FaultDrawer(world.seed);
  const venue = openVenue(built, options, journals);
  const host = options.host ?? "127.0.0.1";
  const listener = makeListener(built, host, () => venue.clock.now());
  const keyring = createKeyring(world.keys, (keyId) => venue.state.keyState(keyId));
  const parts = { keyring, venue, prefix: apiPrefix, now: authClock };
  const sound = createAuthenticator({ settings: auth, keyring, nonces, now: authClock });
  const authenticator = seams.authenticator(sound, parts);
  const hub = { venue, ids, drawer, seams: seams.stream(parts) };
  const stream = new Hub({ ...hub, ...hubOptions(server, options) });
  seams.listener(listener, parts);
  const access = { authenticator, ...rateLimits(server) };
  const trading = { venue, faults: { drawer, reserved: built.magic ? magicFaults : [] } };
  const serve = seams.serve((route, call) => serveCall(trading, route, call), parts);
  const gateway = { listener, access, venue, ids, options: gatewayOptions(server), serve };
  mountRoutes(gateway, apiPrefix, tradingRoutes, defaultClaims);
  mountHealth(listener, apiPrefix, venue, authClock);
  const { authenticator: ofHandshakes, ...turnedAway } = seams.handshake(authenticator, parts);
  mountStream({
    listener,
    access: { ...access, authenticator: ofHandshakes },
    venue,
    stream,
    path: `${apiPrefix}/ws`,
    ...turnedAway,
  });
  const controlToken = controlTokenFor(options, host);
  if (controlToken !== null) {
    mountControls(listener, { venue, ids, drawer, server, version: version }, controlToken);
    mountGuide(listener, guideTo(auth, server));
  }
  return { listener, venue, ids, controlToken };
}

const guideTo = (auth: CheckSettings, { validation }: ServerSettings) => ({
  prefix: controlPrefix,
  tradingPrefix: apiPrefix,
  routes: tradingRoutes,
  claims: defaultClaims,
  venue: { auth, ...validation },
  version: version,
});

function authSettings({ auth, diagnostics }: ServerSettings): CheckSettings {
  const checked = checkSettings({ ...auth, diagnostics: diagnostics ? "on" : "off" });
  if (!checked.ok) throw new StartFailure(checked.error);
  return checked.value;
}

function gatewayOptions({ validation, candles, rateLimit }: ServerSettings) {
  const { enabled, requestsPerSecond, burst } = rateLimit;
  return {
    ...validation,
    fillCandleGaps: candles.fillGaps,
    rateLimit: enabled ? { requestsPerSecond, burst } : null,
  };
}

function makeListener({ server: { limits } }: BuiltWorld, host: string, now: () => number): Listener {
  return createListener({
    now,
    settings: {
      host,
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

function rateLimits({ rateLimit }: ServerSettings): Pick<Access, "keyLimit" | "addressLimit"> {
  const { enabled, requestsPerSecond, burst, addressRequestsPerSecond } = rateLimit;
  if (!enabled) return {};
  const now = (): number => performance.now();
  const ofAddresses = { perSecond: addressRequestsPerSecond, burst: addressRequestsPerSecond };
  return {
    keyLimit: createRateLimit({ perSecond: requestsPerSecond, burst }, now),
    addressLimit: createRateLimit(ofAddresses, now),
  };
}

const hubOptions = (
  { limits }: ServerSettings,
  { onNotice }: InternalOptions,
): Pick<HubOptions, "limits" | "onFailure"> => ({
  limits: {
    connectionsPerKey: limits.streamConnectionsPerKey,
    messagesPerSecond: limits.streamMessagesPerSecond,
    messageBytes: limits.streamMessageBytes,
    subscriptions: limits.streamSubscriptions,
    queueBytes: limits.streamQueueBytes,
    queueMessages: limits.streamQueueMessages,
    subscribeTimeoutMs: limits.streamSubscribeTimeoutMs,
    pingEveryMs: limits.streamPingEveryMs,
    silenceMs: limits.streamSilenceMs,
  },
  onFailure: (error) =>
    onNotice?.(`A connection of the stream was closed with 1011: a bug in gatewright. ${textOf(error)}`),
});

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function controlTokenFor(options: SimulatorOptions, host: string): string | null {
  const where = options.control ?? "loopback";
  if (where === "off" || (where === "loopback" && !isLoopback(host))) return null;
  return options.controlToken ?? randomBytes(24).toString("base64url");
}

function openVenue(built: BuiltWorld, options: InternalOptions, journals: Journals): Venue {
  const { world, clock } = built;
  const say = options.onNotice ?? (() => undefined);
  const through = options.throughJournal ?? ((journal: Journal) => journal);
  const marketClock = new MarketClock(clock.mode, world.startAt);
  try {
    return new Venue({
      world,
      clock: marketClock,
      engineVersion: engineVersion,
      opening: built.opening,
      openJournal: (again) => through(journals.open(again)),
      ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
      ...(options.snapshotEvery === undefined ? {} : { snapshotEvery: options.snapshotEvery }),
      makeSchedule: (state) => {
        const start = clock.mode === "manual" ? world.startAt : journals.current.header.createdAt;
        return new LiquiditySchedule(world, state, start);
      },
      maintain: (idle) => journals.maintain(idle),
      onNotice: say,
      onStopped: (evidence) => stopped(evidence, options),
    });
  } catch (error) {
    if (error instanceof StoreFailure || error instanceof JournalDiverged)
      throw new StartFailure(error.message);
    if (error instanceof InvariantViolation) throw new StartFailure(doesNotAddUp(error, options));
    throw error;
  }
}

const doesNotAddUp = ({ message }: Error, { db = ":memory:" }: SimulatorOptions): string =>
  `The database ${db} contradicts itself: ${message}. ${keepAndRestore}`;

function stopped(evidence: Evidence, options: SimulatorOptions): void {
  const kept = keepEvidence(options.db ?? ":memory:", evidence);
  const where = kept === null ? "" : ` What is known about it is in ${kept}.`;
  options.onStopped?.(
    `The venue stopped itself at entry ${evidence.seq}: ${evidence.message.replace(/\.$/, "")}.${where}`,
  );
}
