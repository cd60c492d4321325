import { counted } from "../model/counted.ts";
import type { ExchangeDetail, TracedBody, TracedExchange } from "../model/trace.ts";
import { type ImportedExchange, importedRecording } from "../recording/imported.ts";
import type { Recording } from "../recording/read-recording.ts";
import type { RecordedBytes } from "../recording/recording.ts";
import type { Report, ReportedCase } from "../report/report.ts";

/** A pause between two cases, so that nothing of one overlaps with the other. */
const betweenMs = 60_000;

/** The exchanges of a run of the kit: of the cases that failed, or of all that the report traces in detail. */
export function readRun(report: Report): Recording {
  const traced = report.cases.filter(({ trace }) => (trace?.exchanges.length ?? 0) > 0);
  const failed = traced.filter(({ outcome }) => outcome === "failed");
  const chosen = failed.length > 0 ? failed : traced;
  const remarks = [
    `of ${counted(chosen.length, "case")}: ${chosen
      .slice(0, 5)
      .map(({ id }) => id)
      .join(", ")}`,
  ];
  const omitted = chosen.reduce((sum, { trace }) => sum + (trace?.omitted ?? 0), 0);
  if (omitted > 0) remarks.push(`the report lists ${counted(omitted, "request")} less than were sent`);
  const began = Date.parse(report.startedAt);
  let start = Number.isNaN(began) ? 0 : began;
  const found = chosen.flatMap((one) => {
    const exchanges = exchangesOf(one, start);
    start = Math.max(start, ...exchanges.map(({ time, durationMs }) => time + durationMs)) + betweenMs;
    return exchanges;
  });
  return { ...importedRecording(found, remarks), isOfClient: false };
}

function exchangesOf({ trace }: ReportedCase, start: number): ImportedExchange[] {
  return (trace?.exchanges ?? []).map((one) => ({
    time: start + one.startedMs,
    durationMs: one.durationMs,
    method: one.method,
    target: one.path,
    headers: one.detail?.requestHeaders ?? unknownHeaders(start + one.startedMs),
    body: bytesOf(one.detail?.requestBody, one),
    key: one.role,
    ...answerOf(one.detail, one),
  }));
}

/** A trace without details has requests that were signed as they should be. */
const unknownHeaders = (time: number): [string, string][] => [
  ["X-API-KEY", "unknown"],
  ["X-API-TIMESTAMP", String(Math.round(time))],
  ["X-API-NONCE", `unknown at ${time}`],
  ["X-API-SIGNATURE", "unknown"],
];

function answerOf(detail: ExchangeDetail | undefined, one: TracedExchange): Pick<ImportedExchange, "answer"> {
  if (one.status === undefined) return {};
  const { replyHeaders = [], replyBody } = detail ?? {};
  return { answer: { status: one.status, headers: replyHeaders, body: bytesOf(replyBody, undefined) } };
}

function bytesOf(body: TracedBody | undefined, request: TracedExchange | undefined): RecordedBytes {
  // Without details a request that has a body by its method is known not to be whole.
  if (body === undefined)
    return request?.detail === undefined &&
      request !== undefined &&
      !/^(?:GET|HEAD|DELETE)$/.test(request.method)
      ? { length: 1, cut: true }
      : { length: 0 };
  const shown = body.base64 ? { base64: body.text } : { text: body.text };
  return { length: body.bytes, ...shown, ...(body.cut ? { cut: true } : {}) };
}
