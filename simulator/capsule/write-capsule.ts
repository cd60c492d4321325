/** A capsule of a world that runs. Nothing of the world is changed, and it serves others between two pieces. */
import process from "node:process";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { err, ok, type Result } from "../domain/result.ts";
import type { Bytes, Exchange, Header, LoggedExchange } from "../exchanges/exchange.ts";
import { isIncomplete, Redactor, type WithSecret } from "../exchanges/redactor.ts";
import type { JournalEntry, VenueHeader } from "../sequencer/ports.ts";
import type { BuiltWorld, WorldSource } from "../world/build-world.ts";
import {
  type CapsuleHeader,
  capsuleLimits,
  capsuleVersion,
  hashKept,
  type KeptBody,
  type WrittenCapsule,
} from "./capsule.ts";
import { worldLine } from "./world-line.ts";

/** Entries between two turns of the event loop. */
const piece = 500;

export interface CapsuleSource {
  readonly name: string;
  readonly keySuffix: string;
  readonly program: string;
  readonly built: BuiltWorld;
  /** Those in force. */
  readonly keys: readonly WithSecret[];
  readonly header: VenueHeader;
  readonly entries: Iterable<JournalEntry>;
  /** The last entry that is taken. */
  readonly until: number;
  /** The oldest first. */
  readonly exchanges: readonly LoggedExchange[];
}

/** The file, or a sentence that says why there is none. */
export async function writeCapsule(source: CapsuleSource): Promise<Result<WrittenCapsule, string>> {
  const { built, header, until } = source;
  if (until > capsuleLimits.entries)
    return err(
      `The journal has ${until} entries, and a capsule holds ${capsuleLimits.entries}: reset the world and reproduce the bug, or fork it and go on there`,
    );
  const redactor = new Redactor(source.keys);
  const world = `{"kind":"world",${JSON.stringify(worldLine(withoutSecrets(built.source))).slice(1)}`;
  const { told, leftOut, from } = tellExchanges(source.exchanges, until, redactor);
  const lines: string[] = [];
  let holding = redactor.isIn(world) ? "world" : "";
  let [waiting, hash] = [0, ""];
  const tellUntil = (seq: number): void => {
    for (let next = told[waiting]; next !== undefined && next.after <= seq; next = told[(waiting += 1)])
      lines.push(next.line);
  };
  tellUntil(0);
  for (const entry of source.entries) {
    if (entry.seq > until) break;
    const line = entryLine(entry, header.createdAt);
    if (redactor.isIn(line)) holding = `entry ${entry.seq}`;
    lines.push(line);
    hash = entry.hash;
    tellUntil(entry.seq);
    if (entry.seq % piece === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (holding !== "")
    return err(`The secret of a key is used as a name in the ${holding}: a capsule would give it away`);
  const counts = { entries: until, exchanges: told.length, leftOut, hash };
  const head = headerOf(source, from, counts);
  const text = `${[`{"kind":"capsule",${JSON.stringify(head).slice(1)}`, world, ...lines].join("\n")}\n`;
  return ok({ ...counts, bytes: await promisify(gzip)(text, { level: 9, memLevel: 9 }) });
}

/** A key keeps its id and loses its secret. */
const withoutSecrets = ({ file, ...source }: WorldSource): WorldSource => ({
  ...source,
  file: { ...file, keys: file.keys.map(({ secret: _, ...key }) => key) },
});

function headerOf(
  { name, keySuffix, program, built: { world }, header }: CapsuleSource,
  exchangesFrom: number,
  counts: Pick<CapsuleHeader, "entries" | "exchanges" | "leftOut" | "hash">,
): CapsuleHeader {
  return {
    version: capsuleVersion,
    program,
    engine: header.engineVersion,
    node: process.version,
    world: name,
    keySuffix,
    seed: world.seed,
    digest: world.digest,
    epoch: header.epoch,
    started: header.createdAt,
    exchangesFrom,
    ...counts,
  };
}

const entryLine = ({ seq, at, kind, command, hash }: JournalEntry, started: number): string =>
  `{"kind":"entry","seq":${seq},"at":${at - started},"command":"${kind}","args":${command},"hash":"${hash.slice(0, hashKept)}"}`;

interface Told {
  readonly after: number;
  readonly line: string;
}

/** In the order in which they were decided; those of later entries than the last are not taken. */
function tellExchanges(
  exchanges: readonly LoggedExchange[],
  until: number,
  redactor: Redactor,
): { readonly told: readonly Told[]; readonly leftOut: number; readonly from: number } {
  const told: Told[] = [];
  let [leftOut, last] = [0, 0];
  const from = Math.min(...exchanges.map(({ at }) => at));
  for (const exchange of exchanges.slice(-capsuleLimits.exchanges)) {
    const { place } = exchange;
    if (place !== null && place.answered > until) continue;
    const after = place?.decided ?? last;
    last = place?.answered ?? last;
    // What the log has left out cannot be compared, and what it did not know as a secret is looked for once more.
    const shown = redactor.redacted(exchange);
    if (isIncomplete(shown)) leftOut += 1;
    else told.push({ after, line: exchangeLine(shown, after, from) });
  }
  told.sort((one, other) => one.after - other.after);
  return { told, leftOut, from: told.length === 0 ? 0 : from };
}

function exchangeLine(exchange: Exchange, after: number, from: number): string {
  const { id, kind, at, durationMs, key, place, entries, request, answer, faults } = exchange;
  const { method, target } = request;
  const told = {
    id,
    ...(kind === "stream" ? { stream: true } : {}),
    at: at - from,
    ms: Math.round(durationMs),
    key,
    after,
    ...(place === null ? {} : { answered: place.answered }),
    ...(entries === null ? {} : { caused: entries.last }),
    ...(request.headers.some(isOfTheKit) ? { kit: true } : {}),
    method,
    target,
    ...given("body", request.body),
    status: answer.status,
    ...(answer.code === null ? {} : { code: answer.code }),
    ...given("answer", answer.body),
    ...(faults.length === 0 ? {} : { faults }),
  };
  return `{"kind":"exchange",${JSON.stringify(told).slice(1)}`;
}

/** The kit names itself, and what it sent is no traffic of the client whose bug is looked for. */
const isOfTheKit = ({ name, value }: Header): boolean =>
  name.toLowerCase() === "user-agent" && value.startsWith("gatewright/");

const given = (name: string, body: Bytes): object => (body.length === 0 ? {} : { [name]: keptOf(body) });

const keptOf = ({ length, text, base64 }: Bytes): KeptBody =>
  text === undefined
    ? { length, base64: base64 ?? "" }
    : Buffer.byteLength(text) === length
      ? text
      : { length, text };
