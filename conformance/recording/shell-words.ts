/** A word of a command, as the shell hands it on. */
export interface ShellWord {
  readonly text: string;
  /** A variable or a command stands in it, whose value the text does not show. */
  readonly isOpen: boolean;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Where the next line begins. */
  readonly end: number;
}

/** A body and its headers are shorter. */
const mostCharacters = 256 * 1024;

/**
 * The command that begins at a place of a text, as its shell reads it: one of Unix, with '…', "…" and $'…', or cmd.exe, with ^ as
 * browsers copy it. Undefined if a quotation mark is not closed.
 */
export function shellCommand(text: string, from: number): ShellCommand | undefined {
  const lineEnd = text.indexOf("\n", from);
  const firstLine = text.slice(from, lineEnd === -1 ? text.length : lineEnd);
  return /\^"|\^\r?$/.test(firstLine) ? windowsCommand(text, from) : unixCommand(text, from);
}

const tokens =
  /(\r?\n)|[^\S\n]+|[\\`]\r?\n|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([|;&<>()])|([^\s'"\\|;&<>()$`]+)|([$`])/gy;

function unixCommand(text: string, from: number): ShellCommand | undefined {
  const words: ShellWord[] = [];
  const part = text.slice(from, from + mostCharacters);
  let word: ShellWord | undefined;
  let [end, isOver, isWhole] = [0, false, false];
  for (const found of part.matchAll(tokens)) {
    const [whole, lineEnd, ansi, single, double, escaped, operator, plain, dollar] = found;
    end = found.index + whole.length;
    isWhole = lineEnd !== undefined || end === part.length;
    if (lineEnd !== undefined) break;
    // What follows a pipe, a redirection or a semicolon is another command's.
    if (operator !== undefined) {
      if (/^\d$/.test(word?.text ?? "") && /[<>]/.test(operator)) word = undefined;
      isOver = true;
    }
    const inside =
      (ansi === undefined ? undefined : ansiText(ansi)) ??
      single ??
      quoted(double) ??
      escaped ??
      plain ??
      dollar;
    const isOpen =
      dollar === "`" || (double !== undefined && /(?<!\\)(?:\$[A-Za-z_{(]|`)/.test(double)) || dollar === "$";
    if (inside !== undefined && !isOver)
      word = { text: (word?.text ?? "") + inside, isOpen: word?.isOpen === true || isOpen };
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (!isWhole) return undefined;
  if (word !== undefined) words.push(word);
  return { words, end: from + end };
}

/** In double quotes a backslash escapes these alone. */
const quoted = (text: string | undefined): string | undefined =>
  text?.replaceAll(/\\(\r?\n|["\\$`])/g, (_all, escaped: string) => (escaped.endsWith("\n") ? "" : escaped));

const controls: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const ansiText = (text: string): string =>
  text.replaceAll(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([^]))/g,
    (_all, unicode?: string, hex?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return controls[letter] ?? letter;
      const code = unicode ?? hex;
      return String.fromCharCode(code === undefined ? parseInt(octal ?? "0", 8) : parseInt(code, 16));
    },
  );

/** cmd.exe takes away the carets, and the program reads the quotation marks. A caret before two line ends is one line end. */
function windowsCommand(text: string, from: number): ShellCommand | undefined {
  let [line, at, isQuoted] = ["", from, false];
  const end = Math.min(text.length, from + mostCharacters);
  for (; at < end; at += 1) {
    const character = text[at] ?? "";
    if (character === "\n") break;
    if (character === '"') isQuoted = !isQuoted;
    if (character !== "^" || isQuoted) {
      if (character !== "\r") line += character;
      continue;
    }
    if (text[at + 1] === "\r") at += 1;
    at += 1;
    if (text[at] !== "\n") line += text[at] ?? "";
    else if (/^\r?\n/.test(text.slice(at + 1, at + 3))) {
      line += "\n";
      at += text[at + 1] === "\r" ? 2 : 1;
    }
  }
  const words = windowsWords(line);
  return words === undefined ? undefined : { words, end: Math.min(at + 1, text.length) };
}

function windowsWords(line: string): ShellWord[] | undefined {
  const words: ShellWord[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (const [part] of line.matchAll(/\\+"|""|"|[^"\\]|\\+/g)) {
    const slashes = part.length - 1;
    if (part.startsWith("\\") && part.endsWith('"')) {
      word = (word ?? "") + "\\".repeat(Math.floor(slashes / 2));
      if (slashes % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
    } else if (part === '""') word = (word ?? "") + (isQuoted ? '"' : "");
    else if (part === '"') [word, isQuoted] = [word ?? "", !isQuoted];
    else if (/^\s$/.test(part) && !isQuoted) {
      if (word !== undefined) words.push({ text: word, isOpen: false });
      word = undefined;
    } else word = (word ?? "") + part;
  }
  if (isQuoted) return undefined;
  if (word !== undefined) words.push({ text: word, isOpen: /^%\w+%$/.test(word) });
  return words;
}
