import { unreadable } from "./pasted-http.ts";

/** The words of a command as a shell of Unix reads them, with '…', "…" and $'…', as browsers copy them. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  const pattern =
    /\s+|\\\r?\n|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\$]+|\$)/gy;
  let word: string | undefined;
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const [whole, ansi, single, double, escaped, plain] = found;
    end = found.index + whole.length;
    const part =
      (ansi === undefined ? undefined : ansiText(ansi)) ?? single ?? quoted(double) ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? "") + part;
    else if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  if (end < text.length)
    throw unreadable("a quotation mark of the curl command is not closed: copy all of it");
  if (word !== undefined) words.push(word);
  const variable = words.find((one) => /^\$[A-Za-z_{(]|: *\$[A-Za-z_{(]/.test(one));
  if (variable !== undefined)
    throw unreadable(`${JSON.stringify(variable)} is a variable of a shell: paste what it stands for`);
  return words;
}

/** In double quotes a backslash escapes these alone. */
const quoted = (text: string | undefined): string | undefined =>
  text?.replaceAll(/\\(\r?\n|["\\$`])/g, (_all, escaped: string) => (escaped.endsWith("\n") ? "" : escaped));

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const ansiText = (text: string): string =>
  text.replaceAll(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|([^]))/g,
    (_all, unicode?: string, hex?: string, letter?: string) => {
      const code = unicode ?? hex;
      return code === undefined
        ? (controls[letter ?? ""] ?? letter ?? "")
        : String.fromCharCode(parseInt(code, 16));
    },
  );
