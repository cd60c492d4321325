/** The world that a start names, whichever way. */
import { type SimulatorOptions, StartFailure } from "./options.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { loadWorld, loadWorldValue, type Overrides, readWorldIn } from "./world/load-world.ts";
import { formatProblem } from "./world/problem.ts";

/** `naming` hears of each file that the file of the world names. */
export async function readWorld(
  { world, ...options }: SimulatorOptions,
  naming?: (named: string) => void,
): Promise<BuiltWorld> {
  const overrides = overridesIn(options);
  const loaded =
    typeof world === "object"
      ? await loadWorldValue(world, overrides)
      : await loadWorld(world ?? null, overrides, naming);
  if (loaded.ok) return loaded.value;
  throw new StartFailure(loaded.error.map(formatProblem).join("\n\n"));
}

/**
 * The files that the world of a start is read from, when there is nothing wrong with it.
 *
 * @throws StartFailure with every mistake, each with its place.
 */
export async function worldFiles(options: SimulatorOptions): Promise<readonly string[]> {
  const named: string[] = [];
  await readWorld(options, (file) => named.push(file));
  return typeof options.world === "string" ? [options.world, ...named] : [];
}

/** The options of a start that replace something of its world. */
const overridesIn = ({ seed, clock, freedomSet, hostile, freedoms }: SimulatorOptions): Overrides => ({
  ...(seed === undefined ? {} : { seed }),
  ...(clock === undefined ? {} : { clock }),
  ...(freedomSet === undefined ? {} : { freedomSet }),
  ...(hostile === undefined ? {} : { hostile }),
  ...(freedoms === undefined ? {} : { freedoms }),
});

/**
 * A world file as a value, for the control that makes a world of one.
 *
 * @throws StartFailure with every mistake, each with its place.
 */
export async function readWorldFile(file: string): Promise<object> {
  const read = await readWorldIn(file);
  if (read.ok) return read.value.file;
  throw new StartFailure(read.error.map(formatProblem).join("\n\n"));
}
