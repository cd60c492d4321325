import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { newFolder } from "./programs.ts";

/** Runs a pipeline like GitHub and GitLab, as far as our files need it: jobs, workspaces, artifacts and shell steps. */
export interface Repository {
  /** Path in the repository to content; a checkout writes these into each workspace. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Values of the CI server: `github.run_id`, `secrets.GW_KEY`, or plain variables. */
  readonly known: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

export interface JobResult {
  readonly job: string;
  readonly code: number;
  readonly output: string;
  readonly workspace: string;
}

export interface Shell {
  readonly code: number;
  readonly output: string;
}

/** One shell step to its end, as a CI server starts it: stop at the first command that fails. */
export function shell(
  script: string,
  workspace: string,
  environment: Readonly<Record<string, string>>,
): Promise<Shell> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: workspace,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (text) => (output += String(text)));
    child.stderr.on("data", (text) => (output += String(text)));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 128, output }));
  });
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface GitHubJob {
  readonly needs?: string;
  readonly if?: string;
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly unknown[]>> };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface GitHubWorkflow {
  readonly jobs: Readonly<Record<string, GitHubJob>>;
}

export interface GitHubAction {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

type Known = Readonly<Record<string, string>>;

/** `${{ name }}` of what is known; an expression that nothing is known of fails the test. */
function evaluated(text: string, known: Known): string {
  return text.replace(/\$\{\{\s*([^}]*?)\s*\}\}/g, (_, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`the expression ${name} has no value here`);
    return value;
  });
}

const evaluatedAll = (texts: Readonly<Record<string, unknown>> = {}, known: Known): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluated(String(text), known)]));

export class GitHub {
  readonly #repository: Repository;
  readonly #actions: Readonly<Record<string, GitHubAction>>;
  readonly #artifacts = newFolder();

  constructor(repository: Repository, actions: Readonly<Record<string, GitHubAction>>) {
    this.#repository = repository;
    this.#actions = actions;
  }

  async run({ jobs }: GitHubWorkflow): Promise<JobResult[]> {
    const results: JobResult[] = [];
    for (const [job, described] of Object.entries(jobs)) {
      const needed = results.filter((result) => result.job === described.needs);
      if (needed.some(({ code }) => code !== 0) && described.if !== "always()") continue;
      const matrix = Object.entries(described.strategy?.matrix ?? {});
      const [[name, values] = ["", [""]]] = matrix;
      for (const value of values)
        results.push(await this.#job(job, described, { [`matrix.${name}`]: String(value) }));
    }
    return results;
  }

  async #job(job: string, { steps, env }: GitHubJob, matrix: Known): Promise<JobResult> {
    const workspace = newFolder();
    const known = { ...this.#repository.known, ...matrix };
    const environment = {
      ...this.#repository.environment,
      ...evaluatedAll(env, known),
      GITHUB_ACTIONS: "true",
      GITHUB_STEP_SUMMARY: path.join(newFolder(), "summary.md"),
      GITHUB_PATH: path.join(newFolder(), "path"),
      RUNNER_TEMP: newFolder(),
    };
    const ended = await this.#steps(steps, workspace, known, environment);
    return { job, workspace, ...ended };
  }

  async #steps(steps: readonly Step[], workspace: string, known: Known, environment: Known): Promise<Shell> {
    let [code, output] = [0, ""];
    for (const step of steps) {
      if (code !== 0 && step.if !== "always()") continue;
      const ended = await this.#step(step, workspace, known, environment);
      if (code === 0) code = ended.code;
      output += ended.output;
    }
    return { code, output };
  }

  async #step(step: Step, workspace: string, known: Known, environment: Known): Promise<Shell> {
    const inputs = evaluatedAll(step.with, known);
    const env = { ...environment, ...evaluatedAll(step.env, known) };
    if (step.run !== undefined) return shell(evaluated(step.run, known), workspace, withAddedPaths(env));
    const [name = ""] = (step.uses ?? "").split("@");
    const own = this.#actions[name];
    if (own !== undefined) {
      const defaults = Object.entries(own.inputs).map(([input, { default: text = "" }]) => [input, text]);
      const given = { ...(Object.fromEntries(defaults) as Known), ...inputs };
      const seen = Object.fromEntries(
        Object.entries(given).map(([input, text]) => [`inputs.${input}`, text]),
      );
      return this.#steps(own.runs.steps, workspace, seen, env);
    }
    this.#known(name, inputs, workspace);
    return { code: 0, output: "" };
  }

  /** The few actions of GitHub that our files use. */
  #known(name: string, inputs: Readonly<Record<string, string>>, workspace: string): void {
    if (name === "actions/checkout") return checkOut(this.#repository, workspace);
    if (name === "actions/setup-node") return;
    if (name === "actions/upload-artifact") {
      const folder = path.join(this.#artifacts, inputs["name"] ?? "artifact");
      const paths = (inputs["path"] ?? "").split("\n").filter((line) => line.trim() !== "");
      return keep(paths, workspace, folder, paths.length === 1);
    }
    if (name === "actions/download-artifact") {
      const start = (inputs["pattern"] ?? "").replace(/\*$/, "");
      for (const artifact of readdirSync(this.#artifacts).filter((one) => one.startsWith(start)))
        cpSync(path.join(this.#artifacts, artifact), workspace, { recursive: true });
      return;
    }
    throw new Error(`the action ${name} is not known here`);
  }
}

/** With the folders that earlier steps of the job have written into `$GITHUB_PATH`. */
function withAddedPaths(environment: Known): Known {
  const { GITHUB_PATH: file = "", PATH = "" } = environment;
  if (!existsSync(file)) return environment;
  const added = readFileSync(file, "utf8").trim().split("\n").toReversed();
  return { ...environment, PATH: [...added, PATH].join(path.delimiter) };
}

export interface GitLabJob {
  readonly stage?: string;
  readonly parallel?: number;
  readonly needs?: readonly { readonly job: string }[];
  readonly when?: string;
  readonly script: readonly string[];
  readonly allow_failure?: { readonly exit_codes: readonly number[] };
  readonly artifacts?: { readonly paths: readonly string[] };
}

export type GitLabFile = Readonly<Record<string, GitLabJob>> & {
  readonly stages: readonly string[];
  readonly default: { readonly before_script: readonly string[] };
};

/** Jobs of a GitLab file by stage, each part of a parallel job after the other. */
export async function runGitLab(
  { stages, default: { before_script: before }, ...jobs }: GitLabFile,
  repository: Repository,
): Promise<JobResult[]> {
  const artifacts = newFolder();
  const results: JobResult[] = [];
  const ordered = stages.flatMap((stage) => Object.entries(jobs).filter(([, job]) => job.stage === stage));
  for (const [job, { parallel = 1, script, needs = [], when, allow_failure, artifacts: kept }] of ordered) {
    const needed = results.filter((result) => needs.some((need) => need.job === result.job));
    if (needed.some(({ code }) => code !== 0) && when !== "always") continue;
    for (let index = 1; index <= parallel; index += 1) {
      const workspace = newFolder();
      checkOut(repository, workspace);
      for (const need of needs) {
        const from = path.join(artifacts, need.job);
        if (existsSync(from)) cpSync(from, workspace, { recursive: true });
      }
      const numbers = { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(parallel) };
      const environment = { ...repository.environment, ...repository.known, ...numbers, CI: "true" };
      const { code, output } = await shell([...before, ...script].join("\n"), workspace, environment);
      keep(kept?.paths ?? [], workspace, path.join(artifacts, job), false);
      const allowed = allow_failure?.exit_codes.includes(code) === true;
      results.push({ job, workspace, output, code: allowed ? 0 : code });
    }
  }
  return results;
}

function checkOut({ files }: Repository, workspace: string): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), text);
  }
}

/** Files and folders of a workspace, under their own names; `bare` keeps what is in a folder without the folder. */
function keep(paths: readonly string[], workspace: string, folder: string, bare: boolean): void {
  for (const name of paths) {
    const from = path.join(workspace, name);
    if (existsSync(from)) cpSync(from, bare ? folder : path.join(folder, name), { recursive: true });
  }
}
