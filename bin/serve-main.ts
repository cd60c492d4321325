/** Entry of the one-file bundle: the same program, with `serve` at hand instead of loaded on demand. */

import * as serve from "./commands/serve.ts";
import { commands } from "./commands.ts";
import { main as run } from "./gatewright.ts";

export { startSimulator } from "../simulator/index.ts";

export function main(argv: readonly string[], version: string): Promise<number> {
  const entries = commands.map((entry) =>
    entry.name === "serve" ? { ...entry, load: () => Promise.resolve(serve) } : entry,
  );
  return run(argv, version, entries);
}
