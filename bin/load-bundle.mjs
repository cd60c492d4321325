// Loads the one-file bundle of `serve` with V8's code cache. A cache of another Node is rejected by V8 and costs nothing.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";

export function loadBundle(file) {
  const cachedData = readOrNone(file.replace(/\.cjs$/, ".cache"));
  const source = readFileSync(file, "utf8");
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new vm.Script(wrapped, {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === null ? {} : { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  return { script, exports: module.exports, cacheRejected: script.cachedDataRejected === true };
}

function readOrNone(file) {
  try {
    const data = readFileSync(file);
    return data.length === 0 ? null : data;
  } catch {
    return null;
  }
}
