/** The package as a stranger has it: its types, its program and its pages. Nothing of this checkout but the compiler is in reach. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { triesAll } from "../tools/sampled.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
const project = mkdtempSync(path.join(os.tmpdir(), "gatewright-types-"));
const inProject = (...names: string[]): string => path.join(project, ...names);

interface Locked {
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Packed {
  readonly filename: string;
  readonly entryCount: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;
/** The names of its files. */
let packedNames: readonly string[] = [];

interface Report {
  readonly summary: { readonly cases: { readonly passed: number } };
}

/** What `npm i -D ./gatewright-0.1.0.tgz vitest @types/node` lays down. The packages are links, which are not followed. */
beforeAll(() => {
  // A start builds no types.
  execFileSync(process.execPath, [path.join(root, "tools", "types.mjs")]);
  const packing = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", project];
  const told = execFileSync("npm", packing, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  [packed] = JSON.parse(told) as [Packed];
  packedNames = packed.files.map((file) => file.path);
  execFileSync("tar", ["-xzf", packed.filename], { cwd: project });
  mkdirSync(inProject("node_modules"));
  renameSync(inProject("package"), inProject("node_modules", "gatewright"));
  for (const name of installed()) {
    mkdirSync(path.dirname(inProject("node_modules", name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), inProject("node_modules", name), "junction");
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it("has few files, and a small package", () => {
  expect(packed.entryCount).toBeLessThanOrEqual(300);
  expect(packed.unpackedSize).toBeLessThanOrEqual(6_000_000);
});

function installed(): Set<string> {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const names = new Set<string>();
  const add = (name: string): void => {
    if (names.has(name) || !existsSync(path.join(root, "node_modules", name))) return;
    names.add(name);
    Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}).forEach(add);
  };
  Object.keys(packages[""]?.dependencies ?? {}).forEach(add);
  ["vitest", "@types/node"].forEach(add);
  return names;
}

it("runs the kit against the sandbox", async () => {
  const program = inProject("node_modules", "gatewright", "bin", "gatewright");
  const serve = [program, "serve", "--port", "0", "--db", ":memory:", "--json"];
  const sandbox = spawn(process.execPath, serve, { cwd: project, stdio: ["ignore", "pipe", "ignore"] });
  try {
    await once(sandbox.stdout, "data");
    const one = [
      "--only",
      "orders-010-limit-order-is-new",
      "--properties",
      "off",
      "--report",
      "json=report.json",
    ];
    // A selection ends with another code than a whole run.
    await run(process.execPath, [program, "conform", ...one], { cwd: project }).catch(() => {});
    const { summary } = JSON.parse(readFileSync(inProject("report.json"), "utf8")) as Report;
    expect(summary.cases).toMatchObject({ failed: 0, error: 0 });
    expect(summary.cases.passed).toBeGreaterThan(0);
  } finally {
    sandbox.kill("SIGKILL");
  }
});

it("copies the scenarios that it has, and calls them as the copies", async () => {
  const program = inProject("node_modules", "gatewright", "bin", "gatewright");
  const said = await run(process.execPath, [program, "list", "--copy-to", "scenarios"], { cwd: project });
  const names = readdirSync(inProject("scenarios"), { recursive: true, encoding: "utf8" }).filter(isYaml);
  expect(said.stdout).toBe(`${names.length} files are in scenarios\n`);
  const ours = readdirSync(path.join(root, "scenarios"), { recursive: true, encoding: "utf8" });
  expect(names.toSorted()).toEqual(
    ours.filter((name) => isYaml(name) && !name.startsWith("regressions")).toSorted(),
  );
  const schemaLine =
    /^# yaml-language-server: \$schema=(?:\.\.\/)+node_modules\/gatewright\/conformance\/schema\/scenario\.schema\.json$/;
  for (const name of names) {
    const [first, ...rest] = readFileSync(inProject("scenarios", name), "utf8").split("\n");
    expect(first).toMatch(schemaLine);
    expect(readFileSync(path.join(root, "scenarios", name), "utf8")).toContain(rest.join("\n"));
  }
  const { stdout } = await run(process.execPath, [program, "list", "--json"], { cwd: project });
  const [listed] = JSON.parse(stdout) as readonly { readonly place: string }[];
  expect(existsSync(inProject(String(listed?.place).replace(/:\d+$/, "")))).toBe(true);
  const linted = await run(process.execPath, [program, "lint", "scenarios"], { cwd: project });
  expect(linted.stdout).toContain("no problems");
});

const isYaml = (name: string): boolean => name.endsWith(".yaml");

it("compile under strict TypeScript, in npm run test:whole with skipLibCheck: false", async () => {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2023",
    lib: ["es2023", "esnext.disposable"],
    module: "nodenext",
    types: ["node"],
    // The types of Node take most of the time.
    skipLibCheck: !triesAll,
    preserveSymlinks: true,
    noEmit: true,
  };
  writeFileSync(inProject("package.json"), '{ "type": "module" }\n');
  writeFileSync(inProject("tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["use.ts"] }));
  writeFileSync(
    inProject("use.ts"),
    [
      'import { startSimulator } from "gatewright";',
      'import { conform } from "gatewright/conformance";',
      'import { describeConformance } from "gatewright/vitest";',
      "await using simulator = await startSimulator();",
      "export const all = [conform, describeConformance];",
      "const { now } = await simulator.control.clock.advance({ ms: 60_000 });",
      "export const text: string = now;",
      "const rules = await simulator.control.faults.read();",
      "export const first: string | undefined = rules.rules[0]?.id;",
      "// @ts-expect-error: a duration is a number of milliseconds",
      'await simulator.control.clock.advance({ ms: "1m" });',
      "// @ts-expect-error: there is no such verb",
      "await simulator.control.clock.rewind();",
    ].join("\n"),
  );
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
  // The compiler is a program of Go: it ends before it is worth collecting garbage, or sharing the work among threads.
  const frugal = { cwd: project, env: { ...process.env, GOGC: "400" } };
  const said = await run(process.execPath, [compiler, "-p", ".", "--singleThreaded"], frugal).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(said.stdout.replaceAll(project, "")).toBe("");
});

describe("the pages of the package", () => {
  it("link to files of the package", () => {
    const folders = new Set(packedNames.map((file) => path.posix.dirname(file)));
    const pages = packedNames.filter((file) => file === "README.md" || /^docs\/.*\.md$/.test(file));
    expect(pages.length).toBeGreaterThan(20);
    const dead = pages.flatMap((page) => {
      const text = readFileSync(path.join(root, page), "utf8");
      const links = Array.from(text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g), ([, link = ""]) => link);
      return links
        .map((link) => path.posix.normalize(path.posix.join(path.posix.dirname(page), link)))
        .filter((target) => !packedNames.includes(target) && !folders.has(target.replace(/\/$/, "")))
        .map((target) => `${page}: ${target}`);
    });
    expect(dead).toEqual([]);
  });

  it("run and install nothing by a name that a stranger can publish", () => {
    const byName =
      /\b(?:npx|bunx|dlx)\b|\b(?:npm|pnpm|yarn|bun) +(?:i|install|add|exec|x|create|init)\b[^\n;|&]*[ \t]["']?gatewright(?:@\S*)?["'`]*(?=\s|$)/gm;
    expect(
      "npx --yes gatewright@latest conform\nnpm i -D gatewright\npnpm dlx 'gatewright'".match(byName),
    ).toHaveLength(3);
    expect("npm i -D ./gatewright-0.1.0.tgz; node_modules/.bin/tsc gatewright.ts".match(byName)).toBeNull();
    const texts = packedNames.filter(
      (file) => /\.(?:md|ya?ml|sh|py|[mc]?[jt]s)$/.test(file) && !file.startsWith("dist/"),
    );
    const found = ["README.md", "bin/examples.ts", ...texts].flatMap((file) =>
      (readFileSync(path.join(root, file), "utf8").match(byName) ?? []).map((line) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it("come without source maps", () => {
    expect(packedNames.filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  it("contain no test", () => {
    expect(packedNames.filter((file) => /^docs\/.*(?:\.test\.ts|\/testing\/)/.test(file))).toEqual([]);
  });
});
