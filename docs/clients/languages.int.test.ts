/**
 * The clients of languages whose tools a machine may lack: one of them in some situations of the exam, and all in all of them
 * with `npm run test:whole -- docs/clients/languages.int.test.ts`. Those of Node and Python: clients.int.test.ts and bin/exam.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runExam } from "../../bin/exam/exam.ts";
import { triesAll } from "../../tools/sampled.ts";

interface Program {
  /** What makes it, if it has to be made. */
  readonly make?: (folder: string) => readonly [tool: string, ...args: string[]];
  readonly command: (folder: string) => string;
}

interface Language {
  readonly name: string;
  /** Skipped where one of these fails, which are commands with their arguments. */
  readonly needs: readonly string[];
  readonly careful: Program;
  readonly follow: Program;
}

const source = (file: string): string => path.join(import.meta.dirname, file);
/** All files of a language that follow the stream. */
const streamSources = (ending: string): string[] =>
  readdirSync(source("stream"))
    .filter((file) => file.endsWith(ending))
    .map((file) => source(path.join("stream", file)));
/** What Go and Rust have compiled of their libraries, which takes a minute, and is the same in each run. */
const compiled = path.join(import.meta.dirname, "../../node_modules/.cache/gatewright-clients");
/** Where Debian puts the packages of Rust: a test fetches none. */
const crates = "/usr/share/cargo/registry";
/** And those of Go. */
const goPackages = "/usr/share/gocode";

const cargoFile = `[package]
name = "clients"
version = "0.0.0"
edition = "2021"
[[bin]]
name = "careful"
path = "src/careful.rs"
[[bin]]
name = "follow"
path = "src/follow.rs"
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

const java = (main: string, ...files: readonly string[]): Program => ({
  make: (folder) => ["javac", "-d", folder, source("Json.java"), ...files],
  // It lives for a second: to optimise it costs more than it saves.
  command: (folder) => `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp ${folder} ${main}`,
});

const go = (...files: readonly string[]): Program => ({
  make: (folder) => ["go", "build", "-o", path.join(folder, "client"), ...files],
  command: (folder) => path.join(folder, "client"),
});

const libraries = "-r:System.Net.Http,System.Runtime.Serialization,System.Xml,System.Xml.Linq";
const mono = (...files: readonly string[]): Program => ({
  make: (folder) => [
    "mcs",
    "-langversion:7.2",
    libraries,
    `-out:${path.join(folder, "client.exe")}`,
    ...files,
  ],
  command: (folder) => `mono ${path.join(folder, "client.exe")}`,
});

const rust = (name: string): Program => ({
  make: () => {
    const crate = path.join(compiled, "rust");
    keep(path.join(crate, "Cargo.toml"), cargoFile);
    for (const file of [source("careful.rs"), ...streamSources(".rs")])
      keep(path.join(crate, "src", path.basename(file)), readFileSync(file, "utf8"));
    const from = cargoSource.flatMap((setting) => ["--config", setting]);
    const manifest = ["--manifest-path", path.join(crate, "Cargo.toml")];
    return ["cargo", "build", "--offline", "--quiet", "--bin", name, ...manifest, ...from];
  },
  command: () => path.join(compiled, "rust", "target", "debug", name),
});

const languages: readonly Language[] = [
  // First, because nothing is compiled: it is the one of `npm test` where it is installed.
  {
    name: "Ruby",
    needs: ["ruby -rwebsocket/driver -e 1"],
    careful: { command: () => `ruby ${source("careful.rb")}` },
    follow: { command: () => `ruby ${source("stream/follow.rb")}` },
  },
  {
    name: "Java",
    needs: ["javac --version"],
    careful: java("Careful", source("Careful.java")),
    follow: java("Follow", ...streamSources(".java")),
  },
  {
    name: "Go",
    needs: ["go version", `test -d ${goPackages}/src/github.com/gorilla/websocket`],
    careful: go(source("careful.go")),
    follow: go(...streamSources(".go")),
  },
  {
    name: "PHP",
    needs: ["php --version"],
    careful: { command: () => `php ${source("careful.php")}` },
    follow: { command: () => `php ${source("stream/follow.php")}` },
  },
  {
    name: "C#",
    needs: ["mcs --version", "mono --version"],
    careful: mono(source("Careful.cs")),
    follow: mono(...streamSources(".cs")),
  },
  {
    name: "Rust",
    needs: ["cargo --version", `test -d ${crates}/ureq-2.6.2`],
    careful: rust("careful"),
    follow: rust("follow"),
  },
];

const works = (command: string): boolean => {
  const [tool = "", ...args] = command.split(" ");
  return spawnSync(tool, args).status === 0;
};
/** The first whose tools are here: the others are tried in `npm run test:whole`. */
let sampledLanguage: string | undefined;

const programs = {
  careful: { tasks: ["place", "cancel"], sample: ["place-answer-lost", "cancel-undisturbed"] },
  follow: { tasks: ["follow", "book"], sample: ["follow-cut"] },
} as const;
const trials = languages.flatMap((language) =>
  (["careful", "follow"] as const).map((program) => ({ ...language, program })),
);

test.for(trials)("$name: the program $program passes", async ({ needs, program, ...language }, { skip }) => {
  skip(!triesAll && (sampledLanguage ?? language.name) !== language.name, "tried in npm run test:whole");
  const missing = needs.filter((command) => !works(command));
  skip(missing.length > 0, `this machine lacks ${missing.join(", ")}`);
  sampledLanguage = language.name;
  const { make, command } = language[program];
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [tool, ...args] = make?.(folder) ?? ["true"];
  const env = { ...process.env, GOCACHE: path.join(compiled, "go"), GOPATH: goPackages, GO111MODULE: "off" };
  const made = spawnSync(tool, args, { cwd: folder, encoding: "utf8", env });
  expect([made.status, made.stderr]).toEqual([0, ""]);
  const { tasks, sample } = programs[program];
  const { report } = await runExam({
    command: command(folder),
    again: "",
    tasks,
    only: triesAll ? [] : sample,
    limitMs: 60_000,
    seed: 1,
    jobs: 2,
  });
  const asked = report.cases.filter(({ outcome }) => outcome !== "notApplicable" && outcome !== "filtered");
  expect(asked.length).toBeGreaterThanOrEqual(triesAll ? 4 : sample.length);
  expect(
    asked.filter(({ outcome }) => outcome !== "passed").map(({ id, findings }) => ({ id, findings })),
  ).toEqual([]);
});
