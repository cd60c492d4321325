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
 * lies about fsync. If database, log and mark are deleted together, the next start makes a new venue.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
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

/** The content of a mark. */
export type Marked = Omit<Mark, "venueId">;

export type MarkReading =
  | { readonly kind: "valid"; readonly mark: Mark }
  | { readonly kind: "missing" | "unreadable" };

export const noHash = "0".repeat(32);

/**
 * As `signed` in the mark of a backup: nonces that were used after it was made are not in it, so whatever was signed
 * before a start on it is refused.
 */
export const untilTheStart = 0xffff_ffff_ffff;

export const nothingMarked: Marked = { seq: 0, hash: noHash, nonce: 0, signed: 0 };

const markMagic = "GWMARK02";
const slotBytes = 64;
/** One block of any common file system apart. */
const slotOffsets = [0, 4096] as const;
const seqAt = 8;
const venueAt = 16;
const hashAt = 32;
const nonceAt = 48;
const signedAt = 54;
const checksumOffset = 60;

export function readMark(file: string): MarkReading {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | noFollow);
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
  readonly #bytes = Buffer.alloc(slotBytes);
  #next: 0 | 1;
  #isOpen = true;

  /**
   * Opens or makes the file. It is emptied first when it begins `anew`, and when it is the mark of another venue, which
   * was found to say nothing.
   */
  constructor(file: string, venueId: string, anew = false) {
    try {
      this.#descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | noFollow, 0o600);
      // It may have been copied here with another mode. Windows has none.
      if (process.platform !== "win32") fchmodSync(this.#descriptor, 0o600);
      const slots = readSlots(this.#descriptor);
      const newest = newestOf(slots);
      if (anew || (newest !== null && newest.venueId !== venueId)) ftruncateSync(this.#descriptor, 0);
      this.#next = newest !== null && newest === slots[0] ? 1 : 0;
    } catch (error) {
      throw fileFailure(error, `The mark ${file} cannot be opened`);
    }
    this.#bytes.write(markMagic, 0, "latin1");
    this.#bytes.write(venueId, venueAt, "hex");
  }

  write({ seq, hash, nonce, signed }: Marked): void {
    const bytes = this.#bytes;
    // The number of a closed file may be another file's by now.
    if (!this.#isOpen) throw new Error("the mark is closed");
    bytes.writeUIntBE(seq, seqAt + 2, 6);
    bytes.write(hash, hashAt, "hex");
    bytes.writeUIntBE(nonce, nonceAt, 6);
    bytes.writeUIntBE(signed, signedAt, 6);
    bytes.writeUInt32BE(checksumOf(bytes), checksumOffset);
    writeSync(this.#descriptor, bytes, 0, slotBytes, slotOffsets[this.#next]);
    this.#next = this.#next === 0 ? 1 : 0;
  }

  /** For data that no other file has. */
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
const noFollow = constants.O_NOFOLLOW ?? 0;

const checksumOf = (slot: Buffer): number => crc32(slot.subarray(0, checksumOffset));

function readSlots(descriptor: number): readonly (Mark | null)[] {
  return slotOffsets.map((offset) => {
    const slot = Buffer.alloc(slotBytes);
    return readSync(descriptor, slot, 0, slotBytes, offset) === slotBytes ? decodeSlot(slot) : null;
  });
}

function decodeSlot(slot: Buffer): Mark | null {
  if (slot.toString("latin1", 0, seqAt) !== markMagic) return null;
  if (slot.readUInt32BE(checksumOffset) !== checksumOf(slot)) return null;
  return {
    venueId: slot.toString("hex", venueAt, hashAt),
    seq: slot.readUIntBE(seqAt + 2, 6),
    hash: slot.toString("hex", hashAt, nonceAt),
    nonce: slot.readUIntBE(nonceAt, 6),
    signed: slot.readUIntBE(signedAt, 6),
  };
}

function newestOf(slots: readonly (Mark | null)[]): Mark | null {
  let newest: Mark | null = null;
  for (const slot of slots) if (slot !== null && (newest === null || isNewer(slot, newest))) newest = slot;
  return newest;
}

const isNewer = (one: Mark, other: Mark): boolean =>
  one.seq > other.seq || (one.seq === other.seq && one.nonce > other.nonce);
