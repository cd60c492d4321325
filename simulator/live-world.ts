/**
 * One world that runs: its venue with journal, clock, faults and stream, and who may reach it. Everything but the listener,
 * which the worlds of a process share. A world that stops itself takes no other with it.
 */
import { createAuthenticator } from "./auth/authenticate.ts";
import { createKeyring, type KnownKey } from "./auth/keyring.ts";
import { NonceMemory } from "./auth/nonces.ts";
import type { ControlledKey, ControlledWorld } from "./control/control-route.ts";
import { InvariantViolation } from "./domain/invariant.ts";
import type { ClockMode, World } from "./domain/world.ts";
import { VenueState } from "./engine/state.ts";
import type { ExchangeLog } from "./exchanges/exchange-log.ts";
import type { Gateway } from "./http/gateway.ts";
import { serveCall } from "./http/handle-request.ts";
import type { Listener } from "./http/listener.ts";
import { PastOrders } from "./http/past-orders.ts";
import type { InternalOptions } from "./internal-options.ts";
import { Journals } from "./journals.ts";
import { LiquiditySchedule } from "./liquidity-schedule.ts";
import type { StreamWorld } from "./mount-stream.ts";
import { type SimulatorOptions, StartFailure } from "./options.ts";
import type { Seams } from "./seams.ts";
import { MarketClock } from "./sequencer/clock.ts";
import { FaultDrawer } from "./sequencer/fault-drawer.ts";
import type { Journal, Origin, SnapshotRow } from "./sequencer/ports.ts";
import { JournalDiverged } from "./sequencer/recover.ts";
import type { CommittedEntry } from "./sequencer/sequencer-ports.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { Venue } from "./sequencer/venue.ts";
import type { Evidence } from "./sequencer/venue-options.ts";
import { keepEvidence } from "./store/evidence.ts";
import { adviceToRestore } from "./store/store-failure.ts";
import { Hub } from "./stream/hub.ts";
import { VariationsInForce } from "./variations/in-force.ts";
import { engineVersion } from "./version.ts";
import { Identities } from "./wire/identities.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { reservedByPrefix } from "./world/outcomes.ts";
import {
  authSettings,
  gatewayOptions,
  hubOptions,
  rateLimits,
  secretsOf,
  worldLimit,
} from "./world-parts.ts";

/** An opened world: what its controls reach, and how clients come in. */
export interface LiveWorld extends ControlledWorld {
  readonly keyOf: (keyId: string) => KnownKey | undefined;
  readonly gateway: Gateway;
  readonly stream: StreamWorld;
  /** The whole database, to fork from. */
  readonly image: () => Buffer;
  readonly liveState: () => LiveState;
}

/** The state of a world in memory. */
export interface LiveState {
  readonly snapshot: SnapshotRow;
  readonly drawer: FaultDrawer;
}

export interface WorldPlan {
  readonly name: string;
  readonly built: BuiltWorld;
  readonly options: InternalOptions;
  /** The suffix of its key ids, which are unique in the process. */
  readonly keySuffix: string;
  /** The mode of the clock, if it is not that of the world file. */
  readonly clock?: ClockMode;
  readonly from?: Origin;
  /** Of the world of `from`, when it goes on from now. */
  readonly liveState?: LiveState;
  readonly epoch?: number;
}

/** The parts that the worlds of a process share. */
export interface SharedParts {
  readonly listener: Listener;
  /** Path in front of every trading route. */
  readonly prefix: string;
  /** Other seams are given for a venue that is to misbehave. */
  readonly seams: Seams;
  /** Null when it is off. */
  readonly exchanges: ExchangeLog | null;
}

export function openWorld(plan: WorldPlan, { listener, prefix, seams }: SharedParts): LiveWorld {
  const { name, built, options, keySuffix } = plan;
  const { world, server } = built;
  const now = options.authClock ?? Date.now;
  const auth = authSettings(server);
  const nonces = options.nonces ?? new NonceMemory(auth);
  const journals = new Journals(plan, nonces, now, auth.clockWindowMs + auth.nonceRetentionMs);
  const ids = new Identities(world.seed);
  const drawer = new FaultDrawer(world.seed, plan.liveState?.drawer);
  const venue = openVenue(plan, journals);
  const past = followed(venue, options);
  const keyring = createKeyring(() => venue.state, keySuffix);
  const parts = { keyring, venue, prefix, now };
  const sound = createAuthenticator({ settings: auth, keyring, nonces, now });
  const variations = new VariationsInForce(parts);
  const authenticator = variations.authenticator(seams.authenticator(sound, parts));
  const stream = new Hub({ venue, ids, drawer, seams: seams.stream(parts), ...hubOptions(server, options) });
  seams.listener(listener, parts);
  const access = { authenticator, ...rateLimits(server), ...worldLimit(options.worldQuota) };
  const trading = { venue, faults: { drawer, reserved: built.magic ? reservedByPrefix() : new Map() } };
  const { authenticator: ofHandshakes, ...ofRefusals } = seams.handshake(authenticator, parts);
  return {
    name,
    built,
    venue,
    ids,
    drawer,
    get keys() {
      return keysOf(built, keySuffix, keyring.all());
    },
    keyOf: keyring.find,
    secrets: secretsOf(keyring, world.keys, keySuffix),
    gateway: {
      listener,
      access,
      venue,
      ids,
      past,
      options: gatewayOptions(server),
      serve: variations.serve(seams.serve((route, call) => serveCall(trading, route, call), parts)),
      reshape: () => variations.reshape(),
    },
    stream: { access: { ...access, authenticator: ofHandshakes }, venue, stream, ...ofRefusals },
    image: () => journals.current.image(),
    liveState: liveStateOf(venue, drawer),
    streams: stream,
    keySuffix,
    history: () => historyOf(journals.current, world),
  };
}

/** Keeps the committed entries for reads that lag behind, and tells listeners of changes of keys. */
function followed(venue: Venue, { onKeys }: InternalOptions): PastOrders {
  const past = new PastOrders(() => venue.clock.now());
  venue.follow(past);
  const silent = { restored: () => undefined, stopped: () => undefined };
  venue.follow({ ...silent, committed: (entries) => entries.some(changesKeys) && onKeys?.() });
  return past;
}

const changesKeys = ({ events }: CommittedEntry): boolean =>
  events.some(({ kind }) => kind === "KeyCreated" || kind === "KeyRotated");

const historyOf = (journal: Journal, world: World): ReturnType<LiveWorld["history"]> => ({
  header: journal.header,
  state: new VenueState(world),
  entries: journal.entriesAfter(0),
});

/** The last snapshot is kept: a world that tests fork is forked many times. */
function liveStateOf(venue: Venue, drawer: FaultDrawer): () => LiveState {
  let snapshot: SnapshotRow | undefined;
  return () => {
    if (snapshot?.hash !== venue.hash) snapshot = venue.snapshot();
    return { snapshot, drawer };
  };
}

/** As clients know them; those of the world file, unless others are given. */
export const keysOf = ({ world }: BuiltWorld, suffix: string, keys = world.keys): ControlledKey[] =>
  keys.map(({ name, keyId, secret, client, claims }) => {
    const owner = client === null ? null : (world.clients[client]?.name ?? null);
    return { name, keyId: keyId + suffix, secret, client: owner, claims };
  });

function openVenue({ built, options, clock: mode, liveState }: WorldPlan, journals: Journals): Venue {
  const { world, clock } = built;
  const say = options.onNotice ?? (() => undefined);
  const mostEntries = options.worldQuota?.entries;
  const through = options.throughJournal ?? ((journal: Journal) => journal);
  const marketClock = new MarketClock(mode ?? clock.mode, world.startAt);
  try {
    return new Venue(
      {
        world,
        clock: marketClock,
        engineVersion: engineVersion,
        opening: built.opening,
        openJournal: (again) => through(journals.open(again)),
        ...(mostEntries === undefined ? {} : { mostEntries }),
        ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
        ...(options.snapshotEvery === undefined ? {} : { snapshotEvery: options.snapshotEvery }),
        makeSchedule: (state) => {
          const start = clock.mode === "manual" ? world.startAt : journals.current.header.createdAt;
          return new LiquiditySchedule(world, state, start, mostEntries);
        },
        maintain: (idle) => journals.maintain(idle),
        onNotice: say,
        onStopped: (evidence) => stopped(evidence, options),
      },
      liveState?.snapshot,
    );
  } catch (error) {
    if (error instanceof StoreFailure || error instanceof JournalDiverged)
      throw new StartFailure(error.message);
    if (error instanceof InvariantViolation) throw new StartFailure(doesNotAddUp(error, options));
    throw error;
  }
}

const doesNotAddUp = ({ message }: Error, { db = ":memory:" }: SimulatorOptions): string =>
  `The database ${db} contradicts itself: ${message}. ${adviceToRestore}`;

function stopped(evidence: Evidence, options: SimulatorOptions): void {
  const kept = keepEvidence(options.db ?? ":memory:", evidence);
  const where = kept === null ? "" : ` What is known about it is in ${kept}.`;
  options.onStopped?.(
    `The venue stopped itself at entry ${evidence.seq}: ${evidence.message.replace(/\.$/, "")}.${where}`,
  );
}
