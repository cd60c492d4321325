/** The way to a target beyond this machine: through the proxy of the environment, with certificates, with own headers. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { SentRequest } from "../model/exchange.ts";
import { UsageError } from "../model/position.ts";
import type { Profile } from "../model/profile.ts";
import { startRecordingProxy } from "../proxy/recording-proxy.ts";
import { startSigningProxy } from "../proxy/signing-proxy.ts";
import { redactorFor } from "../run-start.ts";
import { testCertificate, testKey } from "../testing/certificate.ts";
import { readProfile } from "../testing/read-once.ts";
import { Egress } from "./egress.ts";
import { proxyFor } from "./environment-proxy.ts";
import { Target } from "./target.ts";

const closers: (() => unknown)[] = [];
let folder = "";
/** What the proxy was asked for, and what the gateway got. */
const tunnels: string[] = [];
const arrived: unknown[] = [];
// as: the server speaks TLS.
const note = ({ headers, socket }: IncomingMessage): void =>
  void arrived.push([
    headers["x-access"],
    headers["x-team"],
    (socket as TLSSocket).getPeerCertificate().subject?.CN,
  ]);
let gateway: Server;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "connect-"));
  tunnels.length = 0;
  arrived.length = 0;
  gateway = createTlsServer(
    {
      key: testKey,
      cert: testCertificate,
      ca: testCertificate,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      note(request);
      response.end("{}");
    },
  );
  new WebSocketServer({ server: gateway }).on("connection", (_, request) => note(request));
  for (const name of ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"])
    vi.stubEnv(name, "");
  vi.stubEnv("HTTPS_PROXY", `http://user:pass%40word@127.0.0.1:${await proxy(await portOf(gateway))}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

async function portOf(server: Server | ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Leads every tunnel to this port. */
const proxy = (port: number): Promise<number> =>
  portOf(
    createServer().on("connect", (request, client) => {
      tunnels.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      const upstream = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
      upstream.pipe(client).pipe(upstream);
      for (const side of [client, upstream])
        side.on("error", () => [client, upstream].map((each) => each.destroy()));
    }),
  );

async function profileOf(more = ""): Promise<Profile> {
  const [file, cert, key] = ["profile.yaml", "cert.pem", "key.pem"].map((name) => path.join(folder, name));
  writeFileSync(cert ?? "", testCertificate);
  writeFileSync(key ?? "", testKey);
  const text = `kit: 1
name: far
baseUrl: https://gw.example/api/v1/trading
allowHosts: [gw.example]
ws: { url: 'wss://gw.example/api/v1/trading/ws' }
tls: { ca: ${cert}, cert: ${cert}, key: ${key} }
http: { headers: { X-Access: '\${env:ACCESS}', X-Team: qa } }
credentials: { trader: { keyId: '\${env:KEY}', secret: '\${env:SECRET}' } }
${more}`;
  writeFileSync(file ?? "", text);
  return readProfile(file ?? "", { ACCESS: "pass-to-staging", KEY: "kid", SECRET: "secret-of-kid" });
}

const request = (more: Partial<SentRequest> = {}): SentRequest => ({
  method: "GET",
  path: "/api/v1/trading/order/open",
  headers: [],
  body: new Uint8Array(),
  role: "trader",
  ...more,
});

const via = `gw.example:443 Basic ${Buffer.from("user:pass@word").toString("base64")}`;

describe("a target beyond this machine", () => {
  it("is reached through the proxy by requests, raw bytes and streams, with certificate and headers", async () => {
    const profile = await profileOf();
    await using target = new Target(new Egress(profile), "gatewright/test");
    expect((await target.send(request())).reply?.status).toBe(200);
    expect((await target.sendTogether([request()], 5000))[0]?.reply?.status).toBe(200);
    const { socket, exchange } = await target.openStream(request({ path: "/api/v1/trading/ws" }), 5000);
    expect([exchange.reply?.status, tunnels]).toEqual([101, [via, via, via]]);
    socket?.terminate();
    expect(arrived).toEqual(Array.from({ length: 3 }, () => ["pass-to-staging", "qa", "gw.example"]));
  });

  it("is reached through it by both proxies", async () => {
    // Node reads further certificates at its start only.
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const far = "https://gw.example/api/v1/trading";
    const signing = await startSigningProxy({
      target: far,
      keyId: "k",
      secret: "s",
      allowHosts: ["gw.example"],
    });
    closers.push(signing.close);
    expect((await fetch(`${signing.url}/order/open`)).status).toBe(200);
    const file = path.join(folder, "a.recording");
    const recording = await startRecordingProxy({ target: far, file, notice: () => undefined });
    closers.push(recording.close);
    expect((await fetch(`${recording.url}/order/open`)).status).toBe(200);
    const stream = new WebSocket(`${recording.url.replace("http", "ws")}/ws`);
    await new Promise((resolve) => stream.once("open", resolve));
    stream.close();
    expect(tunnels).toEqual([via, via, via]);
  });

  it.each([
    [
      "refuses",
      async () => portOf(createServer().on("connect", (_, client) => client.end("HTTP/1.1 407 No\r\n\r\n"))),
      "answered 407 when asked for gw.example:443",
    ],
    ["is not there", () => Promise.resolve(9), "cannot be reached: ECONNREFUSED"],
  ])(
    "that a proxy %s to lead to is said with the variable, and without the address",
    async (_, port, why) => {
      vi.stubEnv("HTTPS_PROXY", `http://user:hidden@127.0.0.1:${await port()}`);
      await using target = new Target(new Egress(await profileOf()), "gatewright/test");
      const exchanges = [
        await target.send(request()),
        ...(await target.sendTogether([request()], 5000)),
        (await target.openStream(request({ path: "/api/v1/trading/ws" }), 5000)).exchange,
      ];
      for (const { problem } of exchanges) expect(problem).toBe(`the proxy of HTTPS_PROXY ${why}`);
    },
  );
});

it("values of headers are hidden in everything that is shown", async () => {
  const redactor = redactorFor(await profileOf());
  expect(redactor.redact("got pass-to-staging from qa")).not.toContain("pass-to-staging");
  expect(redactor.redact("got pass-to-staging from qa")).toContain("from qa");
});

describe("the proxy of the environment", () => {
  const variableFor = (address: string, environment: Record<string, string>): string | undefined =>
    proxyFor(new URL(address), environment)?.variable;
  const all = { HTTPS_PROXY: "http://proxy.example:3128" };

  it.each([
    "http://127.0.0.1:8080",
    "http://localhost",
    "https://127.1.2.3",
    "http://[::1]:80",
    "wss://localhost/ws",
  ])("is not for this machine: %s", (address) => expect(variableFor(address, all)).toBeUndefined());

  it.each([
    ["gw.example", true],
    [".example", true],
    ["example", true],
    ["*.example", true],
    ["other.example, GW.example", true],
    ["other.example gw.example:443", true],
    ["*", true],
    ["gw.example:8443", false],
    ["w.example", false],
    ["gw.example.org", false],
    ["", false],
  ])("NO_PROXY %j excepts gw.example: %s", (list, excepted) => {
    expect(variableFor("https://gw.example/api", { ...all, NO_PROXY: list }) === undefined).toBe(excepted);
    expect(variableFor("https://gw.example/api", { ...all, no_proxy: list }) === undefined).toBe(excepted);
  });

  it("is that of https, or of all", () => {
    const names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    for (const name of names)
      expect(variableFor("wss://gw.example", { [name]: "proxy.example:3128" })).toBe(name);
    expect(
      variableFor("https://gw.example", { HTTP_PROXY: "http://proxy.example", HTTPS_PROXY: "" }),
    ).toBeUndefined();
  });

  it.each(["socks5://proxy.example:1080", "http://", "://"])("%s is refused with a sentence", (text) => {
    expect(() => variableFor("https://gw.example", { HTTPS_PROXY: text })).toThrow(UsageError);
  });
});

describe("a profile", () => {
  it.each([
    ["tls: { cert: CERT }", "tls.cert and tls.key belong together"],
    ["tls: { cert: KEY, key: KEY }", "holds no certificate in PEM"],
    ["tls: { cert: CERT, key: CERT }", "holds no private key in PEM"],
    ["http: { headers: { X-API-KEY: a } }", "http"],
    ["http: { headers: { content-type: a } }", "http"],
    ["http: { headers: { X-A: 'a\nb' } }", "http"],
  ])("with %s is refused", async (line, why) => {
    await profileOf();
    const files = line
      .replaceAll("CERT", path.join(folder, "cert.pem"))
      .replaceAll("KEY }", `${path.join(folder, "key.pem")} }`)
      .replaceAll("KEY,", `${path.join(folder, "key.pem")},`);
    const file = path.join(folder, "other.yaml");
    writeFileSync(
      file,
      `kit: 1\nname: far\nbaseUrl: https://gw.example/api/v1/trading\ncredentials: { trader: { keyId: '\${env:KEY}', secret: '\${env:SECRET}' } }\n${files}\n`,
    );
    const load = () => readProfile(file, { KEY: "kid", SECRET: "secret-of-kid" });
    await expect(load()).rejects.toSatisfy((error: UsageError) =>
      JSON.stringify([error.message, error.problems]).includes(why),
    );
  });
});
