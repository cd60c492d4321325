import { gunzipSync } from "node:zlib";
import { readJsonText } from "../check/lossless-json.ts";
import { UsageError } from "../model/position.ts";
import { type ImportedExchange, importedRecording, withoutOwn } from "./imported.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, recordedBytes } from "./recording.ts";

const most = {
  bytes: 512 * 1024 * 1024,
  line: 4 * 1024 * 1024,
  values: 30_000,
  lines: 1_100_000,
  exchanges: 10_000,
} as const;

/** gzip begins so; of the files that are read here only a capsule is compressed. */
export const isCapsule = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * The requests and answers in a capsule (docs/bug-reports.md). Its journal is for the simulator and is not looked at. It has
 * no headers, so a request without a known mistake counts as rightly signed. A line is looked at only within its bounds, so
 * a hostile file ends with a sentence (docs/decisions/hostile-files.md).
 */
export function readCapsule(file: string, bytes: Buffer, mostBytes: number = most.bytes): Recording {
  const text = unfolded(file, bytes, mostBytes);
  const found: CapsuleExchange[] = [];
  for (let start = 0, line = 1; start < text.length || line === 1; line += 1) {
    const at = text.indexOf(newLine, start);
    const end = at === -1 ? text.length : at;
    const refuse = (why: string): never => {
      throw new UsageError(`${file}:${line}: ${why}`);
    };
    if (line > most.lines) refuse(`a capsule has at most ${most.lines} lines`);
    if (end - start > most.line) refuse(`a line has at most ${most.line} bytes`);
    if (line === 1) checkHeader(`${file}:1`, text.toString("utf8", start, end));
    else if (text.subarray(start, start + exchange.length).equals(exchange))
      found.push(...exchangesIn(`${file}:${line}`, text.toString("utf8", start, end)));
    if (found.length > most.exchanges) refuse(`a capsule has at most ${most.exchanges} exchanges`);
    start = end + 1;
  }
  const { chosen, remarks } = withoutOwn(found, ({ isOwn }) => isOwn);
  const unknown = "a capsule has no headers: how its requests were signed is not known";
  return importedRecording(chosen, [unknown, ...remarks]);
}

interface CapsuleExchange extends ImportedExchange {
  /** Sent by the kit: what a client sent is in the others. */
  readonly isOwn: boolean;
}

const newLine = 0x0a;
const exchange = Buffer.from('{"kind":"exchange",');

function unfolded(file: string, bytes: Buffer, mostBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    const why =
      error instanceof RangeError ? `it unfolds to more than ${mostBytes} bytes` : "it is cut or damaged";
    throw new UsageError(`${file}: the capsule cannot be read: ${why}`);
  }
}

function checkHeader(place: string, line: string): void {
  const { kind, version } = membersIn(place, line);
  if (kind !== "capsule") throw new UsageError(`${place}: the first line is not that of a capsule`);
  if (version !== 1)
    throw new UsageError(
      `${place}: a capsule of version ${JSON.stringify(version)}; this build reads version 1`,
    );
}

/** None for a stream, whose messages a capsule does not have. */
function exchangesIn(place: string, line: string): CapsuleExchange[] {
  const { at, ms, key = "", method, target, status, body, answer, stream, kit } = membersIn(place, line);
  if (stream !== undefined) return [];
  if (
    typeof at !== "number" ||
    typeof ms !== "number" ||
    typeof key !== "string" ||
    typeof method !== "string" ||
    typeof target !== "string"
  )
    throw new UsageError(`${place}: the line is not an exchange of a capsule`);
  const answered =
    typeof status === "number" && status !== 0
      ? { answer: { status, headers: [], body: bytesIn(place, answer) } }
      : {};
  return [
    {
      time: at,
      durationMs: ms,
      method,
      target,
      headers: [],
      body: bytesIn(place, body),
      key,
      isOwn: kit === true,
      ...answered,
    },
  ];
}

function bytesIn(place: string, body: unknown): RecordedBytes {
  if (body === undefined) return { length: 0 };
  if (typeof body === "string") return recordedBytes(Buffer.from(body, "utf8"));
  const { length, text, base64 } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof length !== "number") throw new UsageError(`${place}: the line has a body of no known form`);
  const kept = Buffer.from(String(text ?? base64 ?? ""), text === undefined ? "base64" : "utf8");
  return recordedBytes(kept, Math.max(length, kept.length));
}

function membersIn(place: string, line: string): Readonly<Record<string, unknown>> {
  const reading = readJsonText(line, most.values);
  if (!reading.ok)
    throw new UsageError(`${place}: the line is damaged: ${reading.problem.replace(/^body is /, "it is ")}`);
  const value: unknown = JSON.parse(line);
  // as: every member is looked at where it is used.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
