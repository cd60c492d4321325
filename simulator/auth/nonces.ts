/**
 * The memory of used nonces. One for REST and WebSocket, one part per key.
 *
 * Invariants, for any clock:
 * 1. A request that was accepted is never accepted again. A nonce is either remembered, or everything up to
 *    its signed timestamp is refused: forgetting a nonce with timestamp t raises the key's floor to t
 *    (F-nonce-timestamp-floor). A clock that jumps ahead, lets the memory expire and jumps back therefore
 *    opens nothing.
 * 2. A nonce is remembered for at least `retentionMs` after its receipt, under any timestamp and letter
 *    case.
 * 3. Only requests with a verified signature get here, so other senders can neither use up nonces nor fill the memory.
 *
 * Nonces live in generations: one set per stretch of signed time. Forgetting drops a whole generation,
 * oldest time first, so the floor is always below everything that is still remembered. At `maxPerKey` the
 * oldest generation goes early; that refuses late requests of that key (they are re-signed) and endangers
 * nothing.
 *
 * `consume` decides in memory and at once, so that of two requests in one turn the second one loses. When it
 * says `fresh`, its caller writes the record in the same transaction as the effect of the request. If that
 * transaction fails, the nonce STAYS consumed: the outcome is unknown, and a client signs its next attempt
 * with a new nonce anyway. A venue that reopens its file calls `restore` again: the nonces of the file are added
 * to what the memory knows.
 *
 * The file forgets on its own account, by the same rule: rows go in the transaction that raises their floor,
 * and what it still holds at the next start is remembered again. A store that forgets nothing by itself can
 * write what `takeFloors` hands over, and delete the rows at or below those floors.
 */
import type { NonceRecord } from "../domain/account.ts";
import { invariant } from "../domain/invariant.ts";

export type { NonceRecord } from "../domain/account.ts";

/** Requests of the key with this timestamp or an earlier one are refused. */
export interface NonceFloor {
  readonly key: number;
  readonly timestamp: number;
}

/** The memory reads this from the store at start. The code that commits a batch writes it. */
export interface NonceLog {
  load(): Iterable<NonceRecord>;
  loadFloors(): Iterable<NonceFloor>;
}

export type NonceVerdict = "fresh" | "reused" | "below-floor";

export interface NonceMemorySettings {
  readonly clockWindowMs: number;
  readonly nonceRetentionMs: number;
  /** Most nonces remembered per key; about 75 bytes each. */
  readonly maxPerKey?: number;
}

export const defaultMaxPerKey = 1_000_000;
const generationsPerRetention = 8;

interface Generation {
  /** Timestamps divided by the width of a generation. */
  readonly stretch: number;
  readonly nonces: Set<string>;
  newest: number;
}

interface KeyMemory {
  /** Ascending by stretch. */
  readonly generations: Generation[];
  floor: number;
  size: number;
}

export class NonceMemory {
  readonly #keys = new Map<number, KeyMemory>();
  readonly #raised = new Map<number, number>();
  readonly #lifetime: number;
  readonly #width: number;
  readonly #maxPerKey: number;

  constructor(settings: NonceMemorySettings) {
    invariant(
      settings.nonceRetentionMs >= 2 * settings.clockWindowMs,
      "nonces must be kept for two clock windows",
    );
    // A timestamp may lie one window before its receipt, so retention counted from receipt ends this
    // long after it.
    this.#lifetime = settings.clockWindowMs + settings.nonceRetentionMs;
    this.#width = Math.ceil(settings.nonceRetentionMs / generationsPerRetention);
    this.#maxPerKey = settings.maxPerKey ?? defaultMaxPerKey;
  }

  /** Call it for a request whose signature verified, and for no other. `receivedAt` is the present. */
  consume(record: NonceRecord): NonceVerdict {
    const memory = this.#memoryOf(record.key);
    this.#forgetExpired(record.key, memory, record.receivedAt);
    for (const generation of memory.generations) if (generation.nonces.has(record.nonce)) return "reused";
    while (memory.size >= this.#maxPerKey) this.#forgetOldest(record.key, memory);
    if (record.timestamp <= memory.floor) return "below-floor";
    remember(memory, record, this.#width);
    return "fresh";
  }

  /** Forgets what has expired for every key. Without it, a key that falls silent keeps its last nonces. */
  forgetExpired(now: number): void {
    for (const [key, memory] of this.#keys) this.#forgetExpired(key, memory, now);
  }

  /** Floors that rose since the last call; the caller owes them a place in the next batch. */
  takeFloors(): readonly NonceFloor[] {
    if (this.#raised.size === 0) return [];
    const floors = Array.from(this.#raised, ([key, timestamp]) => ({ key, timestamp }));
    this.#raised.clear();
    return floors;
  }

  /** Adds what the file knows. */
  restore(log: NonceLog): void {
    for (const floor of log.loadFloors()) {
      const memory = this.#memoryOf(floor.key);
      memory.floor = Math.max(memory.floor, floor.timestamp);
    }
    for (const record of log.load()) {
      const memory = this.#memoryOf(record.key);
      if (record.timestamp <= memory.floor) continue;
      remember(memory, record, this.#width);
    }
  }

  floorOf(key: number): number {
    return this.#keys.get(key)?.floor ?? Number.NEGATIVE_INFINITY;
  }

  get size(): number {
    let size = 0;
    for (const memory of this.#keys.values()) size += memory.size;
    return size;
  }

  #memoryOf(key: number): KeyMemory {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const memory: KeyMemory = { generations: [], floor: Number.NEGATIVE_INFINITY, size: 0 };
    this.#keys.set(key, memory);
    return memory;
  }

  #forgetExpired(key: number, memory: KeyMemory, now: number): void {
    for (;;) {
      const oldest = memory.generations[0];
      if (oldest === undefined || now <= oldest.newest + this.#lifetime) return;
      this.#forgetOldest(key, memory);
    }
  }

  #forgetOldest(key: number, memory: KeyMemory): void {
    const oldest = memory.generations.shift();
    invariant(oldest !== undefined, "a key without nonces has nothing to forget");
    memory.size -= oldest.nonces.size;
    memory.floor = Math.max(memory.floor, oldest.newest);
    this.#raised.set(key, memory.floor);
  }
}

function remember(memory: KeyMemory, { nonce, timestamp }: NonceRecord, width: number): void {
  const generation = generationOf(memory.generations, Math.floor(timestamp / width));
  const before = generation.nonces.size;
  generation.nonces.add(nonce);
  generation.newest = Math.max(generation.newest, timestamp);
  memory.size += generation.nonces.size - before;
}

/** Requests arrive about in the order of their timestamps, so the search starts at the newest end. */
function generationOf(generations: Generation[], stretch: number): Generation {
  let place = generations.length;
  for (; place > 0; place -= 1) {
    const candidate = generations[place - 1];
    if (candidate === undefined || candidate.stretch < stretch) break;
    if (candidate.stretch === stretch) return candidate;
  }
  const created: Generation = { stretch, nonces: new Set<string>(), newest: Number.NEGATIVE_INFINITY };
  generations.splice(place, 0, created);
  return created;
}
