/** `gatewright why`: the story of an order or a request, one fact a line, each with the journal entry that it stands on. */
import type { Command } from "@commander-js/extra-typings";
import { anything, count, listOf, oneOf, orNull, record, type Shaped, text } from "../answer-shape.ts";
import { accessIn, readAnswer, withAccessFlags, worldPath } from "../control-access.ts";
import { signedTexts, textsShown } from "../doctor/texts.ts";
import { jsonText, show } from "../screen.ts";

export function register(program: Command): void {
  withAccessFlags(
    program
      .command("why")
      .description(
        "Explain an order or a request of a running sandbox: what happened, and what an order waits for.",
      ),
  )
    .argument("<id>", "an order id, a client_order_id, or the x-request-id of an answer")
    .option("--world <name>", "the world that it happened in; default: main")
    .option("--json", "print the answer as one line of JSON, with the numbers of each fact")
    .action(async (id, flags) => {
      const access = await accessIn(flags);
      const path = `${worldPath(flags.world)}/explain/${encodeURIComponent(id)}`;
      const explanation = await readAnswer(access, { path }, explanationShape);
      show(flags.json === true ? `${jsonText(explanation)}\n` : textOf(explanation));
    });
}

const explanationShape = record({
  subject: record({
    kind: oneOf("order", "request"),
    id: text,
    clientOrderId: orNull(text),
    status: orNull(text),
  }),
  facts: listOf(record({ code: text, sentence: text, values: anything, entry: orNull(count) })),
});

function textOf({ subject, facts }: Shaped<typeof explanationShape>): string {
  const { kind, id, clientOrderId, status } = subject;
  const head =
    kind === "request" ? `Request ${id}` : `Order ${id} (${clientOrderId ?? ""}) is ${status ?? ""}`;
  const lines = facts.map(({ code, sentence, values, entry }) => {
    const stands = entry === null ? "" : `entry ${entry}`;
    const texts =
      code === "SIGNATURE" && signedTexts(values) ? `\n${textsShown(values, " ".repeat(16))}` : "";
    return `  ${stands.padEnd(12)}${code.padEnd(20)}${sentence}${texts}`;
  });
  return `${[head, ...lines].join("\n")}\n`;
}
