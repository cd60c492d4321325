/**
 * The guide: the Markdown of the package as pages below one address, with a search, and no script. A page is rendered when it is
 * first asked for; the search reads all of them once.
 */
import { readFileSync } from "node:fs";
import type { DocsAnswer } from "../http/docs.ts";
import { answer, framed } from "./answer.ts";
import { guideFiles } from "./files.ts";
import { type Rendered, render } from "./render.ts";
import { type Search, searchIn } from "./search.ts";

export interface Guide {
  /** The path in the package of what is asked for: of a folder, its README; null when there is no such thing. */
  readonly nameOf: (asked: string) => string | null;
  /** A page, or a file that pages link to. */
  readonly page: (name: string) => DocsAnswer;
  readonly found: (words: string) => DocsAnswer;
  readonly style: () => DocsAnswer;
}

const isPage = (name: string): boolean => name.endsWith(".md");

/** `prefix`: the address of the control surface. */
export function createGuide(prefix: string): Guide {
  const files = guideFiles();
  const pages = new Map<string, Rendered>();
  const pageOf = (name: string): Rendered => {
    const page = pages.get(name) ?? render(files.read(name).toString("utf8"));
    pages.set(name, page);
    return page;
  };
  let search: Search | null = null;
  return {
    nameOf(asked) {
      const name = files.paths.has(asked) ? asked : `${asked.replace(/\/$/, "")}/README.md`;
      return files.paths.has(name) ? name : null;
    },
    page(name) {
      if (!isPage(name)) return answer(name.endsWith(".png") ? "image/png" : "text/plain", files.read(name));
      const { title, html } = pageOf(name);
      return framed(prefix, title, html);
    },
    found(words) {
      const names = [...files.paths].filter(isPage);
      search ??= searchIn(new Map(names.map((name) => [name, pageOf(name)])), `${prefix}/guide`);
      return framed(prefix, "Search", `<h1>Search</h1>\n${search(words)}`, words);
    },
    style() {
      const own = readFileSync(new URL("guide.css", import.meta.url), "utf8");
      return answer("text/css", `${files.read("fixtures/theme.css").toString("utf8")}\n${own}`);
    },
  };
}
