/**
 * YAML to plain values with the place of each. The parser is loaded only when there is a file to read.
 */
import type { Node, Pair, Scalar, YAMLError, YAMLMap } from "yaml";
import type { Spellings } from "../schema/decode.ts";
import { type Path, type PathProblem, pointerOf, spellPath } from "../schema/problem.ts";
import type { Place, WorldProblem } from "./problem.ts";
import { scanYaml } from "./scan-yaml.ts";

export interface YamlText {
  readonly value: unknown;
  /** The text of each plain scalar, by `pointerOf` its path: parsing may have changed the value of a number. */
  readonly spellings: Spellings;
  /** Mistakes in the YAML itself: syntax, duplicate keys, aliases. */
  readonly problems: readonly WorldProblem[];
  /** Paths (`pointerOf`) whose values were refused: their shape does not matter any more. */
  readonly unread: ReadonlySet<string>;
  /** Whether the text itself has a value at a path. */
  has(path: Path): boolean;
  locate(problem: Pick<PathProblem, "path" | "on">): Place;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export async function readYaml(text: string, file: string): Promise<YamlText> {
  const refused = scanYaml(text, file);
  if (refused !== null) return unreadable([refused]);
  const yaml = await import("yaml");
  // Duplicate keys are found by the walk below, in linear time; the parser's own check is quadratic.
  const document = yaml.parseDocument(text, { uniqueKeys: false, prettyErrors: false, version: "1.2" });
  const source = new SourceText(text, file);
  const faultOf = (fault: YAMLError): WorldProblem => ({
    ...sentenceOf(fault),
    place: source.place({ start: fault.pos[0], end: fault.pos[0] + 1 }),
  });
  // Later errors mostly follow from the first.
  const [first] = document.errors;
  if (first !== undefined) return unreadable([faultOf(first)]);
  const walk = new Walk(yaml, source);
  const value = walk.value(document.contents, []);
  return {
    value,
    spellings: walk.spellings,
    problems: [...document.warnings.map(faultOf), ...walk.problems],
    unread: walk.unread,
    has: (path) => walk.has(path),
    locate: ({ path, on }) => source.place(walk.rangeOf(path, on)),
  };
}

function sentenceOf(fault: YAMLError): Pick<WorldProblem, "message" | "advice"> {
  if (fault.code === "MULTIPLE_DOCS")
    return { message: "a second document begins here", advice: "a file holds one world" };
  const message = `${fault.message.charAt(0).toLowerCase()}${fault.message.slice(1)}`;
  return { message: `this is not YAML: ${message}`, advice: syntaxAdvice[fault.code] ?? null };
}

/** Remedies for the most frequent mistakes. */
const syntaxAdvice: Partial<Record<YAMLError["code"], string>> = {
  TAB_AS_INDENT: "indent with blanks",
  BAD_INDENT: "close the { or [ that is open before this place, or indent this line further",
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a value with a colon in it in quotes, or begin a new line after the name",
};

const unreadable = (problems: readonly WorldProblem[]): YamlText => ({
  value: undefined,
  spellings: new Map(),
  problems,
  unread: new Set(),
  has: () => false,
  locate: () => ({ file: "", line: 1, column: 1, length: 1, source: "" }),
});

/** Offsets to lines and columns. */
class SourceText {
  readonly #text: string;
  readonly #file: string;
  readonly #lines: number[] = [0];

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lines.push(at + 1);
  }

  place(range: Range): Place {
    const line = Math.max(
      0,
      this.#lines.findLastIndex((start) => start <= range.start),
    );
    const start = this.#lines[line] ?? 0;
    const next = this.#lines[line + 1] ?? this.#text.length + 1;
    const source = this.#text.slice(start, next - 1).replace(/\r$/, "");
    const end = Math.min(range.end, start + source.length);
    return {
      file: this.#file,
      line: line + 1,
      column: range.start - start + 1,
      length: Math.max(1, end - range.start),
      source,
    };
  }
}

/** One pass over the nodes: values, places, spellings, and what YAML allows but a world file does not. */
class Walk {
  readonly spellings = new Map<string, string>();
  readonly problems: WorldProblem[] = [];
  readonly unread = new Set<string>();
  readonly #places = new Map<string, { readonly key: Range | null; readonly value: Range }>();
  readonly #yaml: typeof import("yaml");
  readonly #source: SourceText;

  constructor(yaml: typeof import("yaml"), source: SourceText) {
    this.#yaml = yaml;
    this.#source = source;
  }

  value(node: unknown, path: Path, key: Range | null = null): unknown {
    const yaml = this.#yaml;
    if (!yaml.isNode(node)) return null;
    this.#places.set(pointerOf(path), { key, value: rangeOfNode(node) });
    if (yaml.isAlias(node)) {
      this.unread.add(pointerOf(path));
      this.#refuse(node, "aliases (*name) are not read in a world file", "write the value out again");
      return null;
    }
    if (yaml.isMap(node)) return this.#map(node, path);
    if (yaml.isSeq(node)) return node.items.map((item, index) => this.value(item, [...path, index]));
    if (yaml.isScalar(node)) return this.#scalar(node, path);
    return null;
  }

  /** The place of a value, or of the closest section around it that the text has. */
  rangeOf(path: Path, on: "key" | "value"): Range {
    const place = this.#places.get(pointerOf(path));
    if (place === undefined)
      return path.length === 0 ? { start: 0, end: 1 } : this.rangeOf(path.slice(0, -1), "key");
    return on === "key" ? (place.key ?? place.value) : place.value;
  }

  has(path: Path): boolean {
    return this.#places.has(pointerOf(path));
  }

  #map(node: YAMLMap, path: Path): Record<string, unknown> {
    const map = Object.create(null) as Record<string, unknown>;
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const name = this.#yaml.isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : null;
      if (name === null) {
        this.#refuse(pair.key, "a key must be a plain name", null);
      } else if (Object.hasOwn(map, name)) {
        this.#refuse(pair.key, `${spellPath([...path, name])} is given twice`, "remove one of the two");
      } else {
        const range = rangeOfNode(pair.key);
        map[name] = this.value(pair.value, [...path, name], range);
        if (pair.value === null) this.#places.set(pointerOf([...path, name]), { key: range, value: range });
      }
    }
    return map;
  }

  #scalar(node: Scalar, path: Path): unknown {
    if (node.type === "PLAIN" && node.source !== undefined) this.spellings.set(pointerOf(path), node.source);
    return node.value;
  }

  #refuse(node: Node, message: string, advice: string | null): void {
    this.problems.push({ message, advice, place: this.#source.place(rangeOfNode(node)) });
  }
}

function rangeOfNode(node: Node): Range {
  const [start, end] = node.range ?? [0, 1];
  return { start, end };
}
