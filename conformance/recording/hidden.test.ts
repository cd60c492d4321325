import { expect, it } from "vitest";
import { hiddenValue, isHidden, withoutHidden } from "./hidden.ts";

it.each([
  "***",
  "XX",
  "xxxx-xxxx-xxxx",
  "•••••",
  "…",
  "ab****yz",
  "[REDACTED]",
  "[Filtered]",
  "<api-key>",
  "<Schlüssel>",
  "{{signature}}",
  "«secret of trader»",
  "$SIGNATURE",
  "${API_KEY}",
  "%API_KEY%",
  "REDACTED",
  "redacted-by-proxy",
  " *** ",
])("%j is no value", (text) => {
  expect(isHidden(text)).toBe(true);
});

it.each([
  "",
  "x",
  "0",
  "-1",
  "1.50",
  "BTC-USD",
  "$5",
  "$$",
  "EUR",
  "<b>bold</b>",
  "[1, 2]",
  "[]",
  "{}",
  "{7d0f6f5e-94a7-4a50-9c36-b3f3b0a5f0c1}",
  "7d0f6f5e-94a7-4a50-9c36-b3f3b0a5f0c1",
  "*/*",
  "application/json",
  "max",
  "-",
  "--",
  "x".repeat(300),
])("%j is a value", (text) => {
  expect(isHidden(text)).toBe(false);
});

it("of headers, a signature or a timestamp that can be none is hidden, and any that looks so", () => {
  const of = (name: string, value: string): string | undefined => withoutHidden([[name, value]])[0]?.[1];
  expect(of("x-api-signature", "my signature")).toBe(hiddenValue);
  expect(of("X-API-SIGNATURE", "ab".repeat(32))).toBe("ab".repeat(32));
  expect(of("X-API-SIGNATURE", Buffer.alloc(32, 7).toString("base64"))).not.toBe(hiddenValue);
  expect(of("X-API-TIMESTAMP", "some time")).toBe(hiddenValue);
  for (const time of ["1795659849511", "1795659849", "2026-11-24T10:00:00Z", ""])
    expect(of("X-API-TIMESTAMP", time)).toBe(time);
  expect(of("Content-Type", "<removed>")).toBe(hiddenValue);
  expect(of("Content-Type", "text/plain")).toBe("text/plain");
});
