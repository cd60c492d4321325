/** What the short way reads, the strict way reads to the same value; what it leaves, it leaves whole. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "./parse-json.ts";
import { plainReader } from "./plain-json.ts";

const NAMES = ["side", "type", "price", "client_order_id", "product"];
const read = plainReader(NAMES);

const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 }));
const value = fc.oneof(fc.constantFrom("BUY", "55000.01"), fc.string({ unit: "binary", maxLength: 40 }));
const blank = fc.constantFrom("", "", "", " ", "\n\t ", "\r", "\u00a0");
const member = fc.tuple(name, value, blank, blank);

/** Objects as clients write them, with blanks anywhere, now and then with a name that comes twice. */
const text = fc.tuple(fc.array(member, { maxLength: 6 }), blank, blank).map(([members, before, behind]) => {
  const written = members.map(
    ([key, text, one, other]) => `${one}${JSON.stringify(key)}${other}:${one}${JSON.stringify(text)}${other}`,
  );
  return `${before}{${written.join(",")}}${behind}`;
});

/** One character more, less or other. */
const damaged = fc
  .tuple(text, fc.nat(), fc.constantFrom("", '"', ",", ":", "{", "}", "\\", "0", "é", "\u0001"))
  .map(([whole, place, other]) => {
    const at = place % whole.length;
    return whole.slice(0, at) + other + whole.slice(at + 1);
  });

const agree = (body: string): void => {
  const bytes = Buffer.from(body, "utf8");
  const plain = read(bytes);
  if (plain === null) return;
  const strict = parseJson(bytes);
  expect(strict).toEqual({ ok: true, value: plain });
  // as: what the strict way made of an object.
  expect(Object.keys(plain)).toEqual(Object.keys((strict as { value: object }).value));
};

test("the two ways agree on every body", () => {
  fc.assert(fc.property(text, agree), { numRuns: 2000 });
});

test("the two ways agree on every body with a mistake", () => {
  fc.assert(fc.property(damaged, agree), { numRuns: 2000 });
});

describe("the short way", () => {
  const order = {
    side: "BUY",
    type: "LIMIT",
    price: "1.0",
    client_order_id: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  };

  test.each([JSON.stringify(order), JSON.stringify(order, null, 2), '{"side":""}'])("reads %s", (body) => {
    expect(read(Buffer.from(body))).toEqual(JSON.parse(body));
  });

  test.each([
    "",
    "{}",
    '"side"',
    '["side"]',
    '{"side":"BUY"',
    '{"side":"BUY",}',
    '{"side":"BUY"}{',
    '{"side" "BUY"}',
    '{"side":"BUY","side":"SELL"}',
    '{"side":"BUY","other":"x"}',
    '{"side":1}',
    '{"side":null}',
    '{"side":"\\u0042UY"}',
    '{"side":"\u0000"}',
    '{"side":"é"}',
    `{"side":"${"a".repeat(257)}"}`,
  ])("leaves %j to the strict way", (body) => {
    expect(read(Buffer.from(body))).toBeNull();
  });
});
