/**
 * `$re` runs against text a hostile target chose, in a pattern a stranger may have written. Only patterns without
 * backreferences, look-around and nested repetition are let through: those cannot be made to run for ever.
 */
export const maxMatchedText = 2048;
const maxUnbounded = 2;
/** A bounded repetition of more than this is as good as an unbounded one. */
const fewTimes = 40;

export function compilePattern(source: string, flags = ""): RegExp {
  const problem = patternProblem(source, flags);
  if (problem !== undefined) throw new Error(problem);
  return new RegExp(source, flags);
}

export function patternProblem(source: string, flags = ""): string | undefined {
  if (!/^[imsu]*$/.test(flags)) return `pattern flags may be i, m, s, u, not "${flags}"`;
  if (source.length > 500) return "a pattern is at most 500 characters long";
  if (/\\[1-9]|\\k</.test(source)) return "a pattern may not refer back to a group";
  if (/\(\?(?:=|!|<)/.test(source)) return "a pattern may not look ahead, look behind or name a group";
  if (longRepetitions(source) > maxUnbounded)
    return `a pattern has at most ${maxUnbounded} repetitions of more than ${fewTimes} times`;
  if (hasNestedRepetition(source)) return "a pattern may not repeat a group that repeats or branches";
  try {
    new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return `not a pattern: ${(error as Error).message}`;
  }
}

/** Each one multiplies the time by the length of the text, so two of them over 2048 characters are all there can be. */
function longRepetitions(source: string): number {
  const text = source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  const counted = [...text.matchAll(/[*+]|\{(\d+)(,?)(\d*)\}/g)];
  return counted.filter(([sign, least, comma, most]) => {
    if (sign === "*" || sign === "+") return true;
    return Number(comma === "," && most === "" ? Infinity : most || least) > fewTimes;
  }).length;
}

/** `(a+)+` and `(a|a)*`: a repeated group in which something repeats or branches. */
function hasNestedRepetition(source: string): boolean {
  const text = source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
  const open: { risky: boolean }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "(") open.push({ risky: false });
    const innermost = open.at(-1);
    if (innermost !== undefined && "*+{|".includes(character)) innermost.risky = true;
    if (character !== ")") continue;
    const closed = open.pop();
    const repeated = /^(?:[*+]|\{\d+,?\d*\})/.test(text.slice(at + 1));
    if (closed?.risky === true && repeated) return true;
    const parent = open.at(-1);
    if (parent !== undefined) parent.risky ||= closed?.risky === true || repeated;
  }
  return false;
}
