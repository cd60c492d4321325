/** A world of a running simulator as a test holds it: made, used, and deleted when the block ends. */

import type { ControlLibrary } from "./control/all-controls.ts";
import type { ControlledKey } from "./control/control-route.ts";
import { type ControlAccess, controlLibrary } from "./control/library.ts";
import type { ClockMode } from "./domain/world.ts";
import { type SignedRequest, signedRequests } from "./signed-request.ts";
import type { Choices, FreedomSet } from "./world/freedoms.ts";

export interface WorldOptions {
  /** Lower-case letters, digits and hyphens; a free one when absent. */
  readonly name?: string;
  /** The name of a world to fork, or `NAME@ENTRY` for what it was after an entry of its journal. */
  readonly from?: string;
  /** A world file as a value; the demo world when absent. Not with `from`. */
  readonly world?: object;
  readonly seed?: number;
  readonly clock?: ClockMode;
  /** A named set of options of freedoms. Not with `from`, as are the next two. */
  readonly freedomSet?: FreedomSet;
  /** Lets this seed choose an option of every freedom; no clause is broken by any. */
  readonly hostile?: number;
  /** Options of freedoms by id. */
  readonly freedoms?: Choices;
}

export interface SimulatorWorld {
  readonly name: string;
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly keys: readonly ControlledKey[];
  readonly control: ControlAccess & ControlLibrary;
  /** Sends one signed request to this world. */
  readonly request: SignedRequest;
  /** An empty journal and the keys of its world file. */
  reset(): Promise<void>;
  /** A world that goes on from where this one is, or was after `entry`. */
  fork(options?: { readonly name?: string; readonly entry?: number }): Promise<SimulatorWorld>;
  delete(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Home {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly control: (ControlAccess & ControlLibrary) | null;
}

let made = 0;

/** Unique in the process, whatever the order in which tests ask for one. */
const freeName = (): string => `world-${process.pid}-${(made += 1)}`;

/** @throws ControlRefusal for a name that is taken and a world that cannot be read; Error without a control surface. */
export async function makeWorld(home: Home, options: WorldOptions = {}): Promise<SimulatorWorld> {
  const { baseUrl, wsUrl, control } = home;
  if (control === null)
    throw new Error("A world is made through the control surface, which is switched off.");
  const { name, keys } = await control.world.new({ ...options, name: options.name ?? freeName() });
  const drop = async (): Promise<void> => {
    await control.world.delete({ world: name });
  };
  return {
    name,
    baseUrl,
    wsUrl,
    keys,
    control: controlLibrary({ url: `${control.url}/worlds/${name}`, token: control.token }),
    request: signedRequests(baseUrl, () => keys),
    reset: async () => {
      await control.world.reset({ world: name });
    },
    fork: ({ entry, ...more } = {}) =>
      makeWorld(home, { ...more, from: entry === undefined ? name : `${name}@${entry}` }),
    delete: drop,
    [Symbol.asyncDispose]: drop,
  };
}
