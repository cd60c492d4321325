import type { Command } from "@commander-js/extra-typings";

export type CommandEntry = Readonly<{
  name: string;
  /** The line in `gatewright --help`, known without loading the command. */
  summary: string;
  load: () => Promise<CommandModule>;
}>;

export type CommandModule = Readonly<{ register: (program: Command) => void }>;

/** In the order of the help text. Each is loaded only when it runs: `serve` never loads the modules of `conform`. */
export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Start the simulator: the whole gateway on this machine",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "check",
    summary: "Replay the journal of a venue and report whether its file is intact",
    load: () => import("./commands/check.ts"),
  },
  {
    name: "backup",
    summary: "Copy a venue to another file, even while it runs",
    load: () => import("./commands/backup.ts"),
  },
  {
    name: "reset",
    summary: "Remove the files of a venue, so that the next start begins anew",
    load: () => import("./commands/reset.ts"),
  },
  {
    name: "ctl",
    summary: "Control a running sandbox: clock, faults, products, orders, deposits, keys",
    load: () => import("./commands/ctl.ts"),
  },
  {
    name: "nodes",
    summary: "List the nodes that share a store, and the worlds that each serves",
    load: () => import("./commands/nodes.ts"),
  },
  {
    name: "tail",
    summary: "Show what clients send to a running sandbox, and what they get, live",
    load: () => import("./commands/tail.ts"),
  },
  {
    name: "why",
    summary: "Explain an order or a request of a running sandbox, from its journal",
    load: () => import("./commands/why.ts"),
  },
  {
    name: "watch",
    summary: "Watch a running gateway: book, trades and your orders, live",
    load: () => import("./commands/watch.ts"),
  },
  {
    name: "conform",
    summary: "Run the scenarios against a target and report whether it conforms",
    load: () => import("./commands/conform.ts"),
  },
  {
    name: "plan",
    summary: "Show what conform would send to a target, and why, without sending it",
    load: () => import("./commands/plan.ts"),
  },
  {
    name: "cleanup",
    summary: "Cancel the orders that an interrupted run has left open",
    load: () => import("./commands/cleanup.ts"),
  },
  {
    name: "probe",
    summary: "Examine a gateway from outside and draft its profile",
    load: () => import("./commands/probe.ts"),
  },
  {
    name: "learn",
    summary: "Learn how a gateway takes what is left open: a profile, and a world like it",
    load: () => import("./commands/learn.ts"),
  },
  {
    name: "certify",
    summary: "Run the whole suite with fixed rules and sign a certificate",
    load: () => import("./commands/certify.ts"),
  },
  {
    name: "exam",
    summary: "Put a client through what goes wrong, and grade it from what it sent",
    load: () => import("./commands/exam.ts"),
  },
  {
    name: "bisect",
    summary: "Find the least of what a gateway may do that breaks a client",
    load: () => import("./commands/bisect.ts"),
  },
  {
    name: "verify",
    summary: "Check a certificate against its report, offline",
    load: () => import("./commands/verify.ts"),
  },
  {
    name: "replay",
    summary: "Run scenarios or a capsule again, and compare with the recorded answers",
    load: () => import("./commands/replay.ts"),
  },
  {
    name: "capsule",
    summary: "Write a running sandbox into one file that replays anywhere, without secrets",
    load: () => import("./commands/capsule.ts"),
  },
  {
    name: "sign",
    summary: "Print the canonical string, headers and a curl command of a request",
    load: () => import("./commands/sign.ts"),
  },
  {
    name: "doctor",
    summary: "Name the mistake in the signature of a pasted request: curl, raw HTTP, HAR",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "proxy",
    summary: "Sign for tools that cannot: a reverse proxy on loopback",
    load: () => import("./commands/proxy.ts"),
  },
  {
    name: "record",
    summary: "Record what a client and a gateway say to each other: a reverse proxy",
    load: () => import("./commands/record.ts"),
  },
  {
    name: "export",
    summary: "Make a scenario of what was recorded, to run against any target",
    load: () => import("./commands/export.ts"),
  },
  {
    name: "shrink",
    summary: "Reduce a scenario or a recording to the least that still fails",
    load: () => import("./commands/shrink.ts"),
  },
  {
    name: "lint",
    summary: "Check scenario files without sending anything",
    load: () => import("./commands/lint.ts"),
  },
  { name: "list", summary: "List the cases, and what they need", load: () => import("./commands/list.ts") },
  {
    name: "coverage",
    summary: "Show which cases test which clause",
    load: () => import("./commands/coverage.ts"),
  },
  {
    name: "merge",
    summary: "Join the reports of a run that was split into shards",
    load: () => import("./commands/merge.ts"),
  },
  {
    name: "diff",
    summary: "Compare two reports: what got worse, what is fixed",
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "drift",
    summary: "Run the same steps on two targets, and show what a client would notice",
    load: () => import("./commands/drift.ts"),
  },
  {
    name: "explain",
    summary: "Explain a clause of the specification",
    load: () => import("./commands/explain.ts"),
  },
  {
    name: "mutants",
    summary: "Try the suite on known bugs and on legal variations of our simulator",
    load: () => import("./commands/mutants.ts"),
  },
  {
    name: "work",
    summary: "Do the jobs of those who ask with --workers: trials of mutants, shards of conform",
    load: () => import("./commands/work.ts"),
  },
  {
    name: "mcp",
    summary: "Serve a running sandbox to an assistant, over standard input and output",
    load: () => import("./commands/mcp.ts"),
  },
  {
    name: "completion",
    summary: "Print a script that completes commands and flags in bash, zsh or fish",
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "version",
    summary: "Print the version of this program",
    load: () => import("./commands/version.ts"),
  },
];
