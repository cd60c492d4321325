/** One call of the control surface. A refusal is a value with the words of the sandbox. */

import { world } from "./router.ts";
import { controlPrefix, token, tokenRefused } from "./session.ts";

export interface Refusal {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly unknown[];
}

export type Answer<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly refusal: Refusal };

export type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Envelope<T> {
  readonly success?: boolean;
  readonly data?: T;
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly unknown[];
}

/** A call below the world that is shown. */
export const ask = <T>(
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer<T>> =>
  askSurface(method, `/worlds/${encodeURIComponent(world.value)}${path}`, body, signal);

/** A call about the worlds as a whole. */
export async function askSurface<T>(
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer<T>> {
  try {
    const response = await fetch(`${controlPrefix}${path}`, {
      method,
      cache: "no-store",
      headers: {
        authorization: `Bearer ${token.value}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return read(response.status, await response.text());
  } catch {
    const message =
      "The sandbox does not answer. Start it again with gatewright serve; this page goes on by itself.";
    return { ok: false, refusal: { status: 0, code: "NO_ANSWER", message, details: [] } };
  }
}

function read<T>(status: number, text: string): Answer<T> {
  let envelope: Envelope<T>;
  try {
    // as: the sandbox answers in its envelope.
    envelope = JSON.parse(text) as Envelope<T>;
  } catch {
    const message = `The answer is no JSON: ${text.slice(0, 200)}`;
    return { ok: false, refusal: { status, code: "NO_JSON", message, details: [] } };
  }
  // as: a success has its data.
  if (status < 400) return { ok: true, data: envelope.data as T };
  const { code = "", message = `The answer was ${status}.`, details = [] } = envelope;
  if (status === 403 && code === "FORBIDDEN") tokenRefused.value = true;
  return { ok: false, refusal: { status, code, message, details } };
}

/** `?a=1&b=2` of the members that have a value. */
export function search(query: Readonly<Record<string, string | number>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
