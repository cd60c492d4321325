/**
 * A capsule from anybody. Nothing of it is believed: the file is unfolded no further than its bounds, each line is bounded in
 * length, depth and members before it is parsed, and what it says of itself is compared with what is there. Why no child
 * process is needed: docs/decisions/hostile-files.md.
 */
import { getHeapStatistics } from "node:v8";
import { createGunzip } from "node:zlib";
import { type CommandKind, commandKinds } from "../domain/command.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { parseJson } from "../http/parse-json.ts";
import { decode } from "../schema/decode.ts";
import type { Shape } from "../schema/fields.ts";
import type { JournalEntry } from "../sequencer/ports.ts";
import type { BuiltWorld } from "../world/build-world.ts";
import { sentenceOf } from "../world/problem.ts";
import {
  type Capsule,
  type CapsuleExchange,
  type CapsuleHeader,
  capsuleLimits,
  capsuleVersion,
} from "./capsule.ts";
import { EntryLine, ExchangeLine, HeaderLine } from "./lines.ts";
import { worldOf } from "./world-line.ts";

/** Why a file is no capsule that can be replayed, with the line. */
class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** A text takes up to twice its bytes in memory, where it is kept as UTF-16, and the replay needs some, too. */
const unfoldedFor = (heap: number): number => Math.min(capsuleLimits.unfolded, Math.floor(heap / 4));

const whatIs = (most: number): string =>
  most < capsuleLimits.unfolded
    ? "the most that fits into the memory of this process: give Node more with NODE_OPTIONS=--max-old-space-size=2048"
    : "which is no capsule of ours";

/** `file` names it in the sentence; `heap` is the memory that the reader may fill. */
export async function readCapsule(
  bytes: Buffer,
  file: string,
  heap: number = getHeapStatistics().heap_size_limit,
): Promise<Result<Capsule, string>> {
  try {
    return ok(new Reading(file).all(await unfold(bytes, file, unfoldedFor(heap))));
  } catch (error) {
    if (error instanceof Unreadable) return err(error.message);
    throw error;
  }
}

/** The text, or the line at which it ends too early. */
async function unfold(bytes: Buffer, file: string, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const gunzip = createGunzip();
  gunzip.end(bytes);
  try {
    for await (const part of gunzip) {
      // as: a stream of bytes gives buffers.
      parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length > most)
        throw new Unreadable(`${file}: it unfolds to more than ${most} bytes, ${whatIs(most)}`);
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(
      `${file}:${linesIn(parts) + 1}: it is cut or damaged here (${(error as Error).message}): copy it again`,
    );
  }
  return Buffer.concat(parts);
}

const newLine = 0x0a;

function linesIn(parts: readonly Buffer[]): number {
  let count = 0;
  for (const part of parts)
    for (let at = part.indexOf(newLine); at !== -1; at = part.indexOf(newLine, at + 1)) count += 1;
  return count;
}

const limitsOf = {
  capsule: { depth: 2, members: 64, stringLength: 1024 },
  world: { depth: 32, members: 200_000, stringLength: capsuleLimits.lineBytes },
  entry: { depth: 16, members: 4096, stringLength: 4096 },
  exchange: { depth: 8, members: 1024, stringLength: 262_144 },
} as const;
type LineKind = keyof typeof limitsOf;

const beginning = /^\{"kind":"(capsule|world|entry|exchange)"[,}]/;

class Reading {
  readonly #file: string;
  readonly #entries: JournalEntry[] = [];
  readonly #exchanges: CapsuleExchange[] = [];
  #line = 0;

  constructor(file: string) {
    this.#file = file;
  }

  all(text: Buffer): Capsule {
    let header: CapsuleHeader | undefined;
    let built: BuiltWorld | undefined;
    for (let start = 0; start < text.length; ) {
      const found = text.indexOf(newLine, start);
      const end = found === -1 ? text.length : found;
      this.#line += 1;
      const { kind, value } = this.#parse(text.subarray(start, end));
      if (header === undefined) header = this.#header(kind, value);
      else if (built === undefined) built = this.#world(kind, value, header);
      else if (kind === "entry") this.#entry(value, header);
      else if (kind === "exchange") this.#exchange(value, header);
      else this.#fail(`a second line of kind ${kind}`);
      start = end + 1;
    }
    this.#line += 1;
    if (header === undefined || built === undefined) return this.#fail("it ends before its world");
    const [entries, exchanges] = [this.#entries.length, this.#exchanges.length];
    if (entries !== header.entries || exchanges !== header.exchanges)
      this.#fail(
        `it ends with ${entries} entries and ${exchanges} exchanges, and its header says ${header.entries} and ${header.exchanges}: it is cut`,
      );
    return { header, built, entries: this.#entries, exchanges: this.#exchanges };
  }

  #parse(line: Buffer): { readonly kind: LineKind; readonly value: object } {
    if (line.length > capsuleLimits.lineBytes)
      this.#fail(`the line has more than ${capsuleLimits.lineBytes} bytes`);
    const [, name] = beginning.exec(line.toString("latin1", 0, 20)) ?? [];
    if (name === undefined) return this.#fail('a line begins with its kind, such as {"kind":"entry"');
    // as: the pattern has these kinds.
    const kind = name as LineKind;
    const parsed = parseJson(line, limitsOf[kind], "line");
    if (!parsed.ok) return this.#fail(parsed.error.message);
    const { kind: _, ...value } = parsed.value as { readonly kind: unknown };
    return { kind, value };
  }

  #header(kind: LineKind, value: object): CapsuleHeader {
    if (kind !== "capsule") this.#fail("the first line of a capsule is its header");
    const version: unknown = Reflect.get(value, "version");
    if (version !== capsuleVersion)
      this.#fail(
        `it has format ${JSON.stringify(version)}, and this gatewright reads format ${capsuleVersion}: not even its first entry can be replayed here. Use the gatewright that wrote it (${String(Reflect.get(value, "program"))})`,
      );
    return this.#sound(HeaderLine, value);
  }

  #world(kind: LineKind, value: object, { digest, seed }: CapsuleHeader): BuiltWorld {
    if (kind !== "world") this.#fail("the second line of a capsule is its world");
    const built = worldOf(value);
    if (!built.ok) return this.#fail(`the world: ${built.error}`);
    const { world } = built.value;
    if (world.digest !== digest || world.seed !== seed)
      this.#fail(
        `the world has digest ${world.digest}, and the header says ${digest}: no entry can be replayed here. It was changed, or written by a gatewright that builds worlds differently`,
      );
    return built.value;
  }

  #entry(value: object, { started }: CapsuleHeader): void {
    const { seq, at, command, args, hash } = this.#sound(EntryLine, value);
    if (seq !== this.#entries.length + 1) this.#fail(`entry ${seq} follows entry ${this.#entries.length}`);
    if (seq > capsuleLimits.entries) this.#fail(`it has more than ${capsuleLimits.entries} entries`);
    if (!isKind(command))
      return this.#fail(
        `entry ${seq} is a ${command}, which this gatewright does not know: from there it cannot be replayed`,
      );
    this.#entries.push({ seq, at: started + at, kind: command, command: JSON.stringify(args), hash });
  }

  #exchange(value: object, header: CapsuleHeader): void {
    const { stream, ...line } = this.#sound(ExchangeLine, value);
    if (line.after !== this.#entries.length)
      this.#fail(`an exchange after entry ${line.after} stands behind entry ${this.#entries.length}`);
    const { after, answered = after, caused = after } = line;
    if (answered < after || caused < after || Math.max(answered, caused) > header.entries)
      this.#fail(
        `an exchange after entry ${after} is answered after entry ${answered} and caused entry ${caused}`,
      );
    if (this.#exchanges.length === capsuleLimits.exchanges)
      this.#fail(`it has more than ${capsuleLimits.exchanges} exchanges`);
    const absent = { key: null, answered: null, caused: null, code: null, body: "", answer: "", faults: [] };
    this.#exchanges.push({ kind: stream === true ? "stream" : "request", ...absent, ...line });
  }

  #sound<T>(shape: Shape<T>, value: object): T {
    const read = decode(shape, value);
    if (read.ok) return read.value;
    return this.#fail(read.error.slice(0, 3).map(sentenceOf).join("; "));
  }

  #fail(why: string): never {
    throw new Unreadable(`${this.#file}:${this.#line}: ${why}`);
  }
}

const isKind = (name: string): name is CommandKind => (commandKinds as readonly string[]).includes(name);
