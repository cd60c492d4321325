/**
 * `npm run bench:shrink`: a failure is planted in a recorded session of 10,000 requests, and `shrink` finds the least that
 * still fails, on new simulators with the bug. Ends with 1 above ten steps or 60 seconds. `--events` and `--seed` choose.
 * `--differs`: it was recorded where all was well, and its answers differ where the bug is.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { questionOf } from "../bin/shrink/targets.ts";
import * as kit from "../conformance/commands.ts";
import { plantedBug, recordPlantedSession } from "./lib/planted-session.ts";

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    differs: { type: "boolean", default: false },
  },
});
const goal = { steps: 10, seconds: 60 } as const;
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-shrink-"));
try {
  const file = path.join(folder, "session.recording");
  const events = Number(values.events);
  await recordPlantedSession({ file, isBuggy: !values.differs, events, seed: Number(values.seed) });
  const { defect, clause } = plantedBug;
  const violates = values.differs ? undefined : clause;
  const shrunk = await kit.shrinkFile({
    file,
    out: path.join(folder, "planted.yaml"),
    question: await questionOf({ violates, defect: [defect] }),
    mostTries: 2000,
    limitMs: 300_000,
    signal: new AbortController().signal,
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  const { kind, steps, stepsAtFirst, tries, durationMs, passesClean } = shrunk;
  const seconds = durationMs / 1000;
  process.stdout.write(`${shrunk.text}\n`);
  process.stdout.write(
    `${events} requests, ${stepsAtFirst} steps: ${kind} to ${steps} steps, ${tries} tries, ${seconds.toFixed(1)} s; passes without the bug: ${passesClean ? "yes" : "NO"}\n`,
  );
  const isMet = kind === "shrunk" && steps <= goal.steps && seconds <= goal.seconds && passesClean;
  process.exitCode = isMet ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
