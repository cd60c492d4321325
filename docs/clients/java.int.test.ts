/** The client in Java, in some situations of the exam. All of them: `gatewright exam`, as on its page. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runExam } from "../../bin/exam/exam.ts";

const sources = ["Careful.java", "Json.java"].map((file) => path.join(import.meta.dirname, file));

it("places and cancels orders that are neither doubled nor lost", async ({ skip }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-java-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const compiled = spawnSync("javac", ["-d", folder, ...sources], { encoding: "utf8" });
  skip(compiled.error !== undefined, "there is no javac on this machine");
  expect(compiled.stderr).toBe("");
  const only = ["place-undisturbed", "place-answer-lost", "place-rate-limited", "cancel-undisturbed"];
  const { report } = await runExam({
    command: `java -cp ${folder} Careful`,
    again: "",
    tasks: ["place", "cancel"],
    only,
    limitMs: 60_000,
    seed: 1,
    jobs: 2,
  });
  const asked = report.cases.filter(({ outcome }) => outcome !== "notApplicable" && outcome !== "filtered");
  expect(asked.map(({ id, outcome, findings }) => ({ id, outcome, findings }))).toEqual(
    only.map((id) => ({ id, outcome: "passed", findings: [] })),
  );
});
