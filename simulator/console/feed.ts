/** The live feed of the world that is shown: how far it has come. Comes back by itself, and takes at most one message a frame. */
import { effect, signal } from "@preact/signals";
import { authorized, controlPath, token, world } from "./api.ts";

export interface Standing {
  readonly world: string;
  readonly epoch: number;
  readonly mode: string;
  readonly trouble: string | null;
  readonly clock: "real" | "manual" | "skip-idle";
  readonly seq: number;
  readonly hash: string;
  readonly exchange: number;
  readonly connections: number;
  readonly worlds: readonly string[];
  readonly marketTime: string;
}

export const standing = signal<Standing | null>(null);
export const link = signal<"connecting" | "live" | "lost">("connecting");

/** A page that nobody sees reads no feed: a browser has six connections to a server, and each tab would keep one. */
const isSeen = signal(!document.hidden);
addEventListener("visibilitychange", () => {
  isSeen.value = !document.hidden;
});

/** Real time at which the last standing came, to let a running market clock go on between two of them. */
export const heardAt = signal(0);

const longestPauseMs = 4_000;

export function follow(): void {
  let leaving = new AbortController();
  effect(() => {
    const of = world.value;
    leaving.abort();
    if (token.value === null || !isSeen.value) return;
    leaving = new AbortController();
    if (standing.peek()?.world !== of) standing.value = null;
    link.value = "connecting";
    void stay(of, leaving.signal);
  });
}

async function stay(of: string, gone: AbortSignal): Promise<void> {
  for (let pause = 250; !gone.aborted; pause = Math.min(longestPauseMs, pause * 2)) {
    try {
      if (await read(of, gone)) pause = 125;
    } catch {
      // The next try says what is wrong, or that nothing is.
    }
    if (gone.aborted) return;
    link.value = "lost";
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** True once it was live. */
async function read(of: string, gone: AbortSignal): Promise<boolean> {
  const reply = await fetch(controlPath("/feed", of), {
    headers: authorized(),
    signal: gone,
    cache: "no-store",
  });
  if (reply.status === 403) token.value = null;
  if (reply.status === 404) world.value = "main";
  if (!reply.ok || reply.body === null) return false;
  const decoder = new TextDecoder();
  const reader = reply.body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    text += decoder.decode(value, { stream: true });
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) hear(message);
  }
}

let next: Standing | null = null;

function hear(message: string): void {
  const [, event = "", data = "{}"] = /^event: (\w+)\n(?:id: .*\n)?data: (.*)$/s.exec(message) ?? [];
  if (event === "gone") world.value = "main";
  if (event !== "standing") return;
  // As: the feed of this simulator.
  const said = JSON.parse(data) as Standing;
  if (next === null)
    requestAnimationFrame(() => {
      standing.value = next;
      heardAt.value = Date.now();
      link.value = "live";
      next = null;
    });
  next = said;
}
