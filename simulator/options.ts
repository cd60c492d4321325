/** Options of a start of the simulator, for flags and the library. */
import type { ClockMode } from "./domain/world.ts";
import type { RequestLine } from "./request-line.ts";
import type { Choices, FreedomSet } from "./world/freedoms.ts";

/** A store that nodes share: each world is served by one of them, and all take requests for it. */
export interface SharedStore {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The name of this node, of which each process needs its own. */
  readonly node: string;
  /** Of the tables; `gatewright` when absent. One for each deployment. */
  readonly schema?: string;
  /** Take a server with `synchronous_commit=off`, which can lose what it has acknowledged. */
  readonly allowAsynchronousCommit?: boolean;
  /** After this many milliseconds without a sign of life, another node may take the world over; 3000 when absent. */
  readonly leaseMs?: number;
  /** After this many milliseconds without a request, a world beside `main` is left to the store; 600,000 when absent. */
  readonly sleepAfterMs?: number;
  /** Names of worlds whose reads this node answers itself while another node has them. */
  readonly follow?: readonly string[];
}

/** What one world may use of a process that many share. */
export interface WorldQuota {
  /** Of its journal: a world that has so many takes no further command, and its market stands still. */
  readonly entries?: number;
  /** Of all its keys together, handshakes included; 429 beyond it. */
  readonly requestsPerSecond?: number;
  /** A world of a store that nobody has used for so many days is deleted. */
  readonly unusedDays?: number;
}

export interface SimulatorOptions {
  /** 0 = any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Host names, without port, that it answers to besides those of this machine. */
  readonly allowHosts?: readonly string[];
  /** A file, or `:memory:`. */
  readonly db?: string;
  /** PostgreSQL in the place of a file, for all worlds. */
  readonly store?: SharedStore;
  /** Of each world but `main`; no bounds when absent. */
  readonly worldQuota?: WorldQuota;
  /** Path of a world file, or the world as a value; the demo world when absent. */
  readonly world?: string | object;
  /** Replaces the seed of the world. */
  readonly seed?: number;
  /** Replaces the clock of the world. */
  readonly clock?: ClockMode;
  /** A named set of options of freedoms, in place of that of the world. */
  readonly freedomSet?: FreedomSet;
  /** Lets this seed choose an option of every freedom; no clause is broken by any. */
  readonly hostile?: number;
  /** Options of freedoms by id, besides those of the world. */
  readonly freedoms?: Choices;
  /** Bugs and legal variations to misbehave with, by id (`M-041`, `V-07`); loopback only. */
  readonly defects?: readonly string[];
  /** Where the control surface answers: only on a loopback listener (default), on any, or nowhere. */
  readonly control?: "loopback" | "remote" | "off";
  /** Whether other machines may use the public secrets of demo keys; off loopback a start is refused without it. */
  readonly publicDemoSecrets?: boolean;
  /** Whether requests and their answers are kept in the exchange log, beside the database; true when absent. */
  readonly exchanges?: boolean;
  /** Bearer token of the control surface, 16 to 256 characters; a random one when absent. */
  readonly controlToken?: string;
  /** Hears what a person should know: a damaged mark, a full disk, a recovery. */
  readonly onNotice?: (sentence: string) => void;
  /** Hears of each request that was answered. */
  readonly onRequest?: (line: RequestLine) => void;
  /** Hears that the venue stopped itself because an invariant was violated. */
  readonly onStopped?: (sentence: string) => void;
  /** Hears that a key was created, or has another secret: `keys` and the ready line have changed. */
  readonly onKeys?: () => void;
  /** Time of authentication, milliseconds since the epoch; real time when absent. For tests of windows and nonces. */
  readonly authClock?: () => number;
}

/** A start that failed, with a sentence for the user. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}
