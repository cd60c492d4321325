import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { conform } from "../conform.ts";
import type { Report } from "../report/report.ts";
import { startFaultyGateway } from "./faulty-gateway/gateway.ts";
import { readOnce } from "./read-once.ts";

const scenarios = [fileURLToPath(new URL("scenarios", import.meta.url))];

/** Runs at a gateway behind a relay, which passes each request on and then may hang up before the answer. */
async function runBehindRelay(
  hangsUp: (method: string, asked: number) => boolean,
  more: readonly string[] = [],
): Promise<Report> {
  const gateway = await startFaultyGateway([]);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const relay = createServer((client) => {
    let asked = 0;
    const inner = keep(connect(Number(new URL(gateway.baseUrl).port), "127.0.0.1"));
    inner.on("data", (data) => void client.write(data)).on("close", () => client.destroy());
    keep(client).on("close", () => inner.destroy());
    client.on("data", (data) => {
      const [method = ""] = data.toString("latin1").split(" ", 1);
      if (["GET", "POST", "DELETE"].includes(method)) asked += 1;
      inner.write(data, () => (hangsUp(method, asked) ? client.resetAndDestroy() : undefined));
    });
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  try {
    const base = new URL(gateway.baseUrl);
    base.port = String((relay.address() as AddressInfo).port);
    const profile = join(await mkdtemp(join(tmpdir(), "gatewright-")), "relay.yaml");
    const lines = [
      "kit: 1",
      "name: relay",
      ...more,
      `baseUrl: ${base.href}`,
      "credentials: { trader: { keyId: '${env:STUB_KEY}', secret: '${env:STUB_SECRET}' } }",
      "safety: { products: { BTC-USD: { buyFar: '30000.00', sellFar: '90000.00', qty: '0.001' } } }",
    ];
    await writeFile(profile, `${lines.join("\n")}\n`);
    const environment = { STUB_KEY: gateway.keyId, STUB_SECRET: gateway.secret };
    return await conform(await readOnce({ profile, environment, scenarios, seed: 1 }));
  } finally {
    relay.close();
    for (const socket of sockets) socket.destroy();
    await gateway.close();
  }
}

it("asks again on a new connection when a kept one was lost, and convicts nobody by an answer to a repeat", async () => {
  const whole = await runBehindRelay(() => false);
  const lost = await runBehindRelay((_, asked) => asked > 1);
  expect(whole.summary.cases).toMatchObject({ failed: 0, blocked: 0 });
  expect(lost.target.notes["askedAgain"]).toContain("lost ");
  expect(lost.cases.filter(({ outcome }) => outcome === "failed" || outcome === "error")).toEqual([]);
  expect(lost.summary.cases.passed).toBeGreaterThan(0);
});

it("asks again when a new connection was lost, as by a restart", async () => {
  let firsts = 0;
  const { cases, target } = await runBehindRelay((_, asked) => asked === 1 && (firsts += 1) === 3);
  expect(target.notes["askedAgain"]).toContain("lost ");
  expect(cases.filter(({ outcome }) => outcome === "failed" || outcome === "error")).toEqual([]);
});

it("convicts a gateway that gives no answer on a new connection, either", async () => {
  const { cases } = await runBehindRelay((method) => method === "POST");
  const findings = cases.flatMap((row) => (row.outcome === "failed" ? row.findings : []));
  expect(findings.map(({ actual }) => actual)).toContainEqual(expect.stringMatching(/^(?:reset|closed)/));
});

it("does not send an order again beyond this machine: nobody knows whether it is there", async () => {
  const { cases, target } = await runBehindRelay((method) => method === "POST", ["kind: staging"]);
  expect(target.notes["askedAgain"] ?? "").not.toContain("POST");
  const ofOrders = cases.filter(({ findings }) =>
    findings.some(({ request }) => request?.startsWith("POST")),
  );
  expect(ofOrders.map(({ outcome }) => outcome)).toContain("blocked");
  expect(ofOrders.map(({ outcome }) => outcome)).not.toContain("failed");
});
