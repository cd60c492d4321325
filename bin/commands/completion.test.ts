import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commands } from "../commands.ts";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";

const said = captureOutput();

async function scriptFor(shell: string): Promise<string> {
  expect(await main(["node", "gatewright", "completion", shell], "1.2.3")).toBe(0);
  return said.output;
}

/** What bash offers for the last word of a line. */
function offered(script: string, ...words: readonly string[]): string[] {
  const line = ["gatewright", ...words].map((word) => `'${word}'`).join(" ");
  const asking = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _gatewright; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["--norc"], { input: asking, encoding: "utf8" }).trim().split("\n");
}

describe("gatewright completion bash", () => {
  it("offers every command, its flags, and the nouns and verbs of ctl", async () => {
    const script = await scriptFor("bash");
    expect(offered(script, "")).toEqual(commands.map(({ name }) => name));
    expect(offered(script, "con")).toEqual(["conform"]);
    expect(offered(script, "serve", "--po")).toEqual(["--port"]);
    expect(offered(script, "serve", "--port", "0", "--js")).toEqual(["--json"]);
    expect(offered(script, "ctl", "cloc")).toEqual(["clock"]);
    expect(offered(script, "ctl", "--world", "ci", "clock", "adv")).toEqual(["advance"]);
    expect(offered(script, "nothing", "--of-it")).toEqual([""]);
  });

  it("offers values: choices, cases, clauses, freedoms, outcomes, bugs, and the sandboxes of the folder", async () => {
    const script = await scriptFor("bash");
    expect(offered(script, "serve", "--clock", "s")).toEqual(["skip-idle"]);
    expect(offered(script, "serve", "--freedom", "F-self-trade=n")).toEqual(["F-self-trade=none"]);
    expect(offered(script, "serve", "--defect", "M-04")).toContain("M-042");
    expect(offered(script, "conform", "--only", "idempotency-01")).toContain(
      "idempotency-010-repeat-returns-the-order",
    );
    expect(offered(script, "explain", "PLC-1")).toContain("PLC-11");
    expect(offered(script, "ctl", "outcomes", "next", "LOST")).toEqual(["LOST_ANSWER", "LOST_REQUEST"]);
    expect(offered(script, "ctl", "fault", "add", "one", "--outcome", "STUCK")).toEqual([
      "STUCK_PENDING",
      "STUCK_CANCEL",
    ]);
    expect(offered(script, "completion", "f")).toEqual(["fish"]);
    const folder = mkdtempSync(path.join(tmpdir(), "gatewright-completion-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(path.join(folder, ".gatewright"));
    writeFileSync(path.join(folder, ".gatewright", "run-4711.json"), "{}");
    // A shell expands what it is offered, so no name of a stranger's file may be.
    writeFileSync(path.join(folder, ".gatewright", "run-$(touch owned).json"), "{}");
    expect(offered(`cd '${folder}'\n${script}`, "ctl", "--ready-file", "")).toEqual([
      ".gatewright/run-4711.json",
    ]);
    expect(existsSync(path.join(folder, "owned"))).toBe(false);
  });
});

describe("gatewright completion for other shells", () => {
  it("zsh takes the script of bash", async () => {
    const script = await scriptFor("zsh");
    expect(script).toMatch(
      /^autoload -U \+X compinit bashcompinit[\s\S]*complete -o default -F _gatewright gatewright\n$/,
    );
  });

  it("fish has a line for each word of each place", async () => {
    const lines = (await scriptFor("fish")).split("\n");
    expect(lines).toContain(
      "complete -c gatewright -n '__fish_seen_subcommand_from version' -l help -d 'show the flags'",
    );
    const places = lines.filter((line) => line.includes("from ctl; and __fish_seen_subcommand_from clock"));
    expect(places.join("\n")).toMatch(/-f -a advance -d 'Advance the market clock/);
    for (const line of lines.filter((one) => one !== "" && !one.startsWith("set -g ")))
      expect(line).toMatch(
        /^complete -c gatewright -n '.*' (?:-l|-f -a) \S+(?: -x -a ".*")? -d (?:'.*'|value)$/,
      );
  });
});

it("gatewright version prints what --version prints", async () => {
  await main(["node", "gatewright", "version"], "1.2.3");
  await main(["node", "gatewright", "--version"], "1.2.3");
  expect(said.output).toBe("1.2.3\n1.2.3\n");
});
