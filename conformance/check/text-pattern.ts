import { RE2JS, RE2JSSyntaxException } from "re2js";

/**
 * `$re` matches text from a hostile target with a pattern that may come from an unknown author. RE2 reads each
 * character once for any pattern, so it has no look-around and no back-references. The limits below bound the cost of
 * compiling one pattern.
 */
export const maxMatchedText = 2048;
const maxLength = 500;
/** All counts in braces together; a count of a thousand means a thousand steps for each character. */
const maxRepeated = 200;
const maxSteps = 2000;

const flagsOf: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // Characters are always whole code points here.
  u: 0,
};

const built = new Map<string, RE2JS | string>();
const mostBuilt = 500;

/** Does the pattern occur in the text? A text that is longer than the limit never matches. */
export function fitsPattern(source: string, flags: string, text: string): boolean {
  const pattern = patternOf(source, flags);
  if (typeof pattern === "string") throw new Error(pattern);
  return text.length <= maxMatchedText && pattern.matcher(text).find();
}

export function patternProblem(source: string, flags = ""): string | undefined {
  const pattern = patternOf(source, flags);
  return typeof pattern === "string" ? pattern : undefined;
}

/** The compiled pattern, or its mistake. */
function patternOf(source: string, flags: string): RE2JS | string {
  const key = `${flags}/${source}`;
  const known = built.get(key) ?? build(source, flags);
  if (built.size < mostBuilt) built.set(key, known);
  return known;
}

function build(source: string, flags: string): RE2JS | string {
  if (!/^[imsu]*$/.test(flags)) return `pattern flags may be i, m, s, u, not "${flags}"`;
  if (source.length > maxLength) return `a pattern is at most ${maxLength} characters long`;
  const unsupported = unsupportedIn(source);
  if (unsupported !== undefined) return unsupported;
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );
  const repeated = counts.reduce((sum, count) => sum + count, 0);
  if (repeated > maxRepeated)
    return `the counts in the braces of a pattern come to at most ${maxRepeated}, these to ${repeated}`;
  try {
    const bits = [...new Set(flags)].reduce((sum, flag) => sum + (flagsOf[flag] ?? 0), 0);
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), bits);
    const steps = pattern.programSize();
    return steps > maxSteps ? `a pattern takes at most ${maxSteps} steps, this one ${steps}` : pattern;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return `not a pattern: ${error.error} at ${placeOf(source.indexOf(error.input ?? ""), error.input ?? "")}`;
  }
}

const needsMemory: readonly (readonly [construct: RegExp, what: string])[] = [
  [/\(\?<?[=!]/, "look ahead or behind"],
  [/\\(?:[1-9]|k<)/, "refer back to a group"],
];

/** A feature of other engines that an engine without backtracking cannot have, with its place. */
function unsupportedIn(source: string): string | undefined {
  // Escaped backslashes and classes are text; they are replaced by as many characters, so that positions stay correct.
  const bare = source
    .replace(/\\\\/g, "xx")
    .replace(/\[(?:\\.|[^\]\\])*\]/g, (inside) => "x".repeat(inside.length));
  for (const [construct, what] of needsMemory) {
    const found = construct.exec(bare);
    if (found !== null) return `a pattern may not ${what}: ${placeOf(found.index, found[0])}`;
  }
  return undefined;
}

const placeOf = (at: number, text: string): string =>
  at < 0 ? JSON.stringify(text) : `${JSON.stringify(text)} at character ${at + 1}`;
