/** The world that a start names, whichever way. */
import { type SimulatorOptions, StartFailure } from "./options.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { loadWorld, loadWorldValue } from "./world/load-world.ts";
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
