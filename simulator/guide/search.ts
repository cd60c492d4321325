/** The search of the guide: headings, with the text below them. */
import MiniSearch from "minisearch";
import { escaped, type Rendered } from "./render.ts";

const mostFound = 30;
const mostCharacters = 200;

export type Search = (words: string) => string;

/** `pages`: by their names. The search gives a list of links below `here`. */
export function searchIn(pages: ReadonlyMap<string, Rendered>, here: string): Search {
  const index = new MiniSearch({ fields: ["heading", "title", "text"], storeFields: ["heading", "title"] });
  for (const [name, { title, sections }] of pages)
    index.addAll(
      sections.map(({ heading, anchor, text }) => ({ id: `${name}#${anchor}`, title, heading, text })),
    );
  return (words) => {
    const found = index
      .search(words.slice(0, mostCharacters), {
        prefix: true,
        fuzzy: 0.15,
        combineWith: "AND",
        boost: { heading: 4, title: 2 },
      })
      .slice(0, mostFound);
    if (found.length === 0)
      return "<p>Nothing has all of these words. Try fewer of them, or the name of a command.</p>";
    const links = found.map(
      ({ id, title, heading }) =>
        `<li><a href="${escaped(`${here}/${String(id)}`)}">${escaped(String(heading))}</a> <span class="soft">${escaped(String(title))}</span></li>`,
    );
    return `<ol>${links.join("\n")}</ol>`;
  };
}
