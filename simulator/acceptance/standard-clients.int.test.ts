/**
 * What a standard client may send to any server, on every route, as bytes: an offer of another protocol, HEAD, a whole
 * address, HTTP/1.0. Each is answered as the plain request is, and the connection stays HTTP.
 */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { sign } from "../auth/testing/sign.ts";
import { asObject } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";

const venue = useVenue();
const prefix = "/api/v1/trading";

interface Answer {
  /** Whether a request behind it on the same connection was answered, too. */
  readonly goesOn?: boolean | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** Every route of the documents, and what none describes. */
const routes: Asked[] = [
  ...["console", "docs", "docs/start.js", "openapi.json", "asyncapi.json", "control.json"].map((name) => ({
    method: "GET",
    path: `/__gatewright/${name}`,
  })),
  { method: "GET", path: `${prefix}/ws` },
  { method: "GET", path: "/nowhere" },
  { method: "PATCH", path: `${prefix}/order` },
];
/** Endless by nature: its answer is looked at elsewhere. */
const endless = /\/feed$/;

beforeAll(async () => {
  for (const name of ["openapi", "control"]) {
    const text = await (await fetch(new URL(`/__gatewright/${name}.json`, venue().baseUrl))).text();
    const { servers, paths } = asObject(JSON.parse(text));
    // as: the document of the simulator, which other tests check.
    const base = new URL((servers as { url: string }[])[0]?.url ?? "", venue().baseUrl).pathname;
    for (const [path, operations] of Object.entries(asObject(paths)))
      for (const method of Object.keys(asObject(operations)).filter((key) => /^(get|post|put)$/.test(key)))
        routes.push({
          method: method.toUpperCase(),
          path: base.replace(/\/$/, "") + path.replaceAll(/\{\w+\}/g, "8f14e45f-ceea-467f-a83c-91d6a2f4a001"),
        });
  }
});

/** Without a body nothing is changed; what needs none is left out above. */
function text({ method, path }: Asked, more: readonly string[] = [], line?: string): string {
  const key = venue().simulator.keys.find(({ name }) => name === "trader");
  const sent = sign({ ...key, timestamp: Date.now(), nonce: randomUUID(), method, path });
  const head = [
    line ?? `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(venue().baseUrl).host}`,
    `X-API-KEY: ${sent.keyId}`,
    `X-API-TIMESTAMP: ${sent.timestamp}`,
    `X-API-NONCE: ${sent.nonce}`,
    `X-API-SIGNATURE: ${sent.signature}`,
    "Content-Type: application/json",
    `Authorization: Bearer ${venue().simulator.control?.token}`,
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n`;
}

/** All that comes until the server closes. */
async function said(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(venue().baseUrl).port), "127.0.0.1");
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("latin1");
}

/** The first answer, and the bytes behind it. */
function first(all: string, bodiless = false): [Answer, string] {
  const end = all.indexOf("\r\n\r\n");
  const [line = "", ...lines] = all.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((each) => [each.split(": ")[0]?.toLowerCase() ?? "", each.slice(each.indexOf(": ") + 2)]),
  );
  const length = bodiless ? 0 : Number(headers["content-length"] ?? all.length);
  const body = all.slice(end + 4, end + 4 + length);
  return [{ status: Number(line.split(" ")[1]), headers, body }, all.slice(end + 4 + length)];
}

/** The answer without what differs between any two. */
function shape({ status, headers, body, ...rest }: Answer): unknown {
  const names = Object.keys(headers).filter(
    (name) => !/^(date|connection|keep-alive|content-length)$/.test(name),
  );
  const code = /"code":"(\w+)"/.exec(body)?.[1];
  return { status, names: names.sort(), code, hasBody: body !== "", ...rest };
}

const probe = `GET ${prefix}/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

/** The answer, and whether a request behind it on the same connection is answered too. */
async function answered(bytes: string): Promise<Answer> {
  const [answer, rest] = first(await said(bytes + probe), bytes.startsWith("HEAD "));
  const goesOn = rest.startsWith("HTTP/1.1 200 OK\r\n");
  expect([bytes.split("\r\n")[0], rest !== ""]).toEqual([bytes.split("\r\n")[0], goesOn]);
  return { ...answer, goesOn };
}

const h2c = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAB"];
const offers: readonly (readonly [string, readonly string[]])[] = [
  ["HTTP/2", h2c],
  ["TLS", ["Connection: Upgrade", "Upgrade: TLS/1.2"]],
  ["something unknown", ["Connection: keep-alive, upgrade", "Upgrade: foo, bar/2"]],
  ["two headers of HTTP/2", ["Connection: Upgrade", "Upgrade: h2c", "Upgrade: h2c"]],
];

describe("on every route", () => {
  test.each(sampled(4, offers))("an offer of %s is ignored", async (_, offer) => {
    expect(routes.length).toBeGreaterThan(60);
    for (const route of routes.filter(({ path }) => !endless.test(path))) {
      const plain = await answered(text(route));
      expect([route, shape(await answered(text(route, offer)))]).toEqual([route, shape(plain)]);
    }
  });

  test("a whole address is its path", async () => {
    for (const route of routes.filter(({ path }) => !endless.test(path))) {
      const plain = await answered(text(route));
      for (const host of [new URL(venue().baseUrl).host, "127.0.0.1"]) {
        const line = `${route.method} http://${host}${route.path} HTTP/1.1`;
        expect([line, shape(await answered(text(route, [], line)))]).toEqual([line, shape(plain)]);
      }
    }
  });

  test("HTTP/1.0 is served, and its connection ends", async () => {
    for (const route of routes.filter(({ path }) => !endless.test(path))) {
      const plain = await answered(text(route));
      const line = `${route.method} ${route.path} HTTP/1.0`;
      const [answer, rest] = first(await said(text(route, [], line)));
      expect([line, shape({ ...answer, goesOn: plain.goesOn }), rest]).toEqual([line, shape(plain), ""]);
    }
  });

  test("HEAD has the headers of GET and no body", async () => {
    for (const { path } of routes.filter((route) => route.method === "GET" && !endless.test(route.path))) {
      const get = await answered(text({ method: "GET", path }));
      const head = await answered(text({ method: "HEAD", path }));
      expect([path, head.status, Object.keys(head.headers).sort(), head.body]).toEqual([
        path,
        get.status,
        Object.keys(get.headers).sort(),
        "",
      ]);
    }
  });
});
