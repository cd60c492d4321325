/**
 * `npm run detection:incidents -- FILE…`: what the kit found of the public incidents in fixtures/incidents.yaml. The files
 * are the `--json` of `npm run detection:foreign` and the `.gatewright/detection.json` of `npm run detection`; a later
 * file replaces the results of an earlier one.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Incident, incidents } from "../conformance/parse/incidents.ts";
import { print } from "./lib/print.ts";

/** The files of both matrices, as far as they are read here. */
interface Matrix {
  /** The foreign gateway. `own`: the clauses that the bug breaks, among those that were violated or warned of. */
  readonly rows?: readonly {
    readonly id: string;
    readonly noticed: string;
    readonly own: readonly string[];
  }[];
  /** The simulator. */
  readonly results?: readonly { readonly id: string; readonly outcome: string }[];
}

const outcomes = ["convicted", "of another clause", "warned", "not noticed", "no result"] as const;
type Outcome = (typeof outcomes)[number];

const results = new Map<string, Outcome>();
for (const file of process.argv.slice(2)) {
  const { rows = [], results: ran = [] } = JSON.parse(readFileSync(file, "utf8")) as Matrix;
  for (const { id, noticed, own } of rows) results.set(id, outcomeOf(noticed, own));
  for (const { id, outcome } of ran) results.set(id, outcome === "convicted" ? outcome : "not noticed");
}

function outcomeOf(noticed: string, own: readonly string[]): Outcome {
  if (noticed === "convicted") return own.length > 0 ? "convicted" : "of another clause";
  return noticed === "warned" ? "warned" : "not noticed";
}

const { classes, list } = incidents();
const planted = list.filter((incident) => incident.planted !== undefined);
const countOf = (some: readonly Incident[]): number[] =>
  outcomes.map(
    (outcome) => some.filter((one) => (results.get(one.planted ?? "") ?? "no result") === outcome).length,
  );
const rowOf = (name: string, some: readonly Incident[]): string[] =>
  [name, some.length, ...countOf(some)].map(String);
print(
  ["class", "planted", ...outcomes],
  [
    ...Object.keys(classes).map((name) =>
      rowOf(
        name,
        planted.filter((one) => one.class === name),
      ),
    ),
    rowOf("all", planted),
  ],
);
const [convicted = 0] = countOf(planted);
console.log(
  `\n${list.length} incidents in ${Object.keys(classes).length} classes, ${planted.length} planted, ${convicted} convicted of a clause that they break (${Math.round((convicted / planted.length) * 100)} %)`,
);
