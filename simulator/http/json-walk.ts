/**
 * A strict walk through JSON text that stops at the first mistake and names it. It is
 * slow and runs only after a body has been refused; its caller bounds the nesting. Grammar: RFC 8259.
 */

/**
 * The first mistake, as the rest of a sentence; null if there is none. Repeated keys are reported if the caller asks for
 * that.
 */
export function walkJson(text: string, lookFor: "syntax" | "duplicates"): string | null {
  try {
    const walk = new Walk(text, lookFor === "duplicates");
    walk.value();
    walk.end();
    return null;
  } catch (problem) {
    if (problem instanceof JsonProblem) return problem.message;
    throw problem;
  }
}

export function describePlace(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

class JsonProblem extends Error {
  override readonly name = "JsonProblem";
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const blank = /[\t\n\r ]*/y;
const wordSize = /true|false|null/y;

class Walk {
  readonly #text: string;
  readonly #unique: boolean;
  #at = 0;

  constructor(text: string, unique: boolean) {
    this.#text = text;
    this.#unique = unique;
  }

  value(): void {
    this.#skipBlank();
    const next = this.#text[this.#at];
    if (next === "{") this.#object();
    else if (next === "[") this.#array();
    else if (next === '"') this.#string();
    else if (!this.#take(numberPattern) && !this.#take(wordSize)) this.#fail("a value");
    this.#skipBlank();
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail("the end of the JSON");
  }

  #object(): void {
    const keys = new Set<string>();
    this.#at += 1;
    this.#skipBlank();
    if (this.#accept("}")) return;
    do {
      this.#skipBlank();
      const start = this.#at;
      const key = this.#key();
      if (this.#unique && keys.has(key))
        throw new JsonProblem(`the key ${JSON.stringify(key)} comes twice, ${this.#place(start)}`);
      keys.add(key);
      this.#skipBlank();
      if (!this.#accept(":")) this.#fail('":"');
      this.value();
    } while (this.#accept(","));
    if (!this.#accept("}")) this.#fail('"," or "}"');
  }

  #array(): void {
    this.#at += 1;
    this.#skipBlank();
    if (this.#accept("]")) return;
    do this.value();
    while (this.#accept(","));
    if (!this.#accept("]")) this.#fail('"," or "]"');
  }

  #key(): string {
    if (this.#text[this.#at] !== '"') this.#fail("a key in double quotes");
    const start = this.#at;
    this.#string();
    return String(JSON.parse(this.#text.slice(start, this.#at)));
  }

  #string(): void {
    if (!this.#take(stringPattern)) {
      throw new JsonProblem(
        `the string ${this.#place(this.#at)} has no end, a raw control character or an unknown escape`,
      );
    }
  }

  #skipBlank(): void {
    this.#take(blank);
  }

  #accept(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #place(offset: number): string {
    return describePlace(this.#text, offset);
  }

  #fail(expected: string): never {
    const found = this.#at < this.#text.length ? JSON.stringify(this.#text[this.#at]) : "the end of the JSON";
    throw new JsonProblem(`expected ${expected}, found ${found} ${this.#place(this.#at)}`);
  }
}
