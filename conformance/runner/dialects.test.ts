import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { conform } from "../conform.ts";
import { TargetUnusable } from "../model/outcome.ts";

interface Speech {
  readonly secret?: string;
  readonly key?: (secret: string) => Buffer;
  /** The six lines as this gateway reads them, and how it joins them. */
  readonly canonical?: (lines: readonly string[]) => string;
  readonly signature?: (hex: string) => string;
  readonly timestamp?: RegExp;
  readonly nonce?: RegExp;
  readonly clockMs?: number;
}

const lf = (lines: readonly string[]): string => lines.join("\n");
const line = (index: number, change: (text: string) => string) => (lines: readonly string[]) =>
  lf(lines.map((text, at) => (at === index ? change(text) : text)));

/** A gateway with one route, which understands signatures in its own way. */
async function speaking(
  speech: Speech,
): Promise<{ readonly baseUrl: string; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const accepted = understands(request, speech);
    response.writeHead(accepted ? 200 : 401, {
      "content-type": "application/json",
      date: new Date(Date.now() + (speech.clockMs ?? 0)).toUTCString(),
    });
    response.end(JSON.stringify({ statusCode: accepted ? 200 : 401, success: accepted, data: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api/v1/trading`, requests: () => requests };
}

function understands(request: IncomingMessage, speech: Speech): boolean {
  const header = (name: string): string => String(request.headers[name] ?? "");
  const [timestamp, nonce] = [header("x-api-timestamp"), header("x-api-nonce")];
  if (!(speech.timestamp ?? /^\d{13}$/).test(timestamp) || !(speech.nonce ?? /^.{36}$/).test(nonce))
    return false;
  const milliseconds = timestamp.length === 10 ? Number(timestamp) * 1000 : Number(timestamp);
  if (Math.abs(milliseconds - Date.now() - (speech.clockMs ?? 0)) > 30_000) return false;
  const empty = createHash("sha256").digest("hex");
  const lines = [timestamp, nonce, request.method ?? "", request.url ?? "", "application/json", empty];
  const secret = speech.secret ?? plain;
  const key = speech.key?.(secret) ?? Buffer.from(secret, "utf8");
  const hex = createHmac("sha256", key)
    .update((speech.canonical ?? lf)(lines))
    .digest("hex");
  return header("x-api-signature") === (speech.signature?.(hex) ?? hex);
}

const plain = "not-hex-and-not-base64!";
const hexSecret = "00ff10ab00ff10ab00ff10ab00ff10ab";
const base64Secret = Buffer.from(Array.from({ length: 30 }, (_, index) => index * 8)).toString("base64");

async function refusalOf(speech: Speech): Promise<{ readonly message: string; readonly requests: number }> {
  const { baseUrl, requests } = await speaking(speech);
  const options = { target: baseUrl, keyId: "kid", secret: speech.secret ?? plain };
  const failure = await conform(options).catch((error: unknown) => error);
  if (!(failure instanceof TargetUnusable)) throw new Error("the target was judged");
  return { message: failure.message, requests: requests() };
}

describe("when the first signed request is refused, the kit names what the target understands", () => {
  it.each<readonly [string, Speech]>([
    ["timestamps in seconds", { timestamp: /^\d{10}$/ }],
    ["the path without the prefix", { canonical: line(3, (path) => path.replace("/api/v1/trading", "")) }],
    ["the secret decoded from hex", { secret: hexSecret, key: (text) => Buffer.from(text, "hex") }],
    ["the secret decoded from base64", { secret: base64Secret, key: (text) => Buffer.from(text, "base64") }],
    ["no content type line", { canonical: (lines) => lf(lines.toSpliced(4, 1)) }],
    ["a newline at the end", { canonical: (lines) => `${lf(lines)}\n` }],
    ["lines joined with CRLF", { canonical: (lines) => lines.join("\r\n") }],
    ["a base64 signature", { signature: (hex) => Buffer.from(hex, "hex").toString("base64") }],
    ["an upper-case signature", { signature: (hex) => hex.toUpperCase() }],
    ["an upper-case body hash", { canonical: line(5, (hash) => hash.toUpperCase()) }],
    [
      "the hash of {} for an empty body",
      { canonical: line(5, () => createHash("sha256").update("{}").digest("hex")) },
    ],
    ["a content type with charset", { canonical: line(4, (type) => `${type}; charset=utf-8`) }],
    ["the method in lower case", { canonical: line(2, (method) => method.toLowerCase()) }],
    ["the path with a trailing slash", { canonical: line(3, (path) => `${path}/`) }],
    ["nonces without dashes", { nonce: /^[0-9a-f]{32}$/ }],
    ["the path with the question mark of a query", { canonical: line(3, (path) => `${path}?`) }],
  ])("%s", async (name, speech) => {
    const { message, requests } = await refusalOf(speech);
    expect(message).toContain(`the target accepts signatures over ${name}; the specification does not (A`);
    expect(requests).toBeLessThanOrEqual(17);
  });

  it("a clock of its own, alone and beside a misreading", async () => {
    expect((await refusalOf({ clockMs: 3_600_000 })).message).toMatch(
      /its own clock, which is (?:3600|3599) s ahead of yours/,
    );
    const both: Speech = { clockMs: -600_000, timestamp: /^\d{10}$/ };
    expect((await refusalOf(both)).message).toMatch(
      /timestamps in seconds, with its clock 60[01] s behind yours/,
    );
  });

  it("says so when it understands none of them, after at most sixteen more requests", async () => {
    const { message, requests } = await refusalOf({ key: () => Buffer.from("another secret") });
    expect(message).toContain("none of the usual misreadings is accepted either");
    expect(message).toMatch(/signed was:\n {4}\d{13}\\n\n/);
    expect(requests).toBeLessThanOrEqual(17);
    expect(message).not.toContain(plain);
  });
});
