import { type Exchange, headerOf } from "../model/exchange.ts";

/** 429 and 503 say that the target is busy, which nothing in the specification forbids: never a verdict (AS-30). */
export function isBusy({ reply }: Exchange): boolean {
  return reply?.status === 429 || reply?.status === 503;
}

/** May the same thing be asked again? After a 503 nobody knows what became of an order, so it is not. */
export function mayAskAgain({ reply, request }: Exchange): boolean {
  return reply?.status === 429 || request.method === "GET";
}

const longestPauseMs = 60_000;

/** What Retry-After asks for, in seconds or as a date, at most a minute; without it, longer each time. */
export function pauseAsked({ reply }: Exchange, attempt: number, now: number): number {
  const text = headerOf(reply, "retry-after")?.trim() ?? "";
  const asked = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  if (Number.isFinite(asked) && asked >= 0) return Math.min(asked, longestPauseMs);
  return Math.min(250 * 2 ** (attempt - 1), 5_000);
}
