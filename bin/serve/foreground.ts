/** A venue that runs until a signal, or its own end, ends the process. */
import process from "node:process";
import { exitCodes } from "../../conformance/exit-codes.ts";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { writeRunFile } from "../run-file.ts";
import { jsonText, show } from "../screen.ts";
import { say } from "./log.ts";

/** How long a shutdown may take before the process ends anyway. */
const closingGraceMs = 5_000;
/** How long a venue that has stopped itself still answers with the reason, and how long its shutdown may take then. */
const noticeMs = 250;
const stoppedGraceMs = 500;

type Heard = Required<Pick<SimulatorOptions, "onNotice" | "onStopped" | "onKeys">>;
type Start = (heard: Heard) => Promise<Simulator>;

export class Foreground {
  readonly #heard: Heard = {
    onNotice: say,
    onKeys: () => this.#writeRunFile(),
    onStopped: (sentence) => {
      say(sentence);
      void this.#endUnlessOthersGoOn();
    },
  };
  /** Undefined before the first start, and between an end and the next start. */
  #running: Simulator | undefined;
  #removeRunFile = (): void => undefined;

  /** Shows where it is when it is ready: with `json` as the ready line. */
  static async start(json: boolean, start: Start): Promise<Foreground> {
    const foreground = new Foreground();
    const leave = stopOnBug();
    const simulator = await start(foreground.#heard).catch((error: unknown) => {
      leave();
      throw error;
    });
    foreground.#running = simulator;
    // Before the ready line, because a reader of that line may stop it at once.
    foreground.#stopOnSignal();
    process.once("exit", () => foreground.#removeRunFile());
    foreground.#writeRunFile();
    show(json ? `${jsonText(simulator.readyLine())}\n` : simulator.banner());
    return foreground;
  }

  get simulator(): Simulator {
    if (this.#running === undefined) throw new Error("no simulator runs");
    return this.#running;
  }

  /** Another venue takes its place. */
  async replace(start: Start): Promise<void> {
    const before = this.#running;
    this.#running = undefined;
    await before?.close();
    this.#running = await start(this.#heard);
    this.#writeRunFile();
  }

  /** A folder that cannot be written costs other commands their way to the sandbox, and the sandbox nothing. */
  #writeRunFile(): void {
    if (this.#running === undefined) return;
    try {
      this.#removeRunFile = writeRunFile(this.#running.readyLine());
    } catch (error) {
      say(
        `no run file in this folder, so name this sandbox to other commands with --ready-file: ${String(error)}`,
      );
    }
  }

  /** A venue that has stopped itself ends the process, unless it has other worlds. */
  async #endUnlessOthersGoOn(): Promise<void> {
    const worlds = (await this.#running?.control?.world.list().catch(() => [])) ?? [];
    const others = worlds.map(({ name }) => name).filter((name) => name !== "main");
    if (others.length === 0) {
      setTimeout(() => this.#end(exitCodes.venueStopped, stoppedGraceMs), noticeMs);
      return;
    }
    const more = others.length > 10 ? ` and ${others.length - 10} more` : "";
    say(`the other worlds go on, until this process ends: ${others.slice(0, 10).join(", ")}${more}`);
  }

  /** Closes, and ends with this code; after the grace in any case. */
  #end(code: number, graceMs: number): void {
    setTimeout(() => process.exit(code), graceMs);
    const exit = (): void => process.exit(code);
    this.#running?.close().then(exit, exit);
  }

  /** The first signal drains and ends with 0; a second one ends at once. */
  #stopOnSignal(): void {
    let stopping = false;
    const stop = (signal: NodeJS.Signals): void => {
      if (stopping) process.exit(signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
      stopping = true;
      say(`${signal}: answering the requests in progress, then stopping`);
      const late = setTimeout(() => process.exit(exitCodes.internalError), closingGraceMs);
      late.unref();
      (this.#running?.close() ?? Promise.resolve()).then(
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
}

/**
 * The process is in an unknown state: it ends at once. Acknowledged orders are on the disk, and the next start recovers
 * them. Here and not in the library, whose caller owns the process. What it gives back takes that away again, after a start
 * that was refused.
 */
function stopOnBug(): () => void {
  const stop = (error: unknown): void => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say(
      `a bug in gatewright stopped this venue; everything that it has acknowledged is in its file. Start it again.\n${detail}`,
    );
    process.exit(exitCodes.venueStopped);
  };
  const events = ["uncaughtException", "unhandledRejection"] as const;
  for (const event of events) process.on(event, stop);
  return () => {
    for (const event of events) process.off(event, stop);
  };
}
