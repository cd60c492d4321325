import { readJsonText } from "../check/lossless-json.ts";
import { counted } from "../model/counted.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { UsageError } from "../model/position.ts";
import { fromJson, toJsonText } from "../model/value.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, recordedBytes } from "./recording.ts";

const most = { lines: 20_000, line: 2 * 1024 * 1024, values: 20_000 } as const;

/** By which names programs log the parts of an exchange. Only the first two must be there. */
const names = {
  method: ["method", "httpMethod", "http_method", "verb"],
  target: ["path", "url", "uri", "target", "requestUri", "request_uri"],
  body: ["body", "requestBody", "request_body", "payload"],
  status: ["status", "statusCode", "status_code", "responseStatus", "response_status"],
  answer: ["response", "responseBody", "response_body", "answer"],
  time: ["time", "timestamp", "ts", "@timestamp", "startedAt"],
  headers: ["headers", "requestHeaders", "request_headers"],
} as const;

/** A log of one JSON object a line. Undefined if no line has a method and a path. */
export function readJsonLines(file: string, text: string): Recording | undefined {
  if (!/^\s*\{[^\n]*"(?:method|http_?method|verb)"/i.test(text)) return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > most.lines)
    throw new UsageError(`${file}:${most.lines + 1}: of a log at most ${most.lines} lines are read`);
  const found = lines.flatMap((line, index) => exchangeIn(`${file}:${index + 1}`, line, index) ?? []);
  if (found.length === 0) return undefined;
  const others = lines.length - found.length;
  const remarks = [
    ...(others === 0 ? [] : [`${counted(others, "line")} without a method and a path left out`]),
    ...(found.some(({ body, method }) => body.length === 0 && method === "POST")
      ? [
          `bodies are read from the members ${names.body.join(", ")}, and answers from ${names.answer.join(", ")}`,
        ]
      : []),
  ];
  return importedRecording(found, remarks, { mayHide: true });
}

function exchangeIn(place: string, line: string, index: number): ImportedExchange | undefined {
  if (line.length > most.line) throw new UsageError(`${place}: a line has at most ${most.line} characters`);
  const reading = readJsonText(line, most.values);
  if (!reading.ok)
    throw new UsageError(`${place}: the line is damaged: ${reading.problem.replace(/^body is /, "it is ")}`);
  const part = (name: keyof typeof names): Json | undefined => {
    const json = reading.json instanceof JsonObject ? reading.json : undefined;
    return names[name].map((one) => json?.get(one)).find((value) => value !== undefined);
  };
  const [method, target, status] = [part("method"), part("target"), numberIn(part("status"))];
  if (typeof method !== "string" || typeof target !== "string") return undefined;
  return {
    time: timeIn(part("time")) ?? index,
    durationMs: 0,
    method: method.toUpperCase(),
    target,
    headers: headersIn(part("headers")),
    body: bytesOf(part("body")),
    ...(status === undefined
      ? { isUnseen: true as const }
      : { answer: { status, headers: [], body: bytesOf(part("answer")) } }),
  };
}

function numberIn(value: Json | undefined): number | undefined {
  const number = Number(value instanceof JsonNumber ? value.lexeme : typeof value === "string" ? value : "x");
  return Number.isFinite(number) ? number : undefined;
}

function timeIn(value: Json | undefined): number | undefined {
  const number = numberIn(value);
  if (number !== undefined) return number < 1e11 ? number * 1000 : number;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A body is logged as its text or as what it says. */
function bytesOf(value: Json | undefined): RecordedBytes {
  if (value === undefined || value === null || value === "") return { length: 0 };
  return recordedBytes(Buffer.from(typeof value === "string" ? value : toJsonText(fromJson(value))));
}

/** As an object, or as a list of names and values. */
function headersIn(value: Json | undefined): RecordedHeader[] {
  const pairs = value instanceof JsonObject ? [...value.entries] : [];
  const listed = (isArray(value) ? value : []).map((item): readonly [Json | undefined, Json | undefined] =>
    item instanceof JsonObject ? [item.get("name"), item.get("value")] : [undefined, undefined],
  );
  return [...pairs, ...listed].flatMap(([name, text]): RecordedHeader[] =>
    typeof name === "string" && typeof text === "string" ? [[name, text]] : [],
  );
}
