import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";
import { YamlReader } from "./parse/yaml-reader.ts";

/** Where the build keeps the readings of the files that ship with the kit. */
export const readingsFolder = (): string => join(packageRoot(), "dist", "readings");

/** For every file that the kit reads: its own, which it knows by heart, and those of strangers. */
export function yamlReader(): YamlReader {
  const root = packageRoot();
  const bundled = existsSync(join(root, "dist", "yaml.cjs"));
  const library = bundled ? join(root, "bin", "yaml-library.cjs") : undefined;
  return new YamlReader({ known: readingsFolder(), library });
}
