/** It lists the cases of scenario files; requests that properties generate are not among them. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { collect } from "../flag-values.ts";
import { jsonText, show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("list")
    .description("List the cases of the suite.")
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .option("--json", "as JSON")
    .option("--copy-to <folder>", "write the files of the built-in suite there, to read and to adapt")
    .action(async (options) => {
      if (options.copyTo !== undefined) {
        await kit.checkOutputFolder("--copy-to", options.copyTo);
        show(`${await kit.copySuite(options.copyTo)} files are in ${kit.printable(options.copyTo)}\n`);
        return;
      }
      const cases = await kit.listCases(options.scenarios);
      if (options.json === true) {
        show(`${jsonText(cases, 2)}\n`);
        return;
      }
      for (const { id, title, safety, clauses } of cases) {
        show(`${kit.printable(`${id}  ${safety}  ${clauses.join(" ")}`)}\n    ${kit.printable(title)}\n`);
      }
      show(`${cases.length} cases\n`);
    });
}
