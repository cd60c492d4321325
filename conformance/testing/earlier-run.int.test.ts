import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder, smallSuite, startCli, writeProfile } from "./run-cli.ts";

const baseUrl = "http://127.0.0.1:1/api/v1/trading";
const environment = { KEY: "key", SECRET: "a secret of the trader" };

// The launcher builds if a source is newer than the build; this test is not about that.
beforeAll(async () => {
  await startCli(["--version"], newFolder()).done;
});

/** Leaves the ledger of a run that is over and has left an order open at `url`. */
function leaveBehind(folder: string, name: string, url: string): void {
  const runs = join(folder, ".gatewright", "runs");
  mkdirSync(runs, { recursive: true });
  const order = { n: 1, role: "trader", product: "BTC-USD", clientOrderId: "c", caseId: "x", market: false };
  const lines = [
    {
      event: "run",
      run: "r",
      startedAt: "2026-01-01T00:00:00.000Z",
      target: "t",
      baseUrl: url,
      pid: 2 ** 22 + 1,
    },
    { event: "sending", ...order },
    { event: "open", n: 1, id: "o", product: "BTC-USD" },
  ];
  writeFileSync(join(runs, `${name}.ledger`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

it.each(["plan", "conform"])(
  "a killed run is mentioned by the next %s, with the command that cleans up; one against another target is not",
  async (command) => {
    const folder = newFolder();
    leaveBehind(folder, "a", baseUrl);
    leaveBehind(folder, "b", "http://127.0.0.1:2/api/v1/trading");
    const profile = writeProfile(folder, [
      "kit: 1",
      "name: t",
      `baseUrl: ${baseUrl}`,
      "credentials: { trader: { keyId: '${env:KEY}', secret: '${env:SECRET}' } }",
    ]);
    const args = [command, "--profile", profile, "--scenarios", smallSuite];
    const { stderr } = await startCli(args, folder, environment).done;
    const line = `an earlier run ended before it could cancel an order: gatewright cleanup --profile ${profile}`;
    expect([stderr.split(line).length, stderr.split("an earlier run").length]).toEqual([2, 2]);
  },
);
