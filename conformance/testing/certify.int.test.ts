import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { type CertifyOptions, certify, verify } from "../certify.ts";
import type { ClaimedLevel } from "../model/clause.ts";
import { type LegalGateway, legalSecrets, startLegalGateway } from "./legal-gateway/gateway.ts";

const gateways: LegalGateway[] = [];
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
});

/** Runs `certify` like the command, and returns the values to check. */
async function certified(
  level: ClaimedLevel,
  more: readonly string[],
  options: Pick<CertifyOptions, "onRow" | "signal"> = {},
) {
  const gateway = await startLegalGateway({ cancel: true });
  gateways.push(gateway);
  const { baseUrl, keyId, reader } = gateway;
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const file = (name: string): string => join(folder, name);
  const pem = { type: "pkcs8", format: "pem" } as const;
  await writeFile(file("key.pem"), generateKeyPairSync("ed25519").privateKey.export(pem));
  const profile = [
    "kit: 1",
    "name: legal",
    `baseUrl: ${baseUrl}`,
    "safety: { products: { BTC-USD: { buyFar: '1000', sellFar: '900000', qty: '0.01', spend: '25' } } }",
    `credentials: { trader: { keyId: ${keyId}, secret: '\${env:SECOND_SECRET}' }, reader: { keyId: ${reader.keyId}, secret: '\${env:SECOND_READER}' } }`,
    "operations: { cancelOrder: { method: DELETE, path: '/orders/{id}' } }",
    ...more,
  ];
  await writeFile(file("legal.yaml"), `${profile.join("\n")}\n`);
  const challenge = "word of the verifier";
  const run = await certify({
    profile: file("legal.yaml"),
    environment: legalSecrets,
    level,
    key: file("key.pem"),
    challenge,
    ...options,
  });
  const text = JSON.stringify(run.report);
  await writeFile(file("report.json"), text);
  if (run.certificateFor !== undefined)
    await writeFile(file("certificate.json"), JSON.stringify(run.certificateFor(text)));
  return { run, paper: { certificate: file("certificate.json"), report: file("report.json"), challenge } };
}

describe.concurrent("certify against a gateway that is not ours", () => {
  it("makes a certificate for a gateway whose owner says that it has no stream, which verify finds whole", async () => {
    const { run, paper } = await certified("core+events", ["capabilities: { ws: absent }"]);
    expect(run).toMatchObject({ refusal: undefined, exitCode: 0, report: { verdict: "CONFORMANT" } });
    expect((await verify(paper)).problems).toEqual([]);
  });

  it("makes none for a run that was ended before its time", async () => {
    const stop = new AbortController();
    const { run } = await certified("core", [], { onRow: () => stop.abort(), signal: stop.signal });
    expect(run).toMatchObject({ certificateFor: undefined, exitCode: 3 });
    expect(run.refusal).toMatch(/^no certificate: INCOMPLETE: the run was interrupted/);
  });

  // The test before it and certificate/certificate.test.ts show that an incomplete run earns none.
  it.skipIf(!triesAll)(
    "makes none at level core+limits while the limits are unknown, and ends with exit code 3",
    async () => {
      const { run } = await certified("core+limits", []);
      expect(run).toMatchObject({ certificateFor: undefined, exitCode: 3 });
      expect(run.refusal).toMatch(/^no certificate: INCOMPLETE: \d+ required clauses of level core\+limits/);
    },
  );
});
