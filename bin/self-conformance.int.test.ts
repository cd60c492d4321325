import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type ConformOptions,
  conform,
  environmentOf,
  packageRoot,
  readProfileFile,
  readReadyFile,
  readSuite,
  TargetUnusable,
} from "../conformance/commands.ts";
import { startSimulator } from "../simulator/index.ts";
import { triesAll } from "../tools/sampled.ts";

/**
 * The two halves of this project hold each other to the specification: they share no code and meet over TCP, here.
 * A failure here is a bug in the simulator, in the kit or in a scenario, and only the document can tell which.
 */
const profileFor = readProfileFile(path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"));
const builtIn = readSuite([]);

type Environment = Record<string, string>;

/** The environment of the profile, by the way it takes on the command line: through the file with the ready line. */
async function environmentFrom(readyLine: object): Promise<Environment> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "gatewright-")), "ready.json");
  await writeFile(file, `${JSON.stringify(readyLine)}\n`);
  return environmentOf(await readReadyFile(file));
}

/** The simulator keeps no exchanges, and explains no signature. Its run as it comes: bin/certify.int.test.ts. */
async function runAgainstSimulator(
  options: Partial<ConformOptions>,
  change: (environment: Environment) => Environment = (environment) => environment,
) {
  await using simulator = await startSimulator({ db: ":memory:", exchanges: false });
  const environment = change(await environmentFrom(simulator.readyLine()));
  const read = { profile: await (await profileFor)(environment), suite: (await builtIn).suite };
  return await conform({ read, seed: 1, ...options });
}

const readerAsTrader = (environment: Environment): Environment => ({
  ...environment,
  GATEWRIGHT_TRADER_KEY_ID: environment["GATEWRIGHT_READER_KEY_ID"] ?? "",
  GATEWRIGHT_TRADER_SECRET: environment["GATEWRIGHT_READER_SECRET"] ?? "",
});

describe.concurrent("the simulator and the kit", () => {
  it.runIf(triesAll)(
    "agree at level core with few requests and orders, as a staging gateway has no reset",
    async () => {
      const report = await runAgainstSimulator({ level: "core" });
      expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
      expect(report.summary.cases).toMatchObject({ failed: 0, warned: 0, blocked: 0, error: 0 });
      expect(report.summary.orders).toBeLessThanOrEqual(30);
      expect(report.summary.requests).toBeLessThanOrEqual(520);
    },
  );

  it("agree about the additions of level full, the stream included", async () => {
    const stream = ["EVT-01", "EVT-02", "EVT-03", "EVT-04", "EVT-05", "EVT-06", "EVT-07", "EVT-08", "EVT-09"];
    const report = await runAgainstSimulator({
      level: "full",
      only: ["CLM-01", "ERR-04", "PLC-17", "PLC-22", "RES-05", ...stream],
    });
    expect(report).toMatchObject({ verdict: "INCOMPLETE", exitCode: 3 });
    expect(report.summary.cases).toMatchObject({ failed: 0, warned: 0, blocked: 0, error: 0 });
    const proven = report.clauses.filter(({ outcome }) => outcome === "satisfied").map(({ id }) => id);
    expect(proven).toEqual(
      expect.arrayContaining(["CLM-01", "ERR-04", "PLC-17", "PLC-22", "RES-05", ...stream]),
    );
  });

  it("agree about an answer that is lost on purpose, and send what the case sends and no more", async () => {
    const seen: string[] = [];
    const report = await runAgainstSimulator({
      level: "core+limits",
      only: ["idempotency-095*"],
      onExchange: ({ request, transport }) => {
        const { caseId = "" } = request.permit ?? {};
        if (request.operation === "placeOrder" && caseId.startsWith("idempotency-095")) seen.push(transport);
      },
    });
    expect(report.summary.cases).toMatchObject({ passed: 1, failed: 0, warned: 0, blocked: 0, error: 0 });
    expect(seen).toEqual(["closed", "response", "response"]);
  });

  it("disagree when the key may not place: a refusal of every order is no pass", async () => {
    const report = await runAgainstSimulator({ only: ["orders-010*", "orders-060*"] }, readerAsTrader);
    expect(report).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
    expect(report.summary.cases.passed).toBe(0);
  });
});

describe("a target that answers 401 to everything", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it("is not judged at all, although it refuses every forgery", async () => {
    const started = createServer((_, response) => {
      response.writeHead(401, { "content-type": "application/json" }).end('{"message":"no"}');
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
    const target = `http://127.0.0.1:${(started.address() as AddressInfo).port}/api/v1/trading`;
    const run = conform({ target, keyId: "nobody", secret: "nothing that anybody knows" });
    await expect(run).rejects.toBeInstanceOf(TargetUnusable);
  });
});
