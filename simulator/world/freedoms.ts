/** fixtures/spec/freedoms.yaml as the simulator needs it: which choice of the specification is which setting. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

export interface FreedomOption {
  readonly id: string;
  readonly means: string;
  /** Value of the setting, if it is not the id. */
  readonly value?: unknown;
}

export interface Freedom {
  readonly id: string;
  readonly gap: string;
  readonly options: readonly FreedomOption[];
  readonly default: string;
  readonly reason: string;
  /** Path under `settings` of a world; null when the simulator knows one option only. */
  readonly setting: string | null;
}

let known: readonly Freedom[] | undefined;

/** Read when it is first asked for: a start needs neither the file nor its parser. */
export function knownFreedoms(): readonly Freedom[] {
  known ??= read();
  return known;
}

function read(): readonly Freedom[] {
  const require = createRequire(import.meta.url);
  const { parse } = require("yaml") as typeof import("yaml");
  const root = path.dirname(require.resolve("gatewright/package.json"));
  const text = readFileSync(path.join(root, "fixtures", "spec", "freedoms.yaml"), "utf8");
  // as: the file is ours, and a test looks at every entry of it.
  return (parse(text) as { readonly freedoms: readonly Freedom[] }).freedoms;
}

export const valueOf = ({ id, value }: FreedomOption): unknown => (value === undefined ? id : value);

/** The value at a path such as `auth.signedPath`. */
export const settingAt = (settings: object, place: string): unknown =>
  place
    .split(".")
    .reduce<unknown>(
      (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
      settings,
    );
