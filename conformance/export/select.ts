import { durationMs } from "../model/duration.ts";
import { UsageError } from "../model/position.ts";
import type { Recording } from "../recording/read-recording.ts";
import type { RecordedExchange } from "../recording/recording.ts";
import { fits } from "../runner/prepare/select.ts";

/** Which part of a recording a scenario is made of. */
export interface Selection {
  /** A duration since the recording began, or a time. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Names of keys. */
  readonly keys?: readonly string[] | undefined;
  /** Patterns of `METHOD /path`, with `*`. */
  readonly only?: readonly string[] | undefined;
}

export function selected(recording: Recording, selection: Selection): Recording {
  const { keys = [], only = [] } = selection;
  const from = timeOf("--from", selection.from, recording.startedAt) ?? 0;
  const to = timeOf("--to", selection.to, recording.startedAt) ?? Infinity;
  const names = new Set(recording.exchanges.flatMap(({ key }) => key ?? []));
  const unknown = keys.find((key) => !names.has(key));
  if (unknown !== undefined)
    throw new UsageError(
      `--key ${unknown}: the recording has no such key; it has ${[...names].join(", ") || "none"}`,
    );
  const exchanges = recording.exchanges.filter(
    (one) =>
      one.at >= from &&
      one.at <= to &&
      (keys.length === 0 || (one.key !== undefined && keys.includes(one.key))) &&
      (only.length === 0 || only.some((pattern) => fits(pattern, nameOf(one)))),
  );
  if (exchanges.length === 0 && recording.exchanges.length > 0)
    throw new UsageError(
      `none of the ${recording.exchanges.length} exchanges is chosen; the first is ${nameOf(recording.exchanges[0])}`,
    );
  const streams = new Set(exchanges.map(({ id }) => id));
  const frames = recording.frames.filter(({ stream, at }) => streams.has(stream) && at <= to);
  return { ...recording, exchanges, frames };
}

/** `POST /api/v1/trading/order`, without the query. */
const nameOf = (one: RecordedExchange | undefined): string =>
  `${one?.request.method ?? ""} ${one?.request.target.split("?")[0] ?? ""}`;

function timeOf(flag: string, text: string | undefined, startedAt: number): number | undefined {
  if (text === undefined) return undefined;
  const after = durationMs(text);
  if (after !== undefined) return after;
  // Without a zone it would be a time of this machine.
  const time = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `${flag} ${text}: write a time since the beginning, such as 10s, or one with its zone, such as 2026-11-24T10:00:00Z`,
    );
  return time - startedAt;
}
