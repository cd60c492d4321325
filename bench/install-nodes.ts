/**
 * `npm run try:nodes -- 22 24`: the package in an empty project on other versions of Node, from the registry: install, library,
 * Vitest, `serve` and `conform`. It prints what each printed, and ends with 1 if one was not as wanted.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const root = process.cwd();
const folder = mkdtempSync(path.join(tmpdir(), "gatewright-nodes-"));
const npmProgram = execFileSync("npm", ["root", "-g"], { encoding: "utf8" }).trim();
const npm = path.join(npmProgram, "npm", "bin", "npm-cli.js");

const library = `
import { startSimulator } from "gatewright";
import { conform } from "gatewright/conformance";
const simulator = await startSimulator({ seed: 1 });
const world = await simulator.world({ seed: 3 });
const { keyId, secret } = world.keys.find(({ name }) => name === "trader");
const { summary } = await conform({ target: world.baseUrl, keyId, secret, only: ["auth-140*"] });
console.log(JSON.stringify(summary.cases));
await world[Symbol.asyncDispose]();
await simulator.close();
`;
const vitest = `
import { startSimulator } from "gatewright";
import { describeConformance } from "gatewright/vitest";
const simulator = await startSimulator({ seed: 1 });
const { keyId, secret } = simulator.keys.find(({ name }) => name === "trader")!;
describeConformance({ target: simulator.baseUrl, keyId, secret, only: ["auth-140*"] });
`;

/** The program of that version, from the package of its platform, which has the headers for a compiler, too. */
function nodeOf(version: string): string {
  const home = path.join(folder, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}@${version}`;
  execFileSync(process.execPath, [npm, "install", "--no-save", "--prefix", home, name], { stdio: "ignore" });
  return path.join(home, "node_modules", `node-${process.platform}-${process.arch}`);
}

async function use(version: string): Promise<boolean> {
  const home = nodeOf(version);
  const node = path.join(home, "bin", "node");
  const project = mkdtempSync(path.join(folder, `project-${version}-`));
  const env = {
    ...process.env,
    PATH: `${path.dirname(node)}:${process.env["PATH"] ?? ""}`,
    npm_config_nodedir: home,
  };
  const spawned = (...args: string[]) => spawnSync(node, args, { cwd: project, env, encoding: "utf8" });
  const run = (...args: string[]): string => spawned(...args).stdout;
  writeFileSync(
    path.join(project, "package.json"),
    '{ "type": "module", "allowScripts": { "better-sqlite3": true } }',
  );
  writeFileSync(path.join(project, "use.mjs"), library);
  writeFileSync(path.join(project, "own.test.ts"), vitest);
  const installed = spawned(
    npm,
    "install",
    "--no-audit",
    "--no-fund",
    path.join(folder, "gatewright-0.1.0.tgz"),
    "vitest",
  );
  // npm warns on stderr.
  const warnings = installed.stderr.trim() === "" ? "no warning" : installed.stderr.trim();
  const cases = JSON.parse(run("use.mjs")) as { readonly passed: number; readonly failed: number };
  const tests =
    /Tests .*/.exec(run("node_modules/vitest/vitest.mjs", "run", "--no-color"))?.[0] ?? "no tests";
  const program = path.join(project, "node_modules", "gatewright", "bin", "gatewright");
  const verdict = await conformWith(node, program, project, env);
  const printed = [
    run("--version").trim(),
    warnings,
    `library: ${cases.passed} passed, ${cases.failed} failed`,
  ];
  console.log([...printed, tests.trim(), verdict].join("; "));
  if (installed.status !== 0 || warnings !== "no warning") return false;
  return cases.failed === 0 && cases.passed > 0 && !/failed/.test(tests) && verdict.startsWith("CONFORMANT");
}

async function conformWith(
  node: string,
  program: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const serve = spawn(node, [program, "serve", "--json", "--port", "0", "--db", "v.db"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(createInterface(serve.stdout), "line")) as [string];
    writeFileSync(path.join(cwd, "ready.json"), line);
    const flags = ["--ready-file", "ready.json", "--level", "core", "--report", "json=report.json"];
    const kit = spawn(node, [program, "conform", ...flags], { cwd, env, stdio: "ignore" });
    await once(kit, "exit");
    const report = JSON.parse(readFileSync(path.join(cwd, "report.json"), "utf8")) as {
      readonly verdict: string;
    };
    return report.verdict;
  } finally {
    serve.kill("SIGTERM");
    await once(serve, "exit");
  }
}

execFileSync(process.execPath, ["tools/types.mjs"], { stdio: "ignore" });
execFileSync(process.execPath, [npm, "pack", root, "--ignore-scripts"], { cwd: folder, stdio: "ignore" });
const versions = process.argv.length > 2 ? process.argv.slice(2) : ["20", "22", "24"];
const wrong: string[] = [];
for (const version of versions) if (!(await use(version))) wrong.push(version);
rmSync(folder, { recursive: true, force: true });
process.exitCode = wrong.length === 0 ? 0 : 1;
