/** The world that a start names, whichever way. */
import { type SimulatorOptions, StartFailure } from "./options.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { loadWorld, loadWorldValue, readWorldIn } from "./world/load-world.ts";
import { formatProblem } from "./world/problem.ts";

export async function readWorld(
  options: Pick<SimulatorOptions, "world" | "seed" | "clock">,
): Promise<BuiltWorld> {
  const { world, seed, clock } = options;
  const overrides = { ...(seed === undefined ? {} : { seed }), ...(clock === undefined ? {} : { clock }) };
  const loaded =
    typeof world === "object"
      ? await loadWorldValue(world, overrides)
      : await loadWorld(world ?? null, overrides);
  if (loaded.ok) return loaded.value;
  throw new StartFailure(loaded.error.map(formatProblem).join("\n\n"));
}

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
