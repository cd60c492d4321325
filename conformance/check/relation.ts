import { isOpen } from "../model/expr.ts";
import { isMap, type Value, type ValueMap } from "../model/value.ts";
import { CalcProblem, calculate, checkCalc } from "./calc.ts";
import { type ExactDecimal, isMultipleOf, parseDecimal, plain, scaleOf } from "./decimal.ts";

/** `{ gte, lte, gt, lt }` on whole numbers: the argument of `$len`, `$count` and `times`. */
const orders = ["gte", "lte", "gt", "lt"] as const;

export function integerProblem(argument: Value): string | undefined {
  if (typeof argument === "number") return undefined;
  if (!isMap(argument)) return "expects a whole number or { gte, lte, gt, lt }";
  const keys = Object.keys(argument);
  const wrong = keys.find((key) => !orders.some((order) => order === key));
  if (wrong !== undefined || keys.length === 0)
    return `expects a whole number or { gte, lte, gt, lt }, not "${wrong ?? "{}"}"`;
  return keys.every((key) => typeof argument[key] === "number") ? undefined : "compares with whole numbers";
}

export function holdsForInteger(actual: number, argument: Value): boolean {
  if (typeof argument === "number") return actual === argument;
  if (!isMap(argument)) return false;
  return Object.entries(argument).every(([order, bound]) =>
    compares(order, Math.sign(actual - Number(bound))),
  );
}

function compares(order: string, sign: number): boolean {
  if (order === "gte") return sign >= 0;
  if (order === "lte") return sign <= 0;
  return order === "gt" ? sign > 0 : order === "lt" && sign < 0;
}

const decimalKeys = ["eq", "gte", "lte", "gt", "lt", "near", "tol", "scale", "multipleOf"] as const;

export interface OperandLookup {
  readonly calc: (name: string) => string | undefined;
}

export function decimalProblem(argument: Value): string | undefined {
  if (typeof argument === "number") return 'compares decimals, which are written in quotes: $dec: "1.50"';
  if (typeof argument === "string") return operandProblem(argument);
  if (!isMap(argument)) return 'expects "1.50" or { eq, gte, lte, gt, lt, near, tol, scale, multipleOf }';
  if (isOperand(argument)) return operandProblem(argument);
  for (const [key, value] of Object.entries(argument)) {
    if (!decimalKeys.some((known) => known === key)) return `has no "${key}": use ${decimalKeys.join(", ")}`;
    const problem = key === "scale" ? scaleProblem(value) : operandProblem(value);
    if (problem !== undefined) return `${key}: ${problem}`;
  }
  if (argument["near"] !== undefined && argument["tol"] === undefined) return "near needs tol";
  return undefined;
}

function isOperand(argument: ValueMap): boolean {
  return argument["$calc"] !== undefined || argument["$eqVar"] !== undefined;
}

function operandProblem(operand: Value): string | undefined {
  if (typeof operand === "number") return `a decimal is written in quotes: "${operand}"`;
  if (typeof operand === "string") {
    return isOpen(operand) || parseDecimal(operand) !== undefined
      ? undefined
      : `"${operand}" is not a decimal`;
  }
  if (isMap(operand) && typeof operand["$calc"] === "string") return checkCalc(operand["$calc"]);
  if (isMap(operand) && typeof operand["$eqVar"] === "string") return undefined;
  return 'expects a decimal in quotes, { $calc: "…" } or { $eqVar: name }';
}

function scaleProblem(value: Value): string | undefined {
  const keys = isMap(value) ? Object.keys(value) : [];
  const fits = keys.length > 0 && keys.every((key) => key === "max" || key === "min");
  return fits ? undefined : "expects { max: 8 } or { min: 2 }";
}

/** Undefined if the relation holds; otherwise the expectation with the exact difference. */
export function decimalMismatch(
  text: string,
  actual: ExactDecimal,
  argument: Value,
  names: OperandLookup,
): string | undefined {
  if (!isMap(argument) || isOperand(argument)) return mismatch("eq", actual, operand(argument, names), text);
  for (const [key, value] of Object.entries(argument)) {
    if (key === "tol") continue;
    const found =
      key === "scale"
        ? scaleMismatch(text, value)
        : key === "near"
          ? nearMismatch(actual, operand(value, names), operand(argument["tol"] ?? "0", names))
          : mismatch(key, actual, operand(value, names), text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mismatch(
  order: string,
  actual: ExactDecimal,
  bound: ExactDecimal,
  text: string,
): string | undefined {
  const by = `(difference ${plain(actual.minus(bound))})`;
  if (order === "eq") return actual.eq(bound) ? undefined : `decimal ${plain(bound)} ${by}`;
  if (order === "multipleOf")
    return isMultipleOf(actual, bound) ? undefined : `a multiple of ${plain(bound)}, was ${text}`;
  return compares(order, actual.cmp(bound)) ? undefined : `decimal ${order} ${plain(bound)} ${by}`;
}

function nearMismatch(actual: ExactDecimal, near: ExactDecimal, tolerance: ExactDecimal): string | undefined {
  const away = actual.minus(near).abs();
  return away.lte(tolerance)
    ? undefined
    : `decimal within ${plain(tolerance)} of ${plain(near)} (away ${plain(away)})`;
}

function scaleMismatch(text: string, bounds: Value): string | undefined {
  const { max, min } = isMap(bounds) ? bounds : {};
  const scale = scaleOf(text);
  if (typeof max === "number" && scale > max) return `at most ${max} decimals`;
  if (typeof min === "number" && scale < min) return `at least ${min} decimals`;
  return undefined;
}

function operand(value: Value, names: OperandLookup): ExactDecimal {
  const text = isMap(value) ? computed(value, names) : String(value);
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new CalcProblem(`"${text}" is not a decimal`);
  return decimal;
}

function computed(value: ValueMap, names: OperandLookup): string {
  const { $calc, $eqVar } = value;
  if (typeof $calc === "string") return calculate($calc, names.calc);
  const found = typeof $eqVar === "string" ? names.calc($eqVar) : undefined;
  if (found === undefined) throw new CalcProblem(`"${String($eqVar)}" is not known here`);
  return found;
}
