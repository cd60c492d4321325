/** Notes that the stages of a request leave on it for later stages. */
import type { FastifyInstance } from "fastify";
import type { Screened } from "../auth/authenticate.ts";
import type { SignatureSearch } from "../auth/signature-search.ts";
import type { FiredFault } from "../domain/fault.ts";
import type { Entries, Place } from "../sequencer/sequencer.ts";
import type { ErrorCode } from "./errors.ts";
import type { ReceivedHeaders } from "./received-headers.ts";
import type { Reshape } from "./reshape.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null only before the guard has run. */
    receivedHeaders: ReceivedHeaders | null;
    /** The result of the first phase of authentication, on signed routes. */
    screened: Screened | null;
    /** When the guard saw it, by `performance.now()`; 0 before. */
    arrivedAt: number;
    /** The journal entries that it has caused. */
    entries: Entries | null;
    /** Where in the journal it was served; null for a request that was refused before. */
    place: Place | null;
    /** Faults that took effect on it. */
    faults: readonly FiredFault[] | null;
    /** Code of the refusal that answers it. */
    refusedAs: ErrorCode | null;
    /** The search for the mistake behind its signature. */
    search: SignatureSearch | null;
    /** Set on signed routes of a world whose answers vary. A request that Fastify itself refuses has none. */
    reshape?: Reshape;
  }
  interface FastifyContextConfig {
    /** Set on signed routes: the body is asked for only after the first phase of authentication. */
    signed?: boolean;
  }
}

const absent = ["receivedHeaders", "screened", "entries", "place", "faults", "refusedAs", "search"] as const;

export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest("arrivedAt", 0);
  for (const name of absent) app.decorateRequest(name, null);
  app.decorateRequest("reshape");
}
