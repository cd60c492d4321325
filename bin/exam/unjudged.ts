/** Events that are no fault of the client, and by which it is not judged. */
import type { Evidence } from "./evidence.ts";

export const wasInterrupted = "the exam was interrupted";

/** So long a client listens at least after the last news: on a busy machine they are on their way, and it ends with some work. */
const newsMs = 500;

/** Undefined for a situation that can be judged. An event that came too late for the client to know is our fault. */
export function whyUnjudged({ end, quietMs, situation: { seconds = 0 } }: Evidence): string | undefined {
  if (end.kind === "interrupted") return wasInterrupted;
  const isLate = seconds > 0 && quietMs < newsMs && end.durationMs >= seconds * 1000;
  return isLate ? "this machine was too slow for it: run fewer situations at once (--jobs)" : undefined;
}
