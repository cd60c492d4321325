/**
 * Makes the program start fast: one CommonJS file with everything that a command needs on its way, and V8's code cache of
 * it. `serve` has one and the kit has one; what each of them may want later is loaded from dist/ when it is wanted. The
 * YAML library has one for the process that reads files.
 * `import.meta.url` keeps the address that the module has in dist/, so files beside a module are found beside it.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { at } from "./freshness.mjs";

const { childFlags } = await importBuilt("conformance/parse/yaml-process.js");

const bundles = [
  { name: "serve", entry: at("dist", "bin", "serve-main.js"), later: () => true },
  // Classes are told apart with instanceof, so whatever throws at the kit's commands has to be the same copy as they are.
  {
    name: "kit",
    entry: at("dist", "bin", "gatewright.js"),
    later: (module) =>
      /^bin\/(?:detection\/|commands\/(?:serve|check|backup|reset|mutants)\.js)/.test(module),
  },
  // V8 takes a cache only under the flags that it was made under.
  {
    name: "yaml",
    entry: createRequire(import.meta.url).resolve("yaml"),
    later: () => true,
    flags: childFlags,
  },
];

for (const bundle of bundles) {
  await write(bundle);
  warm(bundle);
}

async function write({ name, entry, later }) {
  const build = await rolldown({
    input: entry,
    platform: "node",
    external: [/^better-sqlite3/, /^node:/],
    plugins: [fromDist(later), await withValidators()],
    logLevel: "warn",
    checks: { pluginTimings: false },
  });
  await build.write({
    file: at("dist", `${name}.cjs`),
    format: "cjs",
    minify: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: false,
    codeSplitting: false,
  });
  await build.close();
}

function fromDist(later) {
  return {
    name: "from-dist",
    async resolveId(source, importer, { kind }) {
      if (source === "undici" && nameInDist(importer) !== undefined) return at("tools", "undici-core.cjs");
      if (kind !== "dynamic-import") return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      const module = resolved === null ? undefined : nameInDist(resolved.id);
      if (module === undefined) return { id: source, external: true };
      return later(module) ? { id: `./${module}`, external: true } : null;
    },
    transform(code, id) {
      const module = nameInDist(id);
      if (module === undefined || !code.includes("import.meta.url")) return null;
      return code.replaceAll("import.meta.url", `addressOf(${JSON.stringify(module)})`);
    },
    // See bin/load-bundle.cjs.
    renderChunk: (code) => inAscii(code.replaceAll(/\bimport\((?=["'])/g, "importModule(")),
  };
}

/** Instead of the module that compiles schemas when they are wanted: the same functions, compiled here. */
async function withValidators() {
  const { validatorPrograms } = await importBuilt("conformance/schema/validator-program.js");
  const folder = (name) => at("dist", "conformance", "schema", name);
  const programs = validatorPrograms().map((text, index) => [`validators-${index}.cjs`, text]);
  const modules = new Map(programs.map(([name, text]) => [folder(name), text]));
  const imports = programs.map(([name], index) => `import part${index} from "./${name}";`);
  const all = `const all = { ${programs.map((_, index) => `...part${index}`).join(", ")} };`;
  modules.set(
    folder("validators.js"),
    [...imports, all, "export const validatorOf = (name) => all[name];"].join("\n"),
  );
  return {
    name: "with-validators",
    resolveId: (source, importer = "") => {
      const id = path.resolve(path.dirname(importer), source);
      return modules.has(id) ? id : null;
    },
    load: (id) => modules.get(id) ?? null,
  };
}

function importBuilt(name) {
  return import(pathToFileURL(at("dist", ...name.split("/"))).href);
}

/** The path below dist/ with forward slashes; nothing for what lies elsewhere. */
function nameInDist(id) {
  const inside = path.relative(at("dist"), id);
  return path.isAbsolute(id) && !inside.startsWith("..") ? inside.replaceAll(path.sep, "/") : undefined;
}

/** Text of one byte a character is read five times as fast. The escapes mean the same in strings, templates and patterns. */
function inAscii(code) {
  if (/String\.raw`[^`]*[^\x00-\x7f]/.test(code)) throw new Error("String.raw takes escapes literally");
  return code.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// The cache is taken from a process that has gone the way, so that it holds the functions of that way.
function warm({ name, flags = [] }) {
  const warmed = spawnSync(process.execPath, [...flags, at("tools", "warm.mjs"), name], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (warmed.status === 0) return;
  // Without a cache everything works, only slower; a build must not fail for that.
  process.stderr.write(`build: no code cache was made, so ${name}.cjs starts slower: ${warmed.stderr}\n`);
  writeFileSync(at("dist", `${name}.cache`), "");
}
