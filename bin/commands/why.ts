/** `gatewright why`: the story of an order or a request, one fact a line, each with the journal entry that it stands on. */
import type { Command } from "@commander-js/extra-typings";
import { accessIn, answerOf, worldPath } from "../control-access.ts";
import { type SignedTexts, textsShown } from "../doctor/texts.ts";
import { withKit } from "../kit-failure.ts";
import { jsonText, show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("why")
    .description(
      "Explain an order or a request of a running sandbox: what happened, and what an order waits for.",
    )
    .argument("<id>", "an order id, a client_order_id, or the x-request-id of an answer")
    .option("--ready-file <file>", "the run file, or the line of `gatewright serve --json`")
    .option("--control-token <token>", "the control token, if it is not that of the ready file")
    .option("--world <name>", "the world that it happened in; default: main")
    .option("--json", "print the answer as one line of JSON, with the numbers of each fact")
    .action((id, flags) =>
      withKit(async (kit) => {
        const access = await accessIn(flags, kit);
        const path = `${worldPath(flags.world)}/explain/${encodeURIComponent(id)}`;
        // as: the simulator's own answer.
        const explanation = (await answerOf(access, { path })) as Explanation;
        show(flags.json === true ? `${jsonText(explanation)}\n` : textOf(explanation));
      }),
    );
}

interface Explanation {
  readonly subject: {
    readonly kind: "order" | "request";
    readonly id: string;
    readonly clientOrderId: string | null;
    readonly status: string | null;
  };
  readonly facts: readonly {
    readonly code: string;
    readonly sentence: string;
    readonly values: unknown;
    readonly entry: number | null;
  }[];
}

function textOf({ subject, facts }: Explanation): string {
  const { kind, id, clientOrderId, status } = subject;
  const head =
    kind === "request" ? `Request ${id}` : `Order ${id} (${clientOrderId ?? ""}) is ${status ?? ""}`;
  const lines = facts.map(({ code, sentence, values, entry }) => {
    const stands = entry === null ? "" : `entry ${entry}`;
    // as: this fact has these values in the simulator's own answer.
    const texts = code === "SIGNATURE" ? `\n${textsShown(values as SignedTexts, " ".repeat(16))}` : "";
    return `  ${stands.padEnd(12)}${code.padEnd(20)}${sentence}${texts}`;
  });
  return `${[head, ...lines].join("\n")}\n`;
}
