import type { Command } from "@commander-js/extra-typings";
import { collect, withKit } from "../kit-failure.ts";

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
    .action((options) =>
      withKit(async (kit) => {
        const cases = await kit.listCases(options.scenarios);
        if (options.json === true) {
          process.stdout.write(`${JSON.stringify(cases, null, 2)}\n`);
          return;
        }
        for (const { id, title, safety, clauses } of cases) {
          process.stdout.write(`${id}  ${safety}  ${clauses.join(" ")}\n    ${title}\n`);
        }
        process.stdout.write(`${cases.length} cases\n`);
      }),
    );
}
