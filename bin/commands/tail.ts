/** `gatewright tail`: the exchange log of a running sandbox, one line for each exchange as it happens. */
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { listOf, record, type Shape } from "../answer-shape.ts";
import { type Access, accessIn, readAnswer, withAccessFlags, worldPath } from "../control-access.ts";
import { type FlagsOf, wholeNumber } from "../flag-values.ts";
import { onOutputUnread } from "../output-end.ts";
import { jsonText, show, showPainted } from "../screen.ts";
import { type ListedExchange, lineOf, listedExchange } from "../tail/line.ts";
import { factsLine, whyOf } from "../tail/why.ts";

/** How often the sandbox is asked for new exchanges, and for how many at once. */
const askEveryMs = 250;
const mostAtOnce = 500;

const prefix = "/api/v1/trading";

const declare = (program: Command) =>
  withAccessFlags(
    program
      .command("tail")
      .description(
        "Show what clients send to a running sandbox and what they get, one line each, as it happens.",
      ),
  )
    .option("--world <name>", "the world to watch; default: main")
    .option("--key <name>", "only requests of this key")
    .option("--status <status>", "only answers with this status, such as 404, or of a class, such as 4xx")
    .option("--path <path>", "only targets that begin so, such as /order")
    .option("--lines <number>", "exchanges before now that are shown first", wholeNumber(0, 999), 10)
    .option("--no-follow", "end after those")
    .option(
      "--why",
      "below a refused request, the check that refused it and the sentence of the answer; below one about an order, its facts",
    )
    .option("--json", "one line of JSON each");

export const register = (program: Command): void => void declare(program).action(tail);

type Flags = FlagsOf<typeof declare>;

async function tail(flags: Flags): Promise<void> {
  const access = await accessIn(flags);
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const look = onOutputUnread(stop);
  try {
    let shown = 0;
    // At least one, to learn where the log ends.
    let exchanges = await pageOf(access, flags, { limit: Math.max(flags.lines, 1) });
    let fresh = flags.lines === 0 ? [] : exchanges;
    for (;;) {
      for (const exchange of fresh) await present(exchange, { access, flags });
      shown = exchanges.at(-1)?.number ?? shown;
      if (!flags.follow || enough.signal.aborted) return;
      if (exchanges.length < mostAtOnce)
        await pause(askEveryMs, undefined, { signal: enough.signal }).catch(() => undefined);
      exchanges = fresh = await pageOf(access, flags, { limit: mostAtOnce, after: shown });
    }
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    look();
  }
}

const listed = record({ exchanges: listOf(listedExchange) });

interface Page {
  readonly limit: number;
  readonly after: number;
}

async function pageOf(access: Access, flags: Flags, page: Partial<Page>): Promise<readonly ListedExchange[]> {
  const { key, status, path, world } = flags;
  const wanted = {
    ...page,
    ...(key === undefined ? {} : { key }),
    ...(status === undefined ? {} : { status }),
    ...(path === undefined ? {} : { path: path.startsWith(prefix) ? path : prefix + path }),
  };
  const texts = Object.entries(wanted).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(texts).toString();
  const listing = `${worldPath(world)}/exchanges?${query}`;
  return (await readAnswer(access, { path: listing }, listed)).exchanges;
}

interface Presenting {
  readonly access: Access;
  readonly flags: Flags;
}

async function present(exchange: ListedExchange, { access, flags }: Presenting): Promise<void> {
  const ask = <T>(path: string, shape: Shape<T>): Promise<T> =>
    readAnswer(access, { path: worldPath(flags.world) + path }, shape);
  const why = flags.why === true ? await whyOf(exchange, ask) : {};
  if (flags.json === true) return show(`${jsonText({ ...exchange, ...why })}\n`);
  const { message, facts = [] } = why;
  const shown = { ...exchange, target: kit.printable(exchange.target) };
  // oxlint-disable-next-line no-restricted-properties -- Asked whether it is a terminal; nothing is written to it.
  const { isTTY, columns } = process.stdout;
  // oxlint-disable-next-line no-restricted-properties -- The same.
  const paint = kit.painter(kit.terminalOf(process.stdout, process.env));
  showPainted(`${lineOf(shown, prefix, paint, isTTY ? columns : undefined)}\n`);
  if (message !== undefined && exchange.refusedBy !== null) show(`    refused by: ${exchange.refusedBy}\n`);
  if (message !== undefined) show(`    ${kit.printable(message)}\n`);
  if (facts.length > 0) show(`    ${factsLine(facts)}\n`);
}
