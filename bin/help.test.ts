import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { examples } from "./examples.ts";
import { buildProgram } from "./gatewright.ts";

async function commandOf(name: string) {
  const program = await buildProgram([name], "0.0.0");
  const found = program.commands.find((one) => one.name() === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
}

async function helpOf(name: string): Promise<string> {
  let text = "";
  const command = await commandOf(name);
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

function withoutEffect(command: CommandUnknownOpts): void {
  command.action(() => {}).exitOverride();
  for (const below of command.commands) withoutEffect(below);
}

/** The words of a command line, with quoted ones whole. */
const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");

describe.each(commands.map(({ name }) => name))("gatewright %s --help", (name) => {
  it("ends with examples, and shows no default that is nothing", async () => {
    const help = await helpOf(name);
    expect(help).toMatch(/\nExamples?:\n(?: {2}gatewright .*\n)+\n?$/);
    expect(help).not.toContain("(default: [])");
  });

  it.each(examples[name] ?? [])("shows a line that can be typed: %s", async (line) => {
    const [program, command, ...words] = wordsOf(line);
    expect([program, command]).toEqual(["gatewright", name]);
    const parsed = await commandOf(name);
    // Only parsed: the command does nothing.
    withoutEffect(parsed);
    await parsed.parseAsync(words, { from: "user" });
  });
});

describe("a flag", () => {
  /**
   * Ids of mutants and of key entries are matched like names of cases; `serve` reads a world, and `ctl` controls one; a
   * certificate is signed with a key in a file, and an exchange with one that has a name.
   */
  const several: Readonly<Record<string, readonly string[]>> = {
    "--key": ["file", "name"],
    "--only": ["id", "pattern"],
    "--out": ["file"],
    "--world": ["file", "name"],
  };

  it("means one thing, whichever command takes it", async () => {
    const meanings = new Map<string, Set<string>>();
    for (const { name } of commands) {
      for (const { long, flags } of (await commandOf(name)).options) {
        const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? "no value";
        meanings.set(long ?? flags, (meanings.get(long ?? flags) ?? new Set()).add(value));
      }
    }
    for (const [flag, values] of meanings) {
      const found = [...values].toSorted();
      expect({ flag, found }).toEqual({ flag, found: found.length === 1 ? found : several[flag] });
    }
    expect(meanings.get("--sign")).toEqual(new Set(["name"]));
    expect(meanings.get("--report")).toEqual(new Set(["format=file"]));
  });
});
