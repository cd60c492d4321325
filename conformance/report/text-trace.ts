import type { TracedBody, TracedExchange } from "../model/trace.ts";
import { canonicalOrder } from "../signing/canonical-request.ts";
import { curlCommand } from "./curl.ts";
import { laidOut } from "./json-layout.ts";
import { shortened } from "./printable.ts";
import type { ReportedCase } from "./report.ts";

/**
 * The exchanges of a row as plain text, for reports without a layout. Not escaped: each writer escapes for its sink.
 */
export function traceText(row: ReportedCase, baseUrl: string): string {
  const { exchanges = [], omitted = 0 } = row.trace ?? {};
  const parts = [exchangesText(exchanges, baseUrl)];
  if (omitted > 0) parts.push(`… ${omitted} more exchanges are not shown`);
  return [...parts, ...interleavings(row)].join("\n\n");
}

export function exchangesText(exchanges: readonly TracedExchange[], baseUrl: string): string {
  return exchanges.map((exchange) => exchangeText(exchange, baseUrl)).join("\n\n");
}

/** One line: the request with its body, and the answer with its body. */
export function exchangeLine(exchange: TracedExchange, mostOfBody = 300): string {
  const { method, path, detail } = exchange;
  const text = (body: TracedBody | undefined): string =>
    body === undefined ? "" : ` ${shortened(body.text.replace(/\s+/g, " "), mostOfBody)}`;
  return `${method} ${path}${text(detail?.requestBody)} → ${replyLine(exchange)}${text(detail?.replyBody)}`;
}

export function replyLine({ status, transport, problem }: TracedExchange): string {
  if (status !== undefined) return String(status);
  return problem === undefined ? transport : `${transport} (${problem})`;
}

function exchangeText(exchange: TracedExchange, baseUrl: string): string {
  const { step, role, method, path, startedMs, durationMs, attempt, detail } = exchange;
  const again = attempt > 1 ? ` (attempt ${attempt})` : "";
  const lines = [`[${step}] at ${startedMs} ms as ${role}${again}`, `> ${method} ${path}`];
  for (const [name, value] of detail?.requestHeaders ?? []) lines.push(`> ${name}: ${value}`);
  if (detail?.requestBody !== undefined) lines.push(bodyText(detail.requestBody));
  for (const line of signedLines(exchange).filter(({ differs }) => differs))
    lines.push(
      `! signed ${line.part} ${JSON.stringify(line.left)}, ${line.who} ${JSON.stringify(line.right)}`,
    );
  lines.push(`< ${replyLine(exchange)} after ${durationMs} ms`);
  for (const [name, value] of detail?.replyHeaders ?? []) lines.push(`< ${name}: ${value}`);
  if (detail?.replyBody !== undefined) lines.push(bodyText(detail.replyBody));
  const curl = curlCommand(exchange, baseUrl);
  if (curl !== undefined) lines.push("as curl:", curl);
  return lines.join("\n");
}

function bodyText(body: TracedBody): string {
  return `${body.base64 ? "(base64) " : ""}${shortened(laidOut(body), 4000)}\n(${body.bytes} bytes)`;
}

export interface SignedLine {
  readonly part: string;
  readonly left: string;
  readonly right: string;
  readonly who: string;
  readonly differs: boolean;
}

/** The six signed lines beside those that the target expected, or else those of the request as sent. */
export function signedLines({ detail }: TracedExchange): SignedLine[] {
  const other = detail?.targetText ?? detail?.wireText;
  if (detail?.signedText === undefined || other === undefined) return [];
  const who = detail.targetText === undefined ? "was sent" : "the target expected";
  const [left, right] = [detail.signedText.split("\n"), other.split("\n")];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    part: canonicalOrder[index] ?? `line ${index + 1}`,
    left: left[index] ?? "(no such line)",
    right: right[index] ?? "(no such line)",
    who,
    differs: left[index] !== right[index],
  }));
}

/** Requests that were released together, as bars over time: they show which answers can depend on which requests. */
export function interleavings(row: ReportedCase): string[] {
  const groups = new Map<string, TracedExchange[]>();
  for (const exchange of row.trace?.exchanges ?? []) {
    const { together } = exchange;
    if (together !== undefined) groups.set(together, [...(groups.get(together) ?? []), exchange]);
  }
  return [...groups].filter(([, list]) => list.length > 1).map(([name, list]) => diagram(name, list));
}

const width = 48;

function diagram(name: string, list: readonly TracedExchange[]): string {
  const from = Math.min(...list.map(({ startedMs }) => startedMs));
  const to = Math.max(...list.map(({ startedMs, durationMs }) => startedMs + durationMs));
  const scale = (at: number): number => Math.round(((at - from) / Math.max(to - from, 0.1)) * (width - 1));
  const bars = list.map((exchange) => {
    const [start, end] = [scale(exchange.startedMs), scale(exchange.startedMs + exchange.durationMs)];
    const bar = `${" ".repeat(start)}├${"─".repeat(Math.max(end - start - 1, 0))}┤`;
    return `${shortened(exchange.step, 20).padEnd(22)} ${bar.padEnd(width + 2)} ${replyLine(exchange)}`;
  });
  return [`${name}: ${list.length} requests in ${Math.round((to - from) * 10) / 10} ms`, ...bars].join("\n");
}
