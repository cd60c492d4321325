/**
 * Plants one-token mutants in the source, to measure what a set of tests sees. Before a test is deleted: is it the only one that
 * convicts some mutant? `--count` mutants of a room are drawn with `--seed`; each is written into a copy of the checkout, and the
 * tests run.
 *
 *   npm run bench:mutants -- --room simulator/engine --count 20 --seed 1 --tests simulator/engine
 *   npm run bench:mutants -- --room simulator/http --tests simulator/http --without simulator/http/guard.int.test.ts
 *
 * `--without` (repeatable) leaves tests out. Mutants that only those convict are named, and then the exit code is 1.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { lex } from "../tools/tidy/lexer.ts";

interface Mutant {
  readonly file: string;
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** What is written, and what a tired author could have written. Spaces keep type arguments and arrows out. */
const swaps: readonly (readonly [string, string])[] = [
  [" < ", " <= "],
  [" <= ", " < "],
  [" > ", " >= "],
  [" >= ", " > "],
  [" === ", " !== "],
  [" !== ", " === "],
  [" && ", " || "],
  [" || ", " && "],
  [" + ", " - "],
  [" - ", " + "],
  [" % ", " * "],
  ["true", "false"],
  ["false", "true"],
  ["!is", "is"],
  ["return null;", "return undefined as never;"],
  [" ?? ", " && "],
  ["+= 1", "+= 2"],
];

const root = process.cwd();
const isSource = (file: string): boolean =>
  file.endsWith(".ts") && !/\.test\.ts$|(?:^|\/)(?:testing|acceptance)\//.test(file);

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

/** Declarations of types are no code: a mutant there would only fail to compile. */
const isType = (line: string): boolean => /^\s*(?:readonly|export type|type|export interface|\|) /.test(line);

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(path.join(root, file), "utf8");
  const { code } = lex(source);
  return swaps.flatMap(([from, to]) => {
    const found: Mutant[] = [];
    for (let at = code.indexOf(from); at !== -1; at = code.indexOf(from, at + 1)) {
      const line = code.slice(code.lastIndexOf("\n", at) + 1, code.indexOf("\n", at));
      const isWord =
        /\w/.test(from) && /\w/.test(`${code[at - 1] ?? ""}${code[at + from.length] ?? ""}`.trim());
      if (!isType(line) && !isWord) found.push({ file, at, from, to });
    }
    return found;
  });
}

/** A draw that is the same on each machine. */
function drawn<T>(all: readonly T[], count: number, seed: number): T[] {
  const left = [...all];
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [one] = left.splice(Math.floor(next() * left.length), 1);
    return one as T;
  });
}

const { values } = parseArgs({
  options: {
    room: { type: "string" },
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", multiple: true, default: [] },
    without: { type: "string", multiple: true, default: [] },
  },
});
const { room, tests, without } = values;
if (room === undefined || tests.length === 0) {
  process.stderr.write(
    "usage: npm run bench:mutants -- --room FOLDER --tests FILTER [--without FILE] [--count N] [--seed N]\n",
  );
  process.exit(2);
}

const copy = mkdtempSync(path.join(os.tmpdir(), "gatewright-mutants-"));
const apart = [".git", "node_modules"];
for (const part of readdirSync(root))
  if (!apart.includes(part)) cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));

/** A mutant may loop for ever, in a worker of the test runner: at the end of its time the whole group of processes is ended. */
async function passes(filters: readonly string[], left: readonly string[]): Promise<boolean> {
  const flags = ["run", "--bail", "1", "--reporter", "dot", ...left.flatMap((file) => ["--exclude", file])];
  const vitest = path.join(copy, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [vitest, ...flags, ...filters], {
    cwd: copy,
    stdio: "ignore",
    detached: true,
  });
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, 300_000);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  return code === 0;
}

try {
  if (!(await passes(tests, without))) throw new Error("the tests fail without a mutant");
  const mutants = drawn(
    filesBelow(room).filter(isSource).flatMap(mutantsOf),
    Number(values.count),
    Number(values.seed),
  );
  const lost: string[] = [];
  let convicted = 0;
  for (const { file, at, from, to } of mutants) {
    const whole = path.join(copy, file);
    const source = readFileSync(whole, "utf8");
    writeFileSync(whole, source.slice(0, at) + to + source.slice(at + from.length));
    const line = source.slice(0, at).split("\n").length;
    const name = `${file}:${line} "${from.trim()}" -> "${to.trim()}"`;
    const isKept = !(await passes(tests, without));
    const isSeen = isKept || (without.length > 0 && !(await passes(without, [])));
    writeFileSync(whole, source);
    if (isKept) convicted += 1;
    else if (isSeen) lost.push(name);
    console.log(`${isKept ? "convicted" : isSeen ? "LOST" : "survives"}  ${name}`);
  }
  console.log(
    `${room}: ${convicted} of ${mutants.length} convicted, ${lost.length} only by what is left out`,
  );
  process.exitCode = lost.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true });
}
