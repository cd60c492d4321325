/**
 * A look at a YAML text before it is parsed. The parser aborts or stalls the whole process on small texts
 * that nest deeply, so size and nesting are bounded first, by counting characters.
 *
 * @note A world file is the user's own, on the user's machine, and is therefore parsed in this process. Texts
 * from strangers (scenarios, recordings) are not: they belong in a child process with a time limit.
 */
import { maxFileBytes } from "./defaults.ts";
import { type Place, type WorldProblem } from "./problem.ts";

const maxBrackets = 32;
const maxIndent = 100;

/** Several indicators in a row nest several levels on one line. */
const manyDashes = /^[ \t]*(?:-[ \t]+){9}/;
const complexKey = /^[ \t-]*\?(?:[ \t]|$)|\?[ \t]+\?[ \t]/;

/** The reason why a text should not be parsed, or null. */
export function scanYaml(text: string, file: string): WorldProblem | null {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxFileBytes) return tooLarge(file, bytes);
  let depth = 0;
  const lines = text.split("\n");
  for (const [index, source] of lines.entries()) {
    const refuse = (column: number, message: string, advice: string): WorldProblem => {
      const place: Place = { file, line: index + 1, column, length: 1, source };
      return { message, advice, place };
    };
    const indent = source.search(/[^ ]/);
    if (indent > maxIndent) {
      return refuse(
        indent + 1,
        `this line is indented by ${indent} blanks; at most ${maxIndent} are read`,
        flatter,
      );
    }
    if (manyDashes.test(source)) return refuse(1, "this line opens more than eight lists at once", flatter);
    const complex = source.search(complexKey);
    if (complex >= 0) {
      const column = source.indexOf("?", complex) + 1;
      return refuse(column, 'keys written with "?" are not read in a world file', "write key: value");
    }
    for (let at = 0; at < source.length; at++) {
      const char = source[at];
      if (char === "]" || char === "}") depth = Math.max(0, depth - 1);
      if (char !== "[" && char !== "{") continue;
      if (++depth > maxBrackets) {
        return refuse(at + 1, `brackets are nested more than ${maxBrackets} deep`, flatter);
      }
    }
  }
  return null;
}

const flatter = "a world file needs six levels at most";

const tooLarge = (file: string, bytes: number): WorldProblem => ({
  message: `${file} has ${bytes} bytes; at most ${maxFileBytes} are read`,
  advice: null,
  place: null,
});
