import { readdirSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { exitCodes } from "../conformance/exit-codes.ts";
import { CommandFailure } from "./command-failure.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { buildProgram, main } from "./gatewright.ts";

const loaded: string[] = [];
const ran: string[] = [];

function entry(name: string, action: () => void = () => {}): CommandEntry {
  return {
    name,
    summary: `about ${name}`,
    load: () => {
      loaded.push(name);
      return Promise.resolve({
        register: (program) => {
          program
            .command(name)
            .option("--port <number>", "where to listen")
            .action(() => {
              ran.push(name);
              action();
            });
        },
      });
    },
  };
}

const entries = [
  entry("serve"),
  entry("conform"),
  entry("refuse", () => {
    throw new CommandFailure("the port is in use", exitCodes.targetUnusable);
  }),
  entry("break", () => {
    throw new TypeError("x is not a function");
  }),
];

let output = { stdout: "", stderr: "" };

beforeEach(() => {
  output = { stdout: "", stderr: "" };
  loaded.length = 0;
  ran.length = 0;
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    });
  }
});

const run = (...args: string[]) => main(["node", "gatewright", ...args], "1.2.3", entries);

it("ends with the code of this call, whatever one before it has set", async () => {
  process.exitCode = 3;
  expect(await run("serve")).toBe(0);
});

it("leaves one listener on the output, however often a process calls it", async () => {
  await run("serve");
  const listeners = process.stdout.listenerCount("error");
  await run("serve");
  expect(process.stdout.listenerCount("error")).toBe(listeners);
});

describe("the command line", () => {
  it("loads the command that runs and no other", async () => {
    expect(await run("serve", "--port", "1")).toBe(exitCodes.ok);
    expect({ loaded, ran }).toEqual({ loaded: ["serve"], ran: ["serve"] });
  });

  it("lists every command without loading any", async () => {
    expect(await run("--help")).toBe(exitCodes.ok);
    for (const { name, summary } of entries) expect(output.stdout).toMatch(new RegExp(`${name}.*${summary}`));
    expect(loaded).toEqual([]);
  });

  it.each([[["help", "serve"]], [["serve", "--help"]]])(
    "shows the flags of one command for %j",
    async (args) => {
      expect(await run(...args)).toBe(exitCodes.ok);
      expect(output.stdout).toContain("--port <number>");
    },
  );

  it("prints its version on stdout", async () => {
    expect(await run("--version")).toBe(exitCodes.ok);
    expect(output.stdout).toBe("1.2.3\n");
  });
});

describe("a mistake on the command line is exit 2, and suggests the probable meaning", () => {
  it.each([
    ["an unknown command", ["serv"], "Did you mean serve?"],
    ["an unknown flag", ["serve", "--prt", "1"], "Did you mean --port?"],
    ["a flag without its value", ["serve", "--port"], "argument missing"],
    ["a word too many", ["serve", "now"], "too many arguments"],
    ["help on an unknown command", ["serv", "--help"], "Did you mean serve?"],
    ["no command at all", [], "Usage: gatewright"],
    ["an unknown flag before the command", ["--verbose", "serve"], "unknown option '--verbose'"],
  ])("%s", async (_what, args, message) => {
    expect(await run(...args)).toBe(exitCodes.usage);
    expect(output.stderr).toContain(message);
    expect(output.stdout).toBe("");
    expect(ran).toEqual([]);
  });
});

it("flags that npm start has taken away are told how to arrive", async () => {
  vi.stubEnv("npm_lifecycle_event", "start");
  expect(await run("serve", "18160")).toBe(exitCodes.usage);
  expect(output.stderr).toContain("too many arguments");
  expect(output.stderr).toContain("npm start -- --port 0");
});

describe("a command that cannot go on", () => {
  it("says why in a sentence and ends with its code", async () => {
    expect(await run("refuse")).toBe(exitCodes.targetUnusable);
    expect(output.stderr).toBe("gatewright: the port is in use\n");
  });

  it("is distinguished from a bug of ours, which shows a stack", async () => {
    expect(await run("break")).toBe(exitCodes.internalError);
    expect(output.stderr).toMatch(/bug in gatewright[\s\S]*TypeError: x is not a function\n\s+at /);
  });
});

describe("the list of commands", () => {
  const files = readdirSync(path.join(import.meta.dirname, "commands"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.replace(/\.ts$/, ""));

  it("has an entry for every file in bin/commands, and no other", () => {
    expect(commands.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
  });

  it.each(commands)("$name registers under its name", async ({ name }) => {
    const program = await buildProgram([name], "0.0.0");
    expect(program.commands.map((command) => command.name())).toEqual(commands.map((one) => one.name));
  });
});
