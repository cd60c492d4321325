/**
 * Finds the smallest part of hostile behaviour that breaks a client: the command is run against the demo world as it is, then
 * against one seed after another until it fails, once more to be sure, and then with less and less.
 *
 * **Invariants.** Each run has a world of its own, in which nothing has happened before. A cause that is named has made
 * the client fail twice, and the demo world without it has not.
 *
 * **Known limits.** A client that fails by chance can be reduced to something that it does not depend on. Two runs at the end
 * make that rare. Points that only matter together with others that were not drawn are not found by this seed.
 */
import { reduce } from "../../conformance/commands.ts";
import { startSimulator } from "../../simulator/index.ts";
import { type ClientEnd, runClient } from "../client-process.ts";
import { worldOf } from "./found-world.ts";
import { type Point, pointsOf } from "./points.ts";

export interface BisectOptions {
  /** For the shell. */
  readonly command: string;
  /** Seeds to try at most. */
  readonly runs: number;
  readonly seed: number;
  readonly limitMs: number;
  /** Runs at once while a seed is looked for. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

export interface Bisected {
  /**
   * `broken`: by `points`. `sturdy`: by no seed. `broken-anyway`: by the demo world as it is. `unsteady`: once, and then not
   * again. `interrupted`: `points` is the best until then.
   */
  readonly kind: "broken" | "sturdy" | "broken-anyway" | "unsteady" | "interrupted";
  readonly seed: number | undefined;
  readonly points: readonly Point[];
  /** How many points the seed had activated. */
  readonly activated: number;
  /** How often the command was run. */
  readonly runs: number;
  readonly durationMs: number;
  /** The last run that failed. */
  readonly end: ClientEnd | undefined;
}

export async function bisect(options: BisectOptions): Promise<Bisected> {
  const begun = performance.now();
  await using simulator = await startSimulator();
  const search = new Search(options, (world) => simulator.world({ world }));
  const found = await search.find();
  return {
    ...found,
    runs: search.runs,
    end: search.failed,
    durationMs: Math.round(performance.now() - begun),
  };
}

type Found = Pick<Bisected, "kind" | "seed" | "points" | "activated">;
type World = Awaited<ReturnType<Awaited<ReturnType<typeof startSimulator>>["world"]>>;

class Search {
  runs = 0;
  failed: ClientEnd | undefined;
  readonly #options: BisectOptions;
  readonly #makeWorld: (world: object) => Promise<World>;

  constructor(options: BisectOptions, makeWorld: (world: object) => Promise<World>) {
    this.#options = options;
    this.#makeWorld = makeWorld;
  }

  async find(): Promise<Found> {
    const none = { seed: undefined, points: [], activated: 0 } as const;
    this.#say("the demo world as it is");
    if (await this.#breaks([])) return { kind: this.#isOver ? "interrupted" : "broken-anyway", ...none };
    const seed = await this.#breakingSeed();
    if (this.#isOver) return { kind: "interrupted", ...none };
    if (seed === undefined) return { kind: "sturdy", ...none };
    return this.#reduced(seed);
  }

  async #reduced(seed: number): Promise<Found> {
    const all = pointsOf(seed);
    const activated = all.length;
    this.#say(`seed ${seed} breaks it, with ${activated} points; once more to be sure`);
    if (!(await this.#breaks(all)) && !this.#isOver)
      return { kind: "unsteady", seed, points: all, activated };
    let best: readonly Point[] = all;
    const points = await reduce(
      all,
      (part) => this.#breaks(part),
      (part) => {
        if (this.#isOver) return;
        best = part;
        this.#say(`${part.length} of them break it`);
      },
    );
    if (this.#isOver) return { kind: "interrupted", seed, points: best, activated };
    this.#say("the least that was found, once more, and the demo world as it is");
    const isSure = (await this.#breaks(points)) && !(await this.#breaks([]));
    const kind = this.#isOver ? "interrupted" : isSure ? "broken" : "unsteady";
    return { kind, seed, points, activated };
  }

  /** The first of the seeds that breaks the client, several at once. */
  async #breakingSeed(): Promise<number | undefined> {
    const { runs, seed: first, jobs } = this.#options;
    const breaking: number[] = [];
    let next = first;
    const lane = async (): Promise<void> => {
      while (breaking.length === 0 && next < first + runs && !this.#isOver) {
        const seed = next++;
        const broke = await this.#breaks(pointsOf(seed));
        if (broke) breaking.push(seed);
        else this.#say(`seed ${seed} does not break it`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, lane));
    return breaking.length === 0 ? undefined : Math.min(...breaking);
  }

  get #isOver(): boolean {
    return this.#options.signal.aborted;
  }

  #say(line: string): void {
    this.#options.onProgress(line);
  }

  /** A run that was interrupted says nothing about the client: it counts as broken, and the caller sees the signal. */
  async #breaks(points: readonly Point[]): Promise<boolean> {
    if (this.#isOver) return true;
    const { command, limitMs, signal } = this.#options;
    this.runs += 1;
    await using world = await this.#makeWorld(worldOf(points));
    const key = world.keys.find(({ name }) => name === "trader") ?? { keyId: "", secret: "" };
    const end = await runClient({
      command,
      environment: {
        GATEWRIGHT_BASE_URL: world.baseUrl,
        GATEWRIGHT_WS_URL: world.wsUrl,
        GATEWRIGHT_KEY_ID: key.keyId,
        GATEWRIGHT_SECRET: key.secret,
      },
      mark: `GATEWRIGHT_KEY_ID=${key.keyId}\0`,
      limitMs,
      signal,
    });
    const broke = end.kind !== "exited" || end.code !== 0;
    if (broke && end.kind !== "interrupted") this.failed = end;
    return broke;
  }
}
