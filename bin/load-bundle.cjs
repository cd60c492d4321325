/**
 * Loads a one-file bundle with V8's code cache. A cache of another Node is rejected by V8 and costs nothing.
 * Code that comes out of a cache has forgotten how to import(), so the bundle calls `importModule` of this file instead.
 * CommonJS, because the process that reads YAML requires it: there, the loader of modules would take as long as YAML.
 */
const { isAscii } = require("node:buffer");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");

exports.loadBundle = (file) => {
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
};

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
