/** `gatewright nodes`: the nodes of a store, as one of them sees them, and the worlds that each serves. */
import type { Command } from "@commander-js/extra-typings";
import { count, listOf, orNull, record, type Shaped, text } from "../answer-shape.ts";
import { accessIn, readAnswer, withAccessFlags } from "../control-access.ts";
import { jsonText, show } from "../screen.ts";

export function register(program: Command): void {
  withAccessFlags(
    program
      .command("nodes")
      .description(
        "List the nodes that share a store, with the worlds that each serves and follows. Any of them tells it.",
      ),
  )
    .option("--json", "print the answer as one line of JSON")
    .action(async (flags) => {
      const nodes = await readAnswer(await accessIn(flags), { path: "/nodes" }, nodesShape);
      show(flags.json === true ? `${jsonText(nodes)}\n` : textOf(nodes));
    });
}

const nodesShape = listOf(
  record({
    name: text,
    address: orNull(text),
    worlds: listOf(text),
    follows: listOf(record({ world: text, entry: count, trouble: orNull(text) })),
  }),
);

/** More names of worlds than these are only counted. */
const mostShown = 8;

function textOf(nodes: Shaped<typeof nodesShape>): string {
  if (nodes.length === 0) return "no nodes: this sandbox has no store (gatewright serve --store)\n";
  const lines = nodes.map(({ name, address, worlds, follows }) => {
    const more = worlds.length > mostShown ? ` and ${worlds.length - mostShown} more` : "";
    const served = worlds.length === 0 ? "no world" : `${worlds.slice(0, mostShown).join(", ")}${more}`;
    const followed = follows.map(({ world, entry, trouble }) =>
      trouble === null
        ? `  follows ${world}, at entry ${entry}\n`
        : `  OUT OF SERVICE: follows ${world} no further than entry ${entry}. ${trouble}\n`,
    );
    return `${name.padEnd(16)} ${(address ?? "").padEnd(22)} ${served}\n${followed.join("")}`;
  });
  return lines.join("");
}
