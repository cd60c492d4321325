import {
  type ExactDecimal,
  parseDecimal,
  plain,
  quotient,
  type RoundingMode,
  rounded,
  roundingModes,
} from "./decimal.ts";

/** A mistake in the expression, or a name without a decimal value. */
export class CalcProblem extends Error {}

export type DecimalLookup = (name: string) => string | undefined;

/**
 * `$calc`: exact decimals with `+ - * /`, brackets, `round(x, places, mode)`, `min`, `max`, `abs`. A division states
 * its scale after the divisor, `a / b @ 8`, and truncates there. Names are looked up; all values are decimal text.
 */
export function calculate(expression: string, lookup: DecimalLookup): string {
  const parser = new CalcParser(tokensOf(expression), lookup);
  return plain(parser.whole());
}

/** Parses without values, so that lint finds mistakes before anything is sent. */
export function checkCalc(expression: string): string | undefined {
  try {
    calculate(expression, () => "1");
    return undefined;
  } catch (error) {
    if (error instanceof CalcProblem) return error.message;
    throw error;
  }
}

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][\w.]*)|([-+*/@(),]))/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const text = expression.trimEnd();
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null)
      throw new CalcProblem(
        `unexpected ${JSON.stringify(text.slice(at).trim()[0] ?? "")} in "${expression}"`,
      );
    tokens.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  if (tokens.length === 0) throw new CalcProblem("an expression is empty");
  if (tokens.length > 200) throw new CalcProblem("an expression has more than 200 parts");
  return tokens;
}

const functions: readonly string[] = ["round", "min", "max", "abs"];

class CalcParser {
  readonly #tokens: readonly string[];
  readonly #lookup: DecimalLookup;
  #at = 0;

  constructor(tokens: readonly string[], lookup: DecimalLookup) {
    this.#tokens = tokens;
    this.#lookup = lookup;
  }

  whole(): ExactDecimal {
    const value = this.#sum();
    if (this.#peek() !== undefined) throw new CalcProblem(`unexpected "${this.#peek()}"`);
    return value;
  }

  #sum(): ExactDecimal {
    let value = this.#product();
    for (;;) {
      if (this.#skip("+")) value = value.plus(this.#product());
      else if (this.#skip("-")) value = value.minus(this.#product());
      else return value;
    }
  }

  #product(): ExactDecimal {
    let value = this.#unary();
    for (;;) {
      if (this.#skip("*")) value = value.times(this.#unary());
      else if (this.#skip("/")) value = this.#divided(value);
      else return value;
    }
  }

  #divided(left: ExactDecimal): ExactDecimal {
    const right = this.#unary();
    if (!this.#skip("@")) throw new CalcProblem("a division needs a scale: a / b @ 8");
    const scale = this.#integer();
    if (right.isZero()) throw new CalcProblem("division by zero");
    return quotient(left, right, scale);
  }

  #unary(): ExactDecimal {
    return this.#skip("-") ? this.#unary().negated() : this.#atom();
  }

  #atom(): ExactDecimal {
    const token = this.#next();
    if (token === "(") {
      const value = this.#sum();
      this.#expect(")");
      return value;
    }
    if (/^\d/.test(token)) return this.#decimal(token, token);
    if (this.#peek() === "(") return this.#call(token);
    const text = this.#lookup(token);
    if (text === undefined) throw new CalcProblem(`"${token}" is not known here`);
    return this.#decimal(text, token);
  }

  #call(name: string): ExactDecimal {
    if (!functions.includes(name)) {
      throw new CalcProblem(`unknown function "${name}": use ${functions.join(", ")}`);
    }
    this.#expect("(");
    const first = this.#sum();
    let value: ExactDecimal;
    if (name === "round") {
      this.#expect(",");
      const places = this.#integer();
      this.#expect(",");
      value = rounded(first, places, this.#mode());
    } else if (name === "abs") {
      value = first.abs();
    } else {
      this.#expect(",");
      const second = this.#sum();
      value = first.lt(second) === (name === "min") ? first : second;
    }
    this.#expect(")");
    return value;
  }

  #mode(): RoundingMode {
    const name = this.#next();
    if (!Object.hasOwn(roundingModes, name)) {
      throw new CalcProblem(`unknown rounding "${name}": use ${Object.keys(roundingModes).join(", ")}`);
    }
    return name as RoundingMode;
  }

  #decimal(text: string, name: string): ExactDecimal {
    const value = parseDecimal(text);
    if (value === undefined) throw new CalcProblem(`"${name}" is not a decimal but ${JSON.stringify(text)}`);
    return value;
  }

  #integer(): number {
    const token = this.#next();
    if (!/^\d{1,2}$/.test(token)) throw new CalcProblem(`expected a number of decimals, found "${token}"`);
    return Number(token);
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new CalcProblem("the expression ends too early");
    this.#at += 1;
    return token;
  }

  #skip(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    const found = this.#next();
    if (found !== token) throw new CalcProblem(`expected "${token}", found "${found}"`);
  }
}
