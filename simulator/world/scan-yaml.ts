/**
 * A look at a YAML text before it is parsed. The parser aborts or stalls the whole process on small texts
 * that nest deeply, so size and nesting are bounded first, by counting characters.
 *
 * @note A world file is the user's own, on the user's machine, and is therefore parsed in this process. Texts
 * from strangers (scenarios, recordings) are not: they belong in a child process with a time limit.
 */
import { MAX_FILE_BYTES } from "./defaults.ts";
import { type Place, type WorldProblem } from "./problem.ts";

const MAX_BRACKETS = 32;
const MAX_INDENT = 100;

/** Several indicators in a row nest several levels on one line. */
const MANY_DASHES = /^[ \t]*(?:-[ \t]+){9}/;
const COMPLEX_KEY = /^[ \t-]*\?(?:[ \t]|$)|\?[ \t]+\?[ \t]/;

/** The reason why a text should not be parsed, or null. */
export function scanYaml(text: string, file: string): WorldProblem | null {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES) return tooLarge(file, bytes);
  let depth = 0;
  const lines = text.split("\n");
  for (const [index, source] of lines.entries()) {
    const refuse = (column: number, message: string, advice: string): WorldProblem => {
      const place: Place = { file, line: index + 1, column, length: 1, source };
      return { message, advice, place };
    };
    const indent = source.search(/[^ ]/);
    if (indent > MAX_INDENT) {
      return refuse(
        indent + 1,
        `this line is indented by ${indent} blanks; at most ${MAX_INDENT} are read`,
        FLATTER,
      );
    }
    if (MANY_DASHES.test(source)) return refuse(1, "this line opens more than eight lists at once", FLATTER);
    const complex = source.search(COMPLEX_KEY);
    if (complex >= 0) {
      const column = source.indexOf("?", complex) + 1;
      return refuse(column, 'keys written with "?" are not read in a world file', "write key: value");
    }
    for (let at = 0; at < source.length; at++) {
      const char = source[at];
      if (char === "]" || char === "}") depth = Math.max(0, depth - 1);
      if (char !== "[" && char !== "{") continue;
      if (++depth > MAX_BRACKETS) {
        return refuse(at + 1, `brackets are nested more than ${MAX_BRACKETS} deep`, FLATTER);
      }
    }
  }
  return null;
}

const FLATTER = "a world file needs six levels at most";

const tooLarge = (file: string, bytes: number): WorldProblem => ({
  message: `${file} has ${bytes} bytes; at most ${MAX_FILE_BYTES} are read`,
  advice: null,
  place: null,
});
