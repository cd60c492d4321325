/** Texts that somebody else wrote, with the characters that could deceive shown as `\u{…}`. */

/** Control and format characters and the two separators of lines, but for the tab and the end of a line. */
const deceiving = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export const visible = (text: string): string =>
  text.replace(deceiving, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);

const mostShown = 20_000;

export interface Cut {
  readonly text: string;
  readonly left: number;
}

/** A megabyte in one element would stop the page. */
export const cut = (text: string): Cut => ({
  text: visible(text.slice(0, mostShown)),
  left: Math.max(0, text.length - mostShown),
});

/** JSON with blanks; any other text as it is. */
export function pretty(text: string): string {
  if (text.length > mostShown) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
