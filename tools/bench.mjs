/**
 * Compiles and runs a program that is not part of the package: a benchmark, a soak, a crash run.
 * node tools/bench.mjs bench/order-book [arguments]
 */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { at, root } from "./freshness.mjs";

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write("usage: node tools/bench.mjs PROGRAM [arguments], for example bench/order-book\n");
  process.exit(2);
}
const compiler = at("node_modules", "typescript", "bin", "tsc");
const compiled = spawnSync(process.execPath, [compiler, "-p", "tsconfig.bench.json"], {
  cwd: root,
  stdio: ["ignore", 2, 2],
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
const ran = spawnSync(process.execPath, [at("dist", "bench", `${program}.js`), ...rest], {
  cwd: root,
  stdio: "inherit",
});
process.exit(ran.status ?? 1);
