/** The workflow of docs/exam.md, run as GitHub runs it, for a client that is right and for one with a mistake. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { triesAll } from "../tools/sampled.ts";
import { GitHub, type GitHubWorkflow } from "./ci/testing/pipeline.ts";
import { packedProgram, withoutRegistry } from "./ci/testing/programs.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const [, workflow = ""] = /^```yaml\n(name: exam\n.*?)^```$/ms.exec(read("exam.md")) ?? [];
const right = read("clients/careful.py");
const wrong = right.replace("pass  # no answer, or a part of one: it may have been done", "return {}");
/** One situation is enough to see a verdict, which then is that of a selection; the whole run takes the tasks of the page. */
const passing = triesAll
  ? (["place,cancel", 0, /^CONFORMANT in the exam of python3 client\.py/m] as const)
  : ([
      "cancel --only cancel-undisturbed",
      3,
      /^INCOMPLETE in the exam of python3 client\.py: .* what was selected passed/m,
    ] as const);
const withoutPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined;

describe.skipIf(withoutPython)("the workflow of docs/exam.md", () => {
  it.each([
    ["passes a client that is right", right, ...passing],
    [
      "fails a client with a mistake",
      wrong,
      "cancel --only cancel-after-lost-placement",
      1,
      /^NON_CONFORMANT in the exam of python3 client\.py/m,
    ],
  ])("%s", async (_what, client, tasks, code, verdict) => {
    const files = { "client.py": client, "gatewright-0.1.0.tgz": packedProgram() };
    const github = new GitHub({ files, known: {}, environment: withoutRegistry() }, {});
    const asked = workflow.replace("--tasks place,cancel", `--tasks ${tasks}`);
    const [job] = await github.run(parse(asked) as GitHubWorkflow);
    expect([job?.code, job?.output]).toEqual([code, expect.stringMatching(verdict)]);
    const reports = ["exam.xml", "exam.html", "summary.txt"].map((name) =>
      path.join(job?.workspace ?? "", name),
    );
    expect(reports.filter((file) => !existsSync(file))).toEqual([]);
  });
});
