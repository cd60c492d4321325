/** Each planted mistake is convicted of what it breaks, and of nothing else. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { runExam } from "./exam.ts";
import { taskNames } from "./situation.ts";
import { plantedClient, plantedMistakes } from "./testing/planted.ts";

const withoutPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined;

describe.skipIf(withoutPython)("a client with a mistake", () => {
  it.concurrent.each(sampled(10, plantedMistakes))("is convicted: $mistake", async (planted) => {
    const { situation, breaks, perhaps = [] } = planted;
    const options = { again: "", tasks: taskNames, only: [situation], limitMs: 60_000, seed: 1, jobs: 1 };
    const { report } = await runExam({ command: plantedClient(planted), ...options });
    const broken = report.clauses.filter(({ outcome }) => outcome === "violated" || outcome === "warned");
    expect(broken.map(({ id }) => id).filter((id) => !perhaps.includes(id))).toEqual(breaks);
    for (const { findings, trace } of report.cases) {
      const places = trace?.exchanges.map(({ step, method, path }) => `${step}: ${method} ${path}`);
      for (const { step, request } of findings)
        if (request !== undefined) expect(places).toContain(`${step}: ${request}`);
    }
  });
});
