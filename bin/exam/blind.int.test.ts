/** Clients that were written without the rules: the rules that they break are found, and no others. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { runExam } from "./exam.ts";
import { rules } from "./rules/all-rules.ts";
import { taskNames } from "./situation.ts";
import { root } from "./testing/compile-client.ts";

const withoutPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined;

const required = rules.filter(({ level }) => level === "required").map(({ id }) => id);

/** The file, and of each situation in which its mistake shows the required rules that it then breaks. */
const clients: readonly (readonly [file: string, shows: Readonly<Record<string, readonly string[]>>])[] = [
  ["cancelled_without_fills.py", { "cancel-after-partial-fill": ["EX-08"] }],
  ["seconds-as-milliseconds.mjs", { "place-rate-limited": ["EX-05"], "cancel-rate-limited": ["EX-05"] }],
  [
    "new_id_after_silence.py",
    {
      "place-answer-lost": ["EX-01", "EX-03", "EX-08"],
      "cancel-after-lost-placement": ["EX-01", "EX-03", "EX-08", "EX-12"],
    },
  ],
  ["busy_means_not_placed.py", { "place-unavailable": ["EX-02"], "place-outcome-unknown": ["EX-08"] }],
  ["update_on_any_book.py", { "book-duplicates": ["EX-09"], "book-gap": ["EX-09"] }],
  ["answered-so-alive.mjs", { "place-down": ["EX-06"] }],
  ["vanished_are_open.py", { "follow-cut": ["EX-08"], "follow-gap": ["EX-08"] }],
  ["fills-as-numbers.mjs", { "follow-undisturbed": ["EX-11"] }],
  ["right_rest.py", { "place-unavailable": [], "cancel-after-partial-fill": [] }],
  ["right-stream.mjs", { "follow-gap": [], "book-duplicates": [] }],
  // Of another author. Every fifth row is tried by `npm test`: those are the cheap ones.
  ["python/deaf_to_retry_after.py", { "place-rate-limited": ["EX-05"] }],
  [
    "python/fresh_id.py",
    {
      "place-answer-lost": ["EX-01", "EX-03", "EX-08"],
      "cancel-after-lost-placement": ["EX-01", "EX-03", "EX-08", "EX-12"],
    },
  ],
  ["python/first_answer.py", { "place-pending-failed": ["EX-08"] }],
  ["python/refused_is_cancelled.py", { "cancel-loses-to-fill": ["EX-08"] }],
  // It never sees an order grow: docs/exam.md, known limits.
  ["python/float_fills.py", { "place-decimals": [] }],
  ["python/refused_by_503.py", { "place-unavailable": ["EX-02"], "place-outcome-unknown": ["EX-08"] }],
  ["python/one_snapshot.py", { "book-undisturbed": ["EX-09"] }],
  ["python/drops_ended.py", { "follow-undisturbed": ["EX-08"] }],
];

describe("a client that was written without a look at the rules", () => {
  it.for(sampled(5, clients))("is judged rightly: %s", async ([file, shows], { skip }) => {
    const isPython = file.endsWith(".py");
    skip(isPython && withoutPython, "there is no python3 on this machine");
    const command = `${isPython ? "python3" : process.execPath} ${path.join(root, "bin/exam/testing/blind", file)}`;
    const only = Object.keys(shows);
    const options = { command, again: "", tasks: taskNames, only, limitMs: 60_000, seed: 1, jobs: 2 };
    const { report } = await runExam(options);
    const broken = report.cases
      .filter(({ id }) => id in shows)
      .map(({ id, findings }) => [
        id,
        required.filter((rule) => findings.some(({ clauses }) => clauses.includes(rule))),
      ]);
    expect(Object.fromEntries(broken)).toEqual(shows);
  });
});
