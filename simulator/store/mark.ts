/**
 * The high-water mark: a side file that remembers the last acknowledged entry and how many nonces were used.
 *
 * SQLite recovers a log up to the first frame that does not check and calls the result sound, so a flipped
 * byte, a deleted log or an older file in place of the newer one look like a shorter history. The mark tells
 * them apart.
 *
 * Invariants:
 * - Written after the commit, never before: a mark never speaks of an entry that is not on stable storage.
 * - Two slots in different blocks, written in turn: a torn write leaves the other one valid.
 * - It carries the random id of its venue: another venue's file in this place is told apart from a shorter
 *   history.
 * - It is there before the venue is: a venue without a mark has lost it.
 *
 * Known limits: it is not flushed per batch (it costs no fsync and may lag after a power cut), so it finds
 * files that were deleted, swapped or cut back past it, not the loss of the very last batches on a disk that
 * lies about fsync. Whoever deletes database, log and mark together starts a new venue.
 */
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { fileFailure } from "./database-file.ts";

export interface Mark {
  /** 32 hex digits. */
  readonly venueId: string;
  /** 0 with a hash of zeros: nothing was acknowledged yet. */
  readonly seq: number;
  readonly hash: string;
  /** Id of the last nonce that was used; 0 for none. */
  readonly nonce: number;
  /** The latest timestamp that was signed with any of them, milliseconds since the epoch. */
  readonly signed: number;
}

/** What a mark says of a venue. */
export type Marked = Omit<Mark, "venueId">;

export type MarkReading =
  | { readonly kind: "valid"; readonly mark: Mark }
  | { readonly kind: "missing" | "unreadable" };

export const NO_HASH = "0".repeat(32);

/**
 * As `signed` in the mark of a backup: nonces that were used after it was made are not in it, so whatever was signed
 * before a start on it is refused.
 */
export const UNTIL_THE_START = 0xffff_ffff_ffff;

export const NOTHING_MARKED: Marked = { seq: 0, hash: NO_HASH, nonce: 0, signed: 0 };

const MAGIC = "GWMARK02";
/** Of an earlier build: its slots say nothing of nonces, and the checksum stands where they do now. */
const FIRST_MAGIC = "GWMARK01";
const SLOT_BYTES = 64;
/** One block of any common file system apart. */
const SLOT_OFFSETS = [0, 4096] as const;
const SEQ_AT = 8;
const VENUE_AT = 16;
const HASH_AT = 32;
const NONCE_AT = 48;
const SIGNED_AT = 54;
const CHECKSUM_AT = 60;

export function readMark(file: string): MarkReading {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | NO_FOLLOW);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "missing" };
    throw fileFailure(error, `The mark ${file} cannot be read`);
  }
  try {
    const mark = newestOf(readSlots(descriptor));
    return mark === null ? { kind: "unreadable" } : { kind: "valid", mark };
  } finally {
    closeSync(descriptor);
  }
}

export class MarkFile {
  readonly #descriptor: number;
  readonly #bytes = Buffer.alloc(SLOT_BYTES);
  #next: 0 | 1;
  #isOpen = true;

  /**
   * Opens or makes the file. It is emptied first when it begins `anew`, and when it is the mark of another venue, which
   * was found to say nothing.
   */
  constructor(file: string, venueId: string, anew = false) {
    try {
      this.#descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, 0o600);
      const slots = readSlots(this.#descriptor);
      const newest = newestOf(slots);
      if (anew || (newest !== null && newest.venueId !== venueId)) ftruncateSync(this.#descriptor, 0);
      this.#next = newest !== null && newest === slots[0] ? 1 : 0;
    } catch (error) {
      throw fileFailure(error, `The mark ${file} cannot be opened`);
    }
    this.#bytes.write(MAGIC, 0, "latin1");
    this.#bytes.write(venueId, VENUE_AT, "hex");
  }

  write({ seq, hash, nonce, signed }: Marked): void {
    const bytes = this.#bytes;
    // The number of a closed file may be another file's by now.
    if (!this.#isOpen) throw new Error("the mark is closed");
    bytes.writeUIntBE(seq, SEQ_AT + 2, 6);
    bytes.write(hash, HASH_AT, "hex");
    bytes.writeUIntBE(nonce, NONCE_AT, 6);
    bytes.writeUIntBE(signed, SIGNED_AT, 6);
    bytes.writeUInt32BE(checksumOf(bytes, CHECKSUM_AT), CHECKSUM_AT);
    writeSync(this.#descriptor, bytes, 0, SLOT_BYTES, SLOT_OFFSETS[this.#next]);
    this.#next = this.#next === 0 ? 1 : 0;
  }

  /** For what stands nowhere else. */
  flush(): void {
    fsyncSync(this.#descriptor);
  }

  /** Flushes, because an orderly stop has the time for it. Once: the number may be another file's by the next time. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.flush();
    } finally {
      closeSync(this.#descriptor);
    }
  }
}

// Windows has no such flag; there `locateDatabase` alone refuses links.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

const checksumOf = (slot: Buffer, at: number): number => crc32(slot.subarray(0, at));

function readSlots(descriptor: number): readonly (Mark | null)[] {
  return SLOT_OFFSETS.map((offset) => {
    const slot = Buffer.alloc(SLOT_BYTES);
    return readSync(descriptor, slot, 0, SLOT_BYTES, offset) === SLOT_BYTES ? decodeSlot(slot) : null;
  });
}

function decodeSlot(slot: Buffer): Mark | null {
  const magic = slot.toString("latin1", 0, SEQ_AT);
  const checksumAt = magic === MAGIC ? CHECKSUM_AT : magic === FIRST_MAGIC ? NONCE_AT : null;
  if (checksumAt === null || slot.readUInt32BE(checksumAt) !== checksumOf(slot, checksumAt)) return null;
  const isFirst = magic === FIRST_MAGIC;
  return {
    venueId: slot.toString("hex", VENUE_AT, HASH_AT),
    seq: slot.readUIntBE(SEQ_AT + 2, 6),
    hash: slot.toString("hex", HASH_AT, NONCE_AT),
    nonce: isFirst ? 0 : slot.readUIntBE(NONCE_AT, 6),
    signed: isFirst ? 0 : slot.readUIntBE(SIGNED_AT, 6),
  };
}

function newestOf(slots: readonly (Mark | null)[]): Mark | null {
  let newest: Mark | null = null;
  for (const slot of slots) if (slot !== null && (newest === null || isNewer(slot, newest))) newest = slot;
  return newest;
}

const isNewer = (one: Mark, other: Mark): boolean =>
  one.seq > other.seq || (one.seq === other.seq && one.nonce > other.nonce);
