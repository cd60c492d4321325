/** Where docs/architecture.md sends its reader: to files below `simulator/`, and to functions, written as `name()`. */
import { fileAt, type Project, type TextFile } from "./project.ts";

/** Names on the page that do not exist. A function belongs to one of the files on its line, or to that of the last arrow. */
export function lostPointers(project: Project, page: TextFile): string[] {
  const isRoom = (folder: string): boolean =>
    project.some(({ path }) => path.startsWith(`simulator/${folder}/`));
  const lost = new Set<string>();
  let stop: string[] = [];
  for (const line of page.lines) {
    const named = Array.from(line.matchAll(/(?<![\w/-])[\w-]+(?:\/[\w-]+)*\.ts\b/g), ([path]) => path);
    if (/▼ +\S+\.ts\b/.test(line)) stop = named.slice(0, 1);
    for (const path of named)
      if (isRoom(path.split("/")[0] ?? "") && fileAt(project, `simulator/${path}`) === undefined)
        lost.add(path);
    const codes = [...named, ...stop].map((path) => fileAt(project, `simulator/${path}`)?.lexed().code ?? "");
    for (const [name] of line.matchAll(/#?\b\w+(?=\(\))/g))
      if (!codes.some((code) => new RegExp(`(?<![\\w#])${name}\\b`).test(code))) lost.add(`${name}()`);
  }
  return [...lost];
}
