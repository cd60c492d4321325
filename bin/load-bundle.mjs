// Loads a one-file bundle with V8's code cache. A cache of another Node is rejected by V8 and costs nothing.
// Code that comes out of a cache has forgotten how to import(), so the bundle calls `importModule` of this file instead.
import { isAscii } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

export function loadBundle(file) {
  const cachedData = readOrNone(file.replace(/\.cjs$/, ".cache"));
  const source = readSource(file);
  const wrapped = `(function (exports, require, module, __filename, __dirname, importModule, addressOf) {${source}\n})`;
  const script = new vm.Script(wrapped, {
    filename: file,
    ...(cachedData === null ? {} : { cachedData }),
  });
  const module = { exports: {} };
  const here = pathToFileURL(file);
  const addressOf = (name) => new URL(name, here).href;
  const importModule = (name) => import(name.startsWith(".") ? addressOf(name) : name);
  const run = script.runInThisContext();
  run(module.exports, createRequire(file), module, file, path.dirname(file), importModule, addressOf);
  return { script, exports: module.exports, cacheRejected: script.cachedDataRejected === true };
}

/** Decoding two megabytes as UTF-8 takes longer than all the rest here. */
function readSource(file) {
  const bytes = readFileSync(file);
  return isAscii(bytes) ? bytes.latin1Slice() : bytes.toString("utf8");
}

function readOrNone(file) {
  try {
    const data = readFileSync(file);
    return data.length === 0 ? null : data;
  } catch {
    return null;
  }
}
