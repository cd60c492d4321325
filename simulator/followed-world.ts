/**
 * A world that another node has, as this one follows it: for reads and streams.
 *
 * **Invariants.** The state is that after an entry which the owner has committed. Each entry is decided again by the same engine,
 * and has to hash to what the log says; after one that does not, nothing is answered any more. No command gets here.
 *
 * **Known limits.** Orders whose reads stay behind on purpose (fault `staleReads`) are read here as they are.
 */
import { createAuthenticator } from "./auth/authenticate.ts";
import { createKeyring, type KnownKey } from "./auth/keyring.ts";
import type { NonceMemory } from "./auth/nonces.ts";
import type { ControlledWorld } from "./control/control-route.ts";
import type { Command } from "./domain/command.ts";
import { invariant } from "./domain/invariant.ts";
import { audit } from "./engine/invariants.ts";
import type { VenueState } from "./engine/state.ts";
import type { Owner } from "./exchanges/recorder.ts";
import type { Gateway, TradingVenue } from "./http/gateway.ts";
import { serveCall } from "./http/handle-request.ts";
import type { Listener } from "./http/listener.ts";
import { PastOrders } from "./http/past-orders.ts";
import type { InternalOptions } from "./internal-options.ts";
import type { StreamWorld } from "./mount-stream.ts";
import { soundStream } from "./seams.ts";
import { nothingDone } from "./sequencer/batch.ts";
import { FaultDrawer } from "./sequencer/fault-drawer.ts";
import type { JournalEntry, VenueHeader } from "./sequencer/ports.ts";
import { replayChecked } from "./sequencer/recover.ts";
import type { CommittedEntry, Executed, Follower } from "./sequencer/sequencer-ports.ts";
import { VenueUnavailable } from "./sequencer/unavailable.ts";
import { Hub, type StreamVenue } from "./stream/hub.ts";
import { Identities } from "./wire/identities.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import {
  authSettings,
  gatewayOptions,
  hubOptions,
  rateLimits,
  secretsOf,
  worldLimit,
} from "./world-parts.ts";
import { mainWorld, ownerIn } from "./worlds.ts";

export interface FollowedPlan {
  readonly name: string;
  readonly built: BuiltWorld;
  /** Of the world in the store. */
  readonly id: string;
  readonly header: VenueHeader;
  /** Where it begins. */
  readonly state: VenueState;
  readonly hash: string;
  readonly keySuffix: string;
  readonly nonces: NonceMemory;
  readonly listener: Listener;
  readonly options: InternalOptions;
}

interface WaitingRead {
  readonly seq: number;
  readonly done: (isReached: boolean) => void;
}

/** How long a read waits for an entry. */
export const mostWaitMs = 2000;

export class FollowedWorld implements TradingVenue, StreamVenue {
  readonly name: string;
  readonly built: BuiltWorld;
  readonly id: string;
  readonly keyOf: (keyId: string) => KnownKey | undefined;
  readonly secrets: ControlledWorld["secrets"];
  readonly gateway: Gateway;
  readonly stream: StreamWorld;
  readonly underWay = null;
  readonly clock = { now: (): number => this.#state.now };
  readonly #writtenBy: string;
  readonly #state: VenueState;
  #hash: string;
  #isOver = false;
  readonly #followers: Follower[] = [];
  readonly #waiting = new Set<WaitingRead>();

  constructor(plan: FollowedPlan) {
    const { name, built, id, header, state, hash, keySuffix, nonces, listener, options } = plan;
    const { world, server } = built;
    this.name = name;
    this.built = built;
    this.id = id;
    this.#writtenBy = header.engineVersion;
    this.#state = state;
    this.#hash = hash;
    const keyring = createKeyring(() => this.#state, keySuffix);
    this.keyOf = keyring.find;
    this.secrets = secretsOf(keyring, world.keys, keySuffix);
    const settings = authSettings(server);
    const now = options.authClock ?? Date.now;
    const access = {
      authenticator: createAuthenticator({ settings, keyring, nonces, now }),
      ...rateLimits(server),
      ...(name === mainWorld ? {} : worldLimit(options.worldQuota)),
    };
    const ids = new Identities(world.seed);
    const drawer = new FaultDrawer(world.seed);
    const trading = { venue: this, faults: { drawer, reserved: new Map() } };
    this.gateway = {
      listener,
      access,
      venue: this,
      ids,
      past: new PastOrders(this.clock.now),
      options: gatewayOptions(server),
      serve: (route, call) => serveCall(trading, route, call),
      reshape: () => null,
    };
    const stream = new Hub({ venue: this, ids, drawer, seams: soundStream, ...hubOptions(server, options) });
    this.stream = { access, venue: this, stream };
  }

  get state(): VenueState {
    this.requireReadable();
    return this.#state;
  }

  /** The last entry that it has. */
  get seq(): number {
    return this.#state.seq;
  }

  /** What fault rules and variations do is counted by the owner: while there are any, it answers. */
  get isPlain(): boolean {
    const { faults, settings } = this.#state;
    const { variations = [], answerDelayMs = 0 } = settings;
    return !this.#isOver && faults.length + variations.length + answerDelayMs === 0;
  }

  /** The names behind a key id, as the exchange log has them. */
  ownerOf(keyId: string): Owner {
    return ownerIn(this, this.#state, keyId);
  }

  requireReadable(): void {
    if (this.#isOver) throw new VenueUnavailable("not-done");
  }

  follow(follower: Follower): void {
    this.#followers.push(follower);
  }

  async execute(command: Command | null): Promise<Executed> {
    invariant(command === null, "a command goes to the owner of its world");
    const { seq } = this.state;
    return { outcome: nothingDone, entries: { first: seq + 1, last: seq } };
  }

  /**
   * All of them, or none is shown.
   *
   * @throws JournalDiverged when one does not hash to what the log says.
   */
  apply(entries: readonly JournalEntry[]): void {
    if (entries.length === 0) return;
    const committed: CommittedEntry[] = [];
    try {
      for (const entry of entries) {
        const { hash, command, events } = replayChecked(this.#state, this.#hash, entry, this.#writtenBy);
        this.#hash = hash;
        committed.push({ seq: entry.seq, at: entry.at, command, events, changes: this.#state.changes });
      }
    } catch (error) {
      this.end();
      throw error;
    }
    for (const follower of this.#followers) follower.committed(committed, 0);
    if (!this.isPlain)
      this.stream.stream.endAll(1001, "The node that has the world serves its stream: connect again.");
    for (const one of this.#waiting) if (one.seq <= this.seq) one.done(true);
  }

  /** @throws InvariantViolation */
  audit(): void {
    audit(this.#state);
  }

  /** False when it has not got there in time. */
  reached(seq: number): Promise<boolean> {
    if (seq <= this.seq) return Promise.resolve(true);
    return new Promise((resolve) => {
      const late = setTimeout(() => waiting.done(false), mostWaitMs);
      const waiting: WaitingRead = {
        seq,
        done: (isReached) => {
          clearTimeout(late);
          this.#waiting.delete(waiting);
          resolve(isReached);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  /** It answers nothing any more. */
  end(): void {
    this.#isOver = true;
    this.stream.stream.endAll(1001);
    for (const one of this.#waiting) one.done(false);
  }
}
