import { readJsonText } from "../check/lossless-json.ts";
import { resolvePointer } from "../check/pointer.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { UsageError } from "../model/position.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, recordedBytes } from "./recording.ts";

const most = { values: 1_000_000, entries: 20_000 } as const;

/** The format that the developer tools of a browser save (HAR 1.2). */
export const isHar = (text: string): boolean => /^\s*\{\s*"log"\s*:/.test(text);

export function readHar(file: string, text: string): Recording {
  const reading = readJsonText(text, most.values);
  if (!reading.ok)
    throw new UsageError(
      `${file}:${linesOf(text)}: the file is damaged: ${reading.problem.replace(/^body is /, "it is ")}`,
    );
  const entries = resolvePointer(reading.json, "/log/entries");
  if (!isArray(entries)) throw new UsageError(`${file}:1: this HAR has no list log.entries`);
  if (entries.length > most.entries)
    throw new UsageError(
      `${file}:1: log.entries has ${entries.length} entries, and at most ${most.entries} are read`,
    );
  const streams = entries.filter(
    (entry) => resolvePointer(entry, "/_webSocketMessages") !== undefined,
  ).length;
  return importedRecording(
    entries.map((entry, index) => exchangeOf(entry, `${file}:1: log.entries[${index}]`)),
    streams === 0
      ? []
      : [`the messages of ${streams} WebSocket in the HAR are left out: gatewright record keeps them`],
  );
}

const linesOf = (text: string): number => text.split("\n").length;

function exchangeOf(entry: Json, place: string): ImportedExchange {
  const texts = (pointer: string): string | undefined => {
    const value = resolvePointer(entry, pointer);
    return typeof value === "string" ? value : undefined;
  };
  const need = (pointer: string): string => {
    const value = texts(pointer);
    if (value === undefined)
      throw new UsageError(`${place} has no text ${pointer.slice(1).replaceAll("/", ".")}`);
    return value;
  };
  const time = Date.parse(need("/startedDateTime"));
  if (Number.isNaN(time)) throw new UsageError(`${place}.startedDateTime is no time`);
  const status = numberAt(entry, "/response/status");
  const posted = texts("/request/postData/text") ?? "";
  return {
    time,
    durationMs: Math.max(0, numberAt(entry, "/time")),
    method: need("/request/method"),
    target: need("/request/url"),
    headers: headersIn(resolvePointer(entry, "/request/headers")),
    body: recordedBytes(Buffer.from(posted)),
    // A browser notes 0 where no answer came.
    ...(status === 0
      ? {}
      : {
          answer: {
            status,
            headers: headersIn(resolvePointer(entry, "/response/headers")),
            body: contentOf(texts("/response/content/text"), texts("/response/content/encoding")),
          },
        }),
  };
}

function numberAt(entry: Json, pointer: string): number {
  const value = resolvePointer(entry, pointer);
  const number = value instanceof JsonNumber ? Number(value.lexeme) : 0;
  return Number.isFinite(number) ? number : 0;
}

const contentOf = (text: string | undefined, encoding: string | undefined): RecordedBytes =>
  text === undefined
    ? { length: 0 }
    : recordedBytes(encoding === "base64" ? Buffer.from(text, "base64") : Buffer.from(text));

function headersIn(list: Json | undefined): RecordedHeader[] {
  return (isArray(list) ? list : []).flatMap((item): RecordedHeader[] => {
    if (!(item instanceof JsonObject)) return [];
    const [name, value] = [item.get("name"), item.get("value")];
    // HTTP/2 has the parts of the first line among its headers.
    return typeof name === "string" && typeof value === "string" && !name.startsWith(":")
      ? [[name, value]]
      : [];
  });
}
