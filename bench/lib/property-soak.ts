/**
 * The properties against a venue without a bug, seed after seed: every complaint is a false alarm. A seed is one run of
 * the kit that tries every property with a few plans. Several venues are used in parallel, because a run waits more
 * than it computes; each is replaced from time to time, so that no seed depends on a long history.
 */
import path from "node:path";
import {
  type ConformOptions,
  environmentOf,
  packageRoot,
  type Report,
  type ReportedCase,
  readProfileFile,
  readSuite,
  runConformance,
  tableCoverage,
} from "../../conformance/commands.ts";
import { type Simulator, startSimulator } from "../../simulator/index.ts";

export interface Soak {
  readonly from: number;
  readonly seeds: number;
  /** Plans of each property for each seed; undefined for the usual number of each. */
  readonly runs?: number | undefined;
  /** Venues that are used in parallel. */
  readonly lanes: number;
  readonly seedsPerVenue: number;
  readonly counterexamples?: string;
  readonly level?: ConformOptions["level"];
  /** Bugs or legal variations of the venues. */
  readonly defects?: readonly string[];
  /** These properties alone. */
  readonly only?: readonly string[];
  readonly onSeed?: (result: SeedResult) => void;
  readonly signal?: AbortSignal;
}

export interface SeedResult {
  readonly seed: number;
  readonly requests: number;
  /** Properties that held. */
  readonly passed: readonly string[];
  /** Properties whose few plans showed nothing, for example because the venue accepted no order in any of them. */
  readonly idle: readonly string[];
  readonly alarms: readonly string[];
}

export async function soak(wanted: Soak): Promise<SeedResult[]> {
  const { from, seeds, lanes, signal } = wanted;
  const files = await suiteAndProfile();
  const results: SeedResult[] = [];
  let next = from;
  const lane = async (): Promise<void> => {
    let venue: Simulator | undefined;
    try {
      for (let asked = 0; next < from + seeds && signal?.aborted !== true; asked += 1) {
        const seed = next++;
        if (asked % wanted.seedsPerVenue === 0) {
          await venue?.close();
          venue = undefined;
        }
        venue ??= await startSimulator({ defects: [...(wanted.defects ?? [])], clock: "manual" });
        const result = await oneSeed(seed, venue, files, wanted);
        results.push(result);
        wanted.onSeed?.(result);
      }
    } finally {
      await venue?.close();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results.toSorted((a, b) => a.seed - b.seed);
}

type Files = Awaited<ReturnType<typeof suiteAndProfile>>;

async function suiteAndProfile() {
  const { suite } = await readSuite([]);
  const profile = path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml");
  // Cases are not tried; one of them keeps the reports from listing all the others as filtered.
  const short = { ...suite, scenarios: suite.scenarios.slice(0, 1) };
  const tables = (await tableCoverage()).map(({ id }) => id);
  return { suite: short, tables, profileFor: await readProfileFile(profile) };
}

async function oneSeed(
  seed: number,
  venue: Simulator,
  { suite, tables, profileFor }: Files,
  { runs, counterexamples, only, level = "full" }: Soak,
): Promise<SeedResult> {
  const { report } = await runConformance({
    read: { profile: await profileFor(environmentOf(venue.readyLine())), suite },
    level,
    seed,
    properties: "only",
    ...(runs === undefined ? {} : { runs }),
    // The plans of a table are the same for every seed.
    ...(only === undefined ? { skip: tables } : { only }),
    ...(counterexamples === undefined ? {} : { counterexamples }),
  });
  const having = (outcome: ReportedCase["outcome"]): string[] =>
    report.cases.filter((row) => row.outcome === outcome).map(({ id }) => id);
  return {
    seed,
    requests: report.summary.requests,
    passed: having("passed"),
    idle: [...having("blocked"), ...having("notApplicable")],
    alarms: alarmsIn(report),
  };
}

export function alarmsIn({ cases, ambient }: Report): string[] {
  const rows = cases.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome));
  return [
    ...rows.map(({ id, outcome, reason, findings }) => {
      const [found] = findings;
      const said =
        found === undefined
          ? ""
          : ` ${found.clauses.join(" ")} ${found.pointer}: ${found.expected} / ${found.actual}`;
      return `${id} ${outcome}${said}${reason === undefined ? "" : ` (${reason})`}`;
    }),
    ...ambient.map(({ clause, expected, actual }) => `every reply ${clause ?? ""}: ${expected} / ${actual}`),
  ];
}
