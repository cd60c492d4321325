import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";

const number = (hex: string): number => Buffer.from(hex, "hex").readDoubleBE();

describe("canonical JSON is that of RFC 8785", () => {
  it("in its example of section 3.2.2", () => {
    const value = {
      numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalize(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("in the order of keys of section 3.2.3, which is that of UTF-16", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\u{1f600}": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    const values = Object.values(JSON.parse(String(canonicalize(value))) as object);
    // A JavaScript object moves "1" to the front by itself, so the test compares the text.
    expect(String(canonicalize(value)).match(/:"[^"]*"/g)).toEqual([
      ':"Carriage Return"',
      ':"One"',
      ':"Control"',
      ':"Latin Small Letter O With Diaeresis"',
      ':"Euro Sign"',
      ':"Emoji: Grinning Face"',
      ':"Hebrew Letter Dalet With Dagesh"',
    ]);
    expect(values).toHaveLength(7);
  });

  // Appendix B: IEEE 754 bits and their spelling.
  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("in the number %s of appendix B", (hex, text) => {
    expect(canonicalize(number(hex))).toBe(text);
  });

  it("and refuses values without a spelling", () => {
    for (const value of [number("7fffffffffffffff"), number("7ff0000000000000"), "\ud800"])
      expect(() => canonicalize({ value })).toThrow("not allowed");
  });
});
