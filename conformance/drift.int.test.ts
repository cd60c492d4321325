import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftAccepted } from "./drift/accepted.ts";
import { driftHtml } from "./drift/drift-html.ts";
import { driftText } from "./drift/drift-text.ts";
import { drift } from "./drift.ts";
import { exitCodes } from "./exit-codes.ts";
import { legalSecrets, startLegalGateway } from "./testing/legal-gateway/gateway.ts";

let [folder, list] = ["", ""];
const open: (() => unknown)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-drift-"));
  list = join(folder, "list.yaml");
  await writeFile(list, listing);
});
afterAll(async () => {
  for (const close of open) await close();
  await rm(folder, { recursive: true, force: true });
});

/** A scenario of its own: to read the built-in suite takes longer than all of these runs. */
const listing = `kit: 1
id: own-list
title: The products are listed
spec: [PRD-01]
safety: read
steps:
  - { id: ask, call: { op: products } }
`;

const placing = fileURLToPath(new URL("testing/scenarios/place.yaml", import.meta.url));
const products = "products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01' } }";

/** A legal gateway, which cancels nothing, as a target. */
async function legal(name: string, safety: string) {
  const gateway = await startLegalGateway();
  open.push(gateway.close);
  const profile = await profileOf(name, gateway.baseUrl, gateway.keyId, safety);
  return { profile, environment: { SECRET: legalSecrets.SECOND_SECRET } };
}

/** A profile of the fewest lines. */
async function profileOf(name: string, baseUrl: string, keyId: string, safety = ""): Promise<string> {
  const file = join(folder, `${name}.yaml`);
  const lines = [
    "kit: 1",
    `name: ${name}`,
    `baseUrl: ${baseUrl}`,
    `credentials: { trader: { keyId: ${keyId}, secret: '\${env:SECRET}' } }`,
    `safety: { ${safety} }`,
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  return file;
}

describe("a drift", () => {
  it("shows no secret that a target echoes, in a value, a name or a type", async () => {
    const secret = "a word-only secret, with a 7 in it";
    const echo = async (name: string, word: (request: IncomingMessage) => string) => {
      const server = createServer((request, response) => {
        const text = word(request);
        response.writeHead(200, { "content-type": `application/json; note=${text}` });
        response.end(JSON.stringify({ success: true, statusCode: 200, [text]: 1, message: text, data: [] }));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      open.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      const baseUrl = `http://127.0.0.1:${port}/api/v1/trading`;
      return {
        profile: await profileOf(name, baseUrl, "the-key-of-a-trader"),
        environment: { SECRET: secret },
      };
    };
    const report = await drift({
      a: await echo("quiet", () => "fine"),
      b: await echo("echo", ({ headers }) => `${secret} of ${String(headers["x-api-key"])}`),
      scenarios: [list],
      seed: 1,
    });
    const texts = [
      JSON.stringify(report),
      driftText(report),
      driftHtml(report),
      draftAccepted(report.differences),
    ];
    for (const text of texts) {
      expect(text).toContain("message");
      expect(text).not.toMatch(/word-only secret|the-key-of-a-trader/);
    }
  });

  it("says which orders are left open, and ends with 5 when a profile allows none", async () => {
    const report = await drift({
      a: await legal("one", products),
      b: await legal("two", `leftovers: 0, ${products}`),
      scenarios: [placing],
      seed: 1,
    });
    expect(report.differences).toEqual([]);
    expect(report.exitCode).toBe(exitCodes.safetyStop);
    for (const text of [driftText(report), driftHtml(report)]) {
      expect(text).toMatch(/LEFT OPEN on a: \d orders? rests? at the target: .* BTC-USD/);
      expect(text).toMatch(/LEFT OPEN on b: /);
      expect(text).toMatch(/STOPPED on b: .*the profile allows 0/);
      expect(text).not.toContain("STOPPED on a");
    }
  });

  it("promises nothing when no case ran on both", async () => {
    const [a, b] = [await legal("poor", `budget: { orders: 1 }, ${products}`), await legal("bare", "")];
    const report = await drift({ a, b, scenarios: [placing], seed: 1 });
    expect(report.notCompared.map(({ id }) => id)).toEqual(["stub-place-and-replay"]);
    expect(report.exitCode).toBe(exitCodes.incomplete);
    expect(driftText(report)).toMatch(
      /NOT RUN stub-place-and-replay: a blocked: .*; b blocked: [^]*NOTHING COMPARED/,
    );
  });
});
