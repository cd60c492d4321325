import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { buildProgram } from "../../bin/gatewright.ts";

const folder = new URL(".", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yml"));
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** The commands of the program in a text, with continued lines joined. */
function commandsIn(text: string): { readonly command: string; readonly flags: readonly string[] }[] {
  const joined = text.replace(/\\?\n\s+(?=--|\$\{)/g, " ");
  return [...joined.matchAll(/gatewright"? (conform|merge|verify|certify|exam)\b([^\n|]*)/g)].map(
    ([, command = "", rest = ""]) => ({ command, flags: rest.match(/--[a-z][a-z-]*/g) ?? [] }),
  );
}

describe("the first run of docs/first-run.md", () => {
  it("uses commands and flags that exist", async () => {
    const page = readFileSync(new URL("../first-run.md", folder), "utf8");
    const commands = [...page.matchAll(/^ +gatewright (\w+)(.*)$/gm)];
    expect(commands.map(([, name]) => name)).toEqual([
      "probe",
      "plan",
      "conform",
      "conform",
      "explain",
      "conform",
    ]);
    for (const [, command = "", rest = ""] of commands) {
      const program = await buildProgram([command], "0.0.0");
      const known =
        program.commands.find((one) => one.name() === command)?.options.map(({ long }) => long) ?? [];
      expect((rest.match(/--[a-z][a-z-]*/g) ?? []).filter((flag) => !known.includes(flag))).toEqual([]);
    }
  });
});

describe("the files for CI", () => {
  it("are YAML that a strict parser reads without a word", () => {
    expect(files).toEqual(["action.yml", "github-workflow.yml", "gitlab-ci.yml"]);
    for (const name of files) {
      const { errors, warnings } = parseDocument(read(name), { strict: true, uniqueKeys: true });
      expect([...errors, ...warnings]).toEqual([]);
    }
  });

  it.each([...files, "pipeline.sh"])("%s uses commands and flags that exist", async (name) => {
    const commands = commandsIn(read(name));
    expect(commands.length).toBeGreaterThan(0);
    for (const { command, flags } of commands) {
      const program = await buildProgram([command], "0.0.0");
      const known =
        program.commands.find((one) => one.name() === command)?.options.map(({ long }) => long) ?? [];
      // `${SHARD:+--shard "$SHARD"}` and the like are flags, too.
      expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
    }
  });

  it.each(files)("%s does not let warnings pass unseen", (name) => {
    const runs = commandsIn(read(name)).filter(({ command }) => command === "conform");
    const uses = /uses: \.\/\.github\/actions\/gatewright\n/.test(read(name));
    expect(runs.length > 0 || uses).toBe(true);
    for (const { flags } of runs) expect(flags).toContain("--fail-on");
    if (uses) expect(parseDocument(read("action.yml")).getIn(["inputs", "fail-on", "default"])).toBe("warn");
    else expect(read(name)).toMatch(/--fail-on (warn|"\$FAIL_ON")/);
  });

  it("have the shape that their readers ask for", () => {
    const action = parseDocument(read("action.yml")).toJS() as {
      runs: { using: string; steps: { shell?: string; run?: string }[] };
    };
    expect(action.runs.using).toBe("composite");
    for (const step of action.runs.steps) if (step.run !== undefined) expect(step.shell).toBe("bash");
    const workflow = parseDocument(read("github-workflow.yml")).toJS() as {
      jobs: Record<string, { "runs-on": string; needs?: string; steps: object[] }>;
    };
    expect(Object.keys(workflow.jobs)).toEqual(["part", "verdict"]);
    expect(workflow.jobs["verdict"]?.needs).toBe("part");
    const gitlab = parseDocument(read("gitlab-ci.yml")).toJS() as Record<
      string,
      { stage?: string; script?: string[] }
    >;
    expect(gitlab["conformance"]?.script?.[0]).toMatch(
      /^gatewright conform .* --shard "\$CI_NODE_INDEX\/\$CI_NODE_TOTAL" --seed "\$CI_PIPELINE_ID" --report/,
    );
    expect(gitlab["verdict"]?.stage).toBe("verdict");
  });
});
