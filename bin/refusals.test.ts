/** What commands refuse: the exit code, and what the message must name. What a path can be wrong in: path-options.test.ts. */
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type ControlledSimulator, startSimulator } from "../simulator/index.ts";
import { main } from "./gatewright.ts";
import { captureOutput } from "./testing/capture-output.ts";

const said = captureOutput();
const root = process.cwd();
let simulator: ControlledSimulator;
let place = "";

const scenario = "kit: 1\nid: a\ntitle: T\nspec: [GEN-07]\nsteps:\n  - { id: a, call: { op: products } }\n";
const header = {
  kind: "recording",
  version: 1,
  target: "http://127.0.0.1:1/api/v1/trading",
  started: "2026-11-24T02:14:11.000Z",
};
/** In the folder in which each command runs, whose sandbox it may not take: it has none. */
const files: Readonly<Record<string, string | Buffer>> = {
  "whole.yaml": scenario,
  "wrong.yaml": scenario.replace("op:", "opp:"),
  "title.yaml": "kit: 1\nid: x\ntitel: T\n",
  "fragment.yaml": "fragment: x\nsteps: []\n",
  "case.yaml": "steps: []\n",
  "cut.recording": `${JSON.stringify(header)}\n{"kind":"exch`,
  "none.capsule": "steps: []",
  "any.bin": gzipSync("{}\n"),
  "odd.capsule": gzipSync('{"kind":"capsule","version":1}\n{"kind":"exchange","at":"x"}\n'),
  "new.capsule": gzipSync('{"kind":"capsule","version":2}\n'),
  "rules.json": "rules: []",
  "world.yaml": "extends: demo\nsede: 1\n",
};

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), "gatewright-refusals-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text);
  simulator = await startSimulator({ clock: "manual" });
  writeFileSync(path.join(place, "ready.json"), JSON.stringify(simulator.readyLine()));
  process.chdir(place);
  expect(await main(["node", "gatewright", "capsule", "--out", "a.capsule", ...to("ready")], "0")).toBe(0);
});
afterAll(async () => {
  process.chdir(root);
  await simulator.close();
});
beforeEach(() => vi.stubEnv("A_SECRET", "a secret of nobody"));
afterEach(() => vi.unstubAllEnvs());

const key = ["--key-id", "k", "--secret-env", "A_SECRET"];
/** A sandbox, a port on which nobody listens, or the profile of another machine. */
const to = (where: "ready" | "nobody" | "elsewhere"): string[] =>
  ({
    ready: ["--ready-file", "ready.json"],
    nobody: ["--target", "http://127.0.0.1:9/api/v1/trading", ...key],
    elsewhere: ["--target", "https://gw.example/api/v1/trading", ...key],
  })[where];
const shrink = (file: string, ...more: readonly string[]): string[] => [
  "shrink",
  file,
  "--out",
  "never.yaml",
  ...more,
];
const own = ["--scenarios", "whole.yaml"];

it.each<[args: readonly string[], code: number, named: RegExp]>([
  [["conform"], 2, /--target/],
  [["conform", ...to("nobody"), ...own, "--only", "no-such-case"], 2, /no-such-case/],
  [["conform", ...to("nobody"), "--report", "xml=x"], 2, /--report[^]*json, ndjson, junit, html, tap/],
  [["conform", ...to("nobody"), "--report", "htlm=x"], 2, /did you mean "html"/],
  [["conform", ...to("nobody"), ...own], 4, /does not answer/],
  [["conform", ...to("elsewhere"), ...own], 5, /gw\.example/],
  [["lint", "title.yaml"], 2, /title\.yaml:3:1.*"titel"[^]*did you mean "title"/],
  [["explain", "AUTH-999"], 2, /AUTH-999/],
  [["explain", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"], 2, /did you mean "gatewright why 3f2504e0-/],
  [["explain", "req-00000012"], 2, /did you mean "gatewright why req-00000012"/],
  [["exam", "--tasks", "plaec"], 2, /"plaec"/],
  [["exam", "--client", "true", "--only", "plaec"], 2, /no situation.*plaec/],
  [["exam"], 2, /--client/],
  [["bisect", "--runs", "3"], 2, /command is missing/],
  [["completion", "csh"], 2, /bash, zsh, fish/],
  [shrink("whole.yaml"), 2, /--while, --violates and --differs/],
  [shrink("whole.yaml", "--differs", "--while", "true"), 2, /one of --while/],
  [shrink("whole.yaml", "--violates", "PLC-99"), 2, /PLC-99/],
  [shrink("whole.yaml", "--differs", "--defect", "M-999"), 2, /M-999/],
  [shrink("whole.yaml", "--differs", "--world", "none.yaml"), 2, /none\.yaml/],
  [shrink("whole.yaml", "--differs", "--world", "x", "--profile", "y"), 2, /leave them out/],
  [shrink("wrong.yaml", "--differs"), 2, /wrong\.yaml:6:/],
  [shrink("fragment.yaml", "--differs"), 2, /fragment\.yaml/],
  [shrink("cut.recording", "--differs"), 2, /cut\.recording:2.*cut/],
  [["replay", "a.capsule", "--step", "--serve"], 2, /--step and --serve/],
  [["replay", "a.capsule", "--target", "http://127.0.0.1:9/api/v1/trading"], 2, /flags that name a target/],
  [["replay", "a.capsule", "another.yaml"], 2, /alone/],
  [["replay", "a.capsule", "--until", "9999"], 2, /--until 9999.*a\.capsule.*entry \d+/],
  [["replay", "case.yaml", "--step"], 2, /--step.*case\.yaml/],
  [["replay", "none.capsule"], 2, /none\.capsule:1.*gzip/],
  [["replay", "any.bin"], 2, /any\.bin:1.*kind/],
  [["export", "odd.capsule", "--out", "never.yaml"], 2, /odd\.capsule:2.*not an exchange/],
  [["export", "new.capsule", "--out", "never.yaml"], 2, /new\.capsule:1.*version 2/],
  [["record", ...to("nobody").slice(0, 4), "--out", "never"], 2, /--key-id and --secret-env/],
  [["tail", ...to("ready"), "--status", "bad"], 1, /a status such as 404/],
  [["tail", ...to("ready"), "--lines", "many"], 2, /many/],
  [["ctl", ...to("ready"), "faults", "set", "rules.json"], 2, /rules\.json.*not JSON/],
  [["ctl", ...to("ready"), "clock", "rewind"], 2, /too many arguments/],
  [["ctl", ...to("ready"), "clock", "advance", "90"], 2, /DURATION.*with its unit.*30s, 2m/],
  [["ctl", ...to("ready"), "clock", "advance", "soon"], 2, /DURATION.*"soon"/],
  [["ctl", ...to("ready"), "clock", "until", "a", "FILLED", "--within", "2 m"], 2, /--within.*"2 m"/],
  [["ctl", ...to("ready"), "freedom", "F-self-trade", "none"], 2, /too many arguments/],
  [["ctl", ...to("ready"), "freedom", "F-self-trade"], 2, /FREEDOM=OPTION/],
  [["ctl", ...to("ready"), "world", "new", "wrong", "--from", "world.yaml"], 2, /world\.yaml:2:1[^]*seed/],
  [["ctl", ...to("ready"), "world", "fork", "main@999999", "never"], 1, /main.*999999/],
  [["ctl", ...to("ready"), "world", "read", "wrong"], 1, /wrong/],
  [["ctl", ...to("ready"), "--control-token", "wrong", "product", "halt", "BTC-USD"], 1, /control token/],
  [["ctl", ...to("ready"), "product", "halt", "BTC-XYZ"], 1, /BTC-XYZ.*BTC-USD/],
])("gatewright %j ends with %i", async (args, code, named) => {
  const { hash } = await simulator.control.health.read();
  const ended = await main(["node", "gatewright", ...args], "0");
  expect({ code: ended, errors: said.errors }).toMatchObject({ code });
  expect(said.output + said.errors).toMatch(named);
  expect(said.errors).not.toContain("bug in gatewright");
  expect((await simulator.control.health.read()).hash).toBe(hash);
  expect(readdirSync(place).filter((name) => name.startsWith("never"))).toEqual([]);
});
