import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { SafetyStop } from "../model/outcome.ts";
import { startStubGateway } from "../testing/stub-gateway.ts";
import { type SigningProxyOptions, startSigningProxy } from "./signing-proxy.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function proxyTo(target: string, options: Partial<SigningProxyOptions> = {}): Promise<string> {
  const proxy = await startSigningProxy({
    target,
    keyId: "kid_stub",
    secret: "stub-secret-for-tests-only",
    ...options,
  });
  closers.push(proxy.close);
  return proxy.url;
}

/** A server that shows what reached it. */
async function mirror(
  answer: (
    request: IncomingMessage,
    body: Buffer,
  ) => { status: number; headers?: Record<string, string>; body?: Buffer },
) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { status, headers, body } = answer(request, Buffer.concat(chunks));
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
}

describe("the signing proxy", () => {
  it("makes a client of who cannot sign", async () => {
    const stub = await startStubGateway();
    closers.push(stub.close);
    const url = await proxyTo(stub.baseUrl);
    const open = await fetch(`${url}/order/open?product=BTC-USD`);
    expect(open.status).toBe(200);
    const refused = await fetch(`${url}/order`, {
      method: "POST",
      body: '{"side":"BUY"}',
      headers: { "content-type": "text/plain" },
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ success: false });
  });

  it("passes bodies on byte for byte, both ways", async () => {
    const sent = randomBytes(200_000);
    let received: Buffer = Buffer.alloc(0);
    const url = await proxyTo(
      await mirror((_, body) => {
        received = body;
        return { status: 200, body };
      }),
    );
    const reply = await fetch(`${url}/order`, { method: "POST", body: new Uint8Array(sent) });
    expect(received.equals(sent)).toBe(true);
    expect(Buffer.from(await reply.arrayBuffer()).equals(sent)).toBe(true);
  });

  it("sets the signature headers whatever the caller sent, and drops headers of the connection", async () => {
    let seen: IncomingMessage["headers"] = {};
    const url = await proxyTo(
      await mirror((request) => {
        seen = request.headers;
        return { status: 200 };
      }),
    );
    await fetch(`${url}/order/open`, {
      headers: { "X-API-KEY": "forged", "X-Mine": "kept", "Proxy-Authorization": "dropped" },
    });
    expect(seen).toMatchObject({
      "x-api-key": "kid_stub",
      "x-mine": "kept",
      "content-type": "application/json",
    });
    expect(seen["proxy-authorization"]).toBeUndefined();
    expect(seen["x-api-signature"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("hands redirects back instead of following them", async () => {
    const url = await proxyTo(
      await mirror(() => ({ status: 307, headers: { location: "http://127.0.0.1:9/steal" } })),
    );
    const reply = await fetch(`${url}/order/open`, { redirect: "manual" });
    expect(reply.status).toBe(307);
    expect(reply.headers.get("location")).toBe("http://127.0.0.1:9/steal");
  });

  it("passes on nothing outside the base path", async () => {
    let reached = 0;
    const url = await proxyTo(
      await mirror(() => {
        reached += 1;
        return { status: 200 };
      }),
    );
    expect((await fetch(new URL("/__gatewright/faults", url))).status).toBe(404);
    expect((await fetch(new URL("/api/v1/tradingX", url))).status).toBe(404);
    expect(reached).toBe(0);
  });

  it("answers 502 with a sentence when the target is not there", async () => {
    const url = await proxyTo("http://127.0.0.1:9/api/v1/trading");
    const reply = await fetch(`${url}/order/open`);
    expect(reply.status).toBe(502);
    expect(await reply.json()).toMatchObject({ success: false });
  });

  it("listens on this machine only, and signs for this machine only unless a host is named", async () => {
    await expect(proxyTo("http://127.0.0.1:9/api/v1/trading", { host: "0.0.0.0" })).rejects.toBeInstanceOf(
      SafetyStop,
    );
    await expect(proxyTo("https://gw.example/api/v1/trading")).rejects.toBeInstanceOf(SafetyStop);
    await expect(
      proxyTo("http://gw.example/api/v1/trading", { allowHosts: ["gw.example"] }),
    ).rejects.toBeInstanceOf(SafetyStop);
  });
});
