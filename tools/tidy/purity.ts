import { isTest, isTypeScript, type TextFile } from "./project.ts";
import { type Ban, bannedIn, perFile } from "./rule.ts";

/** Where the same input must give the same output on any machine, or results of two runs cannot be compared. */
const pureFolders = /^(?:simulator\/(?:engine|domain|wire)|conformance\/(?:model|check))\//;
/** Where, beyond that, no decimal may pass through a float, no date is spelled and nothing may wait. */
const exactFolders = /^simulator\/(?:engine|domain)\//;

const impure: readonly Ban[] = [
  ban(/\bDate\.now\b/, "Date.now", "take the time from the command"),
  ban(/\bnew Date\(\s*\)/, "new Date()", "take the time from the command, in milliseconds"),
  ban(/\bMath\.random\b/, "Math.random", "use a keyed hash of seed, purpose, entity and counter"),
  ban(/\brandomUUID\b/, "randomUUID", "take the id from the command"),
  ban(/\bperformance\.now\b/, "performance.now", "take the time from the command"),
  ban(/\bsetTimeout\b/, "setTimeout", "put a due time on the agenda"),
  ban(/\bsetInterval\b/, "setInterval", "put a due time on the agenda"),
  ban(/\bprocess\./, "process", "take the value as an argument"),
  ban(/\bconsole\./, "console", "return what there is to say"),
  ban(/\.localeCompare\b/, "localeCompare", "compare code units with < and >"),
  ban(/\.toLocale\w+\b/, "toLocale…", "spell the value out without a locale"),
  ban(/\bIntl\b/, "Intl", "spell the value out without a locale"),
  ban(
    /\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+in\b/,
    "for … in",
    "use for … of over Object.entries, or a Map",
  ),
];

const inexact: readonly Ban[] = [
  ban(
    /\bnew Date\(\s*[^\s)]/,
    "new Date(…)",
    "keep times as milliseconds; dates are spelled where they leave",
  ),
  ban(/\bparseFloat\b/, "parseFloat", "use the decimal reader, which cannot round"),
  ban(/\basync\b/, "async", "return the decision at once; whoever waits stands above"),
  ban(/\bawait\b/, "await", "return the decision at once; whoever waits stands above"),
];

export const purity = perFile(
  "purity",
  (file) => isSource(file) && pureFolders.test(file.path),
  (file) => bannedIn(file, exactFolders.test(file.path) ? [...impure, ...inexact] : impure),
);

function isSource(file: TextFile): boolean {
  return isTypeScript(file) && !isTest(file);
}

function ban(pattern: RegExp, what: string, replacement: string): Ban {
  return { pattern, message: `${what} is banned here; ${replacement}` };
}
