/**
 * Makes text of a target harmless for its destination, with one function per sink: a terminal and a CI log obey control
 * characters and lines that look like commands, XML refuses some characters, HTML and Markdown have markup of their
 * own.
 */
import { printable, printableLines } from "../model/printable.ts";

export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… (${text.length} characters)`;
}

export function html(text: string): string {
  return printableLines(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** For a cell of a table: the text contains no markup, link, mention or end of the cell. */
export function markdown(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}[\]()#+!|~<>@:$-]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\bwww\./gi, (prefix) => `${prefix.slice(0, 3)}&#46;`);
}

/** The part of a workflow command after `::`. Properties escape two characters more. */
export function commandMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function commandProperty(text: string): string {
  return commandMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
