import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { SafetyStop } from "../model/outcome.ts";
import type { Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { Egress } from "./egress.ts";
import { assertHostAllowed } from "./host-guard.ts";
import { parseResponse } from "./http-response.ts";
import { Target } from "./target.ts";

function profile(url: string, changes: Partial<Profile> = {}): Profile {
  const made = plainProfile(url, "kid", "secret");
  if (typeof made === "string") throw new Error(made);
  return { ...made, ...changes };
}

describe("where the kit may send", () => {
  it("is this machine without questions", () => {
    expect(() => assertHostAllowed(profile("http://127.0.0.1:1/api/v1/trading"))).not.toThrow();
    expect(() => assertHostAllowed(profile("http://[::1]:1/api/v1/trading"))).not.toThrow();
  });

  it.each([
    ["a host nobody named", "https://gw.example/api/v1/trading", []],
    ["a name that says production", "https://gw.prod.example/api/v1/trading", ["gw.prod.example"]],
    ["a path that says production", "https://gw.example/live/api/v1/trading", ["gw.example"]],
    [
      "a name with production inside",
      "https://gw-production.example/api/v1/trading",
      ["gw-production.example"],
    ],
    ["plain HTTP to another machine", "http://gw.example/api/v1/trading", ["gw.example"]],
  ])("is not %s", (_, url, allowHosts) => {
    expect(() => assertHostAllowed(profile(url, { allowHosts }))).toThrow(SafetyStop);
  });

  it("is a host that the profile names, over TLS", () => {
    expect(() =>
      assertHostAllowed(profile("https://gw.example/api/v1/trading", { allowHosts: ["gw.example"] })),
    ).not.toThrow();
  });

  it.each([
    "http://user:pw@127.0.0.1/api/v1/trading",
    "http://127.0.0.1/api/v1/trading?x=1",
    "http://127.0.0.1/",
    "ftp://127.0.0.1/api/v1/trading",
    "nonsense",
  ])("is never %s", (url) => {
    expect(typeof plainProfile(url, "kid", "secret")).toBe("string");
  });
});

describe("a hostile target", () => {
  let server: Server | undefined;
  afterEach(
    () =>
      new Promise<void>((resolve) => {
        server?.closeAllConnections();
        if (server === undefined) resolve();
        else server.close(() => resolve());
        server = undefined;
      }),
  );

  async function fetchFrom(handler: Parameters<typeof createServer>[1], deadlineMs = 2000) {
    server = createServer(handler);
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const egress = new Egress(profile(`http://127.0.0.1:${port}/api/v1/trading`));
    await using target = new Target(egress, "kit-test");
    return await target.send(
      { method: "GET", path: "/a/../b//c?x=%20", headers: [], body: new Uint8Array(), role: "trader" },
      { deadlineMs },
    );
  }

  it("gets the path as it was written", async () => {
    let seen = "";
    await fetchFrom((request, response) => {
      seen = request.url ?? "";
      response.end("{}");
    });
    expect(seen).toBe("/a/../b//c?x=%20");
  });

  it("cannot fill the memory with a compressed body", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const exchange = await fetchFrom((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    expect(exchange.transport).toBe("tooLarge");
  });

  it("cannot hide behind five codings", async () => {
    const exchange = await fetchFrom((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip, gzip" }).end("x"),
    );
    expect(exchange).toMatchObject({ transport: "malformed" });
  });

  it("cannot keep the kit waiting byte by byte", async () => {
    const exchange = await fetchFrom((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    }, 400);
    expect(exchange.transport).toBe("timeout");
  });

  it("is not followed elsewhere", async () => {
    let second = 0;
    const exchange = await fetchFrom((request, response) => {
      if (request.url === "/elsewhere") second += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(exchange.reply?.status).toBe(307);
    expect(second).toBe(0);
  });
});

describe("reading a response off a socket", () => {
  const parse = (text: string, ended = false) => parseResponse(Buffer.from(text, "latin1"), ended);
  it("waits until it is complete", () => {
    expect(parse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{")).toBeUndefined();
    expect(parse("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")?.body.toString()).toBe("{}");
    expect(parse("HTTP/1.1 200 OK\r\n\r\n{}", true)?.body.toString()).toBe("{}");
  });
  it("puts chunks together and skips an interim response", () => {
    const text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n";
    expect(parse(text)?.body.toString()).toBe("{}");
  });
  it("refuses bytes that are not a response", () => {
    expect(() => parse("SSH-2.0\r\n\r\n")).toThrow("no status line");
    expect(() => parse("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")).toThrow("Content-Length is x");
  });
});
