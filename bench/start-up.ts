/**
 * From spawn to the first 200 of GET /health/live, against a bare node:http server in the same run, and with --peers
 * against what others use (goal 9; the peers are fetched with npx into a temporary folder).
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Candidate, compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const BARE = `const s=require("node:http").createServer((q,r)=>r.end("{}"));s.listen(+process.argv[1],"127.0.0.1")`;

let port = 20_000 + (process.pid % 20_000);

function firstAnswer(url: string, until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = (): void => {
      const request = http.get(url, (response) => {
        response.resume().on("end", resolve);
      });
      request.on("error", () => {
        if (Date.now() > until) reject(new Error(`no answer from ${url}`));
        else setTimeout(ask, 2);
      });
    };
    ask();
  });
}

/** Starts per second, so that more is better, as everywhere in these tables. */
const start =
  (command: string, args: (port: number) => string[], url: (port: number) => string) =>
  async (): Promise<number> => {
    const chosen = port++;
    const began = process.hrtime.bigint();
    const child = spawn(command, args(chosen), { stdio: "ignore", cwd: folder });
    try {
      await firstAnswer(url(chosen), Date.now() + 60_000);
    } finally {
      child.kill("SIGKILL");
    }
    return 1e9 / Number(process.hrtime.bigint() - began);
  };

const at =
  (suffix: string) =>
  (chosen: number): string =>
    `http://127.0.0.1:${chosen}${suffix}`;
const candidates: Candidate[] = [
  { name: "bare node:http", slice: start(process.execPath, (p) => ["-e", BARE, String(p)], at("/")) },
  {
    name: "gatewright serve",
    slice: start(
      process.execPath,
      (p) => [path.join(ROOT, "bin", "gatewright"), "serve", "--port", String(p), "--db", ":memory:"],
      at("/api/v1/trading/health/live"),
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
    candidates.push({
      name: "json-server",
      slice: start(
        process.execPath,
        (p) => [bin, "db.json", "--port", String(p), "--host", "127.0.0.1"],
        at("/orders"),
      ),
    });
  }
}

try {
  heading("Start-up: spawn to first 200");
  const rows = await compare("bare node:http", candidates, 9);
  table(rows, "bare node:http", "starts/s");
  const of = (name: string): number => rows.find((row) => row.name === name)?.ratio.median ?? Number.NaN;
  const peer = of("json-server");
  if (!Number.isNaN(peer)) {
    const ratio = peer / of("gatewright serve");
    goal("time to first 200 at most 0.8x json-server", ratio <= 0.8, `${ratio.toFixed(2)}x`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
