/**
 * From spawn of the packed program to the first 200 of GET /health/live, against a bare node:http server in the same run, and with --peers
 * against similar tools (the peers are fetched with npx into a temporary folder).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkoutRoot } from "./crash/checkout.ts";
import { firstAnswer } from "./lib/first-answer.ts";
import { type Candidate, compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const bare = `const s=require("node:http").createServer((q,r)=>r.end("{}"));s.listen(0,"127.0.0.1",()=>console.log(s.address().port))`;

/** The program as a user has it: unpacked from the package, with the libraries of this checkout. */
const unpacked = path.join(folder, "unpacked");
const packedLauncher = path.join(unpacked, "package", "bin", "gatewright");

/** Starts per second, so that more is better, as everywhere in these tables. */
const start = (args: readonly string[], address: (line: string) => string) => async (): Promise<number> =>
  1e9 / Number(await firstAnswer({ args, cwd: folder, address }));

const candidates: Candidate[] = [
  { name: "bare node:http", slice: start(["-e", bare], (port) => `http://127.0.0.1:${port}/`) },
  {
    name: "gatewright serve",
    slice: start(
      [packedLauncher, "serve", "--port", "0", "--db", ":memory:", "--json"],
      (line) => `${(JSON.parse(line) as { readonly baseUrl: string }).baseUrl}/health/live`,
    ),
  },
];

if (process.argv.includes("--peers")) {
  writeFileSync(path.join(folder, "package.json"), "{}");
  writeFileSync(path.join(folder, "db.json"), '{"orders":[]}');
  const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund", "json-server@0.17.4"], {
    cwd: folder,
    stdio: "ignore",
  });
  if (installed.status === 0) {
    const bin = path.join(folder, "node_modules", "json-server", "lib", "cli", "bin.js");
    // It prints no port of its own choice: a small program around it takes a free one first.
    const around = `const n=require("node:net").createServer().listen(0,"127.0.0.1",()=>{const{port}=n.address();n.close(()=>{console.log(port);process.argv=[process.argv[0],${JSON.stringify(bin)},"db.json","--quiet","--host","127.0.0.1","--port",String(port)];require(${JSON.stringify(bin)})})})`;
    candidates.push({
      name: "json-server",
      slice: start(["-e", around], (port) => `http://127.0.0.1:${port}/orders`),
    });
  }
}

const run = (program: string, args: readonly string[]): void => {
  const { status } = spawnSync(program, args, { cwd: checkoutRoot, stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
};
mkdirSync(unpacked);
run("npm", ["pack", "--silent", "--pack-destination", unpacked]);
for (const tarball of readdirSync(unpacked))
  run("tar", ["-xzf", path.join(unpacked, tarball), "-C", unpacked]);
symlinkSync(path.join(checkoutRoot, "node_modules"), path.join(unpacked, "node_modules"));
try {
  heading("Start-up: spawn to first 200");
  const rows = await compare("bare node:http", candidates, 9);
  table(rows, "bare node:http", "starts/s");
  const of = (name: string): number => rows.find((row) => row.name === name)?.ratio.median ?? Number.NaN;
  const peer = of("json-server");
  if (!Number.isNaN(peer)) {
    const ratio = peer / of("gatewright serve");
    goal("time to first 200 at most json-server's", ratio <= 1, `${ratio.toFixed(2)}x`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
