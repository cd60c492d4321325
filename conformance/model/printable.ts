/** Control, bidirectional, zero-width and line-breaking characters become `\u{…}`, and no CI takes it for a command. */
export function printable(text: string): string {
  return text
    .replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/##(?=\w*\[)/g, "#\\u{23}");
}

/** As `printable`, but lines stay lines: for places where text is shown whole and cannot be mistaken. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** JSON without characters that a terminal obeys, as they come from a target; escaped they mean the same. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(inJson, (character) =>
    character.replace(/[^]/g, asUnit),
  );
}

const asUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** `JSON.stringify` has escaped the ends of lines that are not its own. */
const inJson = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
