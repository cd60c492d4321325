import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { conform } from "../conform.ts";
import { replay } from "../replay.ts";
import type { Defect } from "./faulty-gateway/defects.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-gateway/gateway.ts";

const anyScenario = fileURLToPath(new URL("scenarios/auth.yaml", import.meta.url));
const gateways: FaultyGateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
});

async function targetWith(bugs: readonly Defect[]) {
  const gateway = await startFaultyGateway(bugs);
  gateways.push(gateway);
  const folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
  const profile = path.join(folder, "gateway.yaml");
  await writeFile(profile, gateway.profile);
  return { profile, environment: gateway.environment, folder };
}

describe("replay", () => {
  it("shows what was recorded beside what is answered now, and ends by what the scenario comes to", async () => {
    const { folder, ...broken } = await targetWith(["p16-repeat-makes-an-order"]);
    const counterexamples = path.join(folder, "found");
    await conform({
      ...broken,
      scenarios: [anyScenario],
      only: ["P-16"],
      runs: 50,
      seed: 1,
      counterexamples,
    });
    const files = (await readdir(counterexamples)).map((name) => path.join(counterexamples, name));

    const there = await replay({ ...broken, files });
    expect(there).toMatchObject({ exitCode: 1, rows: [{ row: { outcome: "failed" } }] });
    expect(there.rows[0]?.recorded).toEqual(["200 NEW_ORDER ord#1", "200 NEW_ORDER ord#2"]);
    expect(there.rows[0]?.now).toEqual(there.rows[0]?.recorded);

    const { folder: _, ...right } = await targetWith([]);
    const here = await replay({ ...right, files });
    expect(here).toMatchObject({ exitCode: 0, rows: [{ row: { outcome: "passed" } }] });
    expect(here.rows[0]?.now).toEqual(["200 NEW_ORDER ord#1", "200 DUPLICATE_REPLAY ord#1"]);
  });

  it("says that nothing was shown when the scenario could not run", async () => {
    const { folder, ...right } = await targetWith([]);
    const file = path.join(folder, "needs-more.yaml");
    await writeFile(
      file,
      "kit: 1\nid: needs-more\ntitle: Needs a role that is not there\nspec: [AUTH-07]\nsteps: [{ call: { op: openOrders, as: nobody } }]\n",
    );
    expect(await replay({ ...right, files: [file] })).toMatchObject({ exitCode: 3 });
  });
});
