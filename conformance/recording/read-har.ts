import { resolvePointer } from "../check/pointer.ts";
import { counted } from "../model/counted.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { UsageError } from "../model/position.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import { readJsonFile } from "./json-file.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, recordedBytes, valueOf } from "./recording.ts";

const mostEntries = 20_000;

/** The format that the developer tools of a browser save (HAR 1.2). */
export const isHar = (text: string): boolean => /^\s*\{\s*"log"\s*:/.test(text);

export function readHar(file: string, text: string): Recording {
  const json = readJsonFile(file, text);
  const entries = entriesIn(file, json);
  const streams = entries.filter(
    (entry) => resolvePointer(entry, "/_webSocketMessages") !== undefined,
  ).length;
  return importedRecording(
    entries.map((entry, index) => exchangeOf(entry, `${file}:1: log.entries[${index}]`)),
    streams === 0
      ? []
      : [`the messages of ${streams} WebSocket in the HAR are left out: gatewright record keeps them`],
    { mayHide: true },
  );
}

/** The requests of a file, of one of its entries, or of the `request` of one. */
export function harExchanges(file: string, text: string): ImportedExchange[] {
  const json = readJsonFile(file, text);
  if (resolvePointer(json, "/log") !== undefined)
    return entriesIn(file, json).map((entry, index) => exchangeOf(entry, `${file}:1: log.entries[${index}]`));
  const isEntry = resolvePointer(json, "/request") !== undefined;
  const whole = isEntry ? json : new JsonObject(new Map([["request", json]]));
  return [exchangeOf(whole, `${file}:1: the entry of a HAR file`)];
}

function entriesIn(file: string, json: Json): readonly Json[] {
  const entries = resolvePointer(json, "/log/entries");
  if (!isArray(entries)) throw new UsageError(`${file}:1: this HAR has no list log.entries`);
  if (entries.length > mostEntries)
    throw new UsageError(
      `${file}:1: log.entries has ${counted(entries.length, "entry", "entries")}, and at most ${mostEntries} are read`,
    );
  return entries;
}

function exchangeOf(entry: Json, place: string): ImportedExchange {
  const textAt = (pointer: string): string | undefined => {
    const value = resolvePointer(entry, pointer);
    return typeof value === "string" ? value : undefined;
  };
  const need = (pointer: string): string => {
    const value = textAt(pointer);
    if (value === undefined)
      throw new UsageError(`${place} has no text ${pointer.slice(1).replaceAll("/", ".")}`);
    return value;
  };
  const started = textAt("/startedDateTime");
  const time = started === undefined ? 0 : Date.parse(started);
  if (Number.isNaN(time)) throw new UsageError(`${place}.startedDateTime is no time`);
  const status = numberAt(entry, "/response/status");
  const [sent, got] = ["/request", "/response"].map((part) =>
    headersIn(resolvePointer(entry, `${part}/headers`)),
  );
  const size = Math.max(numberAt(entry, "/request/bodySize"), lengthIn(sent));
  const answerSize = Math.max(
    numberAt(entry, "/response/content/size"),
    numberAt(entry, "/response/bodySize"),
    lengthIn(got),
  );
  return {
    time,
    durationMs: Math.max(0, numberAt(entry, "/time")),
    method: need("/request/method"),
    target: need("/request/url"),
    headers: sent ?? [],
    body: bytesOf(textAt("/request/postData/text"), textAt("/request/postData/encoding"), size),
    // A browser notes 0 where no answer came.
    ...(status === 0
      ? {}
      : {
          answer: {
            status,
            headers: got ?? [],
            body: bytesOf(textAt("/response/content/text"), textAt("/response/content/encoding"), answerSize),
          },
        }),
  };
}

function numberAt(entry: Json, pointer: string): number {
  const value = resolvePointer(entry, pointer);
  const number = value instanceof JsonNumber ? Number(value.lexeme) : 0;
  return Number.isFinite(number) ? number : 0;
}

function lengthIn(headers: readonly RecordedHeader[] = []): number {
  const length = Number(valueOf(headers, "content-length") ?? 0);
  return Number.isSafeInteger(length) ? length : 0;
}

/** A body without its text was there, if something says its length. */
function bytesOf(text: string | undefined, encoding: string | undefined, length: number): RecordedBytes {
  if (text === undefined || (text === "" && length > 0))
    return length > 0 ? { length, cut: true } : { length: 0 };
  return recordedBytes(Buffer.from(text, encoding === "base64" ? "base64" : "utf8"));
}

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
