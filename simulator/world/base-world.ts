/**
 * The file that a world extends: `extends: ./base.yaml`. It is a world of its own, read and checked as such; a section that
 * the extending file gives replaces that of the base.
 *
 * **Bounds.** A base lies in the folder of the file that names it, or below, so a chain never climbs; it has a few links.
 */
import path from "node:path";
import { err, type Result } from "../domain/result.ts";
import type { WorldProblem } from "./problem.ts";
import type { ReadOptions, ReadWorld } from "./read-world.ts";
import type { YamlText } from "./read-yaml.ts";

const mostLinks = 8;

type Read = (text: string, options: ReadOptions) => Promise<Result<ReadWorld, readonly WorldProblem[]>>;

/** Null for a world that extends no file; a name of another form is a mistake in its shape. */
export async function baseOf(
  yaml: YamlText,
  options: ReadOptions,
  read: Read,
): Promise<Result<ReadWorld, readonly WorldProblem[]> | null> {
  const name = (yaml.value as { readonly extends?: unknown } | null)?.extends;
  if (typeof name !== "string" || !name.startsWith("./")) return null;
  const refuse = (message: string) =>
    err([{ message, advice: null, place: yaml.locate({ path: ["extends"], on: "value" }) }]);
  const { readText, through = [] } = options;
  const links = [...through, options.file];
  const file = path.join(path.dirname(options.file), name);
  if (path.normalize(name).startsWith(".."))
    return refuse(`${name} is not in the folder of this file, or below it`);
  if (links.includes(file)) return refuse(`these worlds extend each other: ${[...links, file].join(", ")}`);
  if (links.length > mostLinks) return refuse(`more than ${mostLinks} worlds extend each other`);
  try {
    if (readText === undefined) throw new Error("this world was given as text alone");
    return await read(await readText(name), {
      file,
      through: links,
      readText: (other) => readText(path.join(path.dirname(name), other)),
    });
  } catch (cause) {
    return refuse(`${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
