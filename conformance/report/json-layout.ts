import type { TracedBody } from "../model/trace.ts";

/** Deeper values keep this indent, so that a body of nested brackets does not become megabytes of blanks. */
const deepest = 40;

/**
 * JSON over several lines, independent of the blanks in the body. The text is laid out token by token, so that every
 * number and every string keeps its spelling. A text that is not JSON is not changed.
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

/** The JSON pointer of each line of a text that was laid out. Below the deepest ones it is that of their list or object. */
export function pointersOf(lines: readonly string[]): string[] {
  const open: { readonly at: string; items: number }[] = [];
  return lines.map((line) => {
    const text = line.trim();
    if (/^[}\]]/.test(text)) return open.pop()?.at ?? "";
    const inside = open.at(-1);
    const [, key] = /^("(?:[^"\\]|\\.)*"): /.exec(text) ?? [];
    const at =
      inside === undefined || open.length > deepest
        ? (inside?.at ?? "")
        : `${inside.at}/${nameIn(inside, key)}`;
    if (/[{[]$/.test(text)) open.push({ at, items: 0 });
    return at;
  });
}

function nameIn(inside: { items: number }, key: string | undefined): string {
  if (key !== undefined) return String(JSON.parse(key)).replaceAll("~", "~0").replaceAll("/", "~1");
  inside.items += 1;
  return String(inside.items - 1);
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
