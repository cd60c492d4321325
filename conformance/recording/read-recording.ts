import { readJsonText } from "../check/lossless-json.ts";
import { UsageError } from "../model/position.ts";
import { validatorOf } from "../schema/validators.ts";
import type { RecordedExchange, RecordedFrame, RecordingHeader, RecordingLine } from "./recording.ts";

/** Everything that was said, in the order in which it began. */
export interface Recording {
  /** Base address of the gateway, if the file says it. */
  readonly target?: string;
  /** When the times of the lines begin, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly exchanges: readonly RecordedExchange[];
  readonly frames: readonly RecordedFrame[];
  /** How much later than its answer the end of an exchange may have been noticed. */
  readonly lateMs: number;
  /** Seen from the side of the client: a proxy may have signed it on the way. */
  readonly isOfClient: boolean;
  /** Values in it may have been hidden before it was sent (`***`). */
  readonly mayHide: boolean;
  /** The parts that the file could not keep. */
  readonly remarks: readonly string[];
}

const most = { line: 2 * 1024 * 1024, lines: 200_000, values: 20_000 } as const;

export const isRecording = (text: string): boolean => /^\s*\{\s*"kind"\s*:\s*"recording"/.test(text);

/** Reads the lines of a recording. Each is bounded in length and in values before it is believed. */
export function readRecordingText(file: string, text: string): Recording {
  const lines = text.split("\n");
  if (lines.pop() !== "")
    throw new UsageError(
      `${file}:${lines.length + 1}: the line is cut: the file was cut off, or its recorder was killed as it wrote; remove this line to use the others`,
    );
  if (lines.length > most.lines)
    throw new UsageError(`${file}:${most.lines + 1}: a recording has at most ${most.lines} lines`);
  const read = lines.map((line, index) => lineIn(`${file}:${index + 1}`, line));
  const [header, ...rest] = read;
  if (header?.kind !== "recording")
    throw new UsageError(`${file}:1: the first line is not that of a recording`);
  return recordingOf(file, header, rest);
}

function recordingOf(file: string, header: RecordingHeader, rest: readonly RecordingLine[]): Recording {
  const remarks: string[] = [];
  const place = rest.findIndex(({ kind }) => kind === "recording");
  if (place !== -1)
    throw new UsageError(`${file}:${place + 2}: a second recording begins here; a file holds one`);
  const end = rest.find((line) => line.kind === "end");
  if (end === undefined) remarks.push("the recording has no end: its recorder was killed");
  else if (end.leftOut > 0)
    remarks.push(`the recorder had no room for ${end.leftOut} exchanges and messages`);
  return {
    target: header.target,
    startedAt: Date.parse(header.started),
    exchanges: rest.filter((line) => line.kind === "exchange").toSorted((a, b) => a.at - b.at || a.id - b.id),
    frames: rest.filter((line) => line.kind === "frame"),
    lateMs: 0,
    isOfClient: false,
    mayHide: false,
    remarks,
  };
}

function lineIn(place: string, line: string): RecordingLine {
  const refuse = (why: string): never => {
    throw new UsageError(`${place}: ${why}`);
  };
  if (line.length > most.line) refuse(`a line has at most ${most.line} characters`);
  const reading = readJsonText(line, most.values);
  if (!reading.ok) refuse(`the line is damaged: ${reading.problem.replace(/^body is /, "it is ")}`);
  const value: unknown = JSON.parse(line);
  const { kind, version } = (value ?? {}) as { readonly kind?: unknown; readonly version?: unknown };
  if (kind === "recording" && version !== 1)
    refuse(`a recording of version ${JSON.stringify(version)}; this build reads version 1`);
  const validate = validatorOf("recording");
  if (validate(value)) return value as RecordingLine;
  const [error] = (validate.errors ?? []).filter(({ schemaPath }) =>
    schemaPath.includes(`/${String(kind)}/`),
  );
  return refuse(
    `the line is none of a recording: ${error === undefined ? "no such kind of line" : `${error.instancePath || "it"} ${error.message ?? ""}`}`,
  );
}
