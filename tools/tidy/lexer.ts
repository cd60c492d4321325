/**
 * Splits TypeScript into code, comments and strings, so that a rule about code does not trip over a word in a comment.
 *
 * `code` has the length and the lines of the source; the content of comments, strings, templates and regular
 * expressions is blanked. Good enough for code that the formatter has laid out; it is no parser.
 */
export type Lexed = Readonly<{
  code: string;
  comments: readonly Piece[];
  strings: readonly Piece[];
}>;

/** `start` is the place of the opening mark; `text` is the content. */
export type Piece = Readonly<{ start: number; text: string }>;

interface Scan {
  at: number;
  readonly source: string;
  /** Up to what was kept last. */
  code: string;
  comments: Piece[];
  strings: Piece[];
}

export function lex(source: string): Lexed {
  const scan: Scan = { at: 0, source, code: "", comments: [], strings: [] };
  if (source.startsWith("#!")) scan.at = endOf(source, "\n", 0);
  readCode(scan, undefined);
  return { code: blankTo(scan, source.length), comments: scan.comments, strings: scan.strings };
}

/** What code may hold that is read in some other way than one character after the other. */
const mark = /[/"'`{}]/g;

/** Reads code up to the closing brace of a template's `${…}`, or to the end. */
function readCode(scan: Scan, closing: "}" | undefined): void {
  const { source } = scan;
  let depth = 0;
  while (scan.at < source.length) {
    const here = source.charAt(scan.at);
    const two = source.slice(scan.at, scan.at + 2);
    if (two === "//") comment(scan, endOf(source, "\n", scan.at), 0);
    else if (two === "/*") comment(scan, endOf(source, "*/", scan.at + 2) + 2, 2);
    else if (here === '"' || here === "'") quoted(scan, here);
    else if (here === "`") template(scan);
    else if (here === "/" && startsRegex(scan)) regex(scan);
    else {
      if (here === "{") depth += 1;
      if (here === "}") {
        if (depth === 0 && closing !== undefined) return;
        depth -= 1;
      }
      mark.lastIndex = scan.at + 1;
      keep(scan, mark.exec(source)?.index ?? source.length);
    }
  }
}

function keep(scan: Scan, end: number = scan.at + 1): void {
  scan.code = blankTo(scan, scan.at) + scan.source.slice(scan.at, end);
  scan.at = end;
}

/** The code so far, and blanks from there on. */
function blankTo({ code, source }: Scan, end: number): string {
  return code.length === end ? code : code + blank(source.slice(code.length, end));
}

function comment(scan: Scan, end: number, closingLength: number): void {
  scan.comments.push({ start: scan.at, text: scan.source.slice(scan.at + 2, end - closingLength) });
  scan.at = end;
}

function quoted(scan: Scan, quote: string): void {
  const start = scan.at;
  keep(scan);
  while (scan.at < scan.source.length && scan.source.charAt(scan.at) !== quote) skipOne(scan);
  scan.strings.push({ start, text: scan.source.slice(start + 1, scan.at) });
  keep(scan);
}

function template(scan: Scan): void {
  const start = scan.at;
  keep(scan);
  while (scan.at < scan.source.length && scan.source.charAt(scan.at) !== "`") {
    if (scan.source.startsWith("${", scan.at)) {
      scan.at += 2;
      readCode(scan, "}");
      scan.at += 1;
    } else skipOne(scan);
  }
  scan.strings.push({ start, text: scan.source.slice(start + 1, scan.at) });
  keep(scan);
}

function regex(scan: Scan): void {
  keep(scan);
  let inClass = false;
  while (scan.at < scan.source.length && (inClass || scan.source.charAt(scan.at) !== "/")) {
    if (scan.source.charAt(scan.at) === "[") inClass = true;
    if (scan.source.charAt(scan.at) === "]") inClass = false;
    skipOne(scan);
  }
  keep(scan);
}

/** A slash divides after a value and opens a regular expression after anything else. */
function startsRegex(scan: Scan): boolean {
  const before = blankTo(scan, scan.at).slice(-60).trimEnd();
  if (/\b(?:return|typeof|case|in|of|do|else|void|await|yield)$/.test(before)) return true;
  return !/[\w$)\]}"'`]$/.test(before);
}

function skipOne(scan: Scan): void {
  scan.at += scan.source.charAt(scan.at) === "\\" ? 2 : 1;
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found;
}

function blank(source: string): string {
  return source.replace(/[^\n]/g, " ");
}
