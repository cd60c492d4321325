import { checkAmbient } from "../check/ambient.ts";
import { EndedOrders } from "../check/ended-orders.ts";
import { OrderMemory } from "../check/order-memory.ts";
import type { Earlier } from "../export/earlier.ts";
import type { Exchange } from "../model/exchange.ts";

/** Whole sessions can be wrong from the first answer on. */
const most = 3;

/**
 * The first steps whose recorded answers violate one of these clauses by the rules for every answer. Nothing has to be sent
 * for it, so what they depend on is tried before a long session is.
 */
export function suspectsIn(earlier: readonly Earlier[], clauses: readonly string[]): string[] {
  const [memory, ended] = [new OrderMemory(), new EndedOrders()];
  const context = { client: undefined, underWay: () => false };
  const suspects: string[] = [];
  for (const one of earlier) {
    const exchange = exchangeOf(one);
    const envelope = one.turn.route?.operation.envelope === true && one.turn.route.operation.specified;
    const found = [
      ...checkAmbient(exchange, { envelope, failureExpected: false, market: one.turn.route?.operation })
        .differences,
      ...memory.read(exchange, context),
      ...ended.read(exchange),
    ];
    if (found.some(({ clause }) => clauses.includes(clause))) suspects.push(one.step);
    if (suspects.length === most) break;
  }
  return suspects;
}

function exchangeOf({ turn }: Earlier): Exchange {
  const { exchange, path, method, route, answered, from, to } = turn;
  const { request, answer, key = "" } = exchange;
  const bytes = (text = ""): Uint8Array => Buffer.from(text, "utf8");
  return {
    request: {
      method,
      path,
      headers: request.headers,
      body: bytes(request.body.text),
      role: key,
      ...(route === undefined ? {} : { operation: route.op }),
    },
    transport: answer === undefined ? "closed" : "response",
    ...(answer === undefined
      ? {}
      : { reply: { status: answer.status, headers: answer.headers, body: bytes(answer.body.text) } }),
    ...(answered === undefined ? {} : { json: answered }),
    startedAt: from,
    endedAt: to,
  };
}
