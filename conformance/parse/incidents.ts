import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { ownFile } from "./own-file.ts";

/** A fault of another gateway, client library or engine that is public. */
export interface Incident {
  readonly id: string;
  readonly source: IncidentSource;
  readonly year: number;
  readonly title: string;
  /** What happened, and what it cost. */
  readonly what: string;
  readonly class: string;
  /** The clauses that such a fault would break here. */
  readonly clauses: readonly string[];
  /** The scenarios that should find it. */
  readonly cases: readonly string[];
  /** A bug of the foreign gateway (F-…) or of the simulator that is this fault. */
  readonly planted?: string;
  /** Why no gateway of one process can show it over HTTP and WebSocket. */
  readonly unplanted?: string;
  /** Why no case finds it. */
  readonly unseen?: string;
  /** Why it breaks no clause. */
  readonly outside?: string;
}

export type IncidentSource =
  | { readonly repository: string; readonly issue: number }
  | { readonly repository: string; readonly pull: number }
  | { readonly page: string };

export interface Incidents {
  /** Name of a class and its sentence, in the order of the list. */
  readonly classes: Readonly<Record<string, string>>;
  readonly list: readonly Incident[];
}

let known: Incidents | undefined;

/** fixtures/incidents.yaml. The JSON beside the built program has only what reports show (tools/build.mjs). */
export function incidents(): Incidents {
  known ??= read();
  return known;
}

function read(): Incidents {
  const built = new URL("incidents.yaml.json", import.meta.url);
  if (existsSync(built)) return JSON.parse(readFileSync(built, "utf8")) as Incidents;
  return parse(readFileSync(ownFile("fixtures", "incidents.yaml"), "utf8")) as Incidents;
}

/** Where it can be read. */
export function addressOf(source: IncidentSource): string {
  if ("page" in source) return source.page;
  const thread = "issue" in source ? `issues/${source.issue}` : `pull/${source.pull}`;
  return `https://github.com/${source.repository}/${thread}`;
}

/** An incident as a report shows it beside a finding. */
export interface Elsewhere {
  readonly id: string;
  readonly year: number;
  readonly title: string;
  readonly what: string;
  readonly address: string;
}

/**
 * Incidents that broke one of these clauses, at most so many: first those that a broken case should find, then the newest.
 * A case is the id of a row, `auth-140-nonce-once[get]`, or of a scenario.
 */
export function elsewhere(
  clauses: readonly string[],
  brokenCases: readonly string[],
  most = 3,
): readonly Elsewhere[] {
  const broken = new Set(brokenCases.map((id) => id.replace(/\[.*$/, "")));
  const isFound = ({ cases }: Incident): number => Number(cases.some((id) => broken.has(id)));
  return incidents()
    .list.filter((incident) => incident.clauses.some((id) => clauses.includes(id)))
    .toSorted((a, b) => isFound(b) - isFound(a) || b.year - a.year)
    .slice(0, most)
    .map(({ id, year, title, what, source }) => ({ id, year, title, what, address: addressOf(source) }));
}

/** The address without what is the same in most: `ccxt/ccxt/issues/8154`. */
export const shortAddress = (address: string): string => address.replace(/^https:\/\/(?:github\.com\/)?/, "");
