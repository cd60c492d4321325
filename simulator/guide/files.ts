/** The files of the package that people read, by their paths in it: a page is where its file is, so its links hold as they are. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "../fixture.ts";

const folders = ["docs", "scenarios", "fixtures", "conformance/schema"];
const single = ["README.md", "CHANGELOG.md", "LICENSE"];
const left = /(?:^|\/)(?:node_modules|testing|__pycache__)\/|\.test\.ts$|\.pyc$/;

export interface GuideFiles {
  readonly paths: ReadonlySet<string>;
  /** Only of one of `paths`. */
  readonly read: (name: string) => Buffer;
}

/** Nothing else of the machine can be asked for: a name is one of this list, or there is no such page. */
export function guideFiles(): GuideFiles {
  const root = packageRoot();
  const here = single.filter((name) => statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile());
  const below = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
      .filter((name) => !left.test(name)),
  );
  return {
    paths: new Set([...here, ...below]),
    read: (name) => readFileSync(path.join(root, ...name.split("/"))),
  };
}
