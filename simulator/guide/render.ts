/** Markdown to a page. The texts are ours; the anchors of headings are those that GitHub gives them. */
import { Marked, type Tokens } from "marked";

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly anchors: ReadonlySet<string>;
  /** One for each heading, with the text below it, for the search. */
  readonly sections: readonly Section[];
}

export interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Letters, digits, hyphens and underscores stay; a second heading of one name gets a number. */
function anchorOf(heading: string, taken: ReadonlySet<string>): string {
  const plain = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
  for (let more = 0; ; more += 1) {
    const anchor = more === 0 ? plain : `${plain}-${more}`;
    if (!taken.has(anchor)) return anchor;
  }
}

export function render(markdown: string): Rendered {
  const anchors = new Set<string>();
  const sections: { heading: string; anchor: string; text: string }[] = [];
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const heading = plainText(tokens);
        const anchor = anchorOf(heading, anchors);
        anchors.add(anchor);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${escaped(anchor)}">${inner} <a class="here" href="#${escaped(anchor)}" aria-label="Link to ${escaped(heading)}">#</a></h${depth}>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const html = marked.parser(tokens);
  const names = [...anchors];
  for (const token of tokens) {
    if (token.type === "heading")
      sections.push({
        heading: plainText(token.tokens ?? []),
        anchor: names[sections.length] ?? "",
        text: "",
      });
    else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += ` ${token.raw}`;
    }
  }
  return { title: sections[0]?.heading ?? "", html, anchors, sections };
}

interface Tokenish {
  readonly text?: string;
  readonly tokens?: readonly Tokenish[];
}

const plainText = (tokens: readonly unknown[]): string =>
  (tokens as readonly Tokenish[])
    .map(({ text = "", tokens: inner }) => (inner === undefined ? text : plainText(inner)))
    .join("");
