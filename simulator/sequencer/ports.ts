/** What the sequencer needs from the outside, as types of functions; `compose.ts` fits the adapters. */

import type { NonceRecord } from "../domain/account.ts";

export type { NonceRecord } from "../domain/account.ts";

/** One journal entry as it is stored. `hash` chains over the previous hash, the command and its events. */
export interface JournalEntry {
  readonly seq: number;
  /** Market time in milliseconds since the epoch. */
  readonly at: number;
  readonly kind: string;
  /** The command as compact JSON text, without its kind. */
  readonly command: string;
  /** Lower-case hex, 32 characters: the first half of SHA-256. */
  readonly hash: string;
}

/** A row of the readable fill table; amounts are integers at the scales of the product's assets. */
export interface FillRow {
  readonly trade: number;
  readonly seq: number;
  readonly product: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerSide: "BUY" | "SELL";
  /** 0 = the synthetic market. */
  readonly taker: number;
  readonly maker: number;
  readonly takerCommission: bigint;
  readonly takerExchangeFee: bigint;
  readonly makerCommission: bigint;
  readonly makerExchangeFee: bigint;
}

/** A status change after acceptance; the last row of an order is its current status. */
export interface StatusRow {
  readonly seq: number;
  readonly order: number;
  readonly status: string;
  readonly reason: string | null;
}

/** A line of the double-entry ledger. `wallet` is `client` index (or -1 fees, -2 market, -3 outside) and asset index. */
export interface PostingRow {
  readonly seq: number;
  readonly owner: number;
  readonly asset: number;
  readonly amount: bigint;
  /** Balance of that wallet after this line. */
  readonly balance: bigint;
}

export interface SnapshotRow {
  /** The snapshot holds the state after this entry. */
  readonly seq: number;
  readonly hash: string;
  readonly engineVersion: string;
  readonly body: Uint8Array;
}

export interface VenueHeader {
  /** Canonical JSON of the world this file was made with, secrets left out. */
  readonly world: string;
  readonly worldDigest: string;
  readonly seed: number;
  readonly engineVersion: string;
  /** Counts the resets of this venue; shown in health and in every report. */
  readonly epoch: number;
  readonly createdAt: number;
}

/**
 * The journal and its tables. All writes of one batch stand between `begin` and `commit`; `commit` returns only when
 * they are on stable storage. Any method may throw a `StoreFailure`; after that the instance is of no further use.
 */
export interface Journal {
  readonly header: VenueHeader;
  begin(): void;
  append(entry: JournalEntry): void;
  appendFill(row: FillRow): void;
  appendStatus(row: StatusRow): void;
  appendPosting(row: PostingRow): void;
  appendNonce(row: NonceRecord): void;
  /** Makes sure, without a commit, that this nonce is refused after a restart; throws when it cannot. */
  markNonce(row: NonceRecord): void;
  commit(): void;
  rollback(): void;
  /** Last committed entry, or null for an empty journal. */
  last(): { readonly seq: number; readonly hash: string; readonly at: number } | null;
  entriesAfter(seq: number): IterableIterator<JournalEntry>;
  latestSnapshot(): SnapshotRow | null;
  saveSnapshot(snapshot: SnapshotRow): void;
  /** Writes and flushes once more, in another place, what the log holds, and empties the log. */
  checkpoint(): void;
  close(): void;
}
