import { resolvePointer } from "../check/pointer.ts";
import { counted } from "../model/counted.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { UsageError } from "../model/position.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import { readJsonFile } from "./json-file.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, recordedBytes } from "./recording.ts";

/** A collection of Postman, of format 2. */
export const isPostman = (text: string): boolean =>
  /^\s*\{\s*"info"\s*:/.test(text) &&
  /"schema"\s*:\s*"https:\/\/schema\.(?:get)?postman\.com/.test(text.slice(0, 20_000));

const most = { requests: 5000, depth: 20 } as const;

/** A request with its first saved example, or without an answer. Collections have no times: their order is that of the requests. */
export function readPostman(file: string, text: string): Recording {
  const json = readJsonFile(file, text);
  const variables = new Map(pairsIn(resolvePointer(json, "/variable"), "key"));
  const requests = requestsIn(resolvePointer(json, "/item"), 0);
  if (requests.length > most.requests)
    throw new UsageError(`${file}:1: a collection has at most ${most.requests} requests`);
  const found = requests.map((item, index) => exchangeOf(item, index, variables));
  const unseen = found.filter(({ isUnseen }) => isUnseen === true).length;
  const remarks =
    unseen === 0
      ? []
      : [
          `${counted(unseen, "request")} of the collection without a saved example: nothing is expected of the answer`,
        ];
  return importedRecording(found, remarks, { mayHide: true });
}

function requestsIn(items: Json | undefined, depth: number): JsonObject[] {
  if (!isArray(items) || depth > most.depth) return [];
  return items.flatMap((item): JsonObject[] => {
    if (!(item instanceof JsonObject)) return [];
    return item.get("request") === undefined ? requestsIn(item.get("item"), depth + 1) : [item];
  });
}

function exchangeOf(
  item: JsonObject,
  index: number,
  variables: ReadonlyMap<string, string>,
): ImportedExchange {
  const saved = resolvePointer(item, "/response/0");
  const request = resolvePointer(saved, "/originalRequest") ?? item.get("request");
  const filled = (text: string): string => filledIn(text, variables);
  const url = resolvePointer(request, "/url");
  const raw = typeof url === "string" ? url : textAt(request, "/url/raw");
  const code = resolvePointer(saved, "/code");
  const status = code instanceof JsonNumber ? Number(code.lexeme) : 0;
  return {
    time: index,
    durationMs: 0,
    method: textAt(request, "/method") || "GET",
    target: filled(raw).replace(/^\{\{[^}]*\}\}/, ""),
    headers: headersOf(resolvePointer(request, "/header")).map(([name, value]) => [name, filled(value)]),
    body: bodyOf(request, filled),
    ...(status > 0
      ? {
          answer: {
            status,
            headers: headersOf(resolvePointer(saved, "/header")),
            body: recordedBytes(Buffer.from(textAt(saved, "/body"))),
          },
        }
      : { isUnseen: true }),
  };
}

function textAt(json: Json | undefined, pointer: string): string {
  const value = resolvePointer(json, pointer);
  return typeof value === "string" ? value : "";
}

function bodyOf(request: Json | undefined, filled: (text: string) => string): RecordedBytes {
  const mode = textAt(request, "/body/mode");
  if (mode === "" || mode === "none") return { length: 0 };
  if (mode !== "raw") return { length: 1, cut: true };
  return recordedBytes(Buffer.from(filled(textAt(request, "/body/raw"))));
}

/** Postman makes these values itself; one that nobody has given keeps its braces, and counts as hidden. */
function filledIn(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{([^{}]{1,100})\}\}/g, (whole, name: string) => {
    if (name === "$guid" || name === "$randomUUID") return crypto.randomUUID();
    return variables.get(name) ?? whole;
  });
}

const headersOf = (list: Json | undefined): RecordedHeader[] => pairsIn(list, "key");

function pairsIn(list: Json | undefined, name: string): [string, string][] {
  return (isArray(list) ? list : []).flatMap((item): [string, string][] => {
    const [key, value] = [textAt(item, `/${name}`), textAt(item, "/value")];
    return key === "" || resolvePointer(item, "/disabled") === true ? [] : [[key, value]];
  });
}
