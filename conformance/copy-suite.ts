import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { writeOutput } from "./report/output-file.ts";
import { builtInFiles } from "./scenario-files.ts";
import { schemaLine } from "./schema-line.ts";

/** Writes the files of the built-in suite into a folder; none may be there. Answers with their number. */
export async function copySuite(folder: string): Promise<number> {
  const files = await builtInFiles();
  for (const { root, file, text = await readFile(file, "utf8") } of files) {
    const copy = join(folder, relative(root, file));
    const [, rest = text] = /^# yaml-language-server:.*\n([^]*)$/.exec(text) ?? [];
    await writeOutput(copy, schemaLine(copy) + rest, { fresh: true });
  }
  return files.length;
}
