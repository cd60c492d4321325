/**
 * A defect is a bug that a gateway could have, or a legal variation that ours has not, as a decorator of the parts of a venue.
 *
 * **Invariants.** A defect changes one behaviour. Without it the venue runs none of its code: the room is loaded by
 * `startSimulator` when defects are named, and never otherwise. Several can be combined; the first one named is the
 * outermost decorator.
 *
 * **Known limits.** A real bug changes the state of a venue. A defect often changes only what is shown: the journal stays
 * that of a venue without defects. From outside there is no difference.
 */
import type { Authenticator } from "../auth/authenticate.ts";
import type { VenueState } from "../engine/state.ts";
import type { Refusal } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import type { LeavingAnswer } from "../http/reshape.ts";
import type { Call, Reply, Route, Served } from "../http/route.ts";
import type { Handshake } from "../http/upgrade.ts";
import type { SeamParts } from "../seams.ts";
import type { lost } from "../stream/frame.ts";
import type { Grant } from "../stream/subscriptions.ts";
import type { Fields } from "./json.ts";

/** A signed request as a broken handler sees it, which knows the venue behind it. */
export interface BrokenCall extends Call {
  readonly state: VenueState;
  /** What came of it each time that it was served. */
  readonly served: Served[];
}

export type BrokenServe = (route: Route, call: BrokenCall) => Promise<Reply>;

export type Answer = LeavingAnswer;

/** The request that an answer is for. */
export interface Asked {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  /** Route of the documentation, for example `POST /order`; null for anything else. */
  readonly route: string | null;
  readonly header: (name: string) => string | undefined;
}

/** Decorators of one venue. Made anew for each venue, so that they may remember things. */
export interface Decorators {
  readonly authenticator?: (inner: Authenticator) => Authenticator;
  readonly route?: (inner: BrokenServe) => BrokenServe;
  readonly answer?: (answer: Answer, asked: Asked) => Answer | Promise<Answer>;
  readonly listener?: (listener: Listener) => void;
  /** Of handshakes alone; `authenticator` is about them as well. */
  readonly handshake?: (inner: Authenticator) => Authenticator;
  readonly refuseHandshake?: (handshake: Handshake, refusal: Refusal) => void;
  readonly grant?: (inner: Grant) => Grant;
  /** The fate of a message of the stream; `lost` leaves a gap in the numbers. */
  readonly message?: (message: Fields) => readonly (Fields | typeof lost)[];
}

export interface Defect {
  /** `M-001` and `A-01` for bugs, `V-07` for legal variations, `GM:order.id:absent` for a bug in one field. */
  readonly id: string;
  readonly title: string;
  /** The clauses that may convict, the nearest first; none of a legal variation. */
  readonly violates: readonly string[];
  /** Where it breaks only the recommended part of a required clause, or what no clause decides. */
  readonly level?: "recommended" | "informational";
  readonly decorate: (parts: SeamParts) => Decorators;
}

type Broken =
  | readonly string[]
  | { readonly recommended: readonly string[] }
  | { readonly informational: readonly string[] };

/** A bug that a gateway could have, and the clauses that it breaks. */
export function bug(id: string, title: string, breaks: Broken, decorate: Defect["decorate"]): Defect {
  if ("recommended" in breaks)
    return { id, title, violates: breaks.recommended, level: "recommended", decorate };
  if ("informational" in breaks)
    return { id, title, violates: breaks.informational, level: "informational", decorate };
  return { id, title, violates: breaks, decorate };
}

/** Legal behaviour that differs from ours: no required clause may be called violated because of it. */
export const variation = (id: string, title: string, decorate: Defect["decorate"]): Defect => ({
  id,
  title,
  violates: [],
  decorate,
});
