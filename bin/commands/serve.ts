/** `gatewright serve`: the simulator in the foreground. Imports nothing of the kit: start-up time is a promise. */
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { exitCodes } from "../../conformance/exit-codes.ts";
import {
  clockModes,
  freedomSets,
  type RequestLine,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../simulator/index.ts";
import { CommandFailure } from "../command-failure.ts";
import { withVariables } from "../flag-environment.ts";
import { collect, eachIn, type FlagsOf, portNumber, readSeed, wholeNumber } from "../flag-values.ts";
import { openPage } from "../open-page.ts";
import { onParentGone } from "../parent.ts";
import { writeRunFile } from "../run-file.ts";
import { hangingLines, jsonText, show, tell } from "../screen.ts";
import { quotaOf, storeOf } from "../shared-flags.ts";

/** How long a shutdown may take before the process ends anyway. */
const closingGraceMs = 5_000;
/** How long a venue that has stopped itself still answers with the reason, and how long its shutdown may take then. */
const noticeMs = 250;
const stoppedGraceMs = 500;

const logForms = ["pretty", "json", "off"] as const;
const logLevels = ["notices", "requests"] as const;
const logForm = new Option("--log <form>", "log on stderr: sentences, a line of JSON each, or none");
const logLevel = new Option(
  "--log-level <level>",
  "what is logged: notices, or each request, too; default: requests where stderr is a terminal",
);
/** One venue runs in a process, and its notices have one form. */
let form: (typeof logForms)[number] = "pretty";

const minutes = wholeNumber(1, 1_000_000);
const days = wholeNumber(1, 100_000);

const declare = (program: Command) =>
  withVariables(program.command("serve"))
    .description("Start the simulator: the whole gateway on this machine.")
    .option("--port <number>", "port to listen on; 0 = any free one", portNumber, 8080)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option(
      "--allow-host <name>",
      "host name that it answers to, besides those of this machine (repeatable)",
      eachIn(collectHost),
      [],
    )
    .option("--db <file>", "database file, or :memory:", "gatewright.db")
    .addOption(
      new Option(
        "--store <url>",
        "PostgreSQL that nodes share, in the place of a file: postgres://user@host/name",
      ).conflicts("db"),
    )
    .option("--node <name>", "name of this node, with --store; default: that of this machine")
    .option(
      "--sleep-after <minutes>",
      "when a world of the store that nobody uses sleeps; default: 10",
      minutes,
    )
    .option("--quota-entries <number>", "most journal entries of each world but main", wholeNumber(1, 1e9))
    .option("--quota-rate <number>", "most requests a second of each world but main", wholeNumber(1, 1e6))
    .option("--quota-unused <days>", "days after which an unused world of the store is deleted", days)
    .option("--follow <world>", "world whose reads this node answers, too (repeatable)", eachIn(collect), [])
    .option("--lossy-store", "take a PostgreSQL with synchronous_commit=off, which can lose orders")
    .option("--world <file>", "world file (YAML); default: the demo world")
    .option("--seed <number>", "seed of ids and synthetic market", readSeed)
    .addOption(new Option("--clock <mode>", "market clock").choices(clockModes))
    .option(
      "--freedom <id=option>",
      "option of a freedom: F-self-trade=none (repeatable)",
      eachIn(collect),
      [],
    )
    .addOption(new Option("--freedom-set <name>", "named set of options of freedoms").choices(freedomSets))
    .option("--hostile <seed>", "let a seed choose every freedom; no clause is broken", readSeed)
    .addOption(
      new Option("--control <where>", "addresses on which the control surface answers")
        .choices(["loopback", "remote", "off"] as const)
        .default("loopback" as const),
    )
    .addOption(
      new Option("--control-token <token>", "bearer token of the control surface; default: a random one"),
    )
    .option("--public-demo-secrets", "let other machines use the public secrets of demo keys (with --host)")
    .option("--defect <id>", "switch on a built-in bug, such as M-041 (repeatable)", eachIn(collect), [])
    .option("--variant <id>", "switch on a legal variation, such as V-07 (repeatable)", eachIn(collect), [])
    .option("--no-exchanges", "keep no log of requests and answers")
    .option("--open", "open the console in a browser")
    .option("--with-parent", "end with the process that has started it, or with its standard input")
    .option("--json", "print one JSON line when ready, and nothing else on stdout")
    .addOption(logForm.choices(logForms).default("pretty" as const))
    .addOption(logLevel.choices(logLevels));

export const register = (program: Command): void => void declare(program).action(serve);

type Flags = FlagsOf<typeof declare>;

async function serve(flags: Flags): Promise<void> {
  const { port, host, db, control, world, seed, clock, freedomSet, hostile, exchanges } = flags;
  form = flags.log;
  const defects = [...flags.defect, ...flags.variant];
  if (defects.length > 0) say(`this venue has built-in bugs or variations: ${defects.join(", ")}`);
  if (flags.withParent === true) onParentGone(stopAfterParent);
  const simulator = await inForeground(flags.json === true, (heard) =>
    startSimulator({
      port,
      host,
      allowHosts: flags.allowHost,
      db,
      control,
      exchanges,
      worldQuota: quotaOf(flags),
      ...(flags.store === undefined ? {} : { store: storeOf(flags.store, flags) }),
      ...(world === undefined ? {} : { world }),
      ...(seed === undefined ? {} : { seed }),
      ...(clock === undefined ? {} : { clock }),
      ...(freedomSet === undefined ? {} : { freedomSet }),
      ...(hostile === undefined ? {} : { hostile }),
      ...(flags.freedom.length === 0 ? {} : { freedoms: readChoices(flags.freedom) }),
      ...(isTold(flags) ? { onRequest: sayRequest } : {}),
      ...(flags.controlToken === undefined ? {} : { controlToken: flags.controlToken }),
      ...(flags.publicDemoSecrets === true ? { publicDemoSecrets: true } : {}),
      defects,
      ...heard,
    }),
  );
  const { consoleUrl } = simulator.readyLine();
  if (flags.open !== true) return;
  if (consoleUrl === null) say("there is no console to open: the control surface is off");
  else openPage(consoleUrl, say);
}

type Heard = Required<Pick<SimulatorOptions, "onNotice" | "onStopped" | "onKeys">>;

/** Starts a simulator that runs until a signal, or its own end, ends the process; and shows where it is. */
export async function inForeground(
  json: boolean,
  start: (heard: Heard) => Promise<Simulator>,
): Promise<Simulator> {
  stopOnBug(say);
  let running: Simulator | undefined = undefined;
  let changed = (): void => undefined;
  const started = start({
    onNotice: say,
    onKeys: () => changed(),
    onStopped: (sentence) => {
      say(sentence);
      void endUnlessOthersGoOn(running);
    },
  });
  const simulator = await started;
  running = simulator;
  // Before the ready line, because a reader of that line may stop it at once.
  stopOnSignal(simulator, say);
  changed = runFileOf(simulator);
  changed();
  show(json ? `${jsonText(simulator.readyLine())}\n` : simulator.banner());
  return simulator;
}

function say(sentence: string): void {
  if (form === "pretty") tell(`gatewright: ${hangingLines(sentence)}\n`);
  if (form === "json") tell(`${jsonText({ time: new Date().toISOString(), message: sentence })}\n`);
}

const isTold = ({ log, logLevel }: Flags): boolean =>
  log !== "off" && (logLevel ?? (process.stderr.isTTY ? "requests" : "notices")) === "requests";

function sayRequest(line: RequestLine): void {
  if (form === "json") return tell(`${jsonText(line)}\n`);
  const { time, status, method, path, ms, key, world, id, code } = line;
  const owner = [key ?? "no known key", ...(world === "main" ? [] : [world])].join("@");
  const refused = code === null ? "" : ` ${code}`;
  tell(`${time.slice(11, 23)} ${status || "---"} ${method} ${path}${refused} ${ms} ms ${owner} ${id}\n`);
}

/**
 * Returns what writes the run file, now and when the ready line has changed; it goes with the process. A folder that cannot
 * be written costs other commands their way to the sandbox, and the sandbox nothing.
 */
function runFileOf(simulator: Simulator): () => void {
  let remove = (): void => undefined;
  process.once("exit", () => remove());
  return () => {
    try {
      remove = writeRunFile(simulator.readyLine());
    } catch (error) {
      say(
        `no run file in this folder, so name this sandbox to other commands with --ready-file: ${String(error)}`,
      );
    }
  };
}

interface Closable {
  close(): Promise<void>;
}

/** Whoever read what this process says may be gone with it. */
function stopAfterParent(): void {
  process.stderr.on("error", () => undefined);
  say("the process that has started this one has ended");
  process.kill(process.pid, "SIGTERM");
}

/** A venue that has stopped itself ends the process, unless it has other worlds. */
async function endUnlessOthersGoOn(simulator: Simulator | undefined): Promise<void> {
  const worlds = (await simulator?.control?.world.list().catch(() => [])) ?? [];
  const others = worlds.map(({ name }) => name).filter((name) => name !== "main");
  if (others.length === 0) {
    setTimeout(() => end(simulator, exitCodes.venueStopped, stoppedGraceMs), noticeMs);
    return;
  }
  const more = others.length > 10 ? ` and ${others.length - 10} more` : "";
  say(`the other worlds go on, until this process ends: ${others.slice(0, 10).join(", ")}${more}`);
}

/** Closes, and ends with this code; after the grace in any case. */
function end(simulator: Closable | undefined, code: number, graceMs: number): void {
  setTimeout(() => process.exit(code), graceMs);
  const exit = (): void => process.exit(code);
  simulator?.close().then(exit, exit);
}

/** The first signal drains and ends with 0; a second one ends at once. */
function stopOnSignal(simulator: Closable, say: (sentence: string) => void): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
    stopping = true;
    say(`${signal}: answering the requests in progress, then stopping`);
    const late = setTimeout(() => process.exit(exitCodes.internalError), closingGraceMs);
    late.unref();
    simulator.close().then(
      () => process.exit(exitCodes.ok),
      (error: unknown) => {
        say(`the shutdown failed: ${error instanceof Error ? error.message : String(error)}`);
        process.exit(exitCodes.internalError);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

/**
 * The process is in an unknown state: it ends at once. Acknowledged orders are on the disk, and the next start recovers
 * them. Here and not in the library, whose caller owns the process.
 */
function stopOnBug(say: (sentence: string) => void): void {
  const stop = (error: unknown): void => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say(
      `a bug in gatewright stopped this venue; everything that it has acknowledged is in its file. Start it again.\n${detail}`,
    );
    process.exit(exitCodes.venueStopped);
  };
  process.on("uncaughtException", stop);
  process.on("unhandledRejection", stop);
}

/** Each is ID=OPTION; the simulator knows which there are. */
const readChoices = (given: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    given.map((text) => {
      const [id, option] = text.split("=", 2);
      if (id === undefined || option === undefined || option === "")
        throw new CommandFailure(
          `--freedom ${text}: write ID=OPTION, such as F-self-trade=none`,
          exitCodes.usage,
        );
      return [id, option];
    }),
  );

function collectHost(name: string, before: readonly string[]): string[] {
  if (!/^[A-Za-z0-9._-]{1,253}$/.test(name))
    throw new InvalidArgumentError("It must be a host name, without scheme and port.");
  return [...before, name];
}
