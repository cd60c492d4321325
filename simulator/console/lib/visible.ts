/** Texts that somebody else wrote, with the characters that could deceive shown as `\u{…}`. */

const deceiving =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

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
