/** Everything that can be wrong with a world, found in one go. */
import { decode, type Spellings } from "../../schema/decode.ts";
import type { Path, PathProblem } from "../../schema/problem.ts";
import { type WorldFile, WorldSchema } from "../schema.ts";
import { checkAuth, checkClients, checkKeys } from "./accounts.ts";
import { checkSections, soundEntries } from "./entries.ts";
import { checkFaults } from "./faults.ts";
import { checkFreedoms } from "./freedoms.ts";
import { checkAssets, checkBalances } from "./ledger.ts";
import { checkProducts } from "./products.ts";
import { Reporter } from "./reporter.ts";

/** A list of problems; when it is empty, `value` is a `WorldFile` that `buildWorld` can build. */
export function checkWorld(value: unknown, spellings?: Spellings): readonly PathProblem[] {
  const read = decode(WorldSchema, value, spellings);
  const shape = read.ok ? [] : read.error;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return shape;
  const world = value as Readonly<Record<string, unknown>>;
  const entries = soundEntries(world, shape);
  const report = new Reporter();
  for (const check of checks) check(entries, report);
  checkFaults("faults", entries.faults, entries, report);
  checkFreedoms(world, report);
  if (read.ok) checkCharacters(value, [], report);
  return [...shape, ...checkSections(world), ...report.problems];
}

const checks = [checkAssets, checkProducts, checkClients, checkBalances, checkKeys, checkAuth];

/** The digest of a world is made of characters, and half of a surrogate pair is none. */
function checkCharacters(value: unknown, path: Path, report: Reporter): void {
  if (typeof value === "string" && /\p{Surrogate}/u.test(value))
    report.value(path, "must be text: half of a surrogate pair is not a character");
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value))
    checkCharacters(item, [...path, Array.isArray(value) ? Number(name) : name], report);
}

/** The value as a world file, once `checkWorld` has found nothing. */
export const asWorldFile = (value: unknown): WorldFile => value as WorldFile;
