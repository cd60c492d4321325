import { type Exchange, headerOf } from "../model/exchange.ts";

/**
 * 429 and 503 mean that the target is busy. The specification does not forbid that, so it is never a verdict (AS-30).
 */
export function isBusy({ reply }: Exchange): boolean {
  return reply?.status === 429 || reply?.status === 503;
}

/** May the request be sent again? After a 503 the state of an order is unknown, so an order is not. */
export function mayAskAgain({ reply, request }: Exchange): boolean {
  return reply?.status === 429 || request.method === "GET";
}

const longestPauseMs = 60_000;

/**
 * The pause that Retry-After asks for, in seconds or as a date, at most a minute; without the header, the pause grows
 * with each attempt.
 */
export function pauseAsked({ reply }: Exchange, attempt: number, now: number): number {
  const text = headerOf(reply, "retry-after")?.trim() ?? "";
  const asked = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  if (Number.isFinite(asked) && asked >= 0) return Math.min(asked, longestPauseMs);
  return Math.min(250 * 2 ** (attempt - 1), 5_000);
}
