/** Runs the examples of library.md and python-tests.md as printed, with an installed package. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-library-"));
const inFolder = (...names: string[]): string => path.join(folder, ...names);

beforeAll(() => {
  mkdirSync(inFolder("node_modules", "@types"), { recursive: true });
  symlinkSync(root, inFolder("node_modules", "gatewright"));
  symlinkSync(path.join(root, "node_modules", "vitest"), inFolder("node_modules", "vitest"));
  symlinkSync(path.join(root, "node_modules", "@types", "node"), inFolder("node_modules", "@types", "node"));
  writeFileSync(inFolder("package.json"), '{ "type": "module" }\n');
  // Vitest takes a package that is linked for sources, and would transform all of it.
  writeFileSync(inFolder("vitest.config.js"), "export default { resolve: { preserveSymlinks: true } };\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The text inside the fences of a page. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(path.join(import.meta.dirname, page), "utf8");
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return Array.from(fences, ([, one = ""]) => one);
}

describe("docs/library.md", () => {
  const programs = blocksOf("library.md", "js");
  const typed = blocksOf("library.md", "ts");

  it.each(programs)("runs as printed on this Node (%#)", async (program) => {
    writeFileSync(inFolder("sandbox.mjs"), program);
    const { stdout } = await run(process.execPath, ["sandbox.mjs"], { cwd: folder });
    expect(stdout).toMatch(
      /^orders go to http:\/\/127\.0\.0\.1:\d+\/api\/v1\/trading, signed with gw_demo_trader /,
    );
  });

  it("gives each test a world of its own in Vitest", async () => {
    const [program = "", ...more] = blocksOf("library.md", "ts vitest");
    expect(more).toEqual([]);
    writeFileSync(inFolder("world.test.ts"), program);
    const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
    const { stdout } = await run(process.execPath, [vitest, "run", "--no-color", "--testTimeout=0"], {
      cwd: folder,
    });
    expect(stdout).toMatch(/Tests +2 passed/);
  });

  it("compiles under strict TypeScript, and the compiled simulators run", async () => {
    typed.forEach((program, at) => writeFileSync(inFolder(`example-${at}.ts`), program));
    const strict = [
      "--strict",
      "--noUncheckedIndexedAccess",
      "--exactOptionalPropertyTypes",
      "--skipLibCheck",
    ];
    const output = [
      "--target",
      "es2023",
      "--lib",
      "es2023,esnext.disposable",
      "--module",
      "nodenext",
      "--types",
      "node",
    ];
    await run(process.execPath, [path.join(root, "tools", "types.mjs")]);
    const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc");
    const files = typed.map((_, at) => `example-${at}.ts`);
    const compiled = await run(process.execPath, [compiler, ...strict, ...output, ...files], {
      cwd: folder,
    }).catch((error: { readonly stdout?: string }) => error);
    expect(compiled.stdout).toBe("");
    const simulators = typed.flatMap((text, at) =>
      text.includes("startSimulator") ? [`example-${at}.js`] : [],
    );
    expect(simulators).toHaveLength(3);
    for (const name of simulators) {
      const { stdout, stderr } = await run(process.execPath, [name], { cwd: folder });
      expect({ stdout, stderr }).toMatchObject({
        stdout: expect.stringMatching(/^(?:http:|2026-01-01T00:00:01.000Z \d+ OPEN FILLED$)/m),
        stderr: "",
      });
    }
  });
});

describe("docs/clients/python-tests.md", () => {
  const python = spawnSync("python3", ["--version"]).error === undefined;

  it.skipIf(!python)("runs its test with the standard library alone", async () => {
    const [sandbox = "", fixture = "", test = "", ...more] = blocksOf("clients/python-tests.md", "python");
    expect(more).toEqual([]);
    writeFileSync(inFolder("sandbox.py"), sandbox);
    writeFileSync(inFolder("conftest.py"), fixture);
    writeFileSync(inFolder("test_orders.py"), test);
    const main = [
      "import ast, sandbox, test_orders",
      "ast.parse(open('conftest.py').read())",
      "with sandbox.sandbox() as simulator:",
      "    for name, check in vars(test_orders).items():",
      "        if name.startswith('test_'):",
      "            with simulator.world() as venue:",
      "                check(venue)",
      "    assert [world['name'] for world in simulator.do('GET', '/worlds')] == ['main']",
      "    order = {'side': 'BUY', 'type': 'LIMIT', 'price': 'abc', 'product': 'BTC-USD'}",
      "    for ask in (lambda: simulator.call('POST', '/order', order), lambda: simulator.do('PUT', '/faults', [])):",
      "        try: ask()",
      "        except sandbox.Refused as refusal: print(refusal)",
      "try:",
      "    with sandbox.sandbox('--world', 'nofile.yaml'): pass",
      "except RuntimeError as error: print(error)",
      "print('passed')",
    ];
    const env = {
      ...process.env,
      GATEWRIGHT: path.join(root, "bin", "gatewright"),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const { stdout } = await run("python3", ["-c", main.join("\n")], { cwd: folder, env });
    const [order = "", faults = "", start = "", ...end] = stdout.trim().split("\n");
    expect(order).toMatch(/^POST http:\S+\/order: 400 .*"price".*must be a decimal/);
    expect(faults).toMatch(/^PUT http:\S+\/faults: 400 .*"message":/);
    expect(start).toMatch(/serve .*--world nofile\.yaml ended with 2 and said why on stderr$/);
    expect(end).toEqual(["passed"]);
  });
});
