import { html } from "../printable.ts";

/** A piece of HTML that is safe in a page. Only `markup` makes one, and it escapes every value that is not Markup. */
export class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Part = Markup | string | number | undefined | readonly Part[];

/** A template that escapes its values: text cannot break out of `markup\`<b>${anything}</b>\``. */
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

/** A readable anchor that is valid in a URL; ids come from files outside the kit's control. */
export function anchor(kind: string, id: string): string {
  return `${kind}-${id.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/-+$/, "")}`;
}
