// Takes a bundle along the way that most people take and keeps what V8 compiled on it: node tools/warm.mjs serve|kit
import { writeFileSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { loadBundle } from "../bin/load-bundle.mjs";
import { at } from "./freshness.mjs";

const name = process.argv[2];
const serve = loadBundle(at("dist", "serve.cjs"));
const simulator = await serve.exports.startSimulator({ db: ":memory:" });
const bundle = name === "serve" ? await serving() : await conforming();
const cache = bundle.script.createCachedData();
await simulator.close();
writeFileSync(at("dist", `${name}.cache`), cache);

async function serving() {
  await new Promise((resolve, reject) => {
    http
      .get(`${simulator.baseUrl}/health/ready`, (response) => response.resume().on("end", resolve))
      .on("error", reject);
  });
  return serve;
}

/** A run of a few cases, with everything before and after them that every run has. */
async function conforming() {
  const kit = loadBundle(at("dist", `${name}.cjs`));
  const { keyId, secret } = simulator.keys.find((key) => key.name === "trader");
  process.env["GATEWRIGHT_WARM"] = secret;
  const target = ["--target", simulator.baseUrl, "--key-id", keyId, "--secret-env", "GATEWRIGHT_WARM"];
  const args = ["conform", ...target, "--only", "products-*"];
  const code = await kit.exports.main([process.execPath, "gatewright", ...args], "0");
  // A selection ends with 3 when all of it passed.
  if (code !== 3) throw new Error(`the run ended with ${code}`);
  process.exitCode = 0;
  return kit;
}
