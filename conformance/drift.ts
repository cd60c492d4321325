import type { Redactor } from "./client/redact.ts";
import { runConformance } from "./conform.ts";
import { type AcceptedDifference, acceptedBy } from "./drift/accepted.ts";
import { differencesIn, type TargetDifference } from "./drift/differences.ts";
import { type LatencyDrift, latencyDrift } from "./drift/latency.ts";
import { type Observed, observe } from "./drift/observe.ts";
import { type ExitCode, exitCodes, precedence } from "./exit-codes.ts";
import type { Exchange } from "./model/exchange.ts";
import { TargetUnusable } from "./model/outcome.ts";
import { placeOf } from "./model/position.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { leftOpen } from "./report/left-open.ts";
import type { Report } from "./report/report.ts";
import { type InputOptions, profileWith, type TargetOptions, validSuite } from "./run-input.ts";

export interface DriftOptions {
  readonly a: TargetOptions;
  readonly b: TargetOptions;
  /** Scenario files or folders; without them, the built-in suite at level core. */
  readonly scenarios?: readonly string[] | undefined;
  /** Patterns of cases, as `conform` reads them. */
  readonly only?: readonly string[] | undefined;
  readonly seed: number;
  readonly accepted?: readonly AcceptedDifference[];
  /** The file that records the orders of a target before they are sent. */
  readonly ledgers?: { readonly a: string; readonly b: string };
  readonly signal?: AbortSignal | undefined;
  /** Called when the run against a target begins. */
  readonly onTarget?: (side: "a" | "b") => void;
}

export interface DriftReport {
  readonly a: DriftSide;
  readonly b: DriftSide;
  readonly seed: number;
  /** Cases that ran on both. */
  readonly compared: number;
  /** Cases that were chosen and did not run on both, with the reasons. */
  readonly notCompared: readonly { readonly id: string; readonly a: string; readonly b: string }[];
  readonly differences: readonly TargetDifference[];
  readonly accepted: readonly (TargetDifference & { readonly reason: string })[];
  /** Entries of the list that no difference needs. */
  readonly unused: readonly { readonly where: string; readonly place: string }[];
  /** Shown only: another machine is enough to cause them. */
  readonly latency: readonly LatencyDrift[];
  readonly exitCode: ExitCode;
}

export interface DriftSide {
  readonly name: string;
  readonly baseUrl: string;
  readonly verdict: string;
  /** Orders that rest there now, and how to cancel them. */
  readonly leftOpen?: string;
  /** Why a run ended with a stop for safety, or by a bug of the kit. */
  readonly stopped?: string;
}

/** The answers of a target. */
interface Side {
  readonly report: Report;
  readonly exchanges: readonly Exchange[];
  readonly redactor: Redactor;
}

/**
 * Runs the same steps with the same seed on two targets, one after the other, and compares what a client would notice.
 * @throws TargetUnusable when one of them does not answer or the signal ended it, UsageError for bad input; nothing was
 * sent then.
 */
export async function drift(options: DriftOptions): Promise<DriftReport> {
  // All of it is read before anything is sent to one of them.
  using reader = new YamlReader();
  const suite = await validSuite({ scenarios: options.scenarios ?? [] }, reader);
  const profiles = [await profileWith(options.a, reader), await profileWith(options.b, reader)] as const;
  options.onTarget?.("a");
  const a = await side("a", options, { profile: profiles[0], suite });
  refuseInterrupted(options);
  options.onTarget?.("b");
  const b = await side("b", options, { profile: profiles[1], suite });
  refuseInterrupted(options);
  return compared(a, b, options);
}

function refuseInterrupted({ signal }: DriftOptions): void {
  if (signal?.aborted === true) throw new TargetUnusable("interrupted: the targets were not compared");
}

async function side(
  name: "a" | "b",
  { scenarios, only, seed, ledgers, signal, ...options }: DriftOptions,
  read: NonNullable<InputOptions["read"]>,
): Promise<Side> {
  const exchanges: Exchange[] = [];
  const own = scenarios !== undefined && scenarios.length > 0;
  const { report, redactor } = await runConformance({
    ...options[name],
    read,
    ...(own ? { scenarios } : {}),
    ...(only === undefined || only.length === 0 ? {} : { only }),
    level: own ? "full" : "core",
    properties: "off",
    order: "stable",
    seed,
    onExchange: (exchange) => exchanges.push(exchange),
    ...(ledgers === undefined ? {} : { ledger: ledgers[name] }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { report, exchanges, redactor };
}

function compared(a: Side, b: Side, { accepted: entries = [], seed }: DriftOptions): DriftReport {
  const outcomes = (at: Side) => new Map(at.report.cases.map((row) => [row.id, row]));
  const [here, there] = [outcomes(a), outcomes(b)];
  const ids = [...here.keys()];
  const both = ids.filter((id) => hasRun(here.get(id)?.outcome) && hasRun(there.get(id)?.outcome));
  // Both redactors: a target may show a secret that only the other profile has.
  const hide = (text: string): string => b.redactor.redact(a.redactor.redact(text));
  const [first, second] = [casesOf(a, hide), casesOf(b, hide)];
  // Steps that cases share are those of no case.
  const shared = [...first.keys()].filter((id) => id.startsWith("shared:") && second.has(id));
  const seen = differencesIn(
    new Map(
      [...both, ...shared].map((id) => [id, { a: first.get(id) ?? nothing, b: second.get(id) ?? nothing }]),
    ),
  );
  // Names of members and types are texts of a target, too.
  const all = b.redactor.redactDeep(a.redactor.redactDeep(seen));
  const known = all.map((one) => ({ one, entry: acceptedBy(one, entries) }));
  const differences = known.filter(({ entry }) => entry === undefined).map(({ one }) => one);
  return {
    a: endOf(a),
    b: endOf(b),
    seed,
    compared: both.length,
    notCompared: ids
      .filter((id) => !both.includes(id) && ![here, there].every((side) => isLeftOut(side.get(id)?.outcome)))
      .map((id) => ({ id, a: saidOf(here.get(id)), b: saidOf(there.get(id)) })),
    differences,
    accepted: known.flatMap(({ one, entry }) =>
      entry === undefined ? [] : [{ ...one, reason: entry.reason }],
    ),
    unused: entries
      .filter((entry) => !known.some((one) => one.entry === entry))
      .map(({ where, position }) => ({ where, place: placeOf(position) })),
    latency: latencyDrift(a.exchanges, b.exchanges),
    exitCode: exitCodeOf(both.length, differences.length, [a, b]),
  };
}

/** A stop for safety or a bug of the kit comes before a difference. A comparison of no case is incomplete. */
function exitCodeOf(cases: number, differences: number, sides: readonly Side[]): ExitCode {
  const ended = differences > 0 ? exitCodes.nonConformant : cases === 0 ? exitCodes.incomplete : exitCodes.ok;
  const codes = [ended, ...sides.filter(isStopped).map(({ report }) => report.exitCode)];
  return precedence.find((code) => codes.includes(code)) ?? ended;
}

const isStopped = ({ report: { exitCode } }: Side): boolean =>
  exitCode === exitCodes.safetyStop || exitCode === exitCodes.internalError;

const nothing: Observed = new Map();

const hasRun = (outcome: string | undefined): boolean =>
  outcome === "passed" || outcome === "warned" || outcome === "failed";

/** Not selected, or about something that the target need not have. */
const isLeftOut = (outcome: string | undefined): boolean =>
  outcome === "filtered" || outcome === "notApplicable";

const saidOf = (
  row: { readonly outcome: string; readonly reason?: string | undefined } | undefined,
): string =>
  row === undefined ? "absent" : row.reason === undefined ? row.outcome : `${row.outcome}: ${row.reason}`;

function casesOf({ exchanges }: Side, hide: (text: string) => string): Map<string, Observed> {
  const byCase = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const id = exchange.request.permit?.caseId ?? "";
    const all = byCase.get(id);
    if (all === undefined) byCase.set(id, [exchange]);
    else all.push(exchange);
  }
  return new Map([...byCase].map(([id, all]) => [id, observe(all, hide)]));
}

function endOf(side: Side): DriftSide {
  const { target, verdict, reason } = side.report;
  const left = leftOpen(side.report);
  return {
    name: target.name,
    baseUrl: target.baseUrl,
    verdict,
    ...(left === undefined ? {} : { leftOpen: `${left.what}: ${left.orders.join(", ")}; ${left.advice}` }),
    ...(isStopped(side) ? { stopped: reason } : {}),
  };
}
