/**
 * The Node versions that the program accepts. They are stated in `engines` of package.json only; this file reads them.
 * Plain JavaScript without newer syntax: it must parse on the very Node that it refuses.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

export function readPackage() {
  return JSON.parse(readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"));
}

/** Knows the two forms that our range uses: `^20.20.2` (that major, from there on) and `>=22.14.0`. */
export function satisfies(version, range) {
  const found = parts(version);
  return range.split("||").some((alternative) => {
    const match = /^\s*(\^|>=)\s*(\d+\.\d+\.\d+)\s*$/.exec(alternative);
    if (match === null) throw new Error("engines.node has a form that is not understood: " + alternative);
    const least = parts(match[2]);
    return compare(found, least) >= 0 && (match[1] === ">=" || found[0] === least[0]);
  });
}

/** The sentence for a Node that is too old, or undefined when this one will do. */
export function refusal(version, range) {
  if (satisfies(version, range)) return undefined;
  const wanted = range
    .split("||")
    .map((alternative) => alternative.replace(/\^|>=/, "").trim())
    .join(" or newer in its line, or ");
  return (
    "gatewright needs Node " +
    wanted +
    " or newer; this is Node " +
    version +
    ". Install a newer Node and try again."
  );
}

export function refuseOldNode(range) {
  const sentence = refusal(process.versions.node, range);
  if (sentence === undefined) return;
  process.stderr.write(sentence + "\n");
  process.exit(1);
}

function parts(version) {
  return version.split("-")[0].split(".").map(Number);
}

function compare(left, right) {
  for (let i = 0; i < 3; i += 1) {
    if (left[i] !== right[i]) return left[i] - right[i];
  }
  return 0;
}
