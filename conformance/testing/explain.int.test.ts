import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { conform } from "../conform.ts";
import { explainClause } from "../explain.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";
import { newFolder, startCli } from "./run-cli.ts";

interface Target {
  readonly profile: string;
  readonly environment: Readonly<Record<string, string>>;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

// The launcher builds if a source is newer than the build; this test is not about that.
beforeAll(async () => {
  await startCli(["--version"], newFolder()).done;
});

function written(text: string): string {
  const file = join(newFolder(), "profile.yaml");
  writeFileSync(file, text);
  return file;
}

const trading = (defect: Defect) => async (): Promise<Target> => {
  const gateway = await startFaultyGateway([defect]);
  closing.push(() => gateway.close());
  return { profile: written(gateway.profile), environment: gateway.environment };
};

/** Bugs that a property notices and no case does, at least not at level core. */
const noticed: readonly (readonly [string, string, () => Promise<Target>])[] = [
  ["digits of a price are dropped", "ORD-45", trading("digits-of-prices-dropped")],
  ["a MARKET BUY pays the first price throughout", "PLC-06", trading("p21-pays-the-first-price-throughout")],
];

describe("the command that explain prints", () => {
  it.each(sampled(2, noticed))("convicts a gateway of which %s by %s", async (_, clause, start) => {
    const { profile, environment } = await start();
    const [, command = ""] = /run them: gatewright (.*)$/m.exec(await explainClause(clause, [])) ?? [];
    const words = command.split(" ").map((word) => (word === "FILE" ? profile : word));
    const ended = await startCli([...words, "--seed", "1"], newFolder(), environment).done;
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining(`FAILED  ${clause}`)]);
  });

  it.each(sampled(2, noticed))("tries the properties, which alone show that %s", async (_, clause, start) => {
    const { profile, environment } = await start();
    const read = await readOnce({ profile, environment });
    const run = { ...read, only: [clause], level: "core", seed: 1, properties: "off" } as const;
    expect(await conform(run)).toMatchObject({ exitCode: 3 });
  });
});

describe("what explain says of a clause", () => {
  it("names the properties that judge it", async () => {
    expect(await explainClause("ORD-45", [])).toMatch(/^ {4}P-24: .* \(rests\)$/m);
  });

  it("gives the basis of its level, and the reason where the document does not state it", async () => {
    expect(await explainClause("PLC-31", [])).toMatch(/^ {2}basis: money: A fill .*\.$/m);
    expect(await explainClause("PLC-01", [])).toContain("  basis: stated: the specification says it\n");
  });

  it("gives a command of the level that the cases of the clause need", async () => {
    expect(await explainClause("EVT-02", [])).toMatch(
      /--only EVT-02 --level (core\+events|full) --profile FILE$/m,
    );
    expect(await explainClause("EPT-03", [])).toContain("--profile FILE");
    expect(await explainClause("EVT-07", [])).toMatch(
      /a check of these cites it, and no more: matching-040-/,
    );
    expect(await explainClause("AUTH-26", [])).not.toContain("cites it, and no more");
  });

  it("gives the whole run where replies of other cases can break the clause", async () => {
    expect(await explainClause("ENV-03", [])).toMatch(/the whole run: gatewright conform .*--profile FILE$/m);
    expect(await explainClause("AUTH-26", [])).not.toContain("the whole run");
  });

  it("speaks of an alias through the clauses that decide about it", async () => {
    const said = await explainClause("GEN-08", []);
    expect(said).toContain("--only GEN-08");
    expect(said).not.toContain("cases: none");
  });
});
