import type { Json } from "./json.ts";
import type { SafetyClass } from "./profile.ts";
import type { StreamShown } from "./stream.ts";

/**
 * The effects that the case of a request is allowed to have. The guards of the transport read it; without a permit they apply the
 * strictest rules.
 */
export interface Permit {
  readonly caseId: string;
  /** The step that sends the request; a finding in the answer names it. */
  readonly step?: string;
  readonly safety: SafetyClass;
  /** The case is about broken bodies: a body that is not JSON may leave this machine. */
  readonly malformed: boolean;
}

/** The request on the wire, after signing. The body is bytes: exactly these are hashed and sent. */
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
    /** The signature belongs to another request than the one that was sent, so a case must not read it. */
    readonly withheld?: true;
  };
}

/** `message`: a message of a stream, without a request of its own. */
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

/** A request and its result. `json` is present when the body is well-formed JSON in UTF-8. */
export interface Exchange {
  readonly request: SentRequest;
  readonly transport: TransportOutcome;
  readonly reply?: Reply;
  readonly json?: Json;
  /** Why the body is not JSON. */
  readonly jsonProblem?: string;
  readonly problem?: string;
  /** The connection of this request, or of an earlier sending of it, ended before the answer: the target may have taken it. */
  readonly uncertain?: true;
  /** For a stream: the message, or the beginning or end of the connection. */
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
