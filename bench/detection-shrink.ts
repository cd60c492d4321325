/**
 * `npm run detection:shrink`: for each property a bug that it convicts, and its reduced plan: at most six steps that
 * convict in 20 of 20 replays and pass on a venue without the bug. `--only P-16` selects; `--folder` keeps the files.
 * Ends with 1 if one of them does not meet the goal.
 */
import { mkdirSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { print } from "./lib/print.ts";
import { isProven, type Proof, pairs, prove } from "./lib/shrink-proof.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "1" },
    replays: { type: "string", default: "20" },
    folder: { type: "string" },
  },
});
const folder = values.folder ?? mkdtempSync(path.join(os.tmpdir(), "gatewright-shrink-"));
mkdirSync(folder, { recursive: true });
const proofs: Proof[] = [];
for (const pair of pairs) {
  if (values.only.length > 0 && !values.only.includes(pair.property)) continue;
  process.stderr.write(`${pair.property} ${pair.mutant}\n`);
  const [seed, replays] = [Number(values.seed), Number(values.replays)];
  proofs.push(await prove(pair, { folder, seed, replays, seeds: 5 }));
}
print(
  ["property", "bug", "steps before", "steps after", "convicts", "passes clean", "clauses"],
  proofs.map(({ property, mutant, before, after, replays, convicted, passesClean, clauses }) => [
    property,
    mutant,
    String(before ?? "-"),
    String(after ?? "-"),
    `${convicted} of ${replays}`,
    passesClean ? "yes" : "NO",
    clauses.slice(0, 4).join(" "),
  ]),
);
const short = proofs.filter((proof) => !isProven(proof));
console.log(
  `${proofs.length - short.length} of ${proofs.length} as wanted${short.length === 0 ? "" : `; not ${short.map(({ property }) => property).join(" ")}`}; files in ${folder}`,
);
process.exitCode = short.length === 0 ? 0 : 1;
