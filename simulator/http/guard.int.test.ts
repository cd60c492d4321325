/** Targets, headers and addresses that are refused before anyone asks who is calling; none reaches a handler. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { conversation, requestText, send, signedHeaders } from "./testing/client.ts";
import { answersIn, codeIn, expectRefusal, statusLine } from "./testing/refused.ts";
import { apiPrefix, startTestServer, type TestServer } from "./testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ listener: { settings: { allowedOrigins: ["http://localhost:3000"] } } });
});
afterAll(() => server.close());
beforeEach(() => {
  server.calls.length = 0;
});

const openOrdersPath = `${apiPrefix}/order/open`;
const refused = (bytes: string | Buffer, status: number, code: string): Promise<void> =>
  expectRefusal(server, bytes, status, code);

test("the same request in its plain form is served", async () => {
  expect((await send(server)).status).toBe(200);
  expect(server.calls.map(({ route }) => route)).toEqual(["open"]);
});

describe("a target that could be routed otherwise than it is signed", () => {
  test.each([
    ["an address of another scheme", `ftp://127.0.0.1${openOrdersPath}`],
    ["an escape in a whole address", `http://127.0.0.1${apiPrefix}/%6Frder/open`],
    ["two slashes in a whole address", `http://127.0.0.1/${openOrdersPath}`],
    ["a dot segment in a whole address", `http://127.0.0.1${apiPrefix}/./order/open`],
    ["an asterisk", "*"],
    ["an escaped letter", `${apiPrefix}/%6Frder/open`],
    ["an escaped slash", `${apiPrefix}/order%2Fopen`],
    ["an escape that cannot be decoded", `${apiPrefix}/order/%zz`],
    ["two slashes", `${apiPrefix}//order/open`],
    ["two slashes in front", `/${openOrdersPath}`],
    ["a dot segment", `${apiPrefix}/./order/open`],
    ["a parent segment", `${apiPrefix}/wallet/../order/open`],
    ["a dot segment at the end", `${openOrdersPath}/..`],
    ["a semicolon", `${openOrdersPath};v=1`],
    ["a backslash", `${apiPrefix}\\order\\open`],
    ["a fragment", `${openOrdersPath}#top`],
    ["a fragment behind the query", `${openOrdersPath}?a=1#top`],
  ])("%s", async (_name, target) => {
    const bytes = Buffer.from(requestText(server, { target: "@" }).replace("@", target), "utf8");
    await refused(bytes, 400, "INVALID_TARGET");
  });

  test.each([`${apiPrefix}/örder`, `${openOrdersPath}?product=BTC€`])(
    "letters beyond ASCII: %s",
    async (target) => {
      const bytes = Buffer.from(requestText(server, { target: "@" }).replace("@", target), "utf8");
      await refused(bytes, 400, "MALFORMED_REQUEST");
    },
  );

  test("the host of a whole address counts, and not the header", async () => {
    const whole = (address: string): string =>
      requestText(server, { target: address, headers: { Host: "evil.example", Connection: "close" } });
    expect(statusLine(await conversation(server.port, whole(`http://127.0.0.1${openOrdersPath}`)))).toContain(
      " 200 ",
    );
    server.calls.length = 0;
    const ours = requestText(server, { target: `http://evil.example${openOrdersPath}` });
    await refused(ours, 421, "MISDIRECTED_REQUEST");
    await refused(whole(`http://user@127.0.0.1${openOrdersPath}`), 400, "MALFORMED_REQUEST");
  });

  test("OPTIONS * is about the server: it names the methods", async () => {
    const text = "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    expect(await conversation(server.port, text)).toMatch(
      /^HTTP\/1.1 204 No Content\r\n[^]*allow: DELETE, GET, HEAD, OPTIONS, POST\r\n/,
    );
    await refused(text.replace("localhost", "evil.example"), 421, "MISDIRECTED_REQUEST");
  });

  test("a slash at the end makes another path, which does not exist", async () => {
    const reply = await send(server, { path: `${openOrdersPath}/` });
    expect([reply.status, reply.body["code"]]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  test("a segment may be as long as the target", async () => {
    const path = `${apiPrefix}/order/${"x".repeat(500)}`;
    expect((await send(server, { method: "DELETE", path })).status).toBe(200);
  });

  test("an escape in the query is fine", async () => {
    expect((await send(server, { target: `${openOrdersPath}?product=BTC%2DUSD` })).status).toBe(200);
  });

  test("a target of 2 KiB is read, a longer one is not", async () => {
    const longest = `${openOrdersPath}?a=`.padEnd(2048, "a");
    expect((await send(server, { target: longest })).status).toBe(200);
    server.calls.length = 0;
    await refused(requestText(server, { target: `${longest}a` }), 414, "URI_TOO_LONG");
  });
});

describe("headers", () => {
  const framing = ["Host", "Content-Type", "Origin"] as const;
  test.each(framing.flatMap((name) => ["the same", "another"].map((value) => [name, value] as const)))(
    "%s twice, with %s value",
    async (name, value) => {
      const own = {
        Host: `127.0.0.1:${server.port}`,
        "Content-Type": "application/json",
        Origin: "http://localhost:3000",
      };
      const second = value === "the same" ? own[name] : "localhost";
      await refused(
        requestText(server, { headers: { [name]: [own[name], second] } }),
        400,
        "DUPLICATE_HEADER",
      );
    },
  );

  test.each([
    ["X-API-KEY", "INVALID_API_KEY"],
    ["X-API-TIMESTAMP", "INVALID_TIMESTAMP"],
    ["X-API-NONCE", "INVALID_NONCE"],
    ["X-API-SIGNATURE", "INVALID_SIGNATURE"],
    ["x-api-nonce", "INVALID_NONCE"],
  ] as const)("%s twice", async (name, code) => {
    const headers = signedHeaders(server, {});
    for (const second of [headers[name.toUpperCase()] ?? "", "other"]) {
      const text = requestText(server, { headers }).replace(
        "\r\n\r\n",
        `\r\n${name}: ${second}\r\nConnection: close\r\n\r\n`,
      );
      const answer = await conversation(server.port, text);
      expect(statusLine(answer)).toContain(" 401 ");
      expect(codeIn(answer)).toBe(code);
    }
    expect(server.calls).toEqual([]);
  });

  test("an underscore makes another header, which is not read", async () => {
    const headers = { ...signedHeaders(server, {}), X_API_NONCE: "other" };
    expect((await send(server, { headers })).status).toBe(200);
  });

  test.each(["Content-Length: 5", "X-API-NONCE: x", "Host: evil.example"])(
    "%s behind 1,100 small headers is not overlooked",
    async (hidden) => {
      const fillers = "a:b\r\n".repeat(1100);
      const text = requestText(server).replace("\r\n\r\n", `\r\n${fillers}${hidden}\r\n\r\nGET /`);
      await refused(text, 431, "HEADERS_TOO_LARGE");
    },
  );

  test("behind a thousand headers nothing is hidden, with any cap", async () => {
    const open = await startTestServer({ listener: { settings: { maxHeaderCount: 5000 } } });
    const fillers = "a:b\r\n".repeat(1100);
    const twice = requestText(open).replace(
      "\r\n\r\n",
      `\r\n${fillers}X-API-NONCE: x\r\nConnection: close\r\n\r\n`,
    );
    expect(codeIn(await conversation(open.port, twice))).toBe("INVALID_NONCE");
    await open.close();
  });

  test("a hundred headers are read, one more is not", async () => {
    const own = requestText(server).split("\r\n").length - 3;
    const filled = (count: number): string =>
      requestText(server).replace(
        "\r\n\r\n",
        `\r\n${"a:b\r\n".repeat(count - own - 1)}Connection: close\r\n\r\n`,
      );
    expect(statusLine(await conversation(server.port, filled(100)))).toContain(" 200 ");
    server.calls.length = 0;
    await refused(filled(101), 431, "HEADERS_TOO_LARGE");
  });

  test("a block of more than 8 KiB is not read", async () => {
    const text = requestText(server, { headers: { "X-Filler": "a".repeat(9000) } });
    await refused(text, 431, "HEADERS_TOO_LARGE");
  });
});

describe("addressing", () => {
  const lines = (first: string, headers: Readonly<Record<string, string>>): string =>
    `${first}\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n`;

  test("HTTP/1.1 without Host", async () => {
    await refused(
      lines(`GET ${openOrdersPath} HTTP/1.1`, signedHeaders(server, {})),
      400,
      "MALFORMED_REQUEST",
    );
  });

  test.each(["0.9", "1.2", "2.0", "3.0"])("HTTP/%s in the request line", async (version) => {
    const text = requestText(server).replace(" HTTP/1.1", ` HTTP/${version}`);
    await refused(text, 505, "HTTP_VERSION_NOT_SUPPORTED");
  });

  describe("HTTP/1.0", () => {
    const old = (request: string): string => request.replace(" HTTP/1.1", " HTTP/1.0");

    test("needs no Host, and ends its connection unless it asks for more", async () => {
      const text = old(requestText(server, { headers: { Host: undefined } }));
      expect(statusLine(await conversation(server.port, text))).toContain(" 200 ");
      const again = old(requestText(server, { headers: { Connection: "keep-alive" } }));
      expect(answersIn(await conversation(server.port, again + text))).toBe(2);
    });

    test("with the Host of a stranger is refused all the same", async () => {
      await refused(
        old(requestText(server, { headers: { Host: "evil.example" } })),
        421,
        "MISDIRECTED_REQUEST",
      );
    });

    test("has no chunks, and no wait for 100 Continue", async () => {
      const order = (headers: Readonly<Record<string, string>>): string =>
        old(requestText(server, { method: "POST", path: `${apiPrefix}/order`, body: "{}", headers }));
      await refused(order({ "Transfer-Encoding": "chunked" }), 400, "MALFORMED_REQUEST");
      const text = await conversation(server.port, order({ Expect: "100-continue" }));
      expect(text).toMatch(/^HTTP\/1.1 200 OK/);
    });
  });

  test.each([
    ["everywhere", (text: string) => text.replaceAll("\r\n", "\n")],
    ["behind the request line", (text: string) => text.replace("\r\n", "\n")],
    ["behind a header", (text: string) => text.replace(/(Host: .*)\r\n/, "$1\n")],
    ["at the end", (text: string) => text.replace("\r\n\r\n", "\r\n\n")],
    ["as CR alone", (text: string) => text.replace("\r\n", "\r")],
  ])("a line that ends otherwise is named: %s", async (_, change) => {
    const text = change(requestText(server));
    await refused(text, 400, "MALFORMED_REQUEST");
    expect(await conversation(server.port, text)).toContain("Lines of HTTP end with CR LF");
  });

  test("a request line without a version", async () => {
    await refused(`GET ${openOrdersPath}\r\n\r\n`, 505, "HTTP_VERSION_NOT_SUPPORTED");
  });

  test.each([
    "evil.example",
    "localhost.evil.example",
    "xlocalhost",
    ".localhost",
    "127.0.0.1.nip.io:80",
    "0.0.0.0",
    "[::2]:1",
  ])("the Host of a stranger: %s", async (host) => {
    await refused(requestText(server, { headers: { Host: host } }), 421, "MISDIRECTED_REQUEST");
  });

  test("the Host of a stranger, on the control surface", async () => {
    const text = requestText(server, { headers: { Host: "evil.example" } });
    await refused(text.replace(openOrdersPath, "/__gatewright/health"), 403, "FORBIDDEN");
  });

  test.each(["", "a b", "user@localhost", "localhost:port", "localhost/", "[::1", "löcalhost"])(
    "a Host that is none: %j",
    async (host) => {
      await refused(requestText(server, { headers: { Host: host } }), 400, "MALFORMED_REQUEST");
    },
  );

  test("a stranger is told the flag that lets it in, and a name of this machine is none", async () => {
    const text = requestText(server, { headers: { Host: "host.docker.internal:8080" } });
    expect(await conversation(server.port, text)).toContain(
      "gatewright serve --allow-host host.docker.internal",
    );
  });

  test.each(["localhost", "app.localhost", "A.B.localhost:1", "LOCALHOST:8080", "127.0.0.1", "[::1]:9"])(
    "%s is this machine",
    async (host) => {
      expect((await send(server, { headers: { Host: host } })).status).toBe(200);
    },
  );

  test.each(["http://evil.example", "null", "http://localhost:4000", "https://localhost:3000", ""])(
    "the page of a stranger: Origin %j",
    async (origin) => {
      await refused(requestText(server, { headers: { Origin: origin } }), 403, "FOREIGN_ORIGIN");
    },
  );

  test("its own pages and those that were allowed may call", async () => {
    for (const Origin of ["http://localhost:3000", `http://127.0.0.1:${server.port}`]) {
      expect((await send(server, { headers: { Origin, Host: `127.0.0.1:${server.port}` } })).status).toBe(
        200,
      );
    }
  });

  test("a preflight request gets no CORS header", async () => {
    const preflight = { Origin: "http://localhost:3000", "Access-Control-Request-Method": "POST" };
    const reply = await send(server, { method: "OPTIONS", headers: preflight });
    expect(reply.status).toBe(405);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
