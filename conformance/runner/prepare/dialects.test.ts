import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ConformOptions, conform, UnusableRun } from "../../conform.ts";
import { readSuite, type Suite } from "../../load-suite.ts";
import { readDialects } from "../../parse/mistakes.ts";
import { profileOf } from "../../run-input.ts";

interface Speech {
  readonly secret?: string;
  readonly key?: (secret: string) => Buffer;
  /** The six lines as this gateway reads them, and its way of joining them. */
  readonly canonical?: (lines: readonly string[]) => string;
  readonly signature?: (hex: string) => string;
  readonly timestamp?: RegExp;
  readonly nonce?: RegExp;
  readonly clockMs?: number;
  /** The only method with which it accepts a key. */
  readonly method?: "POST";
  /** Its answer to a GET that it does not understand. */
  readonly refusal?: number;
  /** It refuses a POST for its body before it checks the signature. */
  readonly unsigned?: true;
}

const lf = (lines: readonly string[]): string => lines.join("\n");
const line = (index: number, change: (text: string) => string) => (lines: readonly string[]) =>
  lf(lines.map((text, at) => (at === index ? change(text) : text)));

/** A gateway with one route and its own interpretation of signatures. */
async function speaking(
  speech: Speech,
): Promise<{ readonly baseUrl: string; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const status = statusFor(request, speech);
    response.writeHead(status, {
      "content-type": "application/json",
      date: new Date(Date.now() + (speech.clockMs ?? 0)).toUTCString(),
    });
    response.end(JSON.stringify({ statusCode: status, success: status === 200, data: [], message: "no" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api/v1/trading`, requests: () => requests };
}

function statusFor(request: IncomingMessage, speech: Speech): number {
  const isPost = request.method === "POST";
  const known = (isPost || speech.method === undefined) && understands(request, speech);
  if (!known && !(isPost && speech.unsigned === true)) return isPost ? 401 : (speech.refusal ?? 401);
  return isPost ? 400 : 200;
}

function understands(request: IncomingMessage, speech: Speech): boolean {
  const header = (name: string): string => String(request.headers[name] ?? "");
  const [timestamp, nonce] = [header("x-api-timestamp"), header("x-api-nonce")];
  if (!(speech.timestamp ?? /^\d{13}$/).test(timestamp) || !(speech.nonce ?? /^.{36}$/).test(nonce))
    return false;
  const milliseconds = timestamp.length === 10 ? Number(timestamp) * 1000 : Number(timestamp);
  if (Math.abs(milliseconds - Date.now() - (speech.clockMs ?? 0)) > 30_000) return false;
  const hash = createHash("sha256")
    .update(request.method === "POST" ? "{}" : "")
    .digest("hex");
  const lines = [timestamp, nonce, request.method ?? "", request.url ?? "", "application/json", hash];
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

let suite: Promise<Suite> | undefined;

interface Refusal {
  readonly message: string;
  readonly requests: number;
  /** Clauses that the run's report calls violated or warned. */
  readonly proven: readonly string[];
  readonly verdict: string;
  readonly exitCode: number;
}

/** One case is enough: the refusal comes before the first. */
async function given(target: string, secret: string): Promise<ConformOptions> {
  suite ??= readSuite([]).then(({ suite: all }) => ({
    ...all,
    scenarios: all.scenarios.filter(({ id }) => id === "auth-010-golden-get"),
  }));
  return { read: { profile: await profileOf({ target, keyId: "kid", secret }), suite: await suite } };
}

async function refusalOf(speech: Speech): Promise<Refusal> {
  const { baseUrl, requests } = await speaking(speech);
  const failure = await conform(await given(baseUrl, speech.secret ?? plain)).catch(
    (error: unknown) => error,
  );
  if (!(failure instanceof UnusableRun)) throw new Error("the target was judged");
  const { clauses, verdict, exitCode } = failure.run.report;
  const proven = clauses.filter(({ outcome }) => outcome === "violated" || outcome === "warned");
  return {
    message: failure.message,
    requests: requests(),
    proven: proven.map(({ id }) => id),
    verdict,
    exitCode,
  };
}

/** Each dialect of fixtures/signing/mistakes.yaml as a gateway, written by hand. */
const gateways: readonly (readonly [string, Speech])[] = [
  ["timestamp-sent-in-seconds", { timestamp: /^\d{10}$/ }],
  ["path-without-prefix", { canonical: line(3, (path) => path.replace("/api/v1/trading", "")) }],
  ["secret-hex-decoded", { secret: hexSecret, key: (text) => Buffer.from(text, "hex") }],
  ["secret-base64-decoded", { secret: base64Secret, key: (text) => Buffer.from(text, "base64") }],
  ["missing-contentType", { canonical: (lines) => lf(lines.toSpliced(4, 1)) }],
  ["trailing-newline", { canonical: (lines) => `${lf(lines)}\n` }],
  ["joined-nothing", { canonical: (lines) => lines.join("") }],
  [
    "swapped-timestamp-nonce",
    { canonical: ([timestamp, nonce, ...rest]) => lf([nonce ?? "", timestamp ?? "", ...rest]) },
  ],
  ["missing-bodyHash", { canonical: (lines) => lf(lines.slice(0, 5)) }],
  ["signature-base64", { signature: (hex) => Buffer.from(hex, "hex").toString("base64") }],
  ["signature-upper-case", { signature: (hex) => hex.toUpperCase() }],
  ["body-hash-upper-case", { canonical: line(5, (hash) => hash.toUpperCase()) }],
  ["no-body-object", { canonical: line(5, () => createHash("sha256").update("{}").digest("hex")) }],
  ["content-type-charset", { canonical: line(4, (type) => `${type}; charset=utf-8`) }],
  ["method-lower-case", { canonical: line(2, (method) => method.toLowerCase()) }],
  ["path-trailing-slash", { canonical: line(3, (path) => `${path}/`) }],
  ["nonce-sent-bare", { nonce: /^[0-9a-f]{32}$/ }],
  ["path-empty-query", { canonical: line(3, (path) => `${path}?`) }],
];

describe("when the first signed request is refused, the kit names what the target understands", () => {
  it("knows each dialect, and nothing else", async () => {
    expect((await readDialects()).map(({ id }) => id)).toEqual(gateways.map(([id]) => id));
  });

  it.each(gateways)("%s", async (id, speech) => {
    const { message, requests } = await refusalOf(speech);
    const title = (await readDialects()).find((one) => one.id === id)?.title ?? "";
    expect(message).toContain(`the target accepts a request if ${title}; the specification does not (A`);
    expect(requests).toBeLessThanOrEqual(17);
  });

  it("a misreading beside a clock of its own", async () => {
    const both: Speech = { clockMs: -600_000, timestamp: /^\d{10}$/ };
    expect((await refusalOf(both)).message).toMatch(
      /signed in seconds, with its clock 60[01] s behind yours/,
    );
  });

  it("proves the clause that is misread, and that the right signature was refused", async () => {
    const upper = await refusalOf({ signature: (hex) => hex.toUpperCase() });
    expect(upper).toMatchObject({ proven: ["AUTH-07", "AUTH-22"], verdict: "NON_CONFORMANT", exitCode: 4 });
    // A recommended clause is a warning, but the refusal is a violation.
    const seconds = await refusalOf({ timestamp: /^\d{10}$/ });
    expect(seconds).toMatchObject({ proven: ["AUTH-07", "AUTH-11"], verdict: "NON_CONFORMANT" });
    const decoded = await refusalOf({ secret: hexSecret, key: (text) => Buffer.from(text, "hex") });
    expect(decoded).toMatchObject({ proven: [], verdict: "INCOMPLETE", exitCode: 4 });
  });

  it("proves that GETs are refused to a key that is let in with a body", async () => {
    const deaf = await refusalOf({ method: "POST" });
    expect(deaf.message).toContain("accepts the key on a POST and refuses it on a GET (AUTH-07)");
    expect(deaf.proven).toContain("AUTH-07");
    const wrongKey = await refusalOf({ method: "POST", key: () => Buffer.from("another secret") });
    expect(wrongKey).toMatchObject({ proven: [], verdict: "INCOMPLETE" });
    // This gateway checks bodies before signatures, so its 400 does not show whether it accepts the key.
    const careless = await refusalOf({ method: "POST", unsigned: true });
    expect(careless).toMatchObject({ proven: [], verdict: "INCOMPLETE" });
  });

  it("signs by the clock of a target that is off and otherwise right", async () => {
    const { baseUrl } = await speaking({ clockMs: 3_600_000 });
    const report = await conform(await given(baseUrl, plain));
    expect(report.target.notes["clockSkew"]).toMatch(
      /^3(?:600|599) s, and requests are signed by the target's clock$/,
    );
    expect(report.cases.find(({ id }) => id === "auth-010-golden-get")?.outcome).toBe("passed");
  });

  it("leaves a GET that is refused for another reason to the cases", async () => {
    await expect(refusalOf({ method: "POST", refusal: 400 })).rejects.toThrow("the target was judged");
  });

  it("reports that no known mistake explains the refusal, after at most sixteen more GETs", async () => {
    const { message, requests } = await refusalOf({ key: () => Buffer.from("another secret") });
    expect(message).toContain("the target accepts no known signing mistake either");
    expect(message).toMatch(/signed was:\n {4}\d{13}\\n\n/);
    expect(requests).toBeLessThanOrEqual(18);
    expect(message).not.toContain(plain);
  });
});
