import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as kit from "../conformance/commands.ts";
import { sampled } from "../tools/sampled.ts";
import { CommandFailure } from "./command-failure.ts";
import type { CommandEntry } from "./commands.ts";
import { main } from "./gatewright.ts";
import { harmless, jsonText } from "./screen.ts";

/** Terminal escapes, lines turned around, and orders to CI servers at the beginning of a line and within it. */
const poison =
  "\u001b[2J\u001b]0;owned\u0007\u001b[31mPASS\u009b1m\u202egnp\u2028\u2066\u0000\r\n::error file=x::owned\n  ::stop-commands::x\n##vso[task.setvariable]x\n##[error]x\n##teamcity[x]";
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const order = /^[ \t]*::|##\w*\[/m;

let written: string;
let requests = 0;
let servers: Server[] = [];
beforeEach(() => {
  written = "";
  vi.stubEnv("GITHUB_ACTIONS", "true");
  vi.stubEnv("SECRET", "the secret of a trader, 31 chars");
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => {
      written += String(text);
      return true;
    });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  servers = [];
});

async function gatewright(args: readonly string[], entries?: readonly CommandEntry[]): Promise<string> {
  const argv = ["node", "gatewright", ...args];
  await (entries === undefined ? main(argv, "1.0.0") : main(argv, "1.0.0", entries));
  return written;
}

function expectHarmless(text: string, what = ""): void {
  expect(text.length, what).toBeGreaterThan(0);
  expect(text, what).not.toMatch(obeyed);
  expect(text, what).not.toMatch(order);
}

const position = { file: poison, line: 1, column: 1 };
const problem: kit.Problem = { position, message: poison, hint: poison, excerpt: ` 1 | ${poison}` };
const thrown: Readonly<Record<string, () => unknown>> = {
  CommandFailure: () => new CommandFailure(poison),
  UsageError: () => new kit.UsageError(poison, [problem]),
  SafetyStop: () => new kit.SafetyStop(poison),
  TargetUnusable: () => new kit.TargetUnusable(`${poison}\n  our own line`),
  OutputUnwritten: () => new kit.OutputUnwritten(poison),
  Error: () => new Error(poison),
  "no error at all": () => poison,
};

describe("an error of a command", () => {
  it.each(Object.keys(thrown))("%s neither moves the cursor nor speaks to the CI", async (name) => {
    const throwing: CommandEntry = {
      name: "x",
      summary: "x",
      load: () =>
        Promise.resolve({
          register: (program) =>
            void program.command("x").action(() => {
              throw thrown[name]?.();
            }),
        }),
    };
    const shown = await gatewright(["x"], [throwing]);
    expectHarmless(shown);
    expect(shown).toContain("owned");
    expect(shown).not.toMatch(/^(?:PASS|owned|x$)/m);
  });

  it.each([[[poison]], [["lint", `--${poison}`]], [["explain", poison]], [["help", poison]]])(
    "an argument: %j",
    async (args) => {
      expectHarmless(await gatewright(args));
    },
  );
});

/** A file that is wrong, or odd, in as many places as one can be. */
const files: Readonly<Record<string, string>> = {
  "keys.yaml": `kit: 1\nid: x-a\ntitle: T\nspec: [PRD-01]\nsafety: read\n${JSON.stringify(poison)}: 1\nsteps: []\n`,
  "values.yaml": `kit: 1\nid: ${JSON.stringify(poison)}\ntitle: ${JSON.stringify(poison)}\nspec: [${JSON.stringify(poison)}]\ntags: [${JSON.stringify(poison)}]\nsafety: ${JSON.stringify(poison)}\nsteps:\n  - call: { op: ${JSON.stringify(poison)} }\n    expect: { body: { message: { ${JSON.stringify(`$${poison}`)}: 1 } } }\n`,
  "names.yaml": `kit: 1\nid: x-b\ntitle: T\nspec: [PRD-01]\nsafety: read\nsteps:\n  - use: ${JSON.stringify(poison)}\n  - call: { op: products }\n    expect: { body: { message: { $re: ${JSON.stringify(`(${poison}`)} }, n: { $calc: ${JSON.stringify(poison)} }, m: ${JSON.stringify(`\${${poison}}`)} } }\n`,
  "raw.yaml": `kit: 1\nid: x-c\n# \u202e\u009b1m\n::error::x\n  ##vso[x]: [\n`,
  "good.yaml": `kit: 1\nid: x-good\ntitle: ${JSON.stringify(poison)}\nspec: [X-01]\ntags: [a]\nsafety: read\nvars: { v: ${JSON.stringify(poison)} }\nsteps:\n  - id: s\n    note: ${JSON.stringify(poison)}\n    call: { op: products }\n    expect: { status: 418, body: { message: ${JSON.stringify(poison)} } }\n    observe: { body: { message: { $any: true } } }\n`,
};

function folderOf(names: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-screen-"));
  for (const name of names) writeFileSync(path.join(folder, name), files[name] ?? "");
  return folder;
}

/** A target that answers everything with poison: in the body, in a header, in the text of a status. */
async function hostileTarget(statusOf: (count: number) => number): Promise<string> {
  requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const status = statusOf(requests);
    const body = JSON.stringify({
      statusCode: status,
      success: true,
      message: poison,
      data: [{ id: poison, productId: poison, availablePairs: [{ id: poison, base: poison }] }],
      [poison]: poison,
    });
    const raw = status === 401 ? poison + body : body;
    request
      .resume()
      .on("end", () => response.writeHead(status, { "content-type": "application/json" }).end(raw));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
}

const target = (url: string): string[] => ["--target", url, "--key-id", "kid", "--secret-env", "SECRET"];

describe("the output of a command", () => {
  it.each(sampled(4, Object.keys(files)))(
    "of a file: lint, list, plan, coverage, explain, conform, replay of %s",
    async (name) => {
      const folder = folderOf([name]);
      const url = await hostileTarget(() => 200);
      const file = path.join(folder, name);
      for (const args of [
        ["lint", file],
        ["list", "--scenarios", file],
        ["list", "--json", "--scenarios", file],
        ["plan", ...target(url), "--scenarios", file],
        ["plan", "--json", ...target(url), "--scenarios", file],
        ["coverage", "--scenarios", file],
        ["explain", "PRD-01", "--scenarios", file],
        ["replay", file, ...target(url)],
        ["lint", path.join(folder, `${poison.replaceAll("\u0000", "").replaceAll("/", "")}.yaml`)],
        ["conform", "--no-annotations", ...target(url), "--scenarios", file],
      ]) {
        written = "";
        expectHarmless(await gatewright(args), args[0]);
      }
      written = "";
      const marked = await gatewright(["conform", "--annotations", ...target(url), "--scenarios", file]);
      for (const line of marked.split("\n").filter((text) => order.test(text)))
        expect(line).toMatch(/^::(?:error|warning|notice) (?:file=[^,:]+,line=\d+,col=\d+,)?title=[^:]*::/);
    },
  );

  it.each([
    ["refuses the first request", () => 401],
    ["says yes to everything", () => 200],
    ["fails after the first two", (count: number) => (count < 3 ? 200 : 500)],
  ])("of a target that %s: conform, probe", async (_, statusOf) => {
    const url = await hostileTarget(statusOf);
    const scenarios = ["--scenarios", folderOf(["good.yaml"])];
    for (const args of [
      ["conform", "--no-annotations", ...target(url), ...scenarios],
      ["probe", ...target(url)],
    ]) {
      written = "";
      expectHarmless(await gatewright(args), args[0]);
    }
    expect(requests).toBeGreaterThan(1);
  });

  it("of a profile, an expectation file, a report, a ledger and a certificate", async () => {
    const folder = folderOf([]);
    const file = (name: string, text: string): string => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const profile = file(
      "p.yaml",
      `kit: 1\nname: ${JSON.stringify(poison)}\nbaseUrl: ${JSON.stringify(poison)}\n${JSON.stringify(poison)}: 1\n`,
    );
    const odd = file("odd.json", JSON.stringify({ type: poison, level: poison, [poison]: poison }));
    const raw = file("raw.json", `{"type": ${poison}`);
    for (const args of [
      ["conform", "--profile", profile],
      ["plan", "--profile", profile],
      ["verify", odd, odd, "--challenge", poison],
      ["verify", raw, raw],
      ["diff", odd, raw],
      ["diff", raw, odd],
      ["merge", odd, raw],
      ["cleanup", "--ledger", raw, ...target("http://127.0.0.1:9/api/v1/trading")],
      ["conform", ...target("http://127.0.0.1:9/api/v1/trading"), "--expectations", profile],
      [
        "certify",
        "--level",
        "core",
        "--key",
        raw,
        "--challenge",
        poison,
        ...target("http://127.0.0.1:9/api/v1/trading"),
      ],
    ]) {
      written = "";
      expectHarmless(await gatewright(args), args.slice(0, 2).join(" "));
    }
  });
});

describe("the screen", () => {
  it("shows lines as lines, and a line that begins with a colon as text", () => {
    expect(harmless("a\n::error::b\n  ::c\nd::e")).toBe("a\n\\u{3a}:error::b\n  \\u{3a}:c\nd::e");
  });

  it("prints JSON that is read back as it was, without a character that a terminal obeys", () => {
    const value = { [poison]: [poison, "\u{e0041}\ud800"] };
    for (const text of [jsonText(value), jsonText(value, 2)]) {
      expect(JSON.parse(text)).toEqual(value);
      expectHarmless(text);
      expect(harmless(text)).toBe(text);
    }
  });
});
