import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileReason } from "./model/file-reason.ts";
import { UsageError } from "./model/position.ts";
import { packageRoot } from "./package-root.ts";

/** A file as it was found, with the place that was named. */
export interface FoundFile {
  readonly root: string;
  readonly file: string;
  /** Of a file of the package, which has all of them in one. */
  readonly text?: string;
}

export const builtIn = (): string => join(packageRoot(), "scenarios");

/** The files of the built-in suite: in a checkout a folder, in the package one file, which is installed sooner. */
export async function builtInFiles(): Promise<FoundFile[]> {
  const root = builtIn();
  if (existsSync(join(root, "fragments")))
    return (await filesIn(root)).filter((found) => !isRegression(found));
  const packed = await readFile(join(packageRoot(), "dist", "scenarios.json"), "utf8");
  // as: the build wrote it.
  const texts = Object.entries(JSON.parse(packed) as Readonly<Record<string, string>>);
  return texts.map(([name, text]) => ({ root, file: join(root, name), text }));
}

/** Scenarios that were made from bug reports, below `scenarios/`: they run on request, and are not part of the suite. */
const isRegression = ({ root, file }: FoundFile): boolean =>
  relative(root, file).startsWith(`regressions${sep}`);

export const isInFragments = ({ root, file }: FoundFile): boolean =>
  relative(root, file).startsWith(`fragments${sep}`);

/** Reads a folder with all its subfolders, in the order of names; links that lead out of it are not followed. */
export async function filesIn(place: string): Promise<FoundFile[]> {
  const refuse = (error: unknown): never => {
    throw new UsageError(`the scenarios in ${place} cannot be read: ${fileReason(error)}`);
  };
  if (!(await stat(place).catch(refuse)).isDirectory()) {
    if (!/\.ya?ml$/.test(place))
      throw new UsageError(`${place} is neither a folder nor a file whose name ends in .yaml or .yml`);
    return [{ root: place, file: place }];
  }
  const entries = await readdir(place, { withFileTypes: true, recursive: true }).catch(refuse);
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ root: place, file }));
}

/**
 * The path as a user would type it, so that an editor can open `file:line:column`; of the package, as
 * `gatewright list --copy-to scenarios` writes it.
 */
export function shownName({ root, file, text }: FoundFile): string {
  if (text !== undefined) return relative(dirname(root), file);
  const below = relative(process.cwd(), file);
  return below.startsWith("..") ? file : below;
}
