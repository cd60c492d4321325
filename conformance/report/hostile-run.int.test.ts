import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runConformance } from "../conform.ts";
import { annotations } from "./annotations.ts";
import { reportProblem } from "./check-report.ts";
import { consoleReport } from "./console.ts";
import { hostileTexts } from "./testing/hostile-texts.ts";
import { elementsOf, readTap, xmlProblems } from "./testing/readers.ts";
import { reportFormats, writeReports } from "./write-reports.ts";

/**
 * A target that returns everything it receives, the secret in every spelling, and every trick against readers of
 * reports.
 */
const secret = `hostile/s3cret+"<&>' ü`;
const keyId = "kid_of_the_hostile_run";
const tricks = Object.values(hostileTexts);
const seen = new Set<string>();
const bytes = Buffer.from(secret, "utf8");
const spellings = [
  secret,
  bytes.toString("hex"),
  bytes.toString("hex").toUpperCase(),
  bytes.toString("base64"),
  Buffer.concat([Buffer.from("a"), bytes]).toString("base64"),
  Buffer.concat([Buffer.from("ab"), bytes]).toString("base64"),
  encodeURIComponent(secret),
  JSON.stringify(secret),
];
const outputs = new Map<string, string>();
let exitCode = 0;

function answer(request: IncomingMessage, count: number): { status: number; type: string; body: string } {
  seen.add(String(request.headers["x-api-signature"] ?? ""));
  const echo = [...spellings, JSON.stringify(request.headers), tricks[count % tricks.length]].join(" ");
  if (request.method === "POST" && count % 2 === 0) return { status: 500, type: "text/html", body: echo };
  const data = request.url?.endsWith("/product") ? [] : [{ id: echo, productId: echo, baseQuantity: 1e300 }];
  const body = JSON.stringify({
    statusCode: 200,
    success: true,
    message: echo,
    data,
    [echo.slice(0, 500)]: echo,
  });
  return { status: count % 3 === 2 ? 401 : 200, type: "application/json", body };
}

beforeAll(async () => {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const { status, type, body } = answer(request, count);
      count += 1;
      response.writeHead(status, { "content-type": type, server: `${spellings[1]} ${keyId}` }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { report, redactor } = await runConformance({
      target: `http://127.0.0.1:${port}/api/v1/trading`,
      keyId,
      secret,
      scenarios: [fileURLToPath(new URL("../testing/scenarios", import.meta.url))],
      seed: 1,
    });
    exitCode = report.exitCode;
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    await writeReports(
      reportFormats.map((format) => ({ format, file: join(folder, format) })),
      report,
      redactor,
    );
    for (const name of await readdir(folder)) outputs.set(name, await readFile(join(folder, name), "utf8"));
    outputs.set("console", redactor.redact(consoleReport(report)));
    outputs.set("annotations", redactor.redact(annotations(report)));
    outputs.set("the value", JSON.stringify(report));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

afterAll(() => outputs.clear());

describe("a run against a target that echoes the secret in every spelling", () => {
  it("convicts it and writes all reports", () => {
    expect(exitCode).toBe(1);
    expect([...outputs.keys()].sort()).toEqual(
      [...reportFormats, "badge.endpoint.json", "console", "annotations", "the value"].sort(),
    );
  });

  it.each([...reportFormats, "console", "annotations", "the value"])(
    "leaves the secret out of %s",
    (name) => {
      const text = outputs.get(name) ?? "";
      for (const spelling of spellings) expect(text.includes(spelling), spelling).toBe(false);
      expect(text.includes(JSON.stringify(JSON.stringify(secret)).slice(3, -3))).toBe(false);
      const signatures = [...seen].filter((signature) => signature.length === 64);
      expect(signatures.length).toBeGreaterThan(5);
      expect(signatures.filter((signature) => text.includes(signature))).toEqual([]);
      expect(text).not.toContain(keyId);
    },
  );

  it("hides it by name, so that a reader knows what was hidden", () => {
    expect(outputs.get("json")).toContain("«trader.secret»");
    expect(outputs.get("html")).toContain("«trader.secret»");
  });

  it("leaves every report readable", async () => {
    expect(reportProblem(JSON.parse(outputs.get("json") ?? ""))).toBeUndefined();
    expect(await xmlProblems(outputs.get("junit") ?? "")).toEqual([]);
    expect(readTap(outputs.get("tap") ?? "").extra).toBe("");
    const names = new Set(elementsOf(outputs.get("html") ?? "").map(({ name }) => name));
    expect(["img", "iframe", "object", "link", "base", "form"].filter((name) => names.has(name))).toEqual([]);
    expect(elementsOf(outputs.get("html") ?? "").filter(({ name }) => name === "script")).toHaveLength(1);
  });

  it("is of a size that can be opened", () => {
    for (const [name, text] of outputs) expect(text.length, name).toBeLessThan(8_000_000);
  });
});
