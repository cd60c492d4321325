// Runs the bundle once, asks it something, and keeps what V8 compiled on the way.
import { writeFileSync } from "node:fs";
import http from "node:http";
import process from "node:process";
import { loadBundle } from "../bin/load-bundle.mjs";

const { script, exports } = loadBundle(process.argv[2]);
const simulator = await exports.startSimulator({ db: ":memory:" });
await new Promise((resolve, reject) => {
  http
    .get(`${simulator.baseUrl}/health/ready`, (response) => response.resume().on("end", resolve))
    .on("error", reject);
});
const cache = script.createCachedData();
await simulator.close();
writeFileSync(process.argv[2].replace(/\.cjs$/, ".cache"), cache);
