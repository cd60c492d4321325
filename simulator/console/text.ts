/** Texts for people. Nothing that a client wrote is interpreted: what cannot be seen is spelled out. */

/** Control characters, marks of direction, and separators that a screen does not show. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export const visible = (text: string): string =>
  text.replace(unseen, (one) =>
    one === "\n" || one === "\t" ? one : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );

export const short = (id: string): string => (id.length > 13 ? `${id.slice(0, 8)}…` : id);

/** `12:00:01.204` in UTC. */
export const clockText = (iso: string): string => iso.slice(11, 23);

export const dateText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`;

export const localText = (iso: string): string => `${new Date(iso).toLocaleString()} local time`;

/** JSON with an indent; any other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
