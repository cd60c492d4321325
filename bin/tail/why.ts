/** What `gatewright tail --why` adds to an exchange: the sentence of a refusal, and the facts of the order that it is about. */
import { exitCodes } from "../../conformance/exit-codes.ts";
import { count, listOf, orNull, record, type Shape, type Shaped, text } from "../answer-shape.ts";
import { CommandFailure } from "../command-failure.ts";
import type { ListedExchange } from "./line.ts";

const toldFact = record({ code: text, entry: orNull(count) });
export type ToldFact = Shaped<typeof toldFact>;
const factsShape = record({ facts: listOf(toldFact) });
const exchangeShape = record({ answer: record({ body: record({}) }) });

export interface Why {
  readonly message?: string;
  readonly facts?: readonly ToldFact[];
}

/** The payload of a control of the world. */
type Ask = <T>(path: string, shape: Shape<T>) => Promise<T>;

const aboutOrders = /\/order(\/|\?|$)/;

/** Nothing of an exchange that has left the log meanwhile. */
export async function whyOf(exchange: ListedExchange, ask: Ask): Promise<Why> {
  const isAboutOrder = aboutOrders.test(exchange.target);
  if (exchange.code === null && !isAboutOrder) return {};
  try {
    const body = await answerBody(exchange, ask);
    const message = exchange.code === null ? undefined : body?.message;
    const subject = isAboutOrder ? orderIn(exchange, body) : undefined;
    return {
      ...(message === undefined ? {} : { message: String(message) }),
      ...(subject === undefined ? {} : { facts: await factsOf(subject, ask) }),
    };
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === exitCodes.nonConformant) return {};
    throw error;
  }
}

interface AnswerBody {
  readonly message?: unknown;
  readonly data?: { readonly id?: unknown; readonly order?: { readonly id?: unknown } } | null;
}

async function answerBody({ requestId }: ListedExchange, ask: Ask): Promise<AnswerBody | undefined> {
  const { answer } = await ask(`/exchanges/${encodeURIComponent(requestId)}`, exchangeShape);
  const { text: kept } = answer.body as { readonly text?: unknown };
  try {
    // as: an envelope, of which all but the beginning may be missing; its members are checked where they are used.
    return JSON.parse(String(kept)) as AnswerBody;
  } catch {
    return undefined;
  }
}

/** An answer that names no order, or was lost, may have made one all the same. */
function orderIn({ requestId, entries }: ListedExchange, body: AnswerBody | undefined): string | undefined {
  const id = body?.data?.order?.id ?? body?.data?.id;
  if (typeof id === "string") return id;
  return entries === null ? undefined : requestId;
}

const ofRequests = new Set(["RECEIVED", "ANSWERED", "ANSWER_LOST", "REFUSED"]);

async function factsOf(subject: string, ask: Ask): Promise<readonly ToldFact[]> {
  const { facts } = await ask(`/explain/${encodeURIComponent(subject)}`, factsShape);
  return facts.filter(({ code }) => !ofRequests.has(code));
}

/** `ACCEPTED 8, RESTED 9, TRADED 12 to 40, WAITS_FOR_TRADE 40`: each with its journal entry. */
export function factsLine(facts: readonly ToldFact[]): string {
  const runs: { code: string; first: number | null; last: number | null }[] = [];
  for (const { code, entry } of facts) {
    const run = runs.at(-1);
    if (run?.code === code) run.last = entry;
    else runs.push({ code, first: entry, last: entry });
  }
  return runs.map(runText).join(", ");
}

const runText = ({
  code,
  first,
  last,
}: {
  code: string;
  first: number | null;
  last: number | null;
}): string =>
  first === last ? `${code} ${first ?? ""}`.trimEnd() : `${code} ${first ?? ""} to ${last ?? ""}`;
