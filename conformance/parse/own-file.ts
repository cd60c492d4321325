import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A file of the package, in a checkout and in a project that has installed it. */
export const ownFile = (...names: readonly string[]): string =>
  join(dirname(createRequire(import.meta.url).resolve("gatewright/package.json")), ...names);
