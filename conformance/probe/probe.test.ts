import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SafetyStop, TargetUnusable } from "../model/outcome.ts";
import { type ProbeOptions, probe } from "../probe.ts";
import { signRequest } from "../signing/sign-request.ts";
import { readProfile } from "../testing/read-once.ts";

const base = "/api/v1/trading";
const pair = (id: string, apiEnabled: boolean) => ({ id, apiEnabled, minOrderSize: "0.001" });
const order = {
  id: "order-1",
  clientOrderId: "c",
  productId: "BTC-USD",
  status: "OPEN",
  side: "BUY",
  type: "LIMIT",
};
const listing = [{ name: "BTC", availablePairs: [pair("BTC-USD", true), pair("BTC-EUR", false)] }];

/** The answers of paths; the key is method and path below the base address. */
type Routes = Readonly<
  Record<string, { readonly status?: number; readonly data?: unknown; readonly message?: string }>
>;

const plain: Routes = {
  "GET /order/open": { data: { orders: [order] } },
  "GET /product": { data: listing },
  "GET /orderbook/BTC-USD": { data: { book: { bids: [["100.00", "1"]], asks: [["102.00", "1"]] } } },
  "GET /candles/BTC-USD": { status: 400, message: "granularity is required" },
  "GET /order/order-1": { data: { order } },
  "GET /assets": { data: [{ asset: "BTC" }] },
  "GET /account/fee": { status: 403, message: "no claim" },
};

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function gateway(routes: Routes, statusOfQuery: (request: IncomingMessage) => number = () => 200) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(base, "").replace(/\?.*$/, "");
    asked.push(`${request.method} ${path}`);
    const known = routes[`${request.method} ${path}`] ?? {
      status: 404,
      message: `there is no route ${path}`,
    };
    const { status = 200, ...body } =
      request.url?.includes("?") && statusOfQuery(request) !== 200
        ? { status: statusOfQuery(request) }
        : known;
    response.writeHead(status, { "content-type": "application/json", "x-ratelimit-limit": "10" });
    response.end(JSON.stringify({ statusCode: status, success: status < 400, ...body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return { target: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, asked };
}

const environment = { PROBE_SECRET: "a-secret-that-nobody-may-see" };

/** Is exactly this text signed as the path? */
function isSignedOver(request: IncomingMessage, path: string): boolean {
  const header = (name: string) => String(request.headers[name]);
  const { signature } = signRequest({
    keyId: header("x-api-key"),
    secret: environment.PROBE_SECRET,
    timestamp: header("x-api-timestamp"),
    nonce: header("x-api-nonce"),
    method: String(request.method),
    path,
    contentType: "application/json",
    body: Buffer.alloc(0),
  });
  return signature === header("x-api-signature");
}

async function probed(
  routes: Routes,
  options: Partial<ProbeOptions> = {},
  statusOfQuery?: (request: IncomingMessage) => number,
) {
  const { target, asked } = await gateway(routes, statusOfQuery);
  const draft = await probe({
    target,
    keyId: "kid",
    secretVariable: "PROBE_SECRET",
    environment,
    ...options,
  });
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "draft.yaml");
  await writeFile(file, draft);
  return { draft, asked, target, file, profile: await readProfile(file, environment) };
}

/** A probe of a plain target, which several tests read. */
let ofPlain: Awaited<ReturnType<typeof probed>>;
beforeAll(async () => {
  ofPlain = await probed(plain);
});

describe("a probe", () => {
  it("drafts a profile that the reader accepts unchanged", () => {
    const { draft, profile, target } = ofPlain;
    expect(profile.baseUrl.href).toBe(target);
    expect(profile.credentials["trader"]).toMatchObject({
      keyId: "kid",
      claims: ["read:orders", "read:market-data", "read:account"],
    });
    expect(profile.operations).toMatchObject({
      openOrders: { items: ["#/data/orders"] },
      orderBook: { path: "/orderbook/{product}", bids: "#/data/book/bids", asks: "#/data/book/asks" },
      readOrder: { path: "/order/{id}", order: ["#/data/order"] },
      assets: { path: "/assets", items: ["#/data"] },
    });
    expect(profile.safety.allow).toBe("read");
    expect(draft).toContain('#   BTC-USD: { buyFar: "50", sellFar: "151", qty: "0.002", spend: "0.23" }');
    expect(draft).toContain('# notional: { USD: "18.12", perOrder: { USD: "1.208" } }');
    expect(draft).toContain("listed as not enabled: BTC-EUR");
    expect(draft).not.toMatch(/claim: /);
    expect(draft).toContain("rate limit header x-ratelimit-limit: 10");
    expect(draft).not.toContain(environment.PROBE_SECRET);
  });

  it("says which prices it could not find, because no order can rest without them", async () => {
    const { "GET /orderbook/BTC-USD": _, ...bookless } = plain;
    const { draft } = await probed(bookless);
    expect(draft).toContain("No order can rest without buyFar and sellFar");
    expect(ofPlain.draft).not.toContain("No order can rest");
  });

  it("calls parts that it did not find unknown, with the evidence, and none absent", () => {
    const { draft, profile } = ofPlain;
    expect(draft).toMatch(/candles: unknown # .*\/candles\/\{product\} 400 "granularity is required"/);
    expect(draft).toMatch(/account: unknown # .*\/account\/fee 403 "no claim"/);
    expect(draft).toMatch(/deposits: unknown # .*all answered like a route that does not exist/);
    expect(draft).toMatch(/cancelOrder: unknown # not tried: --allow reject-only/);
    expect(profile.operations["candles"]).toBeUndefined();
    expect(draft).not.toMatch(/: absent/);
    expect(profile.capabilities).toMatchObject({ ws: "unknown", "liquidity.cross": "unknown" });
    expect(draft).toMatch(/ws: unknown # none of \/ws, .* asks for an upgrade/);
  });

  it("finds a stream where a plain GET is asked to upgrade", async () => {
    const { draft, profile, target } = await probed({
      ...plain,
      "GET /stream": { status: 426, message: "WebSocket only" },
    });
    expect(profile.stream?.url?.href).toBe(`${target.replace("http", "ws")}/stream`);
    expect(draft).toContain('ws: present # GET /stream 426 "WebSocket only"');
  });

  it.each([
    ["path", (url: string) => url.replace(/\?.*$/, "")],
    ["pathAndQuery", (url: string) => url],
  ])("finds %s signed where unknown parameters are refused", async (signedPath, signedTextOf) => {
    const { draft, profile } = await probed(plain, {}, (request) =>
      isSignedOver(request, signedTextOf(request.url ?? "")) ? 400 : 401,
    );
    expect(draft).toMatch(new RegExp(`signedPath: ${signedPath}\\b`));
    expect(profile.auth.signedPath).toBe(signedPath);
    // The kit signs the path alone by default, so the profile need not state it.
    const said = { auth: { signedPath: signedPath === "path" ? "unknown" : signedPath } };
    expect(profile.said).toMatchObject(said);
    expect(draft).toMatch(/signedPath: path\w* # a promise: /);
  });

  it("only reads, unless it is allowed to be refused", async () => {
    expect(ofPlain.asked.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(ofPlain.asked.length).toBeLessThan(80);
    const { target, asked } = await gateway({
      ...plain,
      "POST /order": { status: 400, message: "side is required" },
    });
    const bold = await probe({
      target,
      keyId: "kid",
      secretVariable: "PROBE_SECRET",
      environment,
      allow: "reject-only",
    });
    expect(asked.filter((line) => line.startsWith("POST "))).toEqual(["POST /order"]);
    expect(asked.filter((line) => line.startsWith("DELETE ")).length).toBeGreaterThan(0);
    expect(bold).toContain('"write:orders"');
    expect(bold).toMatch(/cancelOrder: unknown # DELETE of .* is answered like a route that does not exist/);
  });

  it("learns nothing from a target that answers everything with success", async () => {
    const everything = new Proxy(plain, { get: (routes, key: string) => routes[key] ?? { data: [] } });
    const { draft } = await probed(everything);
    expect(draft).toMatch(/assets: unknown # the target answers every path with success/);
  });

  it("keeps hostile words of a target inside comments and quotes", async () => {
    const evil = 'x\n  allow: disruptive # \u001b[31m "';
    const { draft, profile } = await probed({
      ...plain,
      "GET /product": { data: [{ name: "B", availablePairs: [{ id: evil, apiEnabled: true }] }] },
      "GET /assets": { status: 400, message: evil },
    });
    expect(profile.safety.allow).toBe("read");
    expect(draft).not.toContain("\u001b");
    expect(draft.split("\n").filter((line) => line.trim().startsWith("allow:"))).toHaveLength(1);
  });

  it("keeps the statements of an existing profile", async () => {
    const { target } = await gateway(plain);
    const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "mine.yaml");
    await writeFile(
      file,
      [
        "kit: 1",
        "name: acme",
        `baseUrl: ${target}`,
        "credentials:",
        "  trader: { keyId: kid, secret: '${env:PROBE_SECRET}' }",
        "  reader: { keyId: kid2, secret: '${env:PROBE_SECRET}', client: A }",
        "operations:",
        "  deposits: absent",
        "  assets: { method: GET, path: /my/assets }",
      ].join("\n"),
    );
    const draft = await probe({ profile: file, environment });
    await writeFile(file, draft);
    const profile = await readProfile(file, environment);
    expect(profile.name).toBe("acme");
    expect(profile.operations["deposits"]).toBe("absent");
    expect(profile.operations["assets"]).toMatchObject({ path: "/my/assets" });
    expect(profile.credentials["reader"]).toMatchObject({ keyId: "kid2", client: "A" });
    expect(await readFile(file, "utf8")).toContain('secret: "${env:PROBE_SECRET}"');
  });

  it("refuses addresses that may not be probed, and a target that refuses the probe", async () => {
    const options = { keyId: "kid", secretVariable: "PROBE_SECRET", environment };
    await expect(probe({ target: `http://gw.example${base}`, ...options })).rejects.toThrow(SafetyStop);
    await expect(probe({ target: `https://prod.example${base}`, ...options })).rejects.toThrow(SafetyStop);
    const { target } = await gateway({ "GET /order/open": { status: 401, message: "no" } });
    await expect(probe({ target, ...options })).rejects.toThrow(TargetUnusable);
  });
});
