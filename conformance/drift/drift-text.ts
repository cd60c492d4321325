import type { DriftReport } from "../drift.ts";
import { counted } from "../model/counted.ts";
import { printable } from "../model/printable.ts";
import { shortened } from "../report/printable.ts";
import { painter, plainTerminal, type Terminal } from "../report/terminal.ts";

const mostCases = 3;

/** The differences that a client would notice, one after the other. */
export function driftText(report: DriftReport, terminal: Terminal = plainTerminal): string {
  const paint = painter(terminal);
  const { differences, accepted, unused, latency, notCompared } = report;
  const lines = [
    ...differences.flatMap(({ kind, where, a, b, cases }) => [
      `${paint("red", kind.toUpperCase().padEnd(7))} ${shown(where)}`,
      `        a: ${shown(a)}`,
      `        b: ${shown(b)}`,
      paint("dim", `        in ${casesText(cases)}`),
    ]),
    ...latency.map(
      ({ operation, a, b }) => `${paint("yellow", "LATENCY")} ${shown(operation)}: a ${a}, b ${b}`,
    ),
    ...accepted.map(({ where, reason }) => paint("dim", `KNOWN   ${shown(where)}: ${shown(reason)}`)),
    ...unused.map(
      ({ where, place }) =>
        `${paint("yellow", "UNUSED ")} ${shown(place)}: nothing differs at ${shown(where)}`,
    ),
    ...notCompared.map(({ id, a, b }) =>
      paint("dim", `NOT RUN ${shown(id)}: ${a === b ? shown(a) : `a ${shown(a)}; b ${shown(b)}`}`),
    ),
  ];
  return [
    `a  ${endLine(report.a)}`,
    `b  ${endLine(report.b)}`,
    "",
    ...lines,
    ...(lines.length === 0 ? [] : [""]),
    driftSummary(report),
    ...driftWarnings(report).map((sentence) => paint("red", shown(sentence))),
    paint(
      driftIsKnown(report) ? (differences.length === 0 ? "green" : "red") : "yellow",
      driftVerdict(report),
    ),
    "",
  ].join("\n");
}

/** Notes for the owner of a target, whatever differs. */
export function driftWarnings({ a, b }: DriftReport): string[] {
  return Object.entries({ a, b }).flatMap(([side, { leftOpen, stopped }]) => [
    ...(leftOpen === undefined ? [] : [`LEFT OPEN on ${side}: ${leftOpen}`]),
    ...(stopped === undefined ? [] : [`STOPPED on ${side}: ${stopped}`]),
  ]);
}

/** Without a case that ran on both, nothing is known of what differs. */
const driftIsKnown = ({ compared, differences }: DriftReport): boolean =>
  compared > 0 || differences.length > 0;

export function driftVerdict(report: DriftReport): "DRIFT" | "NO DRIFT" | "NOTHING COMPARED" {
  if (!driftIsKnown(report)) return "NOTHING COMPARED";
  return report.differences.length === 0 ? "NO DRIFT" : "DRIFT";
}

export function driftSummary({ seed, compared, notCompared, differences, accepted }: DriftReport): string {
  return `${counted(compared, "case")} compared, ${notCompared.length} not run on both targets: ${counted(differences.length, "difference")}, ${accepted.length} accepted (seed ${seed})`;
}

export function casesText(cases: readonly string[]): string {
  const more = cases.length - mostCases;
  const named = cases.slice(0, mostCases).map((id) => printable(id));
  return more > 0 ? `${named.join(", ")} and ${counted(more, "other case")}` : named.join(", ");
}

const endLine = ({ name, baseUrl }: DriftReport["a"]): string => printable(`${name} at ${baseUrl}`);
const shown = (text: string): string => printable(shortened(text, 300));
