/**
 * Takes a bundle along the way that most people take and keeps what V8 compiled on it: node tools/warm.mjs serve|kit|yaml
 */
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { pathToFileURL } from "node:url";
import loader from "../bin/load-bundle.cjs";
import { at } from "./freshness.mjs";

const ways = { serve: serving, kit: conforming, yaml: reading };
const name = process.argv[2];
const script = await ways[name]();
writeFileSync(at("dist", `${name}.cache`), script.createCachedData());
// What the way has opened is not needed any more.
process.exit(0);

function loaded(bundle) {
  return loader.loadBundle(at("dist", `${bundle}.cjs`));
}

async function serving() {
  const { script, exports } = loaded("serve");
  const { baseUrl } = await exports.startSimulator({ db: ":memory:" });
  await new Promise((resolve, reject) => {
    http
      .get(`${baseUrl}/health/ready`, (response) => response.resume().on("end", resolve))
      .on("error", reject);
  });
  return script;
}

/** A run of a few cases, with everything before and after them that every run has. */
async function conforming() {
  const simulator = await loaded("serve").exports.startSimulator({ db: ":memory:" });
  const { script, exports } = loaded("kit");
  const { keyId, secret } = simulator.keys.find((key) => key.name === "trader");
  process.env["GATEWRIGHT_WARM"] = secret;
  const target = ["--target", simulator.baseUrl, "--key-id", keyId, "--secret-env", "GATEWRIGHT_WARM"];
  const args = ["conform", ...target, "--only", "products-*"];
  const code = await exports.main([process.execPath, "gatewright", ...args], "0");
  // A selection ends with 3 when all of it passed.
  if (code !== 3) throw new Error(`the run ended with ${code}`);
  return script;
}

async function reading() {
  const { script, exports } = loaded("yaml");
  const { readYaml } = await import(pathToFileURL(at("dist", "conformance", "parse", "yaml-child.js")).href);
  for (const file of ["fixtures/profiles/simulator.yaml", "fixtures/spec/document.yaml"])
    readYaml(exports, readFileSync(at(file), "utf8"));
  return script;
}
