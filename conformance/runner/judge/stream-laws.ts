import { resolvePointer } from "../../check/pointer.ts";
import { bookDifferences } from "../../check/stream-book.ts";
import { StreamNumbers } from "../../check/stream-numbers.ts";
import type { Exchange } from "../../model/exchange.ts";
import { Blocked } from "../../model/outcome.ts";
import type { Law, Step } from "../../model/step.ts";
import type { StreamPlan } from "../../model/stream.ts";
import type { CaseRun } from "../case-run.ts";
import type { Scope } from "../prepare/scope.ts";

/** `check: { numbered }` and `{ book, equals }`: laws over the messages that a step has collected. */
export function runStreamCheck(
  law: Extract<Law, { readonly kind: "numbered" | "book" }>,
  messages: readonly Exchange[],
  step: Step,
  run: CaseRun,
  scope: Scope,
): void {
  const plan = run.session.profile.stream;
  if (plan === undefined) throw new Blocked("the profile does not describe the stream: add ws");
  if (messages.length === 0) throw new Blocked("the stream sent nothing that could be checked");
  if (law.kind === "book") return bookCheck(law.equals, messages, plan, step, run, scope);
  const connection = run.streams.get(messages[0]?.stream?.connection ?? "");
  const numbers = new StreamNumbers(plan.message, connection?.numbers.left);
  if (!numbers.declared)
    throw new Blocked("the profile does not say where a message has its number: add ws.message.sequence");
  for (const message of messages) {
    const found = message.stream === undefined ? [] : numbers.differences(message.stream.event);
    if (found.length > 0) return run.report(step, "expect", found, message);
  }
}

function bookCheck(
  name: string,
  messages: readonly Exchange[],
  plan: StreamPlan,
  step: Step,
  run: CaseRun,
  scope: Scope,
): void {
  const rest = scope.record(name)?.exchange;
  if (rest === undefined) throw new Blocked(`the step ${name} received no book`);
  const orderBook = run.session.operation("orderBook");
  const { bids, asks, version } = orderBook;
  if (version === undefined)
    throw new Blocked(
      "the profile does not say where orderBook has its version: add operations.orderBook.version",
    );
  const shown = {
    bids: resolvePointer(rest.json, bids),
    asks: resolvePointer(rest.json, asks),
    version: resolvePointer(rest.json, version),
    levels: orderBook,
  };
  const events = messages.flatMap(({ stream }) => (stream === undefined ? [] : [stream.event]));
  const found = bookDifferences(events, shown, plan);
  if (found === undefined)
    throw new Blocked("the stream never had the version that the step received: nothing can be compared");
  run.report(step, "expect", found, rest);
}
