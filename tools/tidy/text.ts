import type { TextFile } from "./project.ts";
import { type Problem, perFile } from "./rule.ts";

/** Data whose blanks are part of the data: vectors, recorded bytes, naughty strings. */
const isData = (file: TextFile): boolean => /^fixtures\/.*\.(?!ya?ml$)\w+$/.test(file.path);

export const whitespace = perFile(
  "whitespace",
  (file) => !isData(file),
  (file) => [
    ...linesWith(file, /[ \t]$/, "white space at the end of the line"),
    ...linesWith(file, /\r/, "carriage return: lines end with a line feed alone"),
    // Go has its own convention.
    ...(file.path.endsWith(".go") ? [] : linesWith(file, /\t/, "tab: indent with spaces")),
    ...(/(?:^|[^\n])\n$/.test(file.text) || file.text === ""
      ? []
      : [{ path: file.path, line: file.lines.length, message: "a file ends with one line feed" }]),
  ],
);

// Spelled in parts, so that this file does not contain the words that it searches for.
const machineFolders = ["work", "tmp", "home", "Users", "root"].join("|");
const machinePath = new RegExp(`(?<![\\w.)}*~/-])/(?:${machineFolders})/[\\w.-]`);
const registryNames = ["npmjs", "yarnpkg", "npmmirror"].join("|");
const registryHost = new RegExp(`\\bregistry\\.(?:${registryNames})\\b|"${"resolved"}": "`);

/** A path or host of the machine where something was written means nothing on another one. */
export const noMachines = perFile(
  "no-machines",
  () => true,
  (file) => [
    ...linesWith(
      file,
      machinePath,
      "a path of one machine: use a relative path, or a folder made for the purpose",
    ),
    ...linesWith(
      file,
      registryHost,
      "the address of a package registry: leave the choice to the user's settings",
    ),
  ],
);

function linesWith(file: TextFile, pattern: RegExp, message: string): Problem[] {
  return file.lines.flatMap((text, i) =>
    pattern.test(text) ? [{ path: file.path, line: i + 1, message }] : [],
  );
}
