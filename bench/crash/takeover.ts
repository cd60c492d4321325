/** The end of a takeover, as a client sees it. */
import type { ServedVenue } from "./served-venue.ts";
import { SignedClient, Unanswered } from "./signed-client.ts";

const mostTakeoverMs = 60_000;
/** A request that was passed on to a node that has just stopped may wait for long. */
const mostAnswerMs = 1000;

/** Resolves when the world is served through this node. */
export async function serves({ ready }: ServedVenue): Promise<void> {
  const [key] = ready.keys;
  if (key === undefined) throw new RangeError("the world has no key");
  const latest = performance.now() + mostTakeoverMs;
  for (;;) {
    const client = new SignedClient(ready, key);
    const late = setTimeout(() => client.close(), mostAnswerMs);
    const status = await client.get("/order/open").then((answer) => answer.status, statusOfNone);
    clearTimeout(late);
    client.close();
    if (status === 200) return;
    if (performance.now() > latest) throw new Error(`no node has served the world for ${mostTakeoverMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function statusOfNone(error: unknown): number {
  if (error instanceof Unanswered) return 0;
  throw error;
}
