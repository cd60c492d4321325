import { describe, expect, it, vi } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { JsonNumber, JsonObject } from "../model/json.ts";
import { maxBytes, maxValues, readJson, readJsonText } from "./lossless-json.ts";

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

  it("stops at a number of values, of any kind", () => {
    const list = (part: string, count: number): string => `[${`${part},`.repeat(count - 2)}${part}]`;
    for (const part of sampled(2, ["{}", "1", "[]", '"a"', "null"])) {
      expect(problemOf(list(part, maxValues))).toBe("(accepted)");
      expect(problemOf(list(part, maxValues + 1))).toBe(`more than ${maxValues} values`);
    }
    expect(problemOf(`{${Array.from({ length: maxValues }, (_, n) => `"k${n}":1`).join()}}`)).toMatch(
      /values$/,
    );
  });

  const parts = [
    ["letters", "a"],
    ["digits", "7"],
    ["escapes", "\\n"],
    ["long escapes", "\\u20ac"],
    ["escaped backslashes", "\\\\"],
    ["escaped quotes", '\\"'],
  ] as const;
  it.each(sampled(2, parts))("reads one text of eight million %s", (_, part) => {
    const text = part.repeat(Math.floor(8_000_000 / part.length));
    const reading = readJsonText(`["${text}"]`);
    expect(reading.ok && Array.isArray(reading.json) && (reading.json[0] as string).length).toBe(
      (JSON.parse(`"${part}"`) as string).length * Math.floor(8_000_000 / part.length),
    );
    expect(problemOf(`["${text}`)).toMatch(/expected the end of a string/);
    expect(problemOf(`["${text}\u0001"]`)).toMatch(/expected the end of a string/);
    expect(problemOf(`["${text}\\x"]`)).toMatch(/escapes/);
  });

  it("reports its own failure, and does not throw", () => {
    const broken = vi.spyOn(JSON, "parse").mockImplementation(() => {
      throw new Error("injected");
    });
    const blanks = vi.spyOn(Set.prototype, "has").mockImplementation(() => {
      throw new RangeError("injected");
    });
    try {
      expect(readJsonText('{"a":1}')).toEqual({
        ok: false,
        problem: "the kit failed to read it: RangeError: injected",
      });
    } finally {
      blanks.mockRestore();
      broken.mockRestore();
    }
  });

  it("refuses bytes that are not UTF-8, a byte order mark, and more than a mebibyte", () => {
    expect(readJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ ok: false, problem: "body is not UTF-8" });
    expect(readJson(Buffer.from("\ufeff{}")).ok).toBe(false);
    expect(readJson(Buffer.alloc(maxBytes + 1)).ok).toBe(false);
  });
});
