import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder, startCli, writeProfile } from "./run-cli.ts";

const baseUrl = "http://127.0.0.1:1/api/v1/trading";
const environment = { KEY: "key", SECRET: "a secret of the trader" };

// The launcher builds if a source is newer than the build; this test is not about that.
beforeAll(async () => {
  await startCli(["--version"], newFolder()).done;
});

/** A folder with the ledger of a run that is over and has left an order open. */
function leftBehind(url: string): string {
  const folder = newFolder();
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
  writeFileSync(join(runs, "a.ledger"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return folder;
}

it.each(["plan", "conform"])(
  "a killed run is mentioned by the next %s, with the command that cleans up",
  async (command) => {
    const folder = leftBehind(baseUrl);
    const profile = writeProfile(folder, [
      "kit: 1",
      "name: t",
      `baseUrl: ${baseUrl}`,
      "credentials: { trader: { keyId: '${env:KEY}', secret: '${env:SECRET}' } }",
    ]);
    const ended = await startCli([command, "--profile", profile, "--only", "auth-010*"], folder, environment)
      .done;
    const line = `an earlier run ended before it could cancel an order: gatewright cleanup --profile ${profile}`;
    expect(ended.stderr.split(line)).toHaveLength(2);
  },
);

it("a run against another target is not mentioned", async () => {
  const folder = leftBehind("http://127.0.0.1:2/api/v1/trading");
  const args = [
    "plan",
    "--target",
    baseUrl,
    "--key-id",
    "k",
    "--secret-env",
    "SECRET",
    "--only",
    "auth-010*",
  ];
  expect((await startCli(args, folder, environment).done).stderr).not.toContain("an earlier run");
});
