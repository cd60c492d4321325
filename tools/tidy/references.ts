import { fileAt, isTypeScript, lineAt, type Project, type TextFile } from "./project.ts";
import type { Problem, Rule } from "./rule.ts";

/** A file or a section that a comment or a page names is in the project; clauses and freedoms: see `citations.ts`. */
export const references: Rule = {
  name: "references",
  check: (project) => {
    const places = placesOf(project);
    return project.flatMap((file) =>
      proseOf(file).flatMap((prose) => [
        ...lostPaths(file, prose, places),
        ...lostLinks(project, file, prose, places),
        ...numberedSections(file, prose),
      ]),
    );
  },
};

interface Prose {
  readonly start: number;
  readonly text: string;
}

/** Comments of code and of YAML, and whole pages. The changelog also mentions files that no longer exist. */
function proseOf(file: TextFile): readonly Prose[] {
  if (isTypeScript(file)) return file.lexed().comments;
  if (file.path === "CHANGELOG.md") return [];
  if (file.path.endsWith(".md")) return [{ start: 0, text: file.text }];
  if (!/\.(?:ya?ml|mjs|cjs|py|sh)$/.test(file.path)) return [];
  const comments = file.text.matchAll(/(?<=^ *)(?:#|\/\/|\/?\*).*$/gm);
  return Array.from(comments, ({ 0: text, index: start }) => ({ start, text }));
}

/** Every path of the project and of its folders, and every end of such a path: `engine/match.ts` is `simulator/engine/match.ts`. */
interface Places {
  readonly whole: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
  readonly top: ReadonlySet<string>;
}

function placesOf(project: Project): Places {
  const whole = new Set(
    project.flatMap(({ path }) => {
      const parts = path.split("/");
      return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    }),
  );
  const ends = new Set(
    [...whole].flatMap((path) => {
      const parts = path.split("/");
      return parts.map((_, at) => parts.slice(at).join("/"));
    }),
  );
  const top = new Set(project.flatMap(({ path }) => (path.includes("/") ? [path.split("/")[0] ?? ""] : [])));
  return { whole, ends, top };
}

// Not in an address, behind a variable, or as a part of a longer name with a placeholder in it.
const pathPattern = /(?<![\w./@:$}<*~-])\w[\w.-]*(?:\/[\w.-]+)*(?![\w/<*{…-])/g;

function lostPaths(file: TextFile, { start, text }: Prose, { whole, ends, top }: Places): Problem[] {
  const isLost = (path: string): boolean =>
    path.includes("/") && top.has(path.split("/")[0] ?? "")
      ? !whole.has(path) && !whole.has(`${path}.ts`)
      : /\.(?:ts|md)$/.test(path) && !ends.has(path);
  return Array.from(text.matchAll(pathPattern))
    .map(({ 0: path, index }) => ({ path: path.replace(/\.$/, ""), index }))
    .filter(({ path }) => isLost(path))
    .map(({ path, index }) => problem(file, start + index, `there is no ${path}`));
}

/** Links of a page, with their section, and sections that a comment names as an address does. */
function lostLinks(project: Project, file: TextFile, { start, text }: Prose, { whole }: Places): Problem[] {
  const isPage = file.path.endsWith(".md");
  const pattern = isPage ? /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g : /(\bdocs\/[\w/-]+\.md)#([\w-]+)/g;
  return Array.from(text.matchAll(pattern)).flatMap(({ 1: link = "", 2: section, index }) => {
    const path = isPage ? resolved(file.path, link) : link;
    if (!whole.has(path)) return [problem(file, start + index, `the link leads nowhere: ${link}`)];
    return section === undefined || sectionsOf(fileAt(project, path)).has(section)
      ? []
      : [problem(file, start + index, `${path} has no section #${section}`)];
  });
}

/** No page here numbers its sections, so a number is one of some other document. */
function numberedSections(file: TextFile, { start, text }: Prose): Problem[] {
  return Array.from(text.matchAll(/\.md[, (]+(?:§|section |rule )?\d|(?<!RFC \d+, )\bsection \d/g)).map(
    ({ index }) => problem(file, start + index, "a numbered section: name the page and its heading"),
  );
}

function resolved(page: string, link: string): string {
  if (link === "") return page;
  const { pathname } = new URL(link, `file:///${page}`);
  return pathname.slice(1).replace(/\/$/, "");
}

/** The headings of a page as GitHub spells them in an address. */
function sectionsOf(page: TextFile | undefined): ReadonlySet<string> {
  const headings = (page?.text ?? "").matchAll(/^#+ (.*)$/gm);
  const spelled = Array.from(headings, ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(spelled);
}

function problem(file: TextFile, offset: number, message: string): Problem {
  return { path: file.path, line: lineAt(file, offset), message };
}
