/**
 * The careful clients of languages whose tools a machine may lack, in some situations of the exam; in all of them with
 * `npm run test:whole -- docs/clients/careful`. Those of Node and Python: clients.int.test.ts and bin/exam.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runExam } from "../../bin/exam/exam.ts";
import { triesAll } from "../../tools/sampled.ts";

interface Language {
  readonly name: string;
  /** Skipped where these cannot be run. */
  readonly tools: readonly string[];
  /** The program that makes the client, if it has to be made. */
  readonly make?: (folder: string) => readonly [tool: string, ...args: string[]];
  readonly command: (folder: string) => string;
}

const source = (file: string): string => path.join(import.meta.dirname, file);
/** What Go and Rust have compiled of their libraries, which takes a minute, and is the same in each run. */
const compiled = path.join(import.meta.dirname, "../../node_modules/.cache/gatewright-clients");
/** Where Debian puts the packages of Rust: a test fetches none. */
const crates = "/usr/share/cargo/registry";

const cargoFile = `[package]
name = "careful"
version = "0.0.0"
edition = "2021"
[dependencies]
ureq = { version = "2", default-features = false }
hmac = "0.12"
sha2 = "0.10"
serde_json = "1"
httpdate = "1"
uuid = { version = "1", features = ["v4"] }
[profile.dev]
debug = false
`;
const cargoSource = [`source.crates-io.replace-with="debian"`, `source.debian.directory="${crates}"`];

/** Cargo compiles anew what is younger than its program, so a file that is the same is not touched. */
function keep(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

const languages: readonly Language[] = [
  {
    name: "Java",
    tools: ["javac"],
    make: (folder) => ["javac", "-d", folder, source("Careful.java"), source("Json.java")],
    // It lives for a second: to optimise it costs more than it saves.
    command: (folder) => `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp ${folder} Careful`,
  },
  {
    name: "Go",
    tools: ["go"],
    make: (folder) => ["go", "build", "-o", path.join(folder, "careful"), source("careful.go")],
    command: (folder) => path.join(folder, "careful"),
  },
  { name: "Ruby", tools: ["ruby"], command: () => `ruby ${source("careful.rb")}` },
  { name: "PHP", tools: ["php"], command: () => `php ${source("careful.php")}` },
  {
    name: "C#",
    tools: ["mcs", "mono"],
    make: (folder) => [
      "mcs",
      "-langversion:7.2",
      "-r:System.Net.Http,System.Runtime.Serialization,System.Xml,System.Xml.Linq",
      `-out:${path.join(folder, "careful.exe")}`,
      source("Careful.cs"),
    ],
    command: (folder) => `mono ${path.join(folder, "careful.exe")}`,
  },
  {
    name: "Rust",
    tools: ["cargo"],
    make: () => {
      keep(path.join(compiled, "rust", "Cargo.toml"), cargoFile);
      keep(path.join(compiled, "rust", "src", "main.rs"), readFileSync(source("careful.rs"), "utf8"));
      const manifest = ["--manifest-path", path.join(compiled, "rust", "Cargo.toml")];
      const from = cargoSource.flatMap((setting) => ["--config", setting]);
      return ["cargo", "build", "--offline", "--quiet", ...manifest, ...from];
    },
    command: () => path.join(compiled, "rust", "target", "debug", "careful"),
  },
];

const isHere = (tool: string): boolean =>
  spawnSync(tool, ["--version"]).error === undefined &&
  (tool !== "cargo" || existsSync(path.join(crates, "ureq-2.6.2")));

const only = triesAll ? [] : ["place-answer-lost", "cancel-undisturbed"];

test.for(languages)(
  "$name: orders are neither doubled nor lost",
  async ({ tools, make, command }, { skip }) => {
    const missing = tools.filter((tool) => !isHere(tool));
    skip(missing.length > 0, `this machine lacks ${missing.join(", ")}`);
    const folder = mkdtempSync(path.join(tmpdir(), "gatewright-client-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [tool, ...args] = make?.(folder) ?? ["true"];
    const env = { ...process.env, GOCACHE: path.join(compiled, "go") };
    const made = spawnSync(tool, args, { cwd: folder, encoding: "utf8", env });
    expect([made.status, made.stderr]).toEqual([0, ""]);
    const { report } = await runExam({
      command: command(folder),
      again: "",
      tasks: ["place", "cancel"],
      only,
      limitMs: 60_000,
      seed: 1,
      jobs: 2,
    });
    const asked = report.cases.filter(({ outcome }) => outcome !== "notApplicable" && outcome !== "filtered");
    expect(asked.length).toBeGreaterThanOrEqual(triesAll ? 4 : only.length);
    expect(
      asked.filter(({ outcome }) => outcome !== "passed").map(({ id, findings }) => ({ id, findings })),
    ).toEqual([]);
  },
);
