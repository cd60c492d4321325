import { fileAt } from "./project.ts";
import type { Rule } from "./rule.ts";

const listed = "docs/dependencies.md";

/** Each package that we make others install has a reason that they can read, and no reason outlives its package. */
export const documentedDependencies: Rule = {
  name: "documented-dependencies",
  check: (project) => {
    const manifest = fileAt(project, "package.json");
    if (manifest === undefined) return [];
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(manifest.text) as Manifest;
    const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    const rows =
      fileAt(project, listed)?.text.matchAll(/^\| `([^`]+)` \| *[^|\s][^|]* \| *[^|\s][^|]* \|$/gm) ?? [];
    const found = Array.from(rows, ([, name]) => name);
    return [
      ...wanted
        .filter((name) => !found.includes(name))
        .map((name) => ({
          path: "package.json",
          line: 1,
          message: `${name} has no row with a reason in ${listed}`,
        })),
      ...found
        .filter((name) => name !== undefined && !wanted.includes(name))
        .map((name) => ({ path: listed, line: 1, message: `${name} is not in package.json any more` })),
    ];
  },
};

type Manifest = Partial<
  Record<"dependencies" | "optionalDependencies" | "devDependencies", Record<string, string>>
>;
