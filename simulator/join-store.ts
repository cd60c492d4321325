/** The way of a start to a store that nodes share. */
import { type Composed, compose } from "./compose.ts";
import type { InternalOptions } from "./internal-options.ts";
import { StartFailure } from "./options.ts";
import type { Seams } from "./seams.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import type { BuiltWorld } from "./world/build-world.ts";

/** With the worlds of the store, if there is one. Its code and the driver of PostgreSQL are loaded here at the earliest. */
export async function composeWithStore(
  built: BuiltWorld,
  options: InternalOptions,
  seams: Seams | undefined,
): Promise<Composed> {
  const { store } = options;
  if (store === undefined) return compose(built, options, seams);
  try {
    const [{ StoreServer }, { Nodes }] = await Promise.all([
      import("./store/postgres/server.ts"),
      import("./nodes.ts"),
    ]);
    const server = await StoreServer.connect({ schema: "gatewright", ...store });
    const here = { ...options, db: ":memory:" };
    return compose(
      built,
      here,
      seams,
      (parts) => new Nodes({ server, built, options, ...parts, token: parts.controlToken }),
    );
  } catch (error) {
    throw asStartFailure(error);
  }
}

export function asStartFailure(error: unknown): unknown {
  if (error instanceof StoreFailure) return new StartFailure(error.message);
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"
    ? new StartFailure("A store in PostgreSQL needs the package pg: npm install pg")
    : error;
}
