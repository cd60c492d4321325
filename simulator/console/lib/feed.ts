/**
 * Follows the live feed of the world that is shown. A message holds numbers only, so a feed that was away has missed nothing:
 * views ask again when a number that they watch has moved.
 */
import { computed, effect, signal } from "@preact/signals";
import { world } from "./router.ts";
import { controlPrefix, token, tokenRefused } from "./session.ts";

export interface Standing {
  readonly world: string;
  readonly epoch: number;
  readonly mode: string;
  readonly trouble: string | null;
  readonly clock: string;
  readonly seq: number;
  readonly hash: string;
  readonly exchange: number;
  readonly connections: number;
  readonly worlds: readonly string[];
  readonly marketTime: string;
}

export type Link = "connecting" | "live" | "lost" | "gone";

export const link = signal<Link>("connecting");
export const standing = signal<Standing | null>(null);
/** Grows with each connection. */
export const connects = signal(0);

export type Watched = "entries" | "exchanges" | "both" | "worlds" | "nothing";
const of = (part: (one: Standing) => unknown) =>
  computed(() => `${connects.value}/${standing.value === null ? "" : String(part(standing.value))}`);
/** Texts that change when there is news. */
export const news = {
  entries: of(({ epoch, seq, mode, clock }) => `${epoch}.${seq}.${mode}.${clock}`),
  exchanges: of(({ epoch, exchange }) => `${epoch}.${exchange}`),
  both: of(({ epoch, seq, exchange }) => `${epoch}.${seq}.${exchange}`),
  worlds: of(({ worlds, seq }) => `${worlds.join()}.${seq}`),
  nothing: computed(() => String(connects.value)),
} satisfies Record<Watched, unknown>;

const silenceMs = 12_000;

/** A page that nobody sees lets go of its connection: a browser has six for each server, for all of its tabs. */
const isHidden = signal(document.hidden);

/** Goes on for as long as the page does. */
export function followFeed(): void {
  document.addEventListener("visibilitychange", () => (isHidden.value = document.hidden));
  let shown = "";
  effect(() => {
    const [name, bearer] = [world.value, token.value];
    if (bearer === "" || tokenRefused.value || isHidden.value) return;
    const gone = new AbortController();
    // A page that comes back shows what it knew until it hears more.
    if (name !== shown) {
      standing.value = null;
      link.value = "connecting";
    }
    shown = name;
    void follow(name, bearer, gone.signal);
    return () => gone.abort();
  });
}

async function follow(name: string, bearer: string, gone: AbortSignal): Promise<void> {
  for (let waitMs = 250; !gone.aborted; waitMs = Math.min(waitMs * 2, 2000)) {
    const heard = await readFeed(name, bearer, gone);
    if (gone.aborted) return;
    if (heard === "gone") {
      link.value = "gone";
      return;
    }
    if (heard === "heard") waitMs = 250;
    link.value = "lost";
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Until the feed ends. */
async function readFeed(
  name: string,
  bearer: string,
  gone: AbortSignal,
): Promise<"gone" | "heard" | "nothing"> {
  let heard: "heard" | "nothing" = "nothing";
  const silent = new AbortController();
  let alarm = setTimeout(() => silent.abort(), silenceMs);
  try {
    const response = await fetch(`${controlPrefix}/worlds/${encodeURIComponent(name)}/feed`, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: AbortSignal.any([gone, silent.signal]),
    });
    if (response.status === 404) return "gone";
    if (response.status === 403) tokenRefused.value = true;
    if (!response.ok || response.body === null) return "nothing";
    let rest = "";
    for await (const piece of piecesOf(response.body)) {
      clearTimeout(alarm);
      alarm = setTimeout(() => silent.abort(), silenceMs);
      const messages = (rest + piece).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) if (take(message)) return "gone";
      if (heard === "nothing") connects.value += 1;
      heard = "heard";
    }
  } catch {
    // The sandbox has gone away, or this page has: the caller knows.
  } finally {
    clearTimeout(alarm);
  }
  return heard;
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** True when the world is gone. */
function take(message: string): boolean {
  const field = (name: string): string =>
    message
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? "";
  if (field("event") === "gone") return true;
  if (field("event") !== "standing") return false;
  // as: the feed of the sandbox.
  standing.value = JSON.parse(field("data")) as Standing;
  link.value = "live";
  return false;
}
