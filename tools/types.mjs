/**
 * Rolls the declarations of dist/types into one file for each entry of the package, dist/*.d.ts, if they have changed since;
 * that of `gatewright/vitest` takes its types from `gatewright/conformance`. `npm run build` and packing run it; a start needs
 * no types.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import process from "node:process";
import { at, root } from "./freshness.mjs";

const entries = {
  simulator: "simulator/index",
  conformance: "conformance/index",
};
const rolled = (name) => at("dist", `${name}.d.ts`);

const newest = Math.max(
  ...readdirSync(at("dist", "types"), { recursive: true })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => statSync(at("dist", "types", name)).mtimeMs),
);
const old = Object.keys(entries).filter(
  (name) => (statSync(rolled(name), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= newest,
);
const adapter = readFileSync(at("dist", "types", "conformance", "vitest.d.ts"), "utf8");
writeFileSync(rolled("vitest"), adapter.replace('"./index.ts"', '"./conformance.js"'));
// It brings a compiler of its own, and is loaded only when there is something to do.
if (old.length > 0) {
  const { Extractor, ExtractorConfig } = await import("@microsoft/api-extractor");
  for (const name of old) {
    const { succeeded } = Extractor.invoke(ExtractorConfig.prepare(configOf(name)), {
      localBuild: true,
      messageCallback: (message) => {
        message.handled = true;
        if (message.logLevel === "error") process.stderr.write(`${message.text}\n`);
      },
    });
    if (!succeeded) process.exitCode = 1;
  }
}

function configOf(name) {
  const entry = at("dist", "types", `${entries[name]}.d.ts`);
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
  };
  const quiet = { default: { logLevel: "none" } };
  return {
    configObjectFullPath: undefined,
    packageJsonFullPath: at("package.json"),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      compiler: { overrideTsconfig: { compilerOptions, files: [entry] }, skipLibCheck: true },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: rolled(name) },
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
      },
    },
  };
}
