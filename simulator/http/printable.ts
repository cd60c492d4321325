/**
 * Text of a client inside one of our messages. Control characters, characters that change the direction of
 * text, and everything beyond ASCII become visible escapes, so that a message can be printed on any
 * terminal; long text is cut.
 */
const unprintable = /[^\x20-\x7e]/gu;
const longestText = 120;

export function printable(text: string, longest = longestText): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return shown.replace(unprintable, (character) =>
    character === "…" ? "..." : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
