// Makes `gatewright serve` start fast: one CommonJS file with everything the way to "ready" needs, and V8's code cache of
// it. Modules that are imported dynamically stay outside and are loaded from dist/ when they are first wanted.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { rolldown } from "rolldown";
import { at } from "./freshness.mjs";

const bundleFile = at("dist", "serve.cjs");

const lazyOutside = {
  name: "lazy-outside",
  async resolveId(source, importer, { kind }) {
    if (kind !== "dynamic-import") return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    if (resolved === null || !path.isAbsolute(resolved.id)) return { id: source, external: true };
    const inside = path.relative(at("dist"), resolved.id);
    return inside.startsWith("..")
      ? { id: source, external: true }
      : { id: `./${inside.replaceAll(path.sep, "/")}`, external: true };
  },
  // See bin/load-bundle.mjs.
  renderChunk: (code) => code.replaceAll(/\bimport\((?=["'])/g, "importModule("),
};

const build = await rolldown({
  input: at("dist", "bin", "serve-main.js"),
  platform: "node",
  external: [/^better-sqlite3/, /^node:/],
  plugins: [lazyOutside],
  logLevel: "warn",
});
await build.write({ file: bundleFile, format: "cjs", minify: false, sourcemap: false, codeSplitting: false });
await build.close();

// The cache is taken from a process that has started a venue and answered, so that it holds the functions of that way.
const warmed = spawnSync(process.execPath, [at("tools", "warm.mjs"), bundleFile], {
  stdio: ["ignore", 2, 2],
});
if (warmed.status !== 0) {
  // Without a cache everything works, only slower; a build must not fail for that.
  process.stderr.write("build: no code cache was made; gatewright serve will start a little slower\n");
  writeFileSync(at("dist", "serve.cache"), "");
}
