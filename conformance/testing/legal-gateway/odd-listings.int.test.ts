import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampled, triesAll } from "../../../tools/sampled.ts";
import { conform } from "../../conform.ts";
import { readOnce } from "../read-once.ts";
import { legalSecrets, startLegalGateway } from "./gateway.ts";
import type { Json } from "./order-desk.ts";

/**
 * Values that a list of products may hold in place of an id, and the clauses that they break. The kit says so and goes on:
 * where there is no product to order it is BLOCKED, and never an error of its own.
 */
const long = `${"A".repeat(150)}-${"B".repeat(49)}`;
const odd: readonly (readonly [what: string, ids: readonly Json[], violated: readonly string[]])[] = [
  ["numbers", [7, 42.5], ["PRD-04"]],
  ["small letters", ["btc-usd", "eth-usd"], []],
  ["slashes", ["BTC/USD", "ETH/USD"], ["PRD-04"]],
  ["two hundred characters", [long, `${long}X`], []],
  ["other scripts", ["比特-美元", "₿-€", "\u{1F4B0}-\u202E"], []],
  ["signs and words of code", ["$&-$1", "constructor-prototype", "-"], ["PRD-04"]],
  ["nothing that is an id", [null, true, [], {}, ""], ["PRD-04"]],
  ["no pair at all", [], []],
];

/** What an id does to a property shows in any of its runs. */
const fewer = triesAll ? {} : { runs: 8 };

async function listing(ids: readonly Json[]) {
  const gateway = await startLegalGateway({ listed: ids, cancel: true });
  try {
    const words = ids.filter((id) => typeof id === "string" && id !== "");
    const plan = "{ buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' }";
    const lines = [
      "kit: 1",
      "name: odd",
      `baseUrl: ${gateway.baseUrl}`,
      `credentials: { trader: { keyId: ${gateway.keyId}, secret: '\${env:SECOND_SECRET}' } }`,
      "capabilities: { liquidity.cross: present }",
      "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }",
      ...(words.length === 0 ? [] : ["safety:", "  products:"]),
      ...words.map((id) => `    ${JSON.stringify(id)}: ${plan}`),
    ];
    const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "odd.yaml");
    await writeFile(profile, `${lines.join("\n")}\n`);
    const only = ["products-*", "P-16", "P-24", "P-44", "P-45"];
    const run = { profile, environment: legalSecrets, seed: 1, level: "full", only, ...fewer } as const;
    return await conform(await readOnce(run));
  } finally {
    await gateway.close();
  }
}

describe("a list of products whose ids are", () => {
  it.concurrent.each(sampled(3, odd))("%s is judged", async (_, ids, violated) => {
    const report = await listing(ids);
    expect(report.clauses.flatMap(({ id, outcome }) => (outcome === "violated" ? [id] : []))).toEqual(
      violated,
    );
    expect(report.cases.filter(({ outcome }) => outcome === "error")).toEqual([]);
    // Nothing was sent in the place of a product that is none.
    const resting = report.cases.find(({ id }) => id === "P-16");
    expect(resting?.outcome).toBe(
      ids.some((id) => typeof id === "string" && id !== "") ? "passed" : "blocked",
    );
  });
});
