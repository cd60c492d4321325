import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../package-root.ts";

const core = createRequire(import.meta.url)(join(packageRoot(), "tools", "undici-core.cjs")) as object;

it("the part of undici that the bundle holds has all that the kit imports", () => {
  const folder = join(packageRoot(), "conformance");
  const imported = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|testing\//.test(name))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/^import \{([^}]*)\} from "undici";$/gm)].flatMap(
        ([, names = ""]) => names.split(",").map((one) => one.trim()),
      ),
    )
    .filter((name) => !name.startsWith("type "));
  expect(imported.length).toBeGreaterThan(2);
  expect(Object.keys(core)).toEqual(expect.arrayContaining(imported));
});
