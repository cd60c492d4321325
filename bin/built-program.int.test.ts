import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, launch as launchProgram } from "./testing/launch.ts";

const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-"));
const at = (name: string): string => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const launch = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  launchProgram(path.join(root, "bin", "gatewright"), args, { KEY_SECRET: "a secret of nobody", ...env });

/** The first start may have to build. */
beforeAll(async () => {
  await launch(["--version"]);
});

describe("the built program", () => {
  it("knows its errors by class, and finds the files that it reads", async () => {
    const target = `http://127.0.0.1:${await closedPort()}/api/v1/trading`;
    const named = ["--target", target, "--key-id", "key", "--secret-env", "KEY_SECRET"];
    // That it finds the built-in scenarios: bin/mcp/mcp.int.test.ts.
    const own = ["--scenarios", path.join(root, "scenarios", "auth", "010-golden-get.yaml")];
    const report = ["--report", `html=${at("report.html")}`];
    const { code, stderr } = await launch(["conform", ...named, ...own, ...report]);
    expect(stderr).toContain("ECONNREFUSED");
    expect(code).toBe(4);
    expect(readFileSync(at("report.html"), "utf8")).toContain("<style>");
  });

  it("asks a sandbox without a time limit", async () => {
    const sandbox = createServer((_request, response) => response.end('{"data": {"mode": "manual"}}')).listen(
      0,
      "127.0.0.1",
    );
    await once(sandbox, "listening");
    const { port } = sandbox.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}`;
    const ready = { baseUrl, wsUrl: baseUrl, keys: [], controlUrl: baseUrl, controlToken: "token" };
    writeFileSync(at("ready.json"), JSON.stringify({ event: "ready", ...ready }));
    const { code, stdout, stderr } = await launch([
      "ctl",
      "clock",
      "advance",
      "1m",
      "--ready-file",
      at("ready.json"),
    ]);
    sandbox.close();
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({ mode: "manual" });
  });

  it("is mapped to its sources, line by line", async () => {
    const source = "conformance/parse/yaml-process.ts";
    const lines = readFileSync(path.join(root, source), "utf8").split("\n");
    const line = 1 + lines.findIndex((text) => text.includes("spawn(process.execPath"));
    // Says from where the kit starts a process.
    writeFileSync(
      at("where.mjs"),
      `import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
const { spawn } = childProcess;
childProcess.spawn = (...given) => {
  process.stderr.write(new Error("started").stack);
  return spawn(...given);
};
syncBuiltinESMExports();
`,
    );
    writeFileSync(at("some.yaml"), "kit: 1\n");
    const env = { NODE_OPTIONS: `--enable-source-maps --import=${at("where.mjs")}` };
    const { stderr } = await launch(["lint", at("some.yaml")], env);
    expect(stderr).toContain(`${path.join(root, source)}:${line}:`);
  });
});

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
