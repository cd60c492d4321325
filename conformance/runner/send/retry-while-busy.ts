import { isBusy, mayAskAgain, pauseAsked } from "../../client/busy.ts";
import type { Traffic } from "../../client/traffic.ts";
import type { Exchange } from "../../model/exchange.ts";
import { Blocked } from "../../model/outcome.ts";

/** A request that had to be sent again because the target was busy, or because its connection was lost. */
export interface Retry {
  readonly request: string;
  readonly status: number | "lost";
  readonly pauseMs: number;
}

export interface RetryOptions {
  readonly traffic: Traffic;
  readonly now: () => number;
  readonly onRetry: (retry: Retry) => void;
  /** A status that the case expects is an answer, busy or not. */
  readonly expected?: ((status: number) => boolean) | undefined;
}

const retries = 5;

/**
 * Sends again while the target is busy. The report lists these retries. The pause that the target asks for holds for all
 * requests. A target that stays busy makes the case BLOCKED, never failed (AS-30).
 */
export async function retryWhileBusy(
  send: () => Promise<Exchange>,
  options: RetryOptions,
): Promise<Exchange> {
  for (let attempt = 1; ; attempt += 1) {
    const exchange = await send();
    const status = exchange.reply?.status ?? 0;
    if (!isBusy(exchange) || options.expected?.(status) === true) return exchange;
    if (attempt > retries || !mayAskAgain(exchange))
      throw new Blocked(`the target stays busy: ${status} after ${attempt} attempts`);
    const pauseMs = pauseAsked(exchange, attempt, options.now());
    options.onRetry({ request: `${exchange.request.method} ${exchange.request.path}`, status, pauseMs });
    options.traffic.pause(pauseMs);
  }
}
