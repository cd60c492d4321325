import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { environmentOf, readReadyFile } from "../../conformance/commands.ts";
import { type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import { sampled, triesAll } from "../../tools/sampled.ts";
import {
  GitHub,
  type GitHubAction,
  type GitHubWorkflow,
  type GitLabFile,
  type JobResult,
  type Repository,
  runGitLab,
  shell,
} from "./testing/pipeline.ts";
import { installedProgram, newFolder, packedProgram, withoutRegistry } from "./testing/programs.ts";

/** The files for CI from checkout to merged verdict. npm installs a tarball whose program is that of this checkout. */
const folder = new URL(".", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const simulatorProfile = path.resolve("fixtures", "profiles", "simulator.yaml");

/**
 * The profile in the repository of a gateway team: ours, with the names of variables that the files use, for a machine
 * that is not the one the kit runs on. Properties do not follow the cases there.
 */
const profile = readFileSync(simulatorProfile, "utf8")
  .replace("kind: local", "kind: staging")
  .replace("allow: disruptive", "allow: trades")
  .replaceAll("GATEWRIGHT_BASE_URL", "GW_BASE_URL")
  .replaceAll("GATEWRIGHT_TRADER_KEY_ID", "GW_KEY")
  .replaceAll("GATEWRIGHT_TRADER_SECRET", "GW_SECRET");

let installed = "";
beforeAll(async () => {
  installed = installedProgram();
  // Builds when a source is newer than the build; that is not what is tried here.
  const built = await shell("gatewright --version", newFolder(), pathWith(installed));
  expect(built).toMatchObject({ code: 0 });
});

const pathWith = (place: string) => ({ PATH: `${place}${path.delimiter}${process.env["PATH"] ?? ""}` });

async function withSimulator(
  options: SimulatorOptions,
  run: (repository: Repository) => Promise<readonly JobResult[]>,
): Promise<readonly JobResult[]> {
  await using simulator = await startSimulator({ ...options, db: ":memory:", exchanges: false });
  const ready = path.join(newFolder(), "ready.json");
  writeFileSync(ready, JSON.stringify(simulator.readyLine()));
  const environment = environmentOf(await readReadyFile(ready));
  const [baseUrl = "", key = "", secret = ""] = ["BASE_URL", "TRADER_KEY_ID", "TRADER_SECRET"].map(
    (name) => environment[`GATEWRIGHT_${name}`],
  );
  return await run({
    files: {
      "conformance/staging.yaml": profile,
      "conformance/gatewright-0.1.0.tgz": packedProgram(),
      ".github/actions/gatewright/action.yml": read("action.yml"),
    },
    known: {
      GW_BASE_URL: baseUrl,
      GW_KEY: key,
      GW_SECRET: secret,
      CI_PIPELINE_ID: "1234567890",
      "vars.GW_BASE_URL": baseUrl,
      "secrets.GW_KEY": key,
      "secrets.GW_SECRET": secret,
      "github.run_id": "19612345678",
    },
    environment: { ...environment, ...withoutRegistry() },
  });
}

/** `cases`: flags that choose what the kit runs, instead of everything. */
type Pipeline = (repository: Repository, cases?: string) => Promise<JobResult[]>;

function changed(file: string, cases: string): string {
  const text = read(file);
  expect(text).toContain(" conform ");
  return text.replace(" conform ", ` conform ${cases} `);
}

const onGitHub: Pipeline = (repository, cases = "") =>
  new GitHub(repository, {
    "./.github/actions/gatewright": parse(changed("action.yml", cases)) as GitHubAction,
  }).run(parse(read("github-workflow.yml")) as GitHubWorkflow);

const onGitLab: Pipeline = (repository, cases = "") =>
  runGitLab(parse(changed("gitlab-ci.yml", cases)) as GitLabFile, repository);

/** As Jenkins and others call it: one step, whose exit code is that of the pipeline. */
const onShell: Pipeline = async (repository, cases = "") => {
  const workspace = newFolder();
  mkdirSync(path.join(workspace, "conformance"));
  for (const [file, content] of Object.entries(repository.files))
    if (file.startsWith("conformance/")) writeFileSync(path.join(workspace, file), content);
  writeFileSync(
    path.join(workspace, "pipeline.sh"),
    changed("pipeline.sh", cases).replace(" exam ", " exam --only place-undisturbed --time-limit 5 "),
  );
  const { environment, known } = repository;
  const done = await shell("sh pipeline.sh", workspace, { ...environment, ...known });
  return [{ job: "verdict", workspace, ...done }];
};

/** Some of our scenarios as one's own: the program reads and runs only these, and judges all of them. */
const few = (...names: readonly string[]): string =>
  names.map((name) => `--scenarios '${path.resolve("scenarios", name)}'`).join(" ");
const requests = few("auth/010-golden-get.yaml", "auth/020-header-missing.yaml");
const repeats = few("fragments", "idempotency/010-repeat-returns-the-order.yaml", "auth/010-golden-get.yaml");

/** The files of the last job and the exit codes of all jobs; the output of the last job helps to read a failure. */
function verdictOf(jobs: readonly JobResult[]) {
  const last = jobs.at(-1);
  const file = path.join(last?.workspace ?? "", "report.json");
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as {
        verdict: string;
        exitCode: number;
        shard?: object;
        cases: readonly { id: string; outcome: string }[];
        rules: { failOnWarnings: boolean };
      })
    : undefined;
  return { jobs: jobs.map(({ job, code }) => `${job} ${code}`), report, output: last?.output };
}

const pipelines = [
  ["the GitHub workflow and its action", onGitHub, "part"],
  ["the GitLab file", onGitLab, "conformance"],
] as const;

describe.each(sampled(2, pipelines))("%s", (_, run, part) => {
  /** That a whole run is green is tried without a pipeline, too: bin/certify.int.test.ts. */
  it("ends with the verdict of the whole run, which is green for a gateway that conforms", async () => {
    const [cases, verdict] = triesAll ? ["", "CONFORMANT"] : [requests, "PASSED"];
    const { jobs, report, output } = verdictOf(
      await withSimulator({}, (repository) => run(repository, cases)),
    );
    expect([jobs, output]).toEqual([[`${part} 0`, `${part} 0`, "verdict 0"], expect.any(String)]);
    expect(report).toMatchObject({ verdict, exitCode: 0, rules: { failOnWarnings: true } });
    expect(report).not.toHaveProperty("shard");
  });
});

describe("the GitLab file", () => {
  it("ends red for a gateway with a bug, although each part of a run ends with 3", async () => {
    const { jobs, report } = verdictOf(
      await withSimulator({ defects: ["M-043"] }, (repository) => onGitLab(repository, repeats)),
    );
    expect(jobs.at(-1)).toBe("verdict 1");
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
  });
});

describe("the shell script", () => {
  const numbered = (repository: Repository, known: Record<string, string>): Repository => ({
    ...repository,
    known: { ...repository.known, ...known },
  });

  it("ends with the verdict of the merged parts, and fails for a client that does not pass its exam", async () => {
    const known = { BUILD_NUMBER: "17", CLIENT: "true" };
    const { jobs, report, output } = verdictOf(
      await withSimulator({}, (repository) => onShell(numbered(repository, known), requests)),
    );
    expect(report).toMatchObject({ verdict: "PASSED", exitCode: 0, rules: { failOnWarnings: true } });
    expect([jobs, output]).toEqual([["verdict 1"], expect.stringContaining("EX-14")]);
  });

  it("says what is missing when nothing numbers the run", async () => {
    const { jobs, output } = verdictOf(
      await withSimulator({}, (repository) => onShell(repository, requests)),
    );
    expect([jobs, output]).toEqual([["verdict 2"], expect.stringContaining("set SEED")]);
  });
});

describe("the shell lines of docs/ci.md", () => {
  it("start a simulator and reach a verdict", async () => {
    const page = readFileSync(new URL("../ci.md", folder), "utf8");
    const [, script = ""] = /## The simulator as a service\n+```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const cases = script.replace(" conform ", ` conform ${requests} `);
    expect(cases).not.toBe(script);
    const stopping = `trap 'kill $(jobs -p)' EXIT\n${cases}`;
    const { code, output } = await shell(stopping, newFolder(), pathWith(installed));
    expect([code, output]).toEqual([0, expect.stringMatching(/^PASSED own scenarios/m)]);
  });
});
