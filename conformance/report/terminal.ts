import { styleText } from "node:util";
import { printable } from "../model/printable.ts";

/** The width of the text and the use of colours: properties of the output, never of the report. */
export interface Terminal {
  readonly columns: number;
  readonly colours: boolean;
}

/** A file or a log: a viewer breaks the lines, and a search needs them whole. */
export const plainTerminal: Terminal = { columns: 10_000, colours: false };

/** NO_COLOR and FORCE_COLOR take precedence over the stream. */
export function terminalOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const forced = environment["FORCE_COLOR"];
  const colours =
    forced === undefined
      ? stream.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb"
      : forced !== "0" && forced !== "false";
  const { columns } = stream;
  return {
    columns: columns === undefined ? plainTerminal.columns : Math.min(Math.max(columns, 40), 120),
    colours,
  };
}

type Style = "red" | "green" | "yellow" | "cyan" | "dim" | "bold";

export function painter({ colours }: Terminal): (style: Style, text: string) => string {
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}

/** Breaks at blanks; the first line starts with `head`, the others are indented by its width. */
export function hanging(head: string, text: string, columns: number): string[] {
  const width = Math.max(columns - head.length, 20);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((part, index) => (index === 0 ? head : " ".repeat(head.length)) + part);
}

/** At most this many names, and the number of further ones. */
export function someOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).map(printable).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
