/** Compiles a client of docs/clients with the command of its page, for every version of Node. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../../..");

const flags =
  "--ignoreConfig --target es2023 --module nodenext --types node --rewriteRelativeImportExtensions --outDir".split(
    " ",
  );

const compiled = new Map<string, string>();

/** The path of the program. Each is compiled once in a process. */
export function compiledClient(file: string): string {
  const program = compiled.get(file) ?? compile(file);
  compiled.set(file, program);
  return program;
}

function compile(file: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-client-"));
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const ended = spawnSync(process.execPath, [compiler, ...flags, folder, file], {
    cwd: root,
    encoding: "utf8",
  });
  if (ended.status !== 0) throw new Error(`${file} cannot be compiled: ${ended.stdout}`);
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return path.join(folder, `${path.basename(file, ".ts")}.js`);
}
