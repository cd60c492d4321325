/**
 * The file of a bug report: gzip of lines of JSON. A header; the world, without secrets; then every entry of the journal in
 * order, and before the entries that it caused each exchange of the log. docs/bug-reports.md describes it for a reader.
 *
 * **Invariant.** A line begins with its `kind`, so a reader knows what it may hold before it parses it.
 */
import type { FiredFault } from "../domain/fault.ts";
import type { JournalEntry } from "../sequencer/ports.ts";
import type { BuiltWorld } from "../world/build-world.ts";

export const capsuleVersion = 1;

/** Bounds of a file, for the writer and for the reader alike. */
export const capsuleLimits = {
  /** Of the file as it is. */
  bytes: 134_217_728,
  /** Of what it unfolds to. */
  unfolded: 536_870_912,
  lineBytes: 4_194_304,
  entries: 1_000_000,
  exchanges: 10_000,
} as const;

/** The characters of a chain hash, of 32, that are kept with each entry; the header has the last hash whole. */
export const hashKept = 16;

export interface CapsuleHeader {
  readonly version: number;
  /** Of the package that wrote the file, of the engine that wrote the journal, and of Node. */
  readonly program: string;
  readonly engine: string;
  readonly node: string;
  /** Name of the world, and what key ids of it end in for clients. */
  readonly world: string;
  readonly keySuffix: string;
  readonly seed: number;
  /** SHA-256 of the world. */
  readonly digest: string;
  /** Resets of the venue before this journal. */
  readonly epoch: number;
  /** When the journal began: market time, milliseconds since the epoch. */
  readonly started: number;
  /** Real time of the first exchange, milliseconds since the epoch; 0 without exchanges. */
  readonly exchangesFrom: number;
  readonly entries: number;
  readonly exchanges: number;
  /** Exchanges that are not in the file because a secret was in them. */
  readonly leftOut: number;
  /** Chain hash of the last entry. */
  readonly hash: string;
}

/** A text that is there whole, or the first of the bytes. */
export type KeptBody = string | { readonly length: number; readonly text?: string; readonly base64?: string };

export interface CapsuleExchange {
  readonly kind: "request" | "stream";
  readonly id: string;
  /** Milliseconds since the first exchange. */
  readonly at: number;
  readonly ms: number;
  readonly key: string | null;
  /** The last entry before it was decided; for a request that was refused before, the last entry at the answer before it. */
  readonly after: number;
  /** The last entry of the state that its answer is made of; null for a request that was refused before. */
  readonly answered: number | null;
  /** The last of the entries that it caused, which begin behind `after`; null for none. */
  readonly caused: number | null;
  readonly method: string;
  readonly target: string;
  readonly body: KeptBody;
  readonly status: number;
  /** Code of the refusal; null for a success. */
  readonly code: string | null;
  readonly answer: KeptBody;
  readonly faults: readonly FiredFault[];
}

/** A file that has been read and found sound; of its entries only the replay can say whether they are. */
export interface Capsule {
  readonly header: CapsuleHeader;
  readonly built: BuiltWorld;
  /** Their hashes are as the file has them, shortened. */
  readonly entries: readonly JournalEntry[];
  /** In the order of `after`. */
  readonly exchanges: readonly CapsuleExchange[];
}

export interface WrittenCapsule {
  readonly entries: number;
  readonly exchanges: number;
  readonly leftOut: number;
  readonly hash: string;
  readonly bytes: Buffer;
}
