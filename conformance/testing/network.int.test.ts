import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { newFolder, smallSuite, startCli } from "./run-cli.ts";

/**
 * No telemetry, no update check, no network but the target (docs/live-safety.md). Loaded into the program and into
 * every Node process that it starts: all ways to open a socket record the address, and refuse every port except one.
 */
const guard = `
const { appendFileSync } = require("node:fs");
const allowed = process.env.ONLY_PORT;
const note = (text) => appendFileSync(process.env.NET_LOG, text + "\\n");
const net = require("node:net");
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  const port = typeof options === "object" ? options.port : options;
  if (String(port) !== allowed) { note("denied " + JSON.stringify(options)); throw new Error("denied"); }
  note("target");
  return connect.apply(this, args);
};
const deny = (name) => () => { note("denied " + name); throw new Error("denied " + name); };
const dns = require("node:dns");
for (const name of ["resolve", "resolve4", "resolve6", "resolveAny"]) dns[name] = deny("dns." + name);
require("node:dgram").createSocket = deny("dgram");
`;

let gateway: FaultyGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

beforeAll(async () => {
  await startCli(["--version"], newFolder()).done;
});

async function runGuarded(onlyPort: (port: string) => string) {
  gateway = await startFaultyGateway();
  const folder = newFolder();
  writeFileSync(join(folder, "guard.cjs"), guard);
  const log = join(folder, "net.log");
  const args = ["conform", "--target", gateway.baseUrl, "--key-id", gateway.keyId, "--secret-env", "SECRET"];
  const { code } = await startCli([...args, "--scenarios", smallSuite], folder, {
    SECRET: gateway.secret,
    NODE_OPTIONS: `--require ${join(folder, "guard.cjs")}`,
    ONLY_PORT: onlyPort(new URL(gateway.baseUrl).port),
    NET_LOG: log,
  }).done;
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  return { code, denied: lines.filter((line) => line !== "target"), connections: lines.length };
}

describe("the network", () => {
  it("is the target's alone", async () => {
    const { code, denied, connections } = await runGuarded((port) => port);
    expect(denied).toEqual([]);
    expect(connections).toBeGreaterThan(0);
    expect(code).toBe(3);
  });

  it("would be seen by this test if it were another's", async () => {
    const { code, denied } = await runGuarded(() => "1");
    expect(denied.length).toBeGreaterThan(0);
    expect(code).toBe(4);
  });
});
