import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { ExchangeDetail, TracedExchange } from "../model/trace.ts";
import { curlCommand } from "./curl.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { hostileTexts } from "./testing/hostile-texts.ts";
import { elementsOf } from "./testing/readers.ts";
import { sampleReport } from "./testing/sample-report.ts";

const base = "http://127.0.0.1:1/api/v1/trading";

function sent(text: string, detail: Partial<ExchangeDetail> = {}): TracedExchange {
  return {
    step: "place",
    role: "trader",
    method: "POST",
    path: "/api/v1/trading/order?a=[1]",
    attempt: 1,
    startedMs: 0,
    durationMs: 1,
    transport: "response",
    detail: {
      requestHeaders: [
        ["X-API-KEY", "kid_…"],
        ["X-API-SIGNATURE", "01234567…"],
        ["Content-Type", "application/json"],
        ["Cookie", "«9 characters»"],
      ],
      requestBody: { text, bytes: Buffer.byteLength(text), cut: false, base64: false },
      ...detail,
    },
  };
}

/** The calls of curl as one shell makes them: their arguments, and their input if they read any. */
function runInShell(commands: readonly string[]): { args: string[]; input: string }[] {
  const curl = `curl() { printf '%s\\0' "$#" "$@"; case "$*" in *@-*) cat;; esac; printf '\\0'; }`;
  const script = [curl, "KEY_ID=k; SIGNATURE=s", ...commands].join("\n");
  const out = execFileSync("bash", ["-c", script], { env: { PATH: process.env["PATH"] } }).toString("utf8");
  const parts = out.split("\0");
  return commands.map(() => {
    const args = parts.splice(0, Number(parts.shift()));
    return { args, input: parts.shift() ?? "" };
  });
}

describe("a request as a curl command", () => {
  it("has method, address, headers and body, and variables for the signature", () => {
    expect(curlCommand(sent('{"it\'s":1}'), base)?.split("\n")).toEqual([
      "# gatewright sign, with this method, path and body, prints the values for KEY_ID, TIMESTAMP, NONCE and SIGNATURE.",
      "# A header whose value the trace hides is left out.",
      "curl -i --noproxy '*' --globoff --path-as-is -X 'POST' 'http://127.0.0.1:1/api/v1/trading/order?a=[1]' \\",
      '  -H "x-api-key: $KEY_ID" \\',
      '  -H "x-api-signature: $SIGNATURE" \\',
      "  -H 'Content-Type: application/json' \\",
      "  --data-raw '{\"it'\\''s\":1}'",
    ]);
  });

  it("shows no part of a credential, not of the base address either", () => {
    const command = curlCommand(sent("{}"), "http://user:word@127.0.0.1:1/api") ?? "";
    expect(command).not.toMatch(/user|word|kid_|01234567/);
  });

  it("sends every text as it was sent, and runs nothing", () => {
    const texts = Object.values(hostileTexts).filter((text) => text.length < 50_000 && !text.includes("\0"));
    const calls = runInShell(texts.map((text) => curlCommand(sent(text), base) ?? ""));
    expect(calls.map(({ args, input }) => (args.at(-1) === "@-" ? input : args.at(-1)))).toEqual(texts);
    for (const { args } of calls) expect(args).toContain("x-api-key: k");
  });

  it("says that a body was cut", () => {
    const requestBody = { text: "{", bytes: 99, cut: true, base64: false };
    expect(curlCommand(sent("", { requestBody }), base)).toMatch(/put its 99 bytes .*--data-binary @body$/s);
  });

  it("is in the page, with a button that the script shows, and in JUnit", () => {
    const report = sampleReport();
    const elements = elementsOf(htmlReport(report));
    const commands = elements.filter(({ attributes }) => attributes["class"] === "curl");
    const buttons = elements.filter(({ name }) => name === "button");
    const again = elements.filter(({ attributes }) => attributes["class"] === "again");
    expect([commands.length, buttons.length - again.length]).toEqual([5, 5]);
    expect(buttons.every(({ attributes }) => attributes["hidden"] !== undefined)).toBe(true);
    expect(commands[0]?.text).toContain("curl -i");
    expect(junitReport(report)).toContain("as curl:\n# gatewright sign");
  });
});
