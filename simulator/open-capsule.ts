/** The file of a bug report, opened: to be replayed, or served as it was. */
import {
  type Capsule,
  type CapsuleExchange,
  type CapsuleHeader,
  capsuleLimits,
  type KeptBody,
} from "./capsule/capsule.ts";
import { CapsuleReplay } from "./capsule/replay-capsule.ts";
import { apiPrefix } from "./compose.ts";
import type { ClockMode } from "./domain/world.ts";
import type { Bytes, Exchange } from "./exchanges/exchange.ts";
import { StartFailure } from "./options.ts";
import type { Origin } from "./sequencer/ports.ts";
import { beginning, replay } from "./sequencer/recover.ts";
import { memory } from "./store/database.ts";
import { openJournal } from "./store/open-journal.ts";
import { engineVersion } from "./version.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { gatewayOptions } from "./world-parts.ts";
import { mainWorld } from "./worlds.ts";

export const mostCapsuleBytes = capsuleLimits.bytes;

/** By how a file begins: as gzip does. */
export const isCapsule = (beginning: Uint8Array): boolean => beginning[0] === 0x1f && beginning[1] === 0x8b;

/** A journal to go on from, and what belongs to it. */
export interface Begun {
  readonly from: Origin;
  readonly clock: ClockMode;
  /** The suffix that clients see on the key ids of its world file. */
  readonly keySuffix: string;
  /** For the exchange log. */
  readonly exchanges: readonly Exchange[];
}

export interface OpenedCapsule {
  readonly header: CapsuleHeader;
  /** A warning before a replay: another engine has written the capsule. */
  readonly remark: string | null;
  /** From the first entry on. */
  replay(): CapsuleReplay;
  /** The world, and its journal up to an entry. */
  at(until: number): { readonly built: BuiltWorld; readonly begun: Begun };
}

/**
 * `file` names it in sentences.
 *
 * @throws StartFailure with one sentence, and the line, for a file that is cut, damaged, too large, or of another format.
 */
export async function openCapsule(bytes: Buffer, file: string): Promise<OpenedCapsule> {
  // A start without a capsule needs neither the reader nor the schema of world files.
  const { readCapsule } = await import("./capsule/read-capsule.ts");
  const read = await readCapsule(bytes, file);
  if (!read.ok) throw new StartFailure(read.error);
  const capsule = read.value;
  const { header, built } = capsule;
  const options = gatewayOptions(built.server);
  const remark =
    header.engine === engineVersion
      ? null
      : `${file} was written by engine ${header.engine} (gatewright ${header.program}), and this is engine ${engineVersion}: it is replayed as far as both decide alike`;
  return {
    header,
    remark,
    replay: () => new CapsuleReplay(capsule, { options, prefix: apiPrefix }),
    at: (until) => ({ built, begun: begunAt(capsule, until) }),
  };
}

function begunAt(capsule: Capsule, until: number): Begun {
  const { header, exchanges } = capsule;
  return {
    from: { image: imageOf(capsule, until), entry: null },
    clock: "manual",
    keySuffix: header.keySuffix,
    exchanges: exchanges.filter(({ after }) => after <= until).map((one) => loggedAgain(one, capsule)),
  };
}

/** The journal as a database, with the times and the hashes that it had. */
function imageOf({ header, built: { world }, entries }: Capsule, until: number): Buffer {
  const { started: now, epoch, engine } = header;
  const journal = openJournal({ file: memory, world, now, epoch, engineVersion: engine });
  try {
    const { state, hash: genesis } = beginning(journal.header, world);
    let hash = genesis;
    journal.begin();
    for (const entry of entries.slice(0, until)) {
      const replayed = replay(state, hash, entry);
      hash = replayed.hash;
      if (!hash.startsWith(entry.hash)) throw new StartFailure(unlike(entry.seq));
      journal.append({ ...entry, hash }, replayed.events, state.changes.lines);
    }
    journal.commit();
    return journal.image();
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`The journal of the capsule cannot be stored: ${String(error)}`);
  } finally {
    journal.close();
  }
}

const unlike = (seq: number): string =>
  `Entry ${seq} is decided otherwise here. The venue can be served as it was before it: --until ${seq - 1}`;

/** Parts of an exchange that a capsule does not keep are empty. */
function loggedAgain(exchange: CapsuleExchange, { header, built: { world } }: Capsule): Exchange {
  const { id, kind, at, ms, key, after, answered, caused, method, target, status, code, faults } = exchange;
  const { client = null } = world.keys.find(({ name }) => name === key) ?? {};
  const headers: Exchange["request"]["headers"] = [];
  return {
    id,
    kind,
    world: mainWorld,
    at: header.exchangesFrom + at,
    durationMs: ms,
    address: "",
    key,
    client: client === null ? null : (world.clients[client]?.name ?? null),
    request: { method, target, headers, body: bytesOf(exchange.body) },
    answer: { status, code, headers, body: bytesOf(exchange.answer), sent: status !== 0 },
    entries: caused === null ? null : { first: after + 1, last: caused },
    place: answered === null ? null : { decided: after, answered },
    faults,
    freedoms: {},
    screened: true,
    signature: null,
    stream: null,
  };
}

const bytesOf = (body: KeptBody): Bytes =>
  typeof body === "string"
    ? { length: Buffer.byteLength(body), ...(body === "" ? {} : { text: body }) }
    : body;
