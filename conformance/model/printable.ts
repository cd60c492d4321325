/**
 * Control, bidirectional, zero-width and line-breaking characters become `\u{…}`, and CI systems find no commands in
 * the text.
 */
export function printable(text: string): string {
  return text
    .replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/##(?=\w*\[)/g, "#\\u{23}");
}

/**
 * As `printable`, but line breaks are kept: for places that show whole texts and cannot confuse them with other output.
 */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** JSON without characters that control a terminal, for text that comes from a target. Escaped, they mean the same. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(inJson, (character) =>
    character.replace(/[^]/g, asUnit),
  );
}

const asUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** `JSON.stringify` has already escaped all line ends except its own. */
const inJson = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
