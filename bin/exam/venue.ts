/** The simulator of one situation. It can be restarted at its address, with everything that it has committed. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ControlledSimulator, type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import type { Sent } from "./evidence.ts";
import { readSent } from "./read-sent.ts";
import type { Situation } from "./situation.ts";

/** Names of the keys: of the client, and of another session of it. */
export const candidate = "candidate";
export const colleague = "colleague";

const everything = ["read:orders", "write:orders", "read:account", "read:market-data"];

/** The market moves only where a situation moves it, and orders are matched as they come. */
const worldOf = ({ faults = [], settings }: Situation): object => ({
  extends: "demo",
  market: "ladder",
  magic: false,
  settings: { matchDelayMs: 0, ...settings },
  keys: [candidate, colleague].map((name) => ({
    name,
    keyId: `gw_${name}_${randomBytes(6).toString("hex")}`,
    secret: randomBytes(24).toString("hex"),
    client: "alice",
    claims: everything,
  })),
  faults: faults.map((rule) => ({ key: candidate, ...rule })),
});

/** How long the venue is away. */
const awayMs = 300;

export interface Key {
  readonly keyId: string;
  readonly secret: string;
}

export class Venue {
  readonly #options: SimulatorOptions;
  #simulator: ControlledSimulator;
  readonly #sent: Sent[] = [];
  #reading: Promise<readonly Sent[]> = Promise.resolve([]);
  #lastRead = 0;

  /** `Venue.start` makes one. */
  constructor(options: SimulatorOptions, simulator: ControlledSimulator) {
    this.#options = options;
    this.#simulator = simulator;
  }

  /** `folder` keeps what a restart needs. */
  static async start(situation: Situation, seed: number, folder: string): Promise<Venue> {
    const options: SimulatorOptions = {
      world: worldOf(situation),
      seed,
      clock: "real",
      defects: situation.variants ?? [],
      controlToken: randomBytes(24).toString("hex"),
      ...(situation.restarts === true ? { db: path.join(folder, "venue.db") } : {}),
    };
    return new Venue(options, await startControlled(options));
  }

  get baseUrl(): string {
    return this.#simulator.baseUrl;
  }

  get wsUrl(): string {
    return this.#simulator.wsUrl;
  }

  get control(): ControlledSimulator["control"] {
    return this.#simulator.control;
  }

  key(wanted: string): Key {
    const key = this.#simulator.keys.find(({ name }) => name === wanted);
    if (key === undefined) throw new Error(`the world of the exam has no key ${wanted}`);
    return { keyId: key.keyId, secret: key.secret };
  }

  /** The requests of the client until now. One reading at a time: two at once would give a request twice. */
  sent(): Promise<readonly Sent[]> {
    const reading = this.#reading.then(() => this.#readOn());
    this.#reading = reading.catch(() => []);
    return reading;
  }

  async #readOn(): Promise<readonly Sent[]> {
    const { pathname } = new URL(this.baseUrl);
    const wanted = { key: candidate, prefix: pathname, after: this.#lastRead };
    const { sent, last } = await readSent(this.control, wanted);
    this.#lastRead = last;
    this.#sent.push(...sent);
    return this.#sent;
  }

  async restart(): Promise<void> {
    await this.sent();
    const port = Number(new URL(this.baseUrl).port);
    await this.#simulator.close();
    await pause(awayMs);
    this.#simulator = await startControlled({ ...this.#options, port });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#simulator.close();
  }
}

const startControlled = (options: SimulatorOptions): Promise<ControlledSimulator> =>
  startSimulator({ ...options, control: "loopback", host: "127.0.0.1" });
