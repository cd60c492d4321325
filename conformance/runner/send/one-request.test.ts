import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sampled } from "../../../tools/sampled.ts";
import type { Exchange } from "../../model/exchange.ts";
import { Blocked } from "../../model/outcome.ts";
import type { ValueMap } from "../../model/value.ts";
import { effortOf } from "../../plan/effort.ts";
import { bareSession, planned, scenarioWith } from "../../testing/bare-session.ts";
import type { Session } from "../session.ts";

/**
 * For any text at any place of a scenario, the target receives exactly one request for one call, at the right host, or
 * nothing. A socket that only listens records the bytes.
 */
const answer =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
let server: Server;
let received: Buffer[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => {
    const at = received.push(Buffer.alloc(0)) - 1;
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
    socket.on("data", (chunk: Buffer) => {
      received[at] = Buffer.concat([received[at] ?? Buffer.alloc(0), chunk]);
      if (received[at]?.includes("\r\n\r\n")) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

beforeEach(() => {
  received = [];
});

const portOf = (listening: Server): number => (listening.address() as AddressInfo).port;

const sendings: Readonly<Record<string, (session: Session, call: ValueMap) => Promise<unknown>>> = {
  "through the pool": (session, call) => session.send(session.prepare(planned(session, call))),
  "on a connection of its own": (session, call) =>
    session.send(session.prepare(planned(session, call)), { fresh: true }),
  "and hangs up": (session, call) =>
    session.send(session.prepare(planned(session, call)), { abandon: "sent" }),
  "beside another": (session, call) =>
    session.parts.target.sendTogether(
      [call, call].map((one) => session.prepare(planned(session, one))),
      2000,
    ),
  "as a handshake": (session, call) =>
    session.parts.target.openStream(
      session.prepare(planned(session, { ...call, method: call["method"] ?? "GET" })),
      2000,
    ),
};

const places: Readonly<Record<string, (text: string) => ValueMap>> = {
  method: (text) => ({ method: `GET${text}`, path: "/x" }),
  path: (text) => ({ method: "GET", path: `/x${text}y` }),
  "path from the root": (text) => ({ method: "GET", path: `//x${text}` }),
  "parameter of the path": (text) => ({ method: "GET", path: "/x/{id}", params: { id: text } }),
  query: (text) => ({ method: "GET", path: "/x", query: [[`a${text}`, `b${text}`]] }),
  "name of a header": (text) => ({ method: "GET", path: "/x", headers: { [`Accept${text}`]: "x" } }),
  "value of a header": (text) => ({ method: "GET", path: "/x", headers: { Accept: `x${text}y` } }),
  body: (text) => ({ method: "POST", path: "/x", bodyText: `{"a":"${text}"}` }),
  "key id that is signed": (text) => ({
    method: "GET",
    path: "/x",
    sign: { override: { keyId: `k${text}` } },
  }),
  "nonce that is signed": (text) => ({
    method: "GET",
    path: "/x",
    sign: { override: { nonce: `n${text}` } },
  }),
  "time that is signed": (text) => ({
    method: "GET",
    path: "/x",
    sign: { override: { timestamp: `1${text}` } },
  }),
  "end of the signature": (text) => ({ method: "GET", path: "/x", sign: { transform: [`append(${text})`] } }),
  "value of a signed header": (text) => ({
    method: "GET",
    path: "/x",
    sign: { headers: { set: { "X-API-KEY": `k${text}` } } },
  }),
  "name beside the signed headers": (text) => ({
    method: "GET",
    path: "/x",
    sign: { headers: { set: { [`Accept${text}`]: "k" } } },
  }),
  "new name of a signed header": (text) => ({
    method: "GET",
    path: "/x",
    sign: { headers: { rename: { "X-API-KEY": `X-API-KEY${text}` } } },
  }),
  ...Object.fromEntries(
    ["method", "path", "query", "contentType", "timestamp", "nonce", "keyId"].map((part) => [
      `${part} after signing`,
      (text: string) => ({
        method: "GET",
        path: "/x",
        sign: { mutateAfterSign: { [part]: part === "path" ? `/x${text}` : `GET${text}` } },
      }),
    ]),
  ),
  "body after signing": (text) => ({
    method: "POST",
    path: "/x",
    bodyText: "{}",
    sign: { mutateAfterSign: { body: { set: text } } },
  }),
};

const second =
  'POST /api/v1/trading/order HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 14\r\n\r\n{"side":"BUY"}';
const hostile: Readonly<Record<string, string>> = {
  "a second request": ` HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${second}GET /`,
  "a second request after a value": `x\r\n\r\n${second}`,
  "another Host": " HTTP/1.1\r\nHost: evil.example\r\nX: ",
  "CR LF": "\r\n",
  LF: "\n",
  CR: "\r",
  "letters whose last bytes are CR LF": "\u010d\u010aX: y",
  NUL: "\0",
  blank: " ",
  tab: "\t",
  "vertical tab": "\v",
  delete: "\x7f",
  "a letter beyond ASCII": "é",
  "an emoji": "😀",
  colon: ":",
};

/** The requests in these bytes, as a strict server reads them; throws if they are none. */
function requestsIn(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) throw new Error(`no request: ${JSON.stringify(bytes.subarray(at).toString("latin1"))}`);
    const [line = "", ...lines] = bytes.subarray(at, end).toString("latin1").split("\r\n");
    if (!/^[!#$%&'*+.^_`|~\w-]+ \/[\x21-\x7e]* HTTP\/1\.1$/.test(line))
      throw new Error(`no request line: ${line}`);
    const headers = lines.map((one) => {
      const [, name = "", value = ""] =
        /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(one) ?? [];
      if (name === "") throw new Error(`no header: ${one}`);
      return [name.toLowerCase(), value] as const;
    });
    const values = (name: string) => headers.flatMap(([key, value]) => (key === name ? [value] : []));
    expect(values("host")).toEqual([`127.0.0.1:${portOf(server)}`]);
    expect(values("transfer-encoding")).toEqual([]);
    expect(values("content-length").length).toBeLessThan(2);
    found.push(line);
    at = end + 4 + Number(values("content-length")[0] ?? 0);
  }
  return found;
}

const cases = Object.keys(places).flatMap((place) =>
  Object.keys(hostile).map((text) => [place, text] as const),
);
const callOf = (place: string, text: string): ValueMap => places[place]?.(hostile[text] ?? "") ?? {};

/** The kit may close the sockets before this process has read their bytes. */
async function heard(): Promise<Buffer[]> {
  while (sockets.size > 0) await new Promise((resolve) => void setTimeout(resolve, 1));
  return received.filter((bytes) => bytes.length > 0);
}

const kinds = ["local", "sandbox"] as const;
const ways = Object.keys(sendings).flatMap((how) => kinds.map((kind) => [how, kind] as const));

describe("a request", () => {
  // The other ways go through undici, which makes the same bytes for every destination.
  it.each(ways.filter(([how, kind]) => kind === "sandbox" || /hangs up|beside/.test(how)))(
    "is one, or none, sent %s (%s)",
    async (how, kind) => {
      // Each place and each text among them; "is refused before it leaves" tries all.
      for (const [place, text] of sampled(8, cases)) {
        received = [];
        const session = bareSession(portOf(server), kind);
        const outcome = await sendings[how]?.(session, callOf(place, text)).catch((error: unknown) => error);
        await session.parts.target[Symbol.asyncDispose]();
        if (outcome instanceof Error) expect(outcome, `${place}, ${text}`).toBeInstanceOf(Blocked);
        const requests = (await heard()).map(requestsIn);
        const wanted = outcome instanceof Blocked ? [] : how === "beside another" ? [1, 1] : [1];
        expect([place, text, ...requests.map((found) => found.length)]).toEqual([place, text, ...wanted]);
      }
    },
  );

  it.each(kinds)("is refused before it leaves, and lint has said so (%s)", async (kind) => {
    const session = bareSession(portOf(server), kind);
    const differing: string[] = [];
    for (const [place, text] of cases) {
      // Where a change may go is another rule: route-guard.test.ts.
      const sent = await sendings["and hangs up"]?.(session, callOf(place, text)).catch(
        ({ message }: Error) => (message.includes("safety.paths") ? "elsewhere" : "refused"),
      );
      const said = effortOf(scenarioWith(callOf(place, text)), {}, new Map()).unsendable.length > 0;
      if (said !== (sent === "refused"))
        differing.push(`${place}, ${text}: ${said ? "lint alone" : "the transport alone"}`);
    }
    expect(differing).toEqual([]);
    await session.parts.target[Symbol.asyncDispose]();
    await heard();
  });
});

describe("headers that a scenario sets", () => {
  const get = (headers: ValueMap): ValueMap => ({ method: "GET", path: "/x", headers });
  const sent = async (session: Session, headers: ValueMap): Promise<boolean> => {
    const outcome: unknown = await session
      .send(session.prepare(planned(session, get(headers))))
      .catch((error: unknown) => error);
    if (outcome instanceof Error && !(outcome instanceof Blocked)) throw outcome;
    return (outcome as Exchange).transport === "response";
  };

  it.each([
    "Host",
    "host",
    "Content-Length",
    "Transfer-Encoding",
    "Connection",
    "Upgrade",
    "Expect",
    "TE",
    "Trailer",
  ])("never say where a request goes or ends: %s", async (name) => {
    for (const kind of ["local", "sandbox"] as const) {
      const session = bareSession(portOf(server), kind);
      expect(await sent(session, { [name]: name === "Content-Length" ? "0" : "evil.example" })).toBe(false);
    }
    expect(received).toEqual([]);
  });

  it.each([
    "X-HTTP-Method-Override",
    "X-HTTP-Method",
    "X-Method-Override",
    "X-Forwarded-Host",
    "X-Forwarded-For",
    "Forwarded",
    "X-Original-URL",
    "X-Rewrite-URL",
    "Cookie",
    "Authorization",
    "Origin",
    "User-Agent",
    "X-Request-Source",
    "Content-Encoding",
    "X-Whatever",
  ])("are on a short list beyond this machine, and %s is not on it", async (name) => {
    const session = bareSession(portOf(server), "sandbox");
    expect(await sent(session, { [name]: "identity" })).toBe(false);
    expect(received).toEqual([]);
  });

  it.each(["Accept", "Accept-Language", "content-TYPE", "X-API-KEY", "x-api-nonce", "X-Extra-0"])(
    "may be %s everywhere",
    async (name) => {
      const session = bareSession(portOf(server), "sandbox");
      expect(await sent(session, { [name]: "x" })).toBe(true);
    },
  );
});
