/** The end of a takeover, as a client sees it. */
import type { ServedVenue } from "./served-venue.ts";
import { SignedClient } from "./signed-client.ts";

const mostTakeoverMs = 30_000;

/** Resolves when the node has taken the world over. */
export async function serves({ ready }: ServedVenue): Promise<void> {
  const [key] = ready.keys;
  if (key === undefined) throw new RangeError("the world has no key");
  const client = new SignedClient(ready, key);
  const latest = performance.now() + mostTakeoverMs;
  while ((await client.get("/order/open")).status !== 200) {
    if (performance.now() > latest) throw new Error(`no node has served the world for ${mostTakeoverMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  client.close();
}
