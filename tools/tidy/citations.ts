import { parse } from "yaml";
import { fileAt, isTypeScript, lineAt, type Project, type TextFile } from "./project.ts";
import type { Problem, Rule } from "./rule.ts";

const clausesFile = "fixtures/spec/clauses.json";
const freedomsFile = "fixtures/spec/freedoms.yaml";

/** An id in a comment or scenario that does not exist sends its reader nowhere, and the kit would count nothing. */
export const citedClauses: Rule = {
  name: "cited-clauses",
  check: (project) => {
    const ids = idsIn(project, clausesFile, "clauses");
    if (ids === undefined) return [];
    const families = new Set([...ids].map((id) => id.slice(0, id.indexOf("-"))));
    const family = [...families].join("|");
    // A scenario may be named after its clause: `ORD-10-resting-limit` is a name, `ORD-10` a citation.
    const citation = new RegExp(`(?<![\\w-])(?:${family})-\\d+\\b(?!-[a-z])`);
    return uncited(project, citation, ids, clausesFile);
  },
};

export const citedFreedoms: Rule = {
  name: "cited-freedoms",
  check: (project) => {
    const ids = idsIn(project, freedomsFile, "freedoms");
    return ids === undefined
      ? []
      : uncited(project, /(?<![\w-])F-[a-z][a-z0-9]*(?:-[a-z0-9]+)*\b/, ids, freedomsFile);
  },
};

function uncited(project: Project, citation: RegExp, ids: ReadonlySet<string>, register: string): Problem[] {
  return project.flatMap((file) =>
    proseOf(file).flatMap(({ start, text }) =>
      Array.from(text.matchAll(new RegExp(citation, "g")))
        .filter(([id]) => !ids.has(id))
        .map((match) => ({
          path: file.path,
          line: lineAt(file, start + match.index),
          message: `${match[0]} is not in ${register}`,
        })),
    ),
  );
}

/** Scenarios and documents as a whole; of code only the comments, since tests use ids that must not exist. */
function proseOf(file: TextFile): readonly { start: number; text: string }[] {
  if (isTypeScript(file)) {
    return file.lexed().comments.map(({ start, text }) => ({ start: start + 2, text }));
  }
  const isProse = /^(?:scenarios\/.*\.ya?ml|.*\.md)$/.test(file.path);
  return isProse ? [{ start: 0, text: file.text }] : [];
}

function idsIn(project: Project, name: string, key: string): ReadonlySet<string> | undefined {
  const file = fileAt(project, name);
  if (file === undefined) return undefined;
  const read = (name.endsWith(".json") ? JSON.parse : parse) as (text: string) => Record<string, unknown>;
  const entries: unknown = read(file.text)[key];
  if (!Array.isArray(entries)) throw new Error(`${name} has no list "${key}"`);
  return new Set(entries.map((entry) => String((entry as Record<string, unknown>)["id"])));
}
