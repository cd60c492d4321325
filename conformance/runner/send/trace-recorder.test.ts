import { describe, expect, it, vi } from "vitest";
import { readJson } from "../../check/lossless-json.ts";
import { prepare } from "../../client/prepare.ts";
import { Redactor } from "../../client/redact.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import { plainPlan } from "../../signing/tamper.ts";
import { TraceAllowance, TraceRecorder } from "./trace-recorder.ts";

const secret = "trace-secret-for-tests";
const redactor = new Redactor(new Map([["trader.secret", secret]]), ["kid_trace_tests"]);
const nonce = "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10";

function request(plan: Partial<Parameters<typeof prepare>[0]> = {}): SentRequest {
  return prepare(
    {
      method: "GET",
      target: "/api/v1/trading/order/open",
      headers: [],
      body: new Uint8Array(),
      role: "trader",
      credential: { keyId: "kid_trace_tests", secret },
      sign: plainPlan,
      mutation: {},
      clockOffsetMs: 0,
      ...plan,
    },
    { now: 1_767_225_600_000, nonce, signedPath: "path" },
  );
}

function exchange(
  sent: SentRequest,
  status: number,
  body: string | Buffer,
  headers: [string, string][] = [],
): Exchange {
  const bytes = Buffer.from(body);
  const reading = readJson(bytes);
  const startedAt = performance.now();
  return {
    request: sent,
    transport: "response",
    reply: { status, headers, body: bytes },
    ...(reading.ok ? { json: reading.json } : {}),
    startedAt,
    endedAt: startedAt + 1.25,
  };
}

const recorder = (allowance = new TraceAllowance()) => new TraceRecorder(redactor, allowance);

describe("a trace", () => {
  it("searches the bodies of a row only when they will be shown, or are too large to keep", () => {
    const searched = vi.spyOn(redactor, "redact");
    const seen = (text: string): number => searched.mock.calls.filter(([given]) => given === text).length;
    const [small, large] = ['{"small":true}', JSON.stringify("x".repeat(17_000))];
    const row = recorder();
    row.add("small", exchange(request(), 200, small));
    row.add("large", exchange(request(), 200, large));
    row.finish(true);
    expect([seen(small), seen(large)]).toEqual([0, 1]);
    const replies = row.finish(false).exchanges.map(({ detail }) => detail?.replyBody);
    expect(replies).toMatchObject([{ text: small }, { bytes: 17_002, cut: true }]);
    expect([seen(small), seen(large)]).toEqual([1, 1]);
  });

  it("keeps the outline of a row that passed and the details of any other", () => {
    const row = recorder();
    row.add("open", exchange(request(), 200, "{}"));
    const [passed] = row.finish(true).exchanges;
    expect(passed).toMatchObject({ step: "open", method: "GET", status: 200, durationMs: 1.3, attempt: 1 });
    expect(passed).not.toHaveProperty("detail");
    expect(row.finish(false).exchanges[0]?.detail?.replyBody).toEqual({
      text: "{}",
      bytes: 2,
      cut: false,
      base64: false,
    });
  });

  it("shortens signature and key id, and shows only the sizes of headers that it does not know", () => {
    const row = recorder();
    row.add(
      "open",
      exchange(request(), 200, "{}", [
        ["Set-Cookie", "session=1"],
        ["Date", "today"],
      ]),
    );
    const detail = row.finish(false).exchanges[0]?.detail;
    const sent = Object.fromEntries(detail?.requestHeaders ?? []);
    expect(sent["X-API-KEY"]).toBe("kid_…");
    expect(sent["X-API-SIGNATURE"]).toMatch(/^[0-9a-f]{8}…$/);
    expect(sent["X-API-NONCE"]).toBe(nonce);
    expect(detail?.replyHeaders).toEqual([
      ["Set-Cookie", "«9 characters»"],
      ["Date", "today"],
    ]);
  });

  it("hides a secret that lies across the place where a body is cut", () => {
    const row = recorder();
    row.add("open", exchange(request(), 200, "x".repeat(16 * 1024 - 5) + secret + "y".repeat(1000)));
    const body = row.finish(false).exchanges[0]?.detail?.replyBody;
    expect(body).toMatchObject({ cut: true, bytes: 16 * 1024 - 5 + secret.length + 1000 });
    expect(body?.text).toMatch(/x«trad…$/);
  });

  it("spells bytes that are no text in base64", () => {
    const row = recorder();
    row.add("open", exchange(request(), 200, Buffer.from([0xff, 0xfe, 0])));
    expect(row.finish(false).exchanges[0]?.detail?.replyBody).toMatchObject({ text: "//4A", base64: true });
  });

  it("has the text of the request as it left, where that is not the text that was signed", () => {
    const row = recorder();
    row.add("plain", exchange(request(), 200, "{}"));
    row.add("tampered", exchange(request({ mutation: { path: "/other" } }), 401, "{}"));
    const [plain, tampered] = row.finish(false).exchanges;
    expect(plain?.detail).not.toHaveProperty("wireText");
    expect(tampered?.detail?.wireText?.split("\n")[3]).toBe("/other");
    expect(tampered?.detail?.signedText?.split("\n")[3]).toBe("/api/v1/trading/order/open");
  });

  it("finds the text that a target explains a refusal with", () => {
    const expected = ["1767225600000", nonce, "GET", "/x", "application/json", "e".repeat(64)].join("\n");
    const row = recorder();
    row.add("refused", exchange(request(), 401, JSON.stringify({ details: [{ expected }] })));
    row.add("fine", exchange(request(), 200, JSON.stringify({ details: [{ expected }] })));
    const [refused, fine] = row.finish(false).exchanges;
    expect(refused?.detail?.targetText).toBe(expected);
    expect(fine?.detail).not.toHaveProperty("targetText");
  });

  it("keeps the first and the last of many exchanges and counts the others", () => {
    const row = recorder();
    for (let round = 0; round < 100; round += 1) row.add(`poll-${round}`, exchange(request(), 200, "{}"));
    const { exchanges, omitted } = row.finish(false);
    expect(exchanges).toHaveLength(48);
    expect(omitted).toBe(52);
    expect(exchanges.at(0)?.step).toBe("poll-0");
    expect(exchanges.at(-1)?.step).toBe("poll-99");
  });

  it("keeps outlines only when the run has used up its allowance", () => {
    const row = recorder(new TraceAllowance(3000));
    for (let round = 0; round < 3; round += 1) row.add("big", exchange(request(), 500, "z".repeat(2000)));
    const kept = row.finish(false).exchanges.map(({ detail }) => detail !== undefined);
    expect(kept).toEqual([true, false, false]);
  });
});
