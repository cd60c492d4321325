/** Where this checkout begins, from the sources as well as from `dist`. */
import { existsSync } from "node:fs";
import path from "node:path";

function rootAbove(folder: string): string {
  if (existsSync(path.join(folder, "bin", "gatewright"))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error(`no checkout of Gatewright lies above ${import.meta.dirname}`);
  return rootAbove(parent);
}

export const checkoutRoot = rootAbove(import.meta.dirname);
export const launcherPath = path.join(checkoutRoot, "bin", "gatewright");
