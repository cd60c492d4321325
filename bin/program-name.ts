import path from "node:path";
import process from "node:process";

/** The program as it can be typed in this folder: by its name where the shell finds it, else by its path. */
export function programName(file = process.argv[1] ?? "", search = process.env["PATH"] ?? ""): string {
  if (search.split(path.delimiter).includes(path.dirname(file))) return path.basename(file);
  const near = path.relative("", file);
  return near.startsWith("..") ? file : `.${path.sep}${near}`;
}
