/**
 * The documented control surface as this page calls it. A refusal is thrown in its own words.
 *
 * The token is kept in memory alone: it comes in the fragment of the link that `serve` prints, which no server sees, and is
 * taken out of the address at once.
 */
import { signal } from "@preact/signals";
import type { ControlLibrary } from "../control/all-controls.ts";

export type Answer<
  N extends keyof ControlLibrary,
  V extends keyof ControlLibrary[N],
> = ControlLibrary[N][V] extends (...values: never[]) => Promise<infer A> ? A : never;

const base = "/__gatewright";
export const tradingPath = "/api/v1/trading";

export const token = signal<string | null>(takeToken());
/** The world that is shown. */
export const world = signal("main");

function takeToken(): string | null {
  const [, found] = /[#&]token=([^&]+)/.exec(location.hash) ?? [];
  if (found === undefined) return null;
  const view = location.hash.replace(/[#&]token=[^&]+/, "");
  history.replaceState(null, "", `${location.pathname}${location.search}${view === "" ? "#/" : view}`);
  return decodeURIComponent(found);
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const authorized = (): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token.value ?? ""}`,
});

/** Of the world that is shown; `/worlds…` is about all of them. */
export const controlPath = (path: string, of = world.value): string =>
  of === "main" || path === "/worlds" || path.startsWith("/worlds/")
    ? base + path
    : `${base}/worlds/${encodeURIComponent(of)}${path}`;

type Method = "GET" | "POST" | "PUT" | "DELETE";

export async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const reply = await fetch(controlPath(path), {
    method,
    headers: { ...authorized(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: "no-store",
  });
  const envelope = (await reply.json().catch(() => ({}))) as {
    readonly data?: T;
    readonly message?: string;
    readonly code?: string;
  };
  if (reply.status === 403) token.value = null;
  if (!reply.ok)
    throw new Refusal(
      reply.status,
      envelope.code ?? "",
      envelope.message ?? `The sandbox answered ${reply.status} and gave no reason.`,
    );
  return envelope.data as T;
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const segment = encodeURIComponent;
