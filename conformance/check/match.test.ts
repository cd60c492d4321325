import { describe, expect, it } from "vitest";
import type { Json } from "../model/json.ts";
import type { Value } from "../model/value.ts";
import { readJsonText } from "./lossless-json.ts";
import { match, matchers } from "./match.ts";
import type { MatchContext } from "./matching.ts";

const variables: Readonly<Record<string, string>> = {
  created: '"2026-01-01T00:00:00.000Z"',
  id1: '"a1"',
  qty: '"0.5"',
  price: '"30.10"',
  five: "5",
};

const json = (text: string): Json => {
  const reading = readJsonText(text);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.json;
};

const recorded: string[] = [];
const context: MatchContext = {
  lookup: (name) => (variables[name] === undefined ? undefined : json(variables[name])),
  decimal: (name) => variables[name]?.replaceAll('"', ""),
  record: (pointer, text) => recorded.push(`${pointer}=${text}`),
};

const differences = (matcher: Value, text: string | undefined) =>
  match(matcher, text === undefined ? undefined : json(text), context);

/** Each matcher with a value that passes and one that fails; `undefined` is a missing value. */
const table: readonly (readonly [string, Value, string | undefined, string | undefined])[] = [
  ["literal string", "1", '"1"', "1"],
  ["literal number", 1, "1", '"1"'],
  ["literal number, other spelling", 200, "200.0", "201"],
  ["literal boolean", true, "true", "1"],
  ["literal null", null, "null", '""'],
  ["subset", { a: 1 }, '{"a":1,"b":2}', '{"b":2}'],
  ["list", [1, 2], "[1,2]", "[2,1]"],
  ["$dec", { $dec: "1.50" }, '"1.5"', "1.5"],
  ["$dec grammar", { $dec: "1" }, '"1.0"', '"01"'],
  ["$dec lax", { $dec: "1000", grammar: "lax" }, '"1e3"', '"1e4"'],
  ["$dec gte lte", { $dec: { gte: "1", lte: "2" } }, '"2.000"', '"2.0001"'],
  ["$dec gt lt", { $dec: { gt: "1", lt: "2" } }, '"1.5"', '"1"'],
  ["$dec near", { $dec: { near: "10", tol: "0.1" } }, '"10.1"', '"10.11"'],
  ["$dec scale", { $dec: { scale: { max: 2 } } }, '"1.25"', '"1.250"'],
  ["$dec multipleOf", { $dec: { multipleOf: "0.01" } }, '"10.05"', '"10.005"'],
  ["$dec calc", { $dec: { lte: { $calc: "qty * price" } } }, '"15.05"', '"15.06"'],
  ["$dec variable", { $dec: { eq: { $eqVar: "qty" } } }, '"0.50"', '"0.51"'],
  ["$decVar", { $decVar: "qty * price" }, '"15.050"', '"15.0501"'],
  ["$type string", { $type: "string" }, '""', "0"],
  ["$type integer", { $type: "integer" }, "200", "200.0"],
  ["$type number", { $type: "number" }, "200.0", '"200"'],
  ["$type several", { $type: ["string", "null"] }, "null", "{}"],
  ["$type array", { $type: "array" }, "[]", "{}"],
  ["$type object", { $type: "object" }, "{}", "[]"],
  ["$format decimal", { $format: "decimal" }, '"0.00000001"', '"1e-8"'],
  ["$format uuid", { $format: "uuid" }, '"c232ab00-9414-11ec-b3c8-9f6bdeced846"', '"c232ab00"'],
  [
    "$format uuid4",
    { $format: "uuid4" },
    '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
    '"c232ab00-9414-11ec-b3c8-9f6bdeced846"',
  ],
  ["$format iso8601", { $format: "iso8601" }, '"2026-02-28T23:59:59.123+01:00"', '"2026-02-29T00:00:00Z"'],
  ["$format iso8601 needs a time", { $format: "iso8601" }, '"2026-01-01T00:00:00Z"', '"2026-01-01"'],
  ["$format json-string", { $format: "json-string" }, '"{\\"a\\":1}"', '"{"'],
  ["$format product-id", { $format: "product-id" }, '"BTC-USD"', '"BTCUSD"'],
  ["$re", { $re: "^a+$" }, '"aaa"', '"aab"'],
  ["$contains", { $contains: "aBc" }, `"${"x".repeat(5000)}AbC"`, '"ab c"'],
  ["$re flags", { $re: "^abc$", flags: "i" }, '"ABC"', '"ABD"'],
  ["$in", { $in: ["OPEN", 1] }, "1", '"1"'],
  ["$eq", { $eq: "$any" }, '"$any"', '"any"'],
  ["$json", { $json: "1.50" }, "1.5", '"1.5"'],
  ["$eqVar", { $eqVar: "id1" }, '"a1"', '"a2"'],
  ["$eqVar is typed", { $eqVar: "five" }, "5", '"5"'],
  ["$neVar", { $neVar: "id1" }, '"a2"', '"a1"'],
  ["$any", { $any: true }, '"x"', "never"],
  ["$absent", { a: "$absent" }, "{}", '{"a":null}'],
  ["$present", { a: "$present" }, '{"a":null}', "{}"],
  ["$nullable", { $nullable: { $type: "string" } }, "null", "1"],
  ["$nullable is not missing", { a: { $nullable: "x" } }, '{"a":null}', "{}"],
  ["$optional", { a: { $optional: "x" } }, "{}", '{"a":null}'],
  ["$not", { $not: "x" }, '"y"', '"x"'],
  ["$allOf", { $allOf: [{ a: 1 }, { b: 2 }] }, '{"a":1,"b":2}', '{"a":1}'],
  ["$anyOf", { $anyOf: ["x", "y"] }, '"y"', '"z"'],
  ["$oneOf", { $oneOf: { word: { $type: "string" }, x: "x" } }, '"y"', '"x"'],
  ["$cite", { $cite: "ORD-01", is: { $type: "string" } }, '"x"', "1"],
  ["$exact", { $exact: { a: 1 } }, '{"a":1}', '{"a":1,"b":2}'],
  ["$only", { $only: ["a", "b"] }, '{"a":1}', '{"c":1}'],
  ["$each", { $each: { $type: "integer" } }, "[1,2]", '[1,"2"]'],
  ["$some", { $some: 2 }, "[1,2]", "[1]"],
  ["$none", { $none: 2 }, "[1]", "[1,2]"],
  ["$count", { $count: 2 }, "[1,2]", "[1]"],
  ["$count relation", { $count: { gte: 1, lt: 3 } }, "[1,2]", "[1,2,3]"],
  ["$len", { $len: { gte: 1 } }, '"x"', '""'],
  ["$len counts characters", { $len: 1 }, '"😀"', '"ab"'],
  ["$unordered", { $unordered: [1, 2] }, "[2,1]", "[2,2]"],
  ["$unordered assigns well", { $unordered: [{ $type: "integer" }, 1] }, "[1,2]", "[2,3]"],
  [
    "$instant",
    { $instant: { gte: { $eqVar: "created" }, lte: "1767225601000" } },
    '"2026-01-01T01:00:00.5+01:00"',
    '"2025-12-31T23:59:59.999999Z"',
  ],
  [
    "$instant near",
    { $instant: { near: "2026-01-01T00:00:00Z", seconds: 5 } },
    '"2026-01-01T00:00:05Z"',
    '"2026-01-01T00:00:05.001Z"',
  ],
  ["$instant of nothing known", { $instant: { gte: { $eqVar: "unknown" } } }, '"2026-01-01T00:00:00Z"', "7"],
  [
    "$macro",
    { $macro: "failedOutcome" },
    '{"type":"CLIENT_NOT_FOUND","message":"no client"}',
    '{"type":"NEW_ORDER"}',
  ],
];

describe("every matcher", () => {
  it.each(table.filter(([name]) => name !== "$any"))(
    "%s tells a fitting value from another",
    (_, matcher, fits, fails) => {
      expect(differences(matcher, fits)).toEqual([]);
      expect(differences(matcher, fails)).not.toEqual([]);
    },
  );

  it("has a line in the table", () => {
    const used = JSON.stringify(table.map(([, matcher]) => matcher));
    expect(Object.keys(matchers).filter((name) => !used.includes(`"${name}"`))).toEqual([]);
  });

  it("$any accepts everything, a missing value included, and records it", () => {
    recorded.length = 0;
    expect(differences({ a: "$any" }, '{"a":[1]}')).toEqual([]);
    expect(differences({ a: "$any" }, "{}")).toEqual([]);
    expect(recorded).toEqual(["/a=[1]", "/a=(missing)"]);
  });
});

describe("differences", () => {
  it("name the pointer, what was expected and the lexeme that was found", () => {
    expect(differences({ data: { price: { $dec: "1.50" } } }, '{"data":{"price":1.500}}')).toEqual([
      { pointer: "/data/price", expected: "a decimal string", actual: "1.500 (a number)" },
    ]);
  });

  it("show by how much decimals differ", () => {
    const [found] = differences({ $dec: "12345678901234567890.12345678" }, '"12345678901234567890.12345679"');
    expect(found?.expected).toBe("decimal 12345678901234567890.12345678 (difference 0.00000001)");
  });

  it("carry the clause of that part of the matcher", () => {
    const [found] = differences({ a: { $cite: "ORD-13", is: { $type: "string" } } }, '{"a":1}');
    expect(found?.clause).toBe("ORD-13");
  });

  it("let $calc name a field beside the value", () => {
    const matcher = { average: { $dec: { near: { $calc: "value / quantity @ 8" }, tol: "0.01" } } };
    expect(differences(matcher, '{"average":"2.50","value":"5","quantity":"2"}')).toEqual([]);
    expect(differences(matcher, '{"average":"2.60","value":"5","quantity":"2"}')).not.toEqual([]);
  });

  it("are not fooled by keys of the object prototype", () => {
    expect(differences({ constructor: "$absent", __proto__: null }, "{}")).toEqual([]);
    expect(differences({ toString: { $type: "string" } }, "{}")).not.toEqual([]);
    expect(differences({ a: 1 }, '{"__proto__":{"a":1}}')).not.toEqual([]);
  });
});

describe("a class of statuses", () => {
  const onStatus = (matcher: Value, status: string) =>
    match(matcher, json(status), context, { pointer: "status", isStatus: true });

  it.each([
    ["4xx", "404", "200"],
    [{ $not: "4xx" }, "200", "404"],
    [{ $anyOf: ["2xx", 429] }, "204", "404"],
  ] as const)("%j fits %s and not %s", (matcher, fitting, other) => {
    expect(onStatus(matcher, fitting)).toEqual([]);
    expect(onStatus(matcher, other)).toMatchObject([{ pointer: "status", actual: other }]);
  });

  it("is cited like any other matcher", () => {
    const cited = { $cite: "PRD-19", is: "2xx" };
    expect(onStatus(cited, "200")).toEqual([]);
    expect(onStatus(cited, "400")).toEqual([
      { pointer: "status", expected: "2xx", actual: "400", clause: "PRD-19" },
    ]);
  });

  it("is a text anywhere else", () => {
    expect(differences("4xx", '"4xx"')).toEqual([]);
    expect(differences("4xx", "404")).toHaveLength(1);
  });
});
