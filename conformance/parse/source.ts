import type { Path, Position, Problem } from "../model/position.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { RawNode, RawProblem } from "./yaml-child.ts";
import type { YamlReader } from "./yaml-reader.ts";

/** A YAML file with its text, so that every problem can show the line and a caret. */
export class Source {
  readonly file: string;
  readonly text: string;
  readonly root: RawNode;
  readonly value: Value;

  constructor(file: string, text: string, root: RawNode, value: Value) {
    this.file = file;
    this.text = text;
    this.root = root;
    this.value = value;
  }

  /** The position of the value at a path, or with `key` of its key. Falls back to the nearest parent. */
  positionOf(path: Path, what: "key" | "value" = "value"): Position {
    return positionAt(this.file, this.text, offsetOf(this.root, path, what));
  }

  problem(
    path: Path,
    message: string,
    options: { hint?: string | undefined; what?: "key" | "value" } = {},
  ): Problem {
    return problemAt(
      this.file,
      this.text,
      offsetOf(this.root, path, options.what ?? "value"),
      message,
      options.hint,
    );
  }
}

/** A scenario that no file holds. Its positions count steps: line 3 is the third step. */
export class GeneratedSource extends Source {
  constructor(name: string, value: ValueMap) {
    super(name, "", { at: 0, scalar: null }, value);
  }

  override positionOf(path: Path): Position {
    const [section, index] = path;
    return { file: this.file, line: section === "steps" ? Number(index) + 1 : 1, column: 1 };
  }
}

/**
 * `ok` if the file has no mistakes. A file with misspelt scalars has a source, too, so that all its problems are
 * reported in one round.
 */
export type SourceReading =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly source?: Source };

/** Turns text into data with positions: first the limits of the reader, then the kit's own rules for plain scalars. */
export async function readSource(file: string, text: string, reader: YamlReader): Promise<SourceReading> {
  const { problems, root } = await reader.read(text);
  if (root === undefined) return { ok: false, problems: syntaxProblems(file, text, problems) };
  const found: Problem[] = [];
  const value = toValue(root, (at, message, hint) => found.push(problemAt(file, text, at, message, hint)));
  const source = new Source(file, text, root, value);
  return found.length > 0 ? { ok: false, problems: found, source } : { ok: true, source };
}

/**
 * The syntax errors of the parser, one per line, because later errors on a line follow from the first. An unquoted
 * brace inside braces causes errors in all text after it, so it is detected and named.
 */
function syntaxProblems(file: string, text: string, found: readonly RawProblem[]): Problem[] {
  const braces = unquotedBraces(text);
  const first = braces[0]?.position.line ?? Number.POSITIVE_INFINITY;
  const lines = new Set<number>();
  const said = found
    .map(({ at, message }) => inPlainWords(file, text, at, message))
    .filter(({ position: { line } }) => line < first && lines.size < lines.add(line).size);
  return [...said, ...braces];

  function unquotedBraces(whole: string): Problem[] {
    const places = whole.matchAll(
      /(?<=^[^#'"\n]*[{[][^#\n]*[:,{[] +)[^\s'"#,[\]{}&*!|>%@`][^\s'",{}]*\{[^\s'",{}]*\}[^\s'",{}]*/gm,
    );
    return [...places].map(({ index, 0: value }) =>
      problemAt(
        file,
        whole,
        index,
        "inside { } a brace begins a mapping, so a text with braces must be in quotes",
        `write it in quotes: '${value}'`,
      ),
    );
  }
}

/**
 * The parser's words for wrong indentation, as a person would say it. It reports a line that is indented too far at the
 * line above, whose value it takes it for.
 */
function inPlainWords(file: string, text: string, at: number, message: string): Problem {
  const say = (place: number, what: string, hint: string): Problem =>
    problemAt(file, text, place, what, hint);
  if (/^(?:All .* must start at the same column|Sequence item without)/.test(message))
    return say(
      at + blanksAt(text, at),
      "this line does not begin where the others of its list or mapping begin",
      "give all of them the same indentation",
    );
  if (!message.startsWith("Nested mappings are not allowed")) return problemAt(file, text, at, message);
  const end = text.indexOf("\n", at);
  const below = /:\s/.test(text.slice(at, end)) ? -1 : text.slice(end).search(/(?<=\n *)[^\s#]/);
  return below === -1
    ? say(at, "there are two keys in one line", "put a text with a colon in quotes, or write { key: value }")
    : say(
        end + below,
        "this line is indented further than the key above it, which has a value already",
        "begin it under the first letter of that key",
      );
}

const blanksAt = (text: string, at: number): number => /^ */.exec(text.slice(at, at + 200))?.[0].length ?? 0;

type AddProblem = (at: number, message: string, hint?: string) => void;

/** Refuses plain scalars that look like text, but are another type in YAML. */
function toValue(node: RawNode, addProblem: AddProblem): Value {
  if ("items" in node) return node.items.map((item) => toValue(item, addProblem));
  if ("entries" in node)
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, toValue(value, addProblem)]));
  const { scalar, plain } = node;
  if (typeof scalar === "number") {
    const integer = /^-?(?:0|[1-9]\d*)$/.test(plain ?? "") && Number.isSafeInteger(scalar);
    if (!integer) {
      addProblem(node.at, `the number ${plain} would lose its spelling`, `write it in quotes: '${plain}'`);
      return plain ?? String(scalar);
    }
  } else if (plain !== undefined && typeof scalar === "boolean" && !/^(?:true|false)$/.test(plain)) {
    addProblem(node.at, `"${plain}" is read as a boolean`, "write true or false, or quotes around it");
  }
  return scalar;
}

function offsetOf(root: RawNode, path: Path, what: "key" | "value"): number {
  let node = root;
  let offset = root.at;
  for (const [index, part] of path.entries()) {
    const last = index === path.length - 1;
    if ("entries" in node) {
      const entry = node.entries.find(({ key }) => key === String(part));
      if (entry === undefined) return offset;
      offset = last && what === "key" ? entry.at : entry.value.at;
      node = entry.value;
    } else if ("items" in node) {
      const item = node.items[Number(part)];
      if (item === undefined) return offset;
      offset = item.at;
      node = item;
    } else return offset;
  }
  return offset;
}

export function positionAt(file: string, text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export function problemAt(
  file: string,
  text: string,
  offset: number,
  message: string,
  hint?: string,
): Problem {
  const position = positionAt(file, text, offset);
  const line = (text.split("\n")[position.line - 1] ?? "").slice(0, 160);
  const gutter = `  ${position.line} | `;
  const caret = " ".repeat(gutter.length - 2) + "| " + " ".repeat(Math.min(position.column - 1, 160)) + "^";
  const problem = { position, message, excerpt: `${gutter}${narrow(line)}\n${caret}` };
  return hint === undefined ? problem : { ...problem, hint };
}

/** One dot for each character that is not shown, so that the caret is in the right column. */
function narrow(text: string): string {
  return text.replace(/(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (found) => "\u00b7".repeat(found.length));
}
