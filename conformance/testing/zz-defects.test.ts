import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "vitest";
import { conform } from "../conform.ts";
import { startStubGateway, stubDefects } from "./stub-gateway.ts";

it("all", async () => {
  for (const defect of [undefined, ...stubDefects]) {
    const gateway = await startStubGateway(defect === undefined ? [] : [defect]);
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "stub.yaml");
    await writeFile(file, ["kit: 1","name: stub",`baseUrl: ${gateway.baseUrl}`,"safety:","  products:","    BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001', spend: '25.00' }",
      "capabilities: { liquidity.cross: present }","credentials:","  trader: { keyId: '${env:STUB_KEY}', secret: '${env:STUB_SECRET}' }",""].join("\n"));
    try {
      const report = await conform({ profile: file, environment: { STUB_KEY: gateway.keyId, STUB_SECRET: gateway.secret }, seed: 1 });
      const v = report.clauses.filter((c) => c.outcome === "violated").map((c) => c.id);
      const w = report.clauses.filter((c) => c.outcome === "warned").map((c) => c.id);
      console.log(defect ?? "NONE", report.verdict, report.exitCode, report.reason, JSON.stringify(report.summary.cases), "violated", v.join(" "), "warned", w.join(" "), report.durationMs);
      if (defect === undefined) {
        console.log("unverified", report.clauses.filter((c) => c.level === "required" && c.outcome === "unverified").map((c) => c.id).join(" "));
        for (const c of report.cases) if (["failed", "warned", "error", "blocked"].includes(c.outcome)) console.log(c.id, c.outcome, c.reason ?? "", JSON.stringify(c.findings.slice(0, 2)));
      }
    } catch (error) { console.log(defect, String(error).slice(0, 300)); }
    await gateway.close();
  }
}, 300_000);
