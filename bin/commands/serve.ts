/** `gatewright serve`: the simulator in the foreground. Imports nothing of the kit: start-up time is a promise. */
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { exitCodes } from "../../conformance/exit-codes.ts";
import {
  clockModes,
  freedomSets,
  type SimulatorOptions,
  startSimulator,
  worldFiles,
} from "../../simulator/index.ts";
import { CommandFailure } from "../command-failure.ts";
import { withVariables } from "../flag-environment.ts";
import { collect, eachIn, type FlagsOf, portNumber, readSeed, wholeNumber } from "../flag-values.ts";
import { openPage } from "../open-page.ts";
import { onParentGone } from "../parent.ts";
import { Foreground } from "../serve/foreground.ts";
import { logForms, logLevels, say, sayRequest, setLogForm } from "../serve/log.ts";
import { quotaOf, storeOf } from "../serve/shared-flags.ts";
import { WatchedWorld } from "../serve/watched-world.ts";

const logForm = new Option("--log <form>", "log on stderr: sentences, a line of JSON each, or none");
const logLevel = new Option(
  "--log-level <level>",
  "what is logged: notices, or each request, too; default: requests where stderr is a terminal",
);
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
    .option("--watch", "begin anew when the world file changes (with --world and --db :memory:)")
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
  setLogForm(flags.log);
  const options = optionsOf(flags);
  const { defects = [] } = options;
  if (defects.length > 0) say(`this venue has built-in bugs or variations: ${defects.join(", ")}`);
  if (flags.withParent === true) onParentGone(stopAfterParent);
  const watched = flags.watch === true ? await watchedWorld(flags, options) : undefined;
  const foreground = await Foreground.start(flags.json === true, (heard) =>
    startSimulator({ ...options, ...heard }),
  );
  const { baseUrl, consoleUrl, controlToken } = foreground.simulator.readyLine();
  watched?.begin(() => {
    const place = { port: Number(new URL(baseUrl).port), ...(controlToken !== null && { controlToken }) };
    return foreground.replace((heard) => startSimulator({ ...options, ...place, ...heard }));
  });
  if (flags.open !== true) return;
  if (consoleUrl === null) say("there is no console to open: the control surface is off");
  else openPage(consoleUrl, say);
}

function watchedWorld({ world, db }: Flags, options: SimulatorOptions): Promise<WatchedWorld> {
  if (world !== undefined && db === ":memory:") return WatchedWorld.of(world, () => worldFiles(options));
  throw new CommandFailure(
    "--watch begins a new world at each change of its file, which a database file cannot follow: give --world FILE and --db :memory:",
    exitCodes.usage,
  );
}

function optionsOf(flags: Flags): SimulatorOptions {
  const { port, host, db, control, world, seed, clock, freedomSet, hostile, exchanges } = flags;
  return {
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
    defects: [...flags.defect, ...flags.variant],
  };
}

/** Whoever read what this process says may be gone with it. */
function stopAfterParent(): void {
  process.stderr.on("error", () => undefined);
  say("the process that has started this one has ended");
  process.kill(process.pid, "SIGTERM");
}

const isTold = ({ log, logLevel }: Flags): boolean =>
  log !== "off" && (logLevel ?? (process.stderr.isTTY ? "requests" : "notices")) === "requests";

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
