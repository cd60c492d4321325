import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conform } from "../../conform.ts";
import type { Way } from "./defects.ts";
import { startTradingGateway } from "./gateway.ts";

/** Ways in which gateways differ and in which none of them is wrong: no finding, not even a warning, at level full. */
const only = ["orders*", "matching*", "market-buy*", "idempotency*", "P-11", "P-17", "P-29", "P-32"];

it.each<[string, readonly Way[]]>([
  ["shows, lists and ends orders a little later", ["reads-late"]],
  ["confirms cancels later than it accepts them", ["cancels-later"]],
  ["does both", ["reads-late", "cancels-later"]],
])("a gateway that %s is not called wrong", { timeout: 180_000 }, async (_, ways) => {
  const gateway = await startTradingGateway([], ways);
  try {
    const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "ways.yaml");
    await writeFile(profile, gateway.profile);
    const { environment } = gateway;
    const { cases, ambient, summary } = await conform({ profile, environment, level: "full", seed: 7, only });
    const bad = cases.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome));
    expect(bad.map(({ id, findings }) => [id, findings.map(({ actual }) => actual)])).toEqual([]);
    expect(ambient).toEqual([]);
    expect(summary.cases.passed).toBeGreaterThan(100);
  } finally {
    await gateway.close();
  }
});
