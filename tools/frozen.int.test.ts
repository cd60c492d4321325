/**
 * What users rely on, and no change of the inside may change by accident: the documents of the simulator, the help of every
 * command, and what the kit plans to send. The copies are in `frozen/`; `npm run test:whole -- tools/frozen -u` writes
 * them anew. The matrix of the sample is held by `fixtures/defects/sample.yaml` and bin/detection/sample.int.test.ts.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../bin/commands.ts";
import { buildProgram } from "../bin/gatewright.ts";
import { type Change, ownProfile } from "../bin/testing/own-profile.ts";
import { planRun, readSuite } from "../conformance/commands.ts";
import { type Simulator, startSimulator } from "../simulator/index.ts";
import { sampled } from "./sampled.ts";

const copyOf = (name: string): string => path.join(import.meta.dirname, "frozen", name);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

async function documentOf({ baseUrl }: Simulator, name: string): Promise<string> {
  const { origin, host } = new URL(baseUrl);
  const text = await (await fetch(`${origin}/__gatewright/${name}`)).text();
  return text.replaceAll(host, "127.0.0.1:8080");
}

/** For all tests: none of them changes it. */
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ db: ":memory:", exchanges: false, clock: "manual" });
});
afterAll(() => simulator.close());

describe("the documents of the simulator", () => {
  it.each([
    ["openapi.json", "openapi.json"],
    ["asyncapi.json", "asyncapi.json"],
    ["control.json", "control.json"],
  ])("%s", async (name, copy) => {
    const text = await documentOf(simulator, name);
    await expect(`${JSON.stringify(JSON.parse(text), null, 1)}\n`).toMatchFileSnapshot(copyOf(copy));
  });

  it("openapi.json?signed=false, as a hash: it repeats nearly all of openapi.json", async () => {
    const text = await documentOf(simulator, "openapi.json?signed=false");
    await expect(`${sha256(text)}\n`).toMatchFileSnapshot(copyOf("openapi-unsigned.sha256"));
  });
});

function helpOf(command: CommandUnknownOpts): string {
  let text = `$ ${nameOf(command)} --help\n`;
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return [text, ...command.commands.map(helpOf)].join("\n");
}

const nameOf = (command: CommandUnknownOpts): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

it("the help of every command", async () => {
  const pages = [];
  for (const { name } of commands) {
    const program = await buildProgram([name], "0.0.0");
    const command = program.commands.find((one) => one.name() === name);
    if (command !== undefined) pages.push(helpOf(command));
  }
  const program = await buildProgram([], "0.0.0");
  await expect(`${[helpOf(program), ...pages].join("\n").trimEnd()}\n`).toMatchFileSnapshot(
    copyOf("help.txt"),
  );
});

const staging: Change = (text) =>
  text
    .replace("kind: local", "kind: staging")
    .replace("allow: disruptive", "allow: trades")
    .replace(
      /budget: \{.*\}/,
      "budget: { requests: 5000, orders: 500, openOrders: 100, rps: 500, concurrency: 8 }",
    );
const withoutRoles: Change = (text) =>
  text.replace(
    /^ {2}(?:otherClient|counterparty|readOrders|writeOrders|readAccount|noClaim|orphan|revoked):.*\n/gm,
    "",
  );
const withoutWallets: Change = (text) => text.replace(/^ {2}wallets: .*$/m, "  wallets: absent");

describe("what the kit plans to send", () => {
  let suite: Awaited<ReturnType<typeof readSuite>>["suite"];
  beforeAll(async () => {
    ({ suite } = await readSuite([]));
  });

  const profiles: readonly (readonly [string, Change])[] = [
    ["everything-stated", (text) => text],
    ["two-keys", withoutRoles],
    ["staging", staging],
    ["no-wallets", withoutWallets],
  ];
  it.each(sampled(2, profiles))("with the profile %s", async (name, change) => {
    const { file, environment, read: profile } = await ownProfile(simulator, change);
    const { cases, totals } = await planRun({
      profile: file,
      environment,
      read: { profile, suite },
      level: "full",
      seed: 1,
      properties: "off",
    });
    const scenarios = new Map<string, unknown[]>();
    for (const one of cases) {
      const id = one.id.replace(/\[.*$/, "");
      scenarios.set(id, [...(scenarios.get(id) ?? []), one]);
    }
    const lines = [...scenarios].map(([id, rows]) => {
      const digest = sha256(JSON.stringify(rows)).slice(0, 16);
      return `${digest} ${id} (${rows.length})`;
    });
    const text = [
      ...lines.toSorted((a, b) => (a.slice(17) < b.slice(17) ? -1 : 1)),
      JSON.stringify(totals),
      "",
    ];
    await expect(text.join("\n")).toMatchFileSnapshot(copyOf(`plan-${name}.txt`));
  });
});
