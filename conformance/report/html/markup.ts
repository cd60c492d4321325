import { html } from "../printable.ts";

/** A piece of HTML that is safe to put into a page. Only `markup` makes one, and it escapes whatever is no Markup. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/** A template whose holes are text: `markup\`<b>${anything}</b>\`` cannot be broken out of. */
export function markup(pieces: TemplateStringsArray, ...holes: readonly Part[]): Markup {
  return new Markup(
    pieces.map((piece, index) => piece + (index < holes.length ? rendered(holes[index]) : "")).join(""),
  );
}

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.source;
  if (typeof part === "object") return part.map(rendered).join("");
  return html(String(part));
}

/** An anchor that a browser, an URL and a person can read; ids come from files that we do not choose. */
export function anchor(kind: string, id: string): string {
  return `${kind}-${id.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/-+$/, "")}`;
}
