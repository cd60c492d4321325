/** Events that are no fault of the client, and by which it is not judged. */
import type { Evidence } from "./evidence.ts";

export const wasInterrupted = "the exam was interrupted";

export const tooSlow = "this machine was too slow for it: run fewer situations at once (--jobs)";

/**
 * The least time that a client needs after the last news: on a busy machine the news arrive late, and the client has to finish.
 * On a quiet one there are more than four seconds.
 */
const newsMs = 2000;

/** Undefined for a situation that can be judged. An event that came too late for the client to know is our fault. */
export function whyUnjudged(evidence: Evidence): string | undefined {
  const { end, quietMs, listenedLate, situation } = evidence;
  const { seconds = 0 } = situation;
  if (end.kind === "interrupted") return wasInterrupted;
  const isNewsLate = seconds > 0 && quietMs < newsMs && end.durationMs >= seconds * 1000;
  return isNewsLate || listenedLate ? tooSlow : undefined;
}

/** Why a situation in which no rule was broken is no pass: its trouble never met the client. */
export function whyNotShown({ sent, situation: { task, faults = [] } }: Evidence): string | undefined {
  // Those of the stream are not in the log; others.ts begins them when the client listens.
  const isMet = task === "follow" || task === "book" || sent.some((request) => request.faults.length > 0);
  return faults.length === 0 || isMet
    ? undefined
    : "the client sent no request that would have met the trouble of this situation";
}
