import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../conformance/exit-codes.ts";
import { commands } from "./commands.ts";
import { buildProgram, main } from "./gatewright.ts";

/**
 * Every option and argument of every command that names a path, tried with a path that cannot be meant. The list comes
 * from the commands themselves: a new placeholder has to be named below, as a path or as something else.
 */
const paths = "file place places files folder format=file certificate report reports before after".split(" ");
/** Those that are written; all others are read. */
const outputs = [
  "serve --db",
  "backup --out",
  // A database that is not there needs no reset.
  "reset --db",
  "conform --ledger",
  "conform --write-expectations",
  "conform --report",
  "certify --out",
  "certify --report",
  "merge --report",
  "coverage --report",
  "drift --report",
  "drift --write-accepted",
  "exam --out",
  "exam --report",
  "mutants --report",
  "mutants --write-sample",
  "probe --out",
  "learn --out-profile",
  "learn --out-world",
  "learn --report",
  "record --out",
  "export --out",
  "bisect --out",
  "capsule --out",
  "shrink --out",
];
/** Values that are no paths. */
const words =
  "number address mode where id url variable name what level pattern i/n order when text method path form minutes milliseconds uuid kind clause token status command list seconds time key=role id=option seed entry shell days world".split(
    " ",
  );

const folder = mkdtempSync(path.join(tmpdir(), "gatewright-paths-"));
const inFolder = (name: string): string => path.join(folder, name);
const good = inFolder("good");
writeFileSync(good, "a file of text\n");
const scenario = inFolder("scenario.yaml");
writeFileSync(
  scenario,
  "kit: 1\nid: x-paths\ntitle: T\nspec: [PRD-01]\nsteps:\n  - call: { op: products }\n    expect: { status: 200 }\n",
);
const key = inFolder("key.pem");
writeFileSync(key, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
const locked = inFolder("locked");
writeFileSync(locked, "secret\n", { mode: 0o000 });
const lockedFolder = inFolder("locked-folder");
mkdirSync(lockedFolder, { mode: 0o500 });
const [precious, link] = [inFolder("precious"), inFolder("link")];
writeFileSync(precious, "do not touch");
symlinkSync(precious, link);
const atFirst = readdirSync(folder).toSorted();
const isRoot = process.getuid?.() === 0;

const target = [
  "--target",
  "http://127.0.0.1:9/api/v1/trading",
  "--key-id",
  "k",
  "--secret-env",
  "PATHS_SECRET",
];
/** Further arguments of each command, which are never reached. */
const company: Readonly<Record<string, readonly string[]>> = {
  certify: ["--level", "core", "--challenge", "c"],
  sign: ["--method", "GET", "--path", "/x", "--key-id", "k", "--secret-env", "PATHS_SECRET"],
  serve: ["--port", "0"],
  ctl: ["health"],
  shrink: ["--differs"],
  work: ["--store", "postgres://nobody@127.0.0.1:1/none"],
};
const needsTarget = ["conform", "plan", "cleanup", "certify", "replay"];
const targetOptions = ["--profile", "--ready-file"];

interface Place {
  readonly command: string;
  /** `--profile`, or the name of an argument. */
  readonly name: string;
  readonly placeholder: string;
  /** The words of the command line, with this path in its place. */
  readonly argv: (given: string) => readonly string[];
}

const places: Place[] = [];
const unknown: string[] = [];
for (const { name: command } of commands) {
  const program = await buildProgram([command], "0.0.0");
  const found = program.commands.find((one) => one.name() === command);
  if (found === undefined) throw new Error(`there is no command ${command}`);
  const needed = found.options.filter((one) => one.mandatory && isPath(placeholderOf(one.flags)));
  const named = found.registeredArguments.map((argument) => argument.name());
  const filled = (but: string): string[] => [
    ...(company[command] ?? []),
    ...needed.flatMap(({ long }) => (long === but || typeof long !== "string" ? [] : [long, key])),
    ...(needsTarget.includes(command) && !targetOptions.includes(but) ? target : []),
  ];
  const argumentsWith = (but: string, given: string): string[] =>
    found.registeredArguments.flatMap((one) =>
      one.name() === but || command === "diff" ? [given] : one.required ? [scenario] : [],
    );
  for (const { long, flags } of found.options) {
    const placeholder = placeholderOf(flags);
    if (placeholder === undefined || typeof long !== "string") continue;
    if (!isPath(placeholder)) {
      if (!words.includes(placeholder)) unknown.push(`${command} ${flags}`);
      continue;
    }
    const format = command === "coverage" ? "markdown" : "json";
    const value = (given: string): string => (placeholder === "format=file" ? `${format}=${given}` : given);
    const argv = (given: string) => [
      command,
      ...argumentsWith("", ""),
      ...filled(long),
      ...(found.options.some((one) => one.long === "--key-id") && command === "probe" && long !== "--profile"
        ? target
        : []),
      long,
      value(given),
    ];
    places.push({ command, name: long, placeholder, argv });
  }
  for (const name of named) {
    if (!isPath(name)) {
      if (!words.includes(name)) unknown.push(`${command} [${name}]`);
      continue;
    }
    const argv = (given: string) => [command, ...argumentsWith(name, given), ...filled(name)];
    places.push({ command, name, placeholder: name, argv });
  }
}

function placeholderOf(flags: string): string | undefined {
  return /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
}

function isPath(placeholder: string | undefined): boolean {
  return paths.includes(placeholder ?? "");
}

let output = { stdout: "", stderr: "" };
beforeEach(() => {
  output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      output[stream] += String(text);
      return true;
    });
  }
  vi.stubEnv("PATHS_SECRET", "a-secret-of-the-tests");
  process.exitCode = undefined;
  process.stdout.removeAllListeners("error");
});
afterAll(() => {
  process.exitCode = undefined;
  process.stdout.removeAllListeners("error");
  chmodSync(lockedFolder, 0o700);
});

/** Ends with 2, in one sentence that names the path; no word of a bug, no stack, no code of the system. Nothing stays behind. */
async function refuses(argv: readonly string[], given: string): Promise<void> {
  const listeners = process.listenerCount("uncaughtException");
  const code = await main(["node", "gatewright", ...argv], "0.0.0");
  expect({ code, stderr: output.stderr }).toMatchObject({ code: exitCodes.usage });
  expect(output.stderr).toContain(argv.includes("--db") ? path.dirname(given) : given);
  expect(output.stderr).toMatch(/^gatewright: [^\n]+\n$/);
  expect(output.stderr).not.toMatch(/bug in gatewright|\n {4}at /);
  if (!argv.includes("--db")) expect(output.stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
  expect(process.listenerCount("uncaughtException")).toBe(listeners);
}

const isWritten = ({ command, name }: Place): boolean => outputs.includes(`${command} ${name}`);
const filledBy = places.filter(({ placeholder }) => placeholder === "folder");
const writtenBy = places.filter(isWritten);
const readBy = places.filter((one) => !isWritten(one) && !filledBy.includes(one));

/** Neither written through nor replaced, and nothing is left beside it. */
async function leavesLink({ argv }: Place): Promise<void> {
  const code = await main(["node", "gatewright", ...argv(link)], "0.0.0");
  expect([exitCodes.usage, exitCodes.targetUnusable]).toContain(code);
  expect(readFileSync(precious, "utf8")).toBe("do not touch");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(atFirst);
}

describe("a path on the command line", () => {
  it("is known as such, wherever one is taken", () => {
    expect(unknown).toEqual([]);
    expect(readBy.length).toBeGreaterThan(20);
    expect(writtenBy.map(({ command, name }) => `${command} ${name}`).toSorted()).toEqual(outputs.toSorted());
  });

  it("is read through the kit's reader or written through its writer: no command opens a file itself", () => {
    const here = import.meta.dirname;
    for (const { name } of commands) {
      const text = readFileSync(path.join(here, "commands", `${name}.ts`), "utf8");
      expect(text, name).not.toMatch(/\b(?:writeFile|createReadStream|createWriteStream|readFileSync)\b/);
    }
  });

  describe.each(readBy)("to read: $command $name", ({ argv, placeholder, command }) => {
    it("that is not there", () => refuses(argv(inFolder("none.yaml")), "none.yaml"));
    it("below a file", () => refuses(argv(path.join(good, "below.yaml")), "below.yaml"));
    it.skipIf(
      placeholder === "place" ||
        placeholder === "places" ||
        (command === "replay" && placeholder === "files"),
    )("that is a folder", () => refuses(argv(folder), folder));
    it.skipIf(isRoot)("without permission", () => refuses(argv(locked), locked));
  });

  describe.each(writtenBy)("to write: $command $name", (one) => {
    const { argv } = one;
    it.skipIf(one.name === "--db")("that is a link", () => leavesLink(one));
    it("that is a folder", () => refuses(argv(folder), folder));
    it("below a file", () => refuses(argv(path.join(good, "below.json")), "below.json"));
    it.skipIf(isRoot)("without permission", () =>
      refuses(argv(path.join(lockedFolder, "new.json")), lockedFolder),
    );
  });

  describe.each(filledBy)("to fill: $command $name", (one) => {
    const { argv } = one;
    it("that is a link to a file", () => leavesLink(one));
    it("that is a file", () => refuses(argv(good), good));
    it.skipIf(isRoot)("without permission", () =>
      refuses(argv(path.join(lockedFolder, "new")), lockedFolder),
    );
  });
});
