/** Runs the clients of these pages, and other tools that a machine may lack. */
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, type TestContext } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const at = (...names: string[]): string => path.join(root, ...names);

export const clients = ["curl.sh", "client.py", "client.ts"] as const;
export const toolsOf = { "curl.sh": ["bash", "curl", "openssl"], "client.py": ["python3"], "client.ts": [] };

export type Ended = Readonly<{ code: number | string; stdout: string; stderr: string }>;

export function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const settings = { ...process.env, NO_PROXY: "*", no_proxy: "*", ...env };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env: settings }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? (error === null ? 0 : "signal"), stdout, stderr }),
    );
  });
}

export function needs({ skip }: TestContext, ...programs: string[]): void {
  const absent = programs.filter((name) => spawnSync(name, ["-h"], { stdio: "ignore" }).error !== undefined);
  skip(absent.length > 0, `not on this machine: ${absent.join(", ")}`);
}

/** `scratch`: a folder for what has to be compiled. */
export function runClient(
  client: (typeof clients)[number],
  env: NodeJS.ProcessEnv,
  scratch: string,
): Promise<Ended> {
  if (client === "curl.sh") return run("bash", [at("docs/clients/curl.sh")], env);
  if (client === "client.py") return run("python3", [at("docs/clients/client.py")], env);
  return run(process.execPath, [compiled(scratch)], env);
}

const compiledIn = new Map<string, string>();

/** client.ts as an older Node runs it, compiled once for each folder. */
function compiled(scratch: string): string {
  const program = compiledIn.get(scratch) ?? compile(scratch);
  compiledIn.set(scratch, program);
  return program;
}

function compile(scratch: string): string {
  const flags = ["--ignoreConfig", "--target", "es2023", "--module", "nodenext", "--types", "node"];
  const compiler = at("node_modules/typescript/bin/tsc");
  writeFileSync(path.join(scratch, "package.json"), '{ "type": "module" }\n');
  const ended = spawnSync(
    process.execPath,
    [compiler, ...flags, "--outDir", scratch, "docs/clients/client.ts"],
    { cwd: root, encoding: "utf8" },
  );
  expect(ended.stdout).toBe("");
  return path.join(scratch, "client.js");
}
