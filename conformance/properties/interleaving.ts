import { readJson } from "../check/lossless-json.ts";
import { resolvePointer } from "../check/pointer.ts";
import type { Exchange } from "../model/exchange.ts";
import { observedOf } from "./counterexample.ts";
import type { Trial } from "./trial.ts";

/**
 * Requests that were in progress at the same time, one line each, as a diagram. Keys are `a`, `b` … in the order of
 * their first use and orders `ord#1` …; no text of the target is shown.
 */
export function interleaving({ plan, exchanges }: Trial): readonly string[] {
  if (!plan.steps.some((step) => step.concurrent !== undefined)) return [];
  const seen = observedOf(exchanges);
  const letters = keysOf(exchanges);
  const from = Math.min(...exchanges.map(({ startedAt }) => startedAt));
  const span = Math.max(1, Math.max(...exchanges.map(({ endedAt }) => endedAt)) - from);
  const column = (at: number): number => Math.round(((at - from) / span) * width);
  return exchanges.map((exchange, index) => {
    const { status = "", type = "", order = "", transport = "" } = seen[index] ?? {};
    const said = [type === "" ? (status === "" ? `(${String(transport)})` : status) : type, order]
      .join(" ")
      .trim();
    const start = column(exchange.startedAt);
    const what = `--- ${labelOf(exchange, letters)} `;
    const line = what.padEnd(Math.max(what.length + 2, column(exchange.endedAt) - start), "-");
    return `conn ${index + 1}  ${" ".repeat(start)}|${line}> ${said} ---|`;
  });
}

const width = 32;

function keysOf(exchanges: readonly Exchange[]): string[] {
  return [...new Set(exchanges.map(keyIn).filter((key) => key !== undefined))];
}

function keyIn({ request }: Exchange): string | undefined {
  const body = readJson(request.body);
  const key = body.ok ? resolvePointer(body.json, "/client_order_id") : undefined;
  return typeof key === "string" ? key : undefined;
}

function labelOf(exchange: Exchange, letters: readonly string[]): string {
  const key = keyIn(exchange);
  const letter = key === undefined ? "" : String.fromCharCode(97 + letters.indexOf(key));
  const { operation, method } = exchange.request;
  return operation === "placeOrder" ? `place ${letter}` : (operation ?? method);
}
