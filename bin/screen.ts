import process from "node:process";

/**
 * The one way from a command to the screen, a log or a CI server. A text of a target, a file, a profile or an
 * argument moves no cursor, turns no line around and gives no command to a CI server.
 */
export function show(text: string): void {
  process.stdout.write(harmless(text));
}

/** On stderr: everything that is not a result. */
export function tell(text: string): void {
  process.stderr.write(harmless(text));
}

/** For a text with colours of our own, in which all text of others has been made printable before it was painted. */
export function showPainted(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  const parts = text.split(colour);
  stream.write(parts.map((part, index) => (index % 2 === 1 ? part : harmless(part, index === 0))).join(""));
}

/** GitHub reads a command at the beginning of a line, Azure and TeamCity read theirs anywhere in it. */
export function harmless(text: string, atLineStart = true): string {
  const escaped = text
    .replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/##(?=\w*\[)/g, "#\\u{23}")
    .replace(/\n([ \t]*):(?=:)/g, "\n$1\\u{3a}");
  return atLineStart ? escaped.replace(/^([ \t]*):(?=:)/, "$1\\u{3a}") : escaped;
}

/** A message of several lines: the lines after the first are indented, so that none passes for a line of ours. */
export function hangingLines(text: string): string {
  return text.replace(/\n(?=[^\n])/g, "\n  ");
}

/** JSON for programs and for the screen: characters that a terminal obeys are escaped, which does not change the value. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replace(hidden, (character) => character.replace(/[^]/g, asUnit))
    .replace(/##(?=\w*\[)/g, "#\\u0023");
}

const asUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const colour = /(\u001b\[[0-9;]*m)/;
