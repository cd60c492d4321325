/** The simulator's whole public surface: start one, talk to it over TCP, close it. */
import { createServer } from "node:net";
import { banner } from "./banner.ts";
import { apiPrefix, type Composed } from "./compose.ts";
import type { ControlLibrary } from "./control/all-controls.ts";
import type { ControlledKey } from "./control/control-route.ts";
import { type ControlAccess, controlLibrary } from "./control/library.ts";
import { elsewhere, publicSecrets, reachable } from "./exposure.ts";
import { isLoopback } from "./http/listener-settings.ts";
import type { InternalOptions } from "./internal-options.ts";
import { composeWithStore } from "./join-store.ts";
import type { OpenedCapsule } from "./open-capsule.ts";
import { type SimulatorOptions, StartFailure } from "./options.ts";
import { readWorld } from "./read-world.ts";
import type { Seams } from "./seams.ts";
import { type SignedRequest, signedRequests } from "./signed-request.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { makeWorld, type SimulatorWorld, type WorldOptions } from "./world-handle.ts";

export type { CapsuleDifference, CapsuleReplay, ReplayedEntry } from "./capsule/replay-capsule.ts";
export { capsuleOfFile } from "./capsule-of-file.ts";
export { type CheckProblem, checkVenue, type VenueCheck } from "./check-venue.ts";
export type { ControlLibrary } from "./control/all-controls.ts";
export type { ControlledKey as SimulatorKey } from "./control/control-route.ts";
export { type ControlAccess, ControlRefusal, controlVerbs } from "./control/library.ts";
export type { ControlValue, ControlVerb } from "./control/verb-types.ts";
export {
  diagnoseSignature,
  type SentRequest,
  type SignatureDiagnosis,
} from "./diagnose-signature.ts";
export { clockModes } from "./domain/world.ts";
export { isCapsule, mostCapsuleBytes, type OpenedCapsule, openCapsule } from "./open-capsule.ts";
export { type SimulatorOptions, StartFailure } from "./options.ts";
export { readWorldFile, worldFiles } from "./read-world.ts";
export type { RequestLine } from "./request-line.ts";
export {
  type RequestOptions,
  type SignedAnswer,
  type SignedRequest,
  signedRequests,
} from "./signed-request.ts";
export { backUpVenue, resetVenue, type VenueBackup, type VenueReset } from "./venue-files.ts";
export { type Choices, type Freedom, type FreedomSet, freedomSets, knownFreedoms } from "./world/freedoms.ts";
export { hostileFreedoms } from "./world/hostile.ts";
export type { SimulatorWorld, WorldOptions } from "./world-handle.ts";

export interface ReadyLine {
  readonly event: "ready";
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly controlUrl: string | null;
  readonly controlToken: string | null;
  readonly consoleUrl: string | null;
  readonly seed: number;
  readonly keys: readonly ControlledKey[];
  readonly pid: number;
}

/** The control surface: its address, and its controls as functions. */
export type SimulatorControl = ControlAccess & ControlLibrary;

export interface Simulator {
  /** Ends with the path prefix; every trading path is relative to it. */
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly keys: readonly ControlledKey[];
  readonly control: SimulatorControl | null;
  readonly seed: number;
  /** Sends one signed request to the world `main`. */
  readonly request: SignedRequest;
  /** The one JSON line of `serve --json`. */
  readyLine(): ReadyLine;
  /** The same for a person. */
  banner(): string;
  /** Makes another world in this simulator, isolated from all others. */
  world(options?: WorldOptions): Promise<SimulatorWorld>;
  /** Answers what is in flight, writes a snapshot, lets go of the port and the file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** On loopback, the default, a simulator has a control surface unless it is switched off. */
export type ControlledSimulator = Simulator & { readonly control: SimulatorControl };
type Controlled =
  | { readonly control?: "loopback"; readonly host?: "127.0.0.1" | "localhost" | "::1" }
  | { readonly control: "remote" };

/**
 * Starts a simulator. Defaults: the demo world, a free port on loopback, a database in memory.
 *
 * @throws StartFailure with one sentence for a person: an unreadable world, a port in use, a file that cannot be opened.
 */
export async function startSimulator(options?: SimulatorOptions & Controlled): Promise<ControlledSimulator>;
export async function startSimulator(options: SimulatorOptions): Promise<Simulator>;
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { host = "127.0.0.1", defects = [] } = options;
  const seams = defects.length === 0 ? undefined : await seamsFor(defects, host);
  return start(await readWorld(options), options, seams);
}

/**
 * Opens the venue of a capsule as it was, in memory: the keys have their ids, and secrets of the demo kind. Its clock stands.
 *
 * @throws StartFailure also where the journal does not reproduce itself up to that entry.
 */
export function serveCapsule(
  capsule: OpenedCapsule,
  {
    until,
    ...options
  }: Pick<SimulatorOptions, "port" | "host" | "onNotice" | "onStopped"> & { readonly until?: number },
): Promise<Simulator> {
  const { built, begun } = capsule.at(until ?? capsule.header.entries);
  return start(built, { ...options, begun });
}

async function start(built: BuiltWorld, options: InternalOptions, seams?: Seams): Promise<Simulator> {
  const { host = "127.0.0.1" } = options;
  const warning = publicSecrets(options, built);
  await requireFreePort(host, options.port ?? 0);
  const begun = await composeWithStore(built, options, seams);
  const { worlds, controlToken, nodes } = begun;
  const bound = await listen(begun, host, options.port ?? 0);
  if (warning !== null) options.onNotice?.(warning);
  const authority = authorityOf(reachable(host, bound.address), bound.port);
  const close = closing(begun);
  try {
    await nodes?.start(authorityOf(elsewhere(bound.address)[0] ?? bound.address, bound.port));
  } catch (error) {
    await close();
    throw error;
  }
  const controlUrl = `http://${authority}/__gatewright`;
  const simulator = {
    baseUrl: `http://${authority}${apiPrefix}`,
    wsUrl: `ws://${authority}${apiPrefix}/ws`,
    get keys() {
      return worlds.main.keys;
    },
    control: controlToken === null ? null : controlLibrary({ url: controlUrl, token: controlToken }),
    seed: built.world.seed,
  };
  return {
    ...simulator,
    get keys() {
      return worlds.main.keys;
    },
    request: signedRequests(simulator.baseUrl, () => worlds.main.keys),
    readyLine: () => readyLine(simulator),
    banner: () =>
      banner(simulator, {
        db: placeOf(options),
        entries: worlds.main.venue.state.seq,
        control: options.control ?? "loopback",
        others: elsewhere(bound.address).map(
          (address) => `http://${authorityOf(address, bound.port)}${apiPrefix}`,
        ),
      }),
    world: (more) => makeWorld(simulator, more),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const closing =
  ({ listener, worlds, nodes }: Composed): (() => Promise<void>) =>
  async () => {
    worlds.interruptMoves();
    await listener.app.close();
    await worlds.close();
    await nodes?.close();
  };

/** A bug or a legal variation that a simulator can be started with. */
export interface KnownDefect {
  readonly id: string;
  readonly title: string;
  /** The clauses that may convict, the nearest first; none of a legal variation. */
  readonly violates: readonly string[];
  readonly level?: "recommended" | "informational";
}

/** The values of `defects`, except the bugs in single fields. */
export async function knownDefects(): Promise<readonly KnownDefect[]> {
  return (await import("./defects/catalogue.ts")).defects;
}

/** Loaded on demand: a venue without defects runs none of their code. */
async function seamsFor(names: readonly string[], host: string): Promise<Seams> {
  if (!isLoopback(host)) {
    throw new StartFailure(
      `A venue with defects answers on this machine only: leave out --host ${host}, or the defects.`,
    );
  }
  const { seamsOf, UnknownDefect } = await import("./defects/install.ts");
  try {
    return seamsOf(names);
  } catch (error) {
    throw error instanceof UnknownDefect ? new StartFailure(error.message) : error;
  }
}

const placeOf = ({ store, db = ":memory:" }: SimulatorOptions): string =>
  store === undefined ? db : `PostgreSQL, as the node ${store.node}`;

type Running = Pick<Simulator, "baseUrl" | "wsUrl" | "keys" | "control" | "seed">;

/** Asked before the database is opened: a start that must fail leaves no new file and changes no old one. */
async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject).listen({ host, port }, resolve);
    });
  } catch (error) {
    throw listenFailure(error, host, port);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** Where it listens then. */
async function listen(composed: Composed, host: string, port: number) {
  const { app } = composed.listener;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await closing(composed)();
    throw listenFailure(error, host, port);
  }
  return boundTo(app.server.address(), host);
}

function listenFailure(error: unknown, host: string, port: number): StartFailure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const where = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return new StartFailure(
      `Port ${port} on ${host} is in use. Stop the program that listens there, or choose another with --port (0 = any free one; npm start -- --port 0).`,
    );
  if (code === "EACCES")
    return new StartFailure(
      `You may not listen on ${where}. Ports below 1024 need privileges; choose another with --port.`,
    );
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new StartFailure(`${host} is not an address of this machine. Use --host 127.0.0.1.`);
  return new StartFailure(
    `Cannot listen on ${where}: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function boundTo(address: ReturnType<import("node:net").Server["address"]>, host: string) {
  return typeof address === "object" && address !== null ? address : { address: host, port: 0 };
}

const authorityOf = (host: string, port: number): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

function readyLine({ baseUrl, wsUrl, keys, control, seed }: Running): ReadyLine {
  return {
    event: "ready",
    baseUrl,
    wsUrl,
    controlUrl: control?.url ?? null,
    controlToken: control?.token ?? null,
    consoleUrl: control === null ? null : `${control.url}/console#token=${control.token}`,
    seed,
    keys,
    pid: process.pid,
  };
}
