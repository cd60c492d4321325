/** The clients of this folder, recorded: what is exported passes on the venue that it came from, and finds a bug of another. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  environmentOf,
  exportFile,
  packageRoot,
  replay,
  startRecordingProxy,
} from "../../conformance/commands.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/index.ts";
import { sampled } from "../../tools/sampled.ts";
import { clients, needs, run, runClient, toolsOf } from "./testing/run-client.ts";

const execute = promisify(execFile);
let simulator: Simulator;
let scratch = "";
beforeAll(async () => {
  simulator = await startSimulator();
  scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-recorded-"));
});
afterAll(async () => {
  await simulator.close();
  rmSync(scratch, { recursive: true, force: true });
});

function recorder(file: string, { baseUrl: target, keys }: Simulator = simulator) {
  return startRecordingProxy({ target, file, keys, notice: () => undefined });
}

async function replayed(file: string, venue: Simulator) {
  const environment = { ...process.env, ...environmentOf(venue.readyLine()) };
  const profile = path.join(packageRoot(), "fixtures/profiles/simulator.yaml");
  const { rows, exitCode } = await replay({ files: [file], profile, environment });
  const failed = rows.flatMap(({ row }) => row.findings.filter(({ severity }) => severity === "fail"));
  return { exitCode, outcomes: rows.map(({ row }) => row.outcome), failed };
}

async function onVenueWith(defect: string, file: string, options: SimulatorOptions = {}) {
  await using venue = await startSimulator({ ...options, defects: [defect] });
  return await replayed(file, venue);
}

/** Its market moves with orders and by nothing else, so that a replay hears what the recording heard, however slow the machine. */
const calm: SimulatorOptions = {
  clock: "manual",
  world: { extends: "demo", settings: { matchDelayMs: 0 } },
};

describe.for(sampled(3, clients))("%s, recorded and exported", (client) => {
  it("passes on its venue, and fails where the bug is that it met", async (context) => {
    needs(context, ...toolsOf[client]);
    const [recording, scenario] = ["recording", "yaml"].map((form) =>
      path.join(scratch, `${client}.${form}`),
    ) as [string, string];
    const proxy = await recorder(recording);
    const ended = await runClient(client, { GATEWRIGHT_BASE_URL: proxy.url }, scratch);
    await proxy.close();
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const { text } = await exportFile({ file: recording, out: scenario });
    writeFileSync(scenario, text);
    expect(await replayed(scenario, simulator)).toEqual({ exitCode: 0, outcomes: ["passed"], failed: [] });
    // A repeat makes a second order, is answered NEW_ORDER, with 409, without its order.
    for (const defect of sampled(4, ["M-042", "M-043", "M-044", "M-045"]))
      expect({ defect, ...(await onVenueWith(defect, scenario)) }).toMatchObject({ defect, exitCode: 1 });
    // A bug that the client did not meet: everybody may cancel an order whose id they know.
    expect(await onVenueWith("M-223", scenario)).toMatchObject({ exitCode: 0, failed: [] });
  });
});

it("a stream, as gatewright watch follows it, passes on its venue, and fails on one that says nothing of orders", async (context) => {
  needs(context, ...toolsOf["client.py"]);
  const [recording, scenario] = ["recording", "yaml"].map((form) => path.join(scratch, `watch.${form}`)) as [
    string,
    string,
  ];
  await using venue = await startSimulator(calm);
  const proxy = await recorder(recording, venue);
  const { keyId, secret } = venue.keys.find(({ name }) => name === "trader") ?? { keyId: "", secret: "" };
  const program = path.join(packageRoot(), "bin/gatewright");
  const flags = ["--target", proxy.url, "--key-id", keyId, "--secret-env", "SECRET", "--json"];
  const watching = new AbortController();
  const watched = execute(process.execPath, [program, "watch", ...flags], {
    env: { ...process.env, SECRET: secret },
    signal: watching.signal,
    killSignal: "SIGINT",
  });
  // The launcher may have to build first.
  const heard = expect.poll(() => readFileSync(recording, "utf8"), { timeout: 200_000 });
  await heard.toMatch(/"from":"gateway".*ticker/);
  await run("python3", [path.join(packageRoot(), "docs/clients/client.py")], {
    GATEWRIGHT_BASE_URL: proxy.url,
  });
  watching.abort();
  await watched.catch(() => undefined);
  await proxy.close();
  const { text } = await exportFile({ file: recording, out: scenario });
  writeFileSync(scenario, text);
  expect(text.match(/subscribe: /g)).toHaveLength(5);
  expect(text).toContain("status: FILLED");
  expect(await replayed(scenario, venue)).toEqual({ exitCode: 0, outcomes: ["passed"], failed: [] });
  expect(await onVenueWith("M-137", scenario, calm)).toMatchObject({ exitCode: 1 });
});
