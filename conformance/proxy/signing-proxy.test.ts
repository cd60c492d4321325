import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { SafetyStop } from "../model/outcome.ts";
import { startFaultyGateway } from "../testing/faulty-gateway/gateway.ts";
import { type SigningProxyOptions, startSigningProxy } from "./signing-proxy.ts";

const json = { "content-type": "application/json" };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function proxyTo(target: string, options: Partial<SigningProxyOptions> = {}): Promise<string> {
  const proxy = await startSigningProxy({
    target,
    keyId: "kid_trader",
    secret: "trader-secret-for-tests-only",
    ...options,
  });
  closers.push(proxy.close);
  return proxy.url;
}

/** A server that returns the request that it received. */
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
  it("makes a client of a program that cannot sign", async () => {
    const stub = await startFaultyGateway();
    closers.push(stub.close);
    const url = await proxyTo(stub.baseUrl);
    const open = await fetch(`${url}/order/open?product=BTC-USD`);
    expect(open.status).toBe(200);
    const refused = await fetch(`${url}/order`, {
      method: "POST",
      body: '{"side":"BUY"}',
      headers: { "content-type": "application/json; charset=utf-8" },
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
    const reply = await fetch(`${url}/order`, { method: "POST", body: new Uint8Array(sent), headers: json });
    expect(received.equals(sent)).toBe(true);
    expect(Buffer.from(await reply.arrayBuffer()).equals(sent)).toBe(true);
  });

  it("sets the signature headers for any headers of the caller, and drops headers of the connection", async () => {
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
      "x-api-key": "kid_trader",
      "x-mine": "kept",
      "content-type": "application/json",
    });
    expect(seen["proxy-authorization"]).toBeUndefined();
    expect(seen["x-api-signature"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([90_000, -3_600_000])("follows the clock of a target that is %i ms off", async (offset) => {
    const stamps: number[] = [];
    const late = (request: IncomingMessage): boolean =>
      Math.abs(Number(request.headers["x-api-timestamp"]) - Date.now() - offset) > 30_000;
    const url = await proxyTo(
      await mirror((request, body) => {
        stamps.push(Number(request.headers["x-api-timestamp"]));
        const date = new Date(Date.now() + offset).toUTCString();
        return { status: late(request) ? 401 : 200, headers: { date }, body };
      }),
    );
    for (let count = 0; count < 2; count += 1) {
      const reply = await fetch(`${url}/order`, { method: "POST", body: '{"a":1}', headers: json });
      expect([reply.status, await reply.text()]).toEqual([200, '{"a":1}']);
    }
    expect(stamps).toHaveLength(3);
  });

  it("hands a 401 of a target with our clock back at once", async () => {
    let asked = 0;
    const url = await proxyTo(
      await mirror(() => {
        asked += 1;
        return { status: 401 };
      }),
    );
    expect([(await fetch(`${url}/order/open`)).status, asked]).toEqual([401, 1]);
  });

  it("hands redirects back instead of following them", async () => {
    const url = await proxyTo(
      await mirror(() => ({ status: 307, headers: { location: "http://127.0.0.1:9/steal" } })),
    );
    const reply = await fetch(`${url}/order/open`, { redirect: "manual" });
    expect(reply.status).toBe(307);
    expect(reply.headers.get("location")).toBe("http://127.0.0.1:9/steal");
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

describe("the signing proxy refuses before it signs", () => {
  /** Sends one request as bytes, with the token in its path and the Host of the proxy unless given otherwise. */
  async function sent(
    lines: (place: { path: string; host: string; token: string }) => readonly string[],
    body = "",
  ) {
    let reached = 0;
    const url = new URL(
      await proxyTo(
        await mirror(() => {
          reached += 1;
          return { status: 200 };
        }),
      ),
    );
    const [, token = ""] = url.pathname.split("/");
    const socket = connect(Number(url.port), "127.0.0.1");
    const head = lines({ path: url.pathname, host: url.host, token });
    socket.write([...head, "Connection: close", `Content-Length: ${body.length}`, "", body].join("\r\n"));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString("latin1"))?.[1]);
    return [status, reached];
  }
  const order = '{"side":"BUY"}';
  const post = (...headers: string[]): Parameters<typeof sent> => [
    ({ path, host }) => [
      `POST ${path}/order HTTP/1.1`,
      ...(headers.some((header) => /^host:/i.test(header)) ? [] : [`Host: ${host}`]),
      ...headers,
    ],
    order,
  ];
  const get = (
    path: (whole: string, token: string) => string,
    ...headers: string[]
  ): Parameters<typeof sent> => [
    ({ path: whole, host, token }) => [`GET ${path(whole, token)} HTTP/1.1`, `Host: ${host}`, ...headers],
  ];

  it("no request of a well-meaning client", async () => {
    expect(await sent(...post("Content-Type: application/json"))).toEqual([200, 1]);
    expect(await sent(...post('content-type: APPLICATION/json; charset="UTF-8"'))).toEqual([200, 1]);
    expect(await sent(...get((path) => `${path}/order/open?product=..%2f`, "Sec-Fetch-Site: none"))).toEqual([
      200, 1,
    ]);
    const own: Parameters<typeof sent> = [
      ({ path, host }) => [
        `POST ${path}/order HTTP/1.1`,
        `Host: ${host}`,
        `Origin: http://${host}`,
        "Sec-Fetch-Site: same-origin",
        "Content-Type: application/json",
      ],
      order,
    ];
    expect(await sent(...own)).toEqual([200, 1]);
  });

  it.each([
    [
      "a page's fetch without CORS",
      ["Origin: http://evil.example", "Content-Type: text/plain", "Sec-Fetch-Site: cross-site"],
      403,
    ],
    ["a page in a sandbox", ["Origin: null", "Content-Type: application/json"], 403],
    [
      "a form of a page",
      ["Origin: http://evil.example", "Content-Type: multipart/form-data; boundary=x"],
      403,
    ],
    ["a page of another local server", ["Origin: http://127.0.0.1:1", "Content-Type: application/json"], 403],
    [
      "the same host over another scheme",
      ["Origin: https://127.0.0.1", "Content-Type: application/json"],
      403,
    ],
    ["a page that hides its origin", ["Sec-Fetch-Site: cross-site", "Content-Type: application/json"], 403],
    ["a page of the same site", ["Sec-Fetch-Site: same-site", "Content-Type: application/json"], 403],
    [
      "two sites",
      ["Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site", "Content-Type: application/json"],
      403,
    ],
    ["text", ["Content-Type: text/plain"], 415],
    ["a form", ["Content-Type: application/x-www-form-urlencoded"], 415],
    ["a body of no type", [], 415],
    ["two types", ["Content-Type: application/json", "Content-Type: text/plain"], 415],
    ["a type that only begins like JSON", ["Content-Type: application/json, text/plain"], 415],
    ["another character set", ["Content-Type: application/json; charset=utf-16"], 415],
    [
      "a name that resolves to this machine",
      ["Host: rebound.example", "Content-Type: application/json"],
      403,
    ],
    ["an address that is none", ["Host: 127.999.1.1", "Content-Type: application/json"], 403],
    ["a user in the Host", ["Host: 127.0.0.1@evil.example", "Content-Type: application/json"], 403],
  ])("%s", async (_, headers, status) => {
    expect(await sent(...post(...headers))).toEqual([status, 0]);
  });

  it("two Hosts", async () => {
    const [status, reached] = await sent(({ path, host }) => [
      `GET ${path}/order/open HTTP/1.1`,
      `Host: ${host}`,
      "Host: evil.example",
    ]);
    expect([[400, 403].includes(status ?? 0), reached]).toEqual([true, 0]);
  });

  it.each([
    ["no token", (path: string, token: string) => path.slice(token.length + 1)],
    ["another token", (path: string, token: string) => path.replace(token, "a".repeat(token.length))],
    ["half a token", (path: string, token: string) => path.replace(token, token.slice(1))],
    ["a longer token", (path: string, token: string) => path.replace(token, `${token}x`)],
    ["a token in the query", (path: string, token: string) => `${path.slice(token.length + 1)}?${token}`],
    ["a path outside", (_: string, token: string) => `/${token}/__gatewright/faults`],
    ["a path that only begins so", (path: string) => `${path}X`],
    ["dots", (path: string) => `${path}/../../x`],
    ["dots behind a parameter", (path: string) => `${path}/..;a=b/x`],
    ["one dot", (path: string) => `${path}/./x`],
    ["escaped dots", (path: string) => `${path}/%2e%2E/x`],
    ["half escaped dots", (path: string) => `${path}/.%2e/x`],
    ["dots escaped twice", (path: string) => `${path}/%252e%252e/x`],
    ["an escaped slash", (path: string) => `${path}/..%2Fx`],
    ["a backslash", (path: string) => `${path}/..\\x`],
    ["an escaped backslash", (path: string) => `${path}/..%5cx`],
    ["an escaped line end", (path: string) => `${path}/x%0d%0ay`],
    ["a fragment", (path: string) => `${path}/x#y`],
  ])("%s", async (_, path) => {
    expect(await sent(...get(path))).toEqual([404, 0]);
  });

  it("an address of another machine", async () => {
    expect(await sent(...get((path) => `http://evil.example${path}`))).toEqual([403, 0]);
  });

  it("a request with the token of another start", async () => {
    const target = "http://127.0.0.1:9/api/v1/trading";
    const [first, second] = [await proxyTo(target), await proxyTo(target)];
    expect(new URL(first).pathname).not.toBe(new URL(second).pathname);
    const kept = await proxyTo(target, { token: "a-token-of-my-own" });
    expect(new URL(kept).pathname).toBe("/a-token-of-my-own/api/v1/trading");
    await expect(proxyTo(target, { token: "short" })).rejects.toThrow("16 to 200");
    await expect(proxyTo(target, { token: "with/a/slash/in/it/" })).rejects.toThrow("16 to 200");
  });

  it("addresses that no gateway has", async () => {
    for (const hostname of ["0.0.0.0", "169.254.169.254", "[::ffff:169.254.169.254]"])
      await expect(
        proxyTo(`https://${hostname}/api/v1/trading`, {
          allowHosts: [new URL(`https://${hostname}`).hostname],
        }),
      ).rejects.toBeInstanceOf(SafetyStop);
  });
});
