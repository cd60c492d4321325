import { dirname, relative, resolve, sep } from "node:path";
import { packageRoot } from "./package-root.ts";

/**
 * The first line of a scenario, by which an editor finds the schema: the path from the file to it, where the file lies in the
 * checkout, or in the project into which the package is installed. Elsewhere such a path holds on one machine only, so
 * there is no line.
 */
export function schemaLine(file: string, root = packageRoot()): string {
  const [home = root] = root.split(`${sep}node_modules${sep}`, 1);
  const folder = dirname(resolve(file));
  if (folder !== home && !folder.startsWith(home + sep)) return "";
  const path = relative(folder, resolve(root, "conformance/schema/scenario.schema.json"));
  return `# yaml-language-server: $schema=${path.split(sep).join("/")}\n`;
}
