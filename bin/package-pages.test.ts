import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

let packed: readonly string[] = [];
/** The files of the package, without building it. */
beforeAll(() => {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const said = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [told] = JSON.parse(said) as [{ readonly files: readonly { readonly path: string }[] }];
  packed = told.files.map((file) => file.path);
});

describe("the pages of the package", () => {
  it("link to files of the package", () => {
    const folders = new Set(packed.map((file) => path.posix.dirname(file)));
    const pages = packed.filter((file) => file === "README.md" || /^docs\/.*\.md$/.test(file));
    expect(pages.length).toBeGreaterThan(20);
    const dead = pages.flatMap((page) => {
      const text = readFileSync(path.join(root, page), "utf8");
      const links = Array.from(text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g), ([, link = ""]) => link);
      return links
        .map((link) => path.posix.normalize(path.posix.join(path.posix.dirname(page), link)))
        .filter((target) => !packed.includes(target) && !folders.has(target.replace(/\/$/, "")))
        .map((target) => `${page}: ${target}`);
    });
    expect(dead).toEqual([]);
  });

  it("run and install nothing by a name that a stranger can publish", () => {
    const byName =
      /\b(?:npx|bunx|dlx)\b|\b(?:npm|pnpm|yarn|bun) +(?:i|install|add|exec|x|create|init)\b[^\n;|&]*[ \t]["']?gatewright(?:@\S*)?["'`]*(?=\s|$)/gm;
    expect(
      "npx --yes gatewright@latest conform\nnpm i -D gatewright\npnpm dlx 'gatewright'".match(byName),
    ).toHaveLength(3);
    expect("npm i -D ./gatewright-0.1.0.tgz; node_modules/.bin/tsc gatewright.ts".match(byName)).toBeNull();
    const texts = packed.filter(
      (file) => /\.(?:md|ya?ml|sh|py|[mc]?[jt]s)$/.test(file) && !file.startsWith("dist/"),
    );
    const found = ["README.md", "bin/examples.ts", ...texts].flatMap((file) =>
      (readFileSync(path.join(root, file), "utf8").match(byName) ?? []).map((line) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it("come without source maps", () => {
    expect(packed.filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  it("contain no test", () => {
    expect(packed.filter((file) => /^docs\/.*(?:\.test\.ts|\/testing\/)/.test(file))).toEqual([]);
  });
});
