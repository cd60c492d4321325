/**
 * The first check of YAML from unknown authors. It is linear and without recursion, and runs before any parser reads
 * the text: two small files of nested brackets abort a Node process, and code inside that process cannot catch it.
 *
 * Known limit: it may miss what a lexer would see; the child process is the second protection.
 */
export const yamlLimits = { bytes: 256 * 1024, depth: 32, nodes: 20_000 } as const;

export interface ScanProblem {
  readonly offset: number;
  readonly message: string;
}

export function prescan(text: string): ScanProblem | undefined {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes > yamlLimits.bytes) {
    return { offset: 0, message: `the file is ${bytes} bytes long; at most ${yamlLimits.bytes} are read` };
  }
  return new Scan(text).run();
}

class Scan {
  readonly #text: string;
  #flow = 0;
  #nodes = 0;
  #quote = "";
  #indents: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): ScanProblem | undefined {
    let offset = 0;
    for (const line of this.#text.split("\n")) {
      const problem = this.#line(line, offset);
      if (problem !== undefined) return problem;
      offset += line.length + 1;
    }
    return undefined;
  }

  #line(line: string, offset: number): ScanProblem | undefined {
    const block = this.#flow === 0 && this.#quote === "" ? this.#blockDepth(line) : this.#indents.length;
    if (block > yamlLimits.depth) return tooDeep(offset);
    this.#nodes += 1;
    for (let at = 0; at < line.length; at += 1) {
      if (this.#quote !== "") {
        at = this.#insideQuote(line, at);
        continue;
      }
      const character = line[at] ?? "";
      if (character === "#" && (at === 0 || /\s/.test(line[at - 1] ?? ""))) break;
      if ((character === '"' || character === "'") && opensQuote(line, at)) this.#quote = character;
      else if (character === "[" || character === "{") this.#flow += 1;
      else if (character === "]" || character === "}") this.#flow = Math.max(0, this.#flow - 1);
      if (",:[{".includes(character)) this.#nodes += 1;
      if (this.#flow + block > yamlLimits.depth) return tooDeep(offset + at);
      if (this.#nodes > yamlLimits.nodes) {
        return { offset: offset + at, message: `the file has more than ${yamlLimits.nodes} nodes` };
      }
    }
    return undefined;
  }

  /** Depth of block nesting: open indentations, and `- - -` or `? ? ?` at the start of the line. */
  #blockDepth(line: string): number {
    const content = line.search(/[^ ]/);
    if (content === -1) return this.#indents.length;
    while ((this.#indents.at(-1) ?? -1) >= content) this.#indents.pop();
    this.#indents.push(content);
    const indicators = /^ *((?:[-?:] +)*)/.exec(line)?.[1] ?? "";
    return this.#indents.length + (indicators.match(/[-?:]/g)?.length ?? 0);
  }

  #insideQuote(line: string, at: number): number {
    if (this.#quote === '"' && line[at] === "\\") return at + 1;
    if (line[at] !== this.#quote) return at;
    if (this.#quote === "'" && line[at + 1] === "'") return at + 1;
    this.#quote = "";
    return at;
  }
}

/** A quote opens a string at the start of a line or after an indicator; an apostrophe inside a word is text. */
function opensQuote(line: string, at: number): boolean {
  const before = line.slice(0, at).trimEnd();
  return before === "" || /[-?:,[{!]$/.test(before);
}

function tooDeep(offset: number): ScanProblem {
  return { offset, message: `the file nests deeper than ${yamlLimits.depth} levels` };
}
