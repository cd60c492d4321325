import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { conform } from "../../conform.ts";
import { probe } from "../../probe.ts";
import { readOnce } from "../read-once.ts";
import { Gateway } from "./gateway.ts";
import { bugsOfCredentials } from "./planted/bugs-of-credentials.ts";
import { profile } from "./profile.ts";
import { keys } from "./world.ts";

/** What an owner fills in: the prices that the draft asks for, and the routes that it could not find. */
const prices: Readonly<Record<string, string>> = {
  "BTC-USD": 'buyFar: "30000", sellFar: "90000"',
  "BTC-EUR": 'buyFar: "30000", sellFar: "90000"',
  "LTC-USD": 'buyFar: "50", sellFar: "120"',
};
const mapped = [
  "  cancelOrder: { method: PUT, path: '/orders/{id}/cancel', order: '#/data' }",
  "  readOrder: { method: GET, path: '/orders/{id}', order: '#/data' }",
  "  orderBook: { method: GET, path: '/books/{product}', bids: '#/data/bids', asks: '#/data/asks' }",
];

function filledIn(draft: string): string {
  return draft
    .split("\n")
    .filter((line) => !/^ {2}(?:cancelOrder|readOrder|orderBook):/.test(line))
    .map((line) => {
      const [, id = "", plan = ""] = /^ {2}# {3}(\S+): \{ (.*) \}$/.exec(line) ?? [];
      if (prices[id] !== undefined) return `    ${id}: { ${prices[id]}, ${plan} }`;
      if (line === "  # products:") return "  products:";
      if (line === "operations:") return ["operations:", ...mapped].join("\n");
      return line
        .replace("allow: reject-only", "allow: trades")
        .replace("allow: read ", "allow: trades ")
        .replace("liquidity.cross: unknown", "liquidity.cross: present");
    })
    .join("\n");
}

describe("the first run against a correct gateway", () => {
  it("is conformant at level core with what the probe drafts and its owner fills in", async () => {
    await using gateway = await new Gateway().listen();
    const { trader, reader } = keys;
    const environment = { SECRET: trader.secret, READER: reader.secret };
    const target = `http://${gateway.origin}/api/v1/trading`;
    const draft = await probe({
      target,
      keyId: trader.id,
      secretVariable: "SECRET",
      environment,
      allow: "reject-only",
    });
    const withReader = filledIn(draft).replace(
      /^ {2}trader: .*$/m,
      `$&\n  reader: { keyId: ${reader.id}, secret: '\${env:READER}', claims: ['read:orders', 'read:account'] }`,
    );
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-first-")), "draft.yaml");
    await writeFile(file, withReader);
    const options = { profile: file, environment, level: "core", properties: "off", seed: 1 } as const;
    const report = await conform(await readOnce(options));
    const bad = report.cases.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome));
    expect(bad.map(({ id, findings }) => [id, findings])).toEqual([]);
    const open = report.clauses.filter(({ claimed, outcome }) => claimed && outcome === "unverified");
    const why = report.cases.filter(
      ({ clauses, outcome }) =>
        outcome === "blocked" && clauses.some((id) => open.some((one) => one.id === id)),
    );
    expect([open.map(({ id }) => id), why.map(({ id, reason }) => [id, reason])]).toEqual([[], []]);
    expect(report).toMatchObject({ verdict: "CONFORMANT", exitCode: 0 });
  });

  it("warns of a nonce that only its owner can use twice, and convicts nobody of it", async () => {
    await using gateway = await new Gateway().listen();
    bugsOfCredentials.find(({ id }) => id === "F-01")?.install(gateway);
    const only = ["auth-340*"];
    const report = await conform(await readOnce({ ...profile(gateway), only, properties: "off", seed: 1 }));
    expect(report.clauses.find(({ id }) => id === "AUTH-46")).toMatchObject({ outcome: "warned" });
    expect(report.cases.find(({ id }) => id.startsWith("auth-340"))).toMatchObject({ outcome: "warned" });
  });
});
