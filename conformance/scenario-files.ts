import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileReason } from "./model/file-reason.ts";
import { UsageError } from "./model/position.ts";

/** A file as it was found, with the place that was named. */
export interface FoundFile {
  readonly root: string;
  readonly file: string;
}

/** Scenarios that were made from bug reports, below `scenarios/`: they run on request, and are not part of the suite. */
export const isRegression = ({ root, file }: FoundFile): boolean =>
  relative(root, file).startsWith(`regressions${sep}`);

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

/** The path as a user would type it, so that an editor can open `file:line:column`. */
export function shownName(file: string): string {
  const below = relative(process.cwd(), file);
  return below.startsWith("..") ? file : below;
}
