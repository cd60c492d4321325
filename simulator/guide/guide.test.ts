import path from "node:path";
import { describe, expect, it } from "vitest";
import { guideFiles } from "./files.ts";
import { createGuide } from "./guide.ts";
import { render } from "./render.ts";

const files = guideFiles();
const guide = createGuide("/__gatewright");
const pages = [...files.paths].filter((name) => name.endsWith(".md"));

/** Where a link of a page leads: a path of the package and an anchor; null for another place of the web. */
function targetOf(page: string, href: string): { readonly name: string; readonly anchor: string } | null {
  if (/^[a-z]+:/i.test(href)) return null;
  const [file = "", anchor = ""] = href.split("#");
  const name = file === "" ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), file));
  return { name, anchor: decodeURIComponent(anchor) };
}

/** Many links lead to the same page. */
const rendered = new Map<string, ReturnType<typeof render>>();

function pageAt(name: string): ReturnType<typeof render> {
  const page = rendered.get(name) ?? render(files.read(name).toString("utf8"));
  rendered.set(name, page);
  return page;
}

/** Where a link of a page leads nowhere: to no file, or to a heading that its page does not have. */
function deadLinks(page: string, html: string): string[] {
  return Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/g), ([, href = ""]) => href).flatMap((href) => {
    const target = targetOf(page, href);
    if (target === null) return [];
    const name = guide.nameOf(target.name);
    if (name === null) return [`${page}: ${href}`];
    if (target.anchor === "" || !name.endsWith(".md")) return [];
    return pageAt(name).anchors.has(target.anchor) ? [] : [`${page}: ${href}`];
  });
}

describe("the guide", () => {
  it("has no link that leads nowhere, and no dead anchor", () => {
    expect(pages.length).toBeGreaterThan(40);
    const read = pages.map((page) => [page, pageAt(page).html] as const);
    expect(read.flatMap(([page, html]) => deadLinks(page, html))).toEqual([]);
    const wrong = render("[a](simulator.md#no-such-heading) [b](nowhere.md) [c](https://example.com)");
    expect(deadLinks("docs/README.md", wrong.html)).toEqual([
      "docs/README.md: simulator.md#no-such-heading",
      "docs/README.md: nowhere.md",
    ]);
  });

  it("gives headings the anchors of GitHub, each once", () => {
    const { anchors } = render("# A `b-c` (d): e!\n\n## Twice\n\n## Twice\n");
    expect([...anchors]).toEqual(["a-b-c-d-e", "twice", "twice-1"]);
  });

  it("finds the size of a MARKET BUY first, also by the beginnings of words and with a slip", () => {
    const firstOf = (words: string) => /<li><a href="([^"]*)"/.exec(String(guide.found(words).body))?.[1];
    const there = "/__gatewright/guide/docs/simulator.md#the-size-of-a-market-buy";
    expect(["size market buy", "siz market bu", "market buy sise"].map(firstOf)).toEqual([
      there,
      there,
      there,
    ]);
    expect(String(guide.found("zzzzqqqq").body)).toContain("Nothing has all of these words");
  });

  it("shows what was searched for as text, and runs no script", () => {
    const { body, headers } = guide.found('"><script>alert(1)</script>');
    expect(String(body)).not.toContain("<script");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'self';/);
  });

  it.each([
    "../package.json",
    "docs/../package.json",
    "package.json",
    "/etc/passwd",
    "docs/clients/testing",
    "",
    "docs\0",
  ])("has no page %j", (name) => {
    expect(guide.nameOf(name)).toBeNull();
  });

  it("answers for a folder with its README", () => {
    expect(guide.nameOf("docs/clients/")).toBe("docs/clients/README.md");
    expect(guide.nameOf("docs")).toBe("docs/README.md");
  });
});
