import type { TracedBody } from "../model/trace.ts";

/** Deeper values keep this indent, so that a body of brackets alone does not become megabytes of blanks. */
const deepest = 40;

/**
 * JSON over several lines, the same whatever blanks it came with. The text is laid out token by token and never written
 * anew, so that every number and every string keeps its spelling. What is no JSON stays as it is.
 */
export function laidOut({ text, cut, base64 }: TracedBody): string {
  if (cut || base64 || !isJsonList(text)) return text;
  let depth = 0;
  const line = (change: number): string => {
    depth += change;
    return `\n${"  ".repeat(Math.min(depth, deepest))}`;
  };
  return text.replace(
    /("(?:[^"\\]|\\.)*")|[ \t\r\n]+|\{[ \t\r\n]*\}|\[[ \t\r\n]*\]|[{}[\],:]/g,
    (token, string) => {
      if (string !== undefined) return token;
      if (token === "{" || token === "[") return token + line(1);
      if (token === "}" || token === "]") return line(-1) + token;
      if (token === ",") return token + line(0);
      return token === ":" ? ": " : token.trim() && `${token.at(0)}${token.at(-1)}`;
    },
  );
}

function isJsonList(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
