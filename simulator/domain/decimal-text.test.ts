/** g 17: decimals in and out without a lost digit; other texts are refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { decimal } from "../engine/testing/exact.ts";
import {
  type DecimalText,
  formatScaled,
  fractionDigits,
  scaleDecimal,
  scaleToNumber,
  spellDecimal,
} from "./decimal-text.ts";

const spelled = (text: string): DecimalText => {
  const result = spellDecimal(text);
  if (result === null) throw new RangeError(`${text} was refused`);
  return result;
};

const digits = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(""));
const whole = fc.oneof(
  fc.constant("0"),
  digits(20).filter((text) => !text.startsWith("0")),
);
const decimals = fc.oneof(
  whole,
  fc.tuple(whole, digits(20)).map(([before, after]) => `${before}.${after}`),
);

describe("a decimal string", () => {
  test.each([
    "0",
    "1",
    "0.00000001",
    "1.50",
    "10",
    "12345678901234567890.12345678901234567890",
    "99999999999999999999.99999999999999999999",
    "0.00000000000000000000",
  ])("%s is accepted", (text) => expect(spellDecimal(text)).toBe(text));

  test.each([
    "",
    " ",
    " 1",
    "1 ",
    "1\n",
    "+1",
    "-1",
    "-0",
    ".5",
    "5.",
    ".",
    "01",
    "00",
    "00.1",
    "1e-8",
    "1E8",
    "1e3",
    "0x1",
    "0b1",
    "1_000",
    "1,000",
    "1.2.3",
    "Infinity",
    "NaN",
    "null",
    "\u0661",
    "\uff11",
    "1\u00a0",
    "\u22121",
    "1/2",
    "1:0",
    "1;0",
    "123456789012345678901",
    "0.123456789012345678901",
  ])("%j is refused", (text) => expect(spellDecimal(text)).toBeNull()); // prettier-ignore

  test("is accepted exactly when the grammar of the contract says so", () => {
    const grammar = /^(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?$/;
    const near = fc.oneof(
      decimals,
      fc.string({ unit: fc.constantFrom(..."0123456789.+-eE x\n"), maxLength: 24 }),
    );
    fc.assert(
      fc.property(near, (text) => {
        expect(spellDecimal(text) !== null).toBe(grammar.test(text) && !text.includes("\n"));
      }),
      { numRuns: triesAll ? 5000 : 1500 },
    );
  });

  test("of twenty and twenty digits goes in and comes out with the same value and without decoration", () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const out = formatScaled(scaleDecimal(spelled(text), 20), 20);
        expect(out).toBe(decimal(text).toFixed());
        expect(out).not.toMatch(/e/i);
        expect(spellDecimal(out)).not.toBeNull();
      }),
      { numRuns: triesAll ? 5000 : 1500 },
    );
  });

  test("keeps every digit of the contract's product", () => {
    const product =
      scaleDecimal(spelled("12345678901234567890.12345678"), 8) * scaleDecimal(spelled("0.00000001"), 8);
    expect(formatScaled(product, 16)).toBe("123456789012.3456789012345678");
    expect(formatScaled(product, 16)).toBe(
      decimal("12345678901234567890.12345678").times("0.00000001").toFixed(),
    );
  });

  test.each([
    ["0.00000001", "0.00000001"],
    ["1.50", "1.5"],
    ["100", "100"],
    ["0.0", "0"],
    ["0", "0"],
  ])("%s is written as %s", (text, out) =>
    expect(formatScaled(scaleDecimal(spelled(text), 10), 10)).toBe(out),
  );
});

describe("scaling", () => {
  const fitting = fc
    .tuple(decimals, fc.integer({ min: 0, max: 30 }))
    .filter(([text, scale]) => decimal(text).decimalPlaces() <= scale);

  test("is exact on both sides of 2^53", () => {
    let small = 0;
    let large = 0;
    fc.assert(
      fc.property(fitting, ([text, scale]) => {
        const exact = decimal(text).times(decimal(10).pow(scale));
        expect(scaleDecimal(spelled(text), scale).toString()).toBe(exact.toFixed());
        const number = scaleToNumber(spelled(text), scale);
        if (exact.lte(Number.MAX_SAFE_INTEGER)) {
          small++;
          expect(number).toBe(exact.toNumber());
        } else {
          large++;
          expect(number).toBeNull();
        }
      }),
      { numRuns: triesAll ? 5000 : 1500 },
    );
    expect(Math.min(small, large)).toBeGreaterThan(100);
  });

  test.each([
    ["9007199254740991", 0, 9007199254740991],
    ["9007199254740992", 0, null],
    ["90071992547409.91", 2, 9007199254740991],
    ["90071992547409.92", 2, null],
    ["9007199254740.991", 2, 900719925474099],
    ["0.00000000000000000001", 20, 1],
    ["1.500", 1, 15],
  ])("%s at scale %i is %s as a machine number", (text, scale, value) => {
    expect(scaleToNumber(spelled(text), scale)).toBe(value);
  });

  test("counts the digits after the point that carry value", () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expect(fractionDigits(spelled(text))).toBe(decimal(text).decimalPlaces());
      }),
      { numRuns: 2000 },
    );
  });

  test("writes any whole number at any scale as decimal.js does", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.integer({ min: 0, max: 30 }),
        (value, scale) => {
          expect(formatScaled(value, scale)).toBe(
            decimal(value.toString()).div(decimal(10).pow(scale)).toFixed(),
          );
        },
      ),
      { numRuns: 3000 },
    );
    expect(formatScaled(-5, 3)).toBe("-0.005");
  });
});
