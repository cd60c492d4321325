import type { Json } from "./json.ts";
import type { SafetyClass } from "./profile.ts";
import type { StreamShown } from "./stream.ts";

/** What the case behind a request may do. The transport's guards read it; without one the strictest reading holds. */
export interface Permit {
  readonly caseId: string;
  readonly safety: SafetyClass;
  /** The case is about broken bodies: one that is no JSON may leave this machine. */
  readonly malformed: boolean;
}

/** What was put on the wire, after signing. The body is bytes: it is hashed and sent as exactly these. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly role: string;
  readonly operation?: string;
  readonly permit?: Permit;
  /** The values that were signed, for `${step.request.nonce}` and the trace; never the secret. */
  readonly signed?: {
    readonly timestamp: string;
    readonly nonce: string;
    readonly signature: string;
    readonly keyId: string;
    readonly canonical: string;
    /** It belongs to another request than the one that left, so a case must not get hold of it. */
    readonly withheld?: true;
  };
}

/** `message`: what a stream said, without a request of its own. */
export type TransportOutcome =
  | "response"
  | "message"
  | "closed"
  | "reset"
  | "timeout"
  | "refused"
  | "tooLarge"
  | "malformed";

export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** A request and what came of it. `json` is present when the body is well-formed JSON in UTF-8. */
export interface Exchange {
  readonly request: SentRequest;
  readonly transport: TransportOutcome;
  readonly reply?: Reply;
  readonly json?: Json;
  /** Why the body is not JSON, when it is not. */
  readonly jsonProblem?: string;
  readonly problem?: string;
  /** Of a stream: the message, or the beginning or end of the connection. */
  readonly stream?: StreamShown;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function headerOf(reply: Reply | undefined, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return reply?.headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

export function isSuccess(exchange: Exchange): boolean {
  const status = exchange.reply?.status ?? 0;
  return status >= 200 && status < 300;
}
