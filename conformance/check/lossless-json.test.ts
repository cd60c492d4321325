import { describe, expect, it } from "vitest";
import { JsonNumber, JsonObject } from "../model/json.ts";
import { readJson, readJsonText } from "./lossless-json.ts";

const problemOf = (text: string): string => {
  const reading = readJsonText(text);
  return reading.ok ? "(accepted)" : reading.problem;
};

describe("reading JSON without loss", () => {
  it.each(["200.0", "1e400", "-0", "0.1000000000000000055511151231257827", "12345678901234567890"])(
    "keeps the lexeme %s",
    (lexeme) => {
      const reading = readJsonText(` ${lexeme} `);
      expect(reading.ok && reading.json instanceof JsonNumber && reading.json.lexeme).toBe(lexeme);
    },
  );

  it("reports keys that occur twice", () => {
    const reading = readJsonText('{"a":1,"b":2,"a":3}');
    expect(reading.ok && reading.json instanceof JsonObject && reading.json.duplicates).toEqual(["a"]);
  });

  it("treats __proto__ as a key like any other", () => {
    const reading = readJsonText('{"__proto__":{"polluted":true}}');
    expect(reading.ok && reading.json instanceof JsonObject && [...reading.json.entries.keys()]).toEqual([
      "__proto__",
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    "",
    "{",
    "[1,]",
    "{'a':1}",
    "01",
    "+1",
    ".5",
    "1.",
    "tru",
    '"\u0001"',
    '"\\x"',
    "[1] 2",
    "NaN",
    '{"a"}',
  ])("refuses %j", (text) => {
    expect(readJsonText(text).ok).toBe(false);
  });

  it("accepts what JSON.parse accepts, with the same meaning for text", () => {
    const text = '{"a":["\\u20ac\\n\\"",true,false,null,[],{}]}';
    const reading = readJsonText(text);
    expect(reading.ok).toBe(true);
  });

  it("stops at depth 64 instead of overflowing the stack", () => {
    expect(problemOf("[".repeat(200_000))).toBe("nested deeper than 64 levels");
    expect(readJsonText("[".repeat(64) + "]".repeat(64)).ok).toBe(true);
  });

  it("refuses bytes that are not UTF-8, a byte order mark, and more than 8 MiB", () => {
    expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ ok: false, problem: "body is not UTF-8" });
    expect(readJson(Buffer.from("\ufeff{}")).ok).toBe(false);
    expect(readJson(Buffer.alloc(8 * 1024 * 1024 + 1)).ok).toBe(false);
  });
});
