/**
 * A control of the sandbox as data: body, answer, refusals and action. The reader of the body, the example in a refusal,
 * docs/control-reference.md and the OpenAPI document use this record.
 */
import type { Claim } from "../domain/account.ts";
import type { Result } from "../domain/result.ts";
import type { Outcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import type { ExchangeReader } from "../exchanges/exchange.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { ErrorCode } from "../http/errors.ts";
import type { RefusalText } from "../http/openapi/refusal-texts.ts";
import { printable } from "../http/printable.ts";
import { type Refused, type Reply, refuse, refuseRejected, success } from "../http/route.ts";
import type { Schema, Shape } from "../schema/fields.ts";
import type { FaultDrawer } from "../sequencer/fault-drawer.ts";
import type { JournalEntry, VenueHeader } from "../sequencer/ports.ts";
import type { Venue } from "../sequencer/venue.ts";
import type { Identities } from "../wire/identities.ts";
import type { QueryFields, QueryValues } from "../wire/query-fields.ts";
import { out } from "../wire/schema.ts";
import type { BuiltWorld } from "../world/build-world.ts";
import type { Nothing, Typed } from "./library-types.ts";
import type { Verb } from "./verb-types.ts";

/** An API key of a world, secret included: this is a sandbox. */
export interface ControlledKey {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  /** Name of the client behind it; null for a key without a client. */
  readonly client: string | null;
  readonly claims: readonly Claim[];
}

export interface ControlledWorld {
  readonly name: string;
  readonly built: BuiltWorld;
  readonly venue: Venue;
  readonly ids: Identities;
  readonly drawer: FaultDrawer;
  /** As clients know them now, with their secrets: keys can be created and rotated. */
  readonly keys: readonly ControlledKey[];
  /** All that may not be told to anybody: another list as soon as any of them is another. */
  readonly secrets: () => readonly Pick<ControlledKey, "secret">[];
  /** WebSockets that are open, and the bytes that they have not read. */
  readonly streams: { readonly size: number; readonly queuedBytes: number };
  /** The suffix that clients see on the key ids of its world file. */
  readonly keySuffix: string;
  /** The journal from its first entry, and the state before that. */
  readonly history: () => {
    readonly header: VenueHeader;
    readonly state: VenueState;
    readonly entries: Iterable<JournalEntry>;
  };
}

/** A world, and what its controls reach besides. */
export interface Controls extends ControlledWorld {
  readonly worlds: ControlledWorlds;
  /** Of all worlds; null when it is off. */
  readonly exchanges: ExchangeReader | null;
  readonly version: string;
  /** Null without a store that nodes share. */
  readonly nodes: ControlledNodes | null;
}

/** The nodes of a store. */
export interface ControlledNodes {
  readonly all: () => Promise<readonly NodeView[]>;
  /** The worlds of the store, the oldest first, at most so many. */
  readonly worlds: (most: number) => Promise<readonly WorldView[]>;
  /** A failure is a sentence. */
  readonly move: (world: string, node: string) => Promise<Result<void, string>>;
}

export interface NodeView {
  readonly name: string;
  /** `host:port`; null until it has told it. */
  readonly address: string | null;
  readonly worlds: readonly string[];
  readonly follows: readonly {
    readonly world: string;
    readonly entry: number;
    readonly trouble: string | null;
  }[];
}

/** A world as its last commit left it. */
export interface WorldView {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  /** The node that serves it; null: it sleeps. */
  readonly node: string | null;
}

type Soon<T> = T | Promise<T>;

/** The worlds of the process, by name. A failure is a sentence. */
export interface ControlledWorlds {
  readonly main: ControlledWorld;
  readonly all: () => readonly ControlledWorld[];
  readonly get: (name: string) => ControlledWorld | undefined;
  readonly create: (name: string, built: BuiltWorld) => Soon<Result<ControlledWorld, string>>;
  /** `entry` null: as it is now. */
  readonly fork: (from: string, name: string, entry: number | null) => Soon<Result<ControlledWorld, string>>;
  readonly reset: (name: string) => ControlledWorld;
  readonly delete: (name: string) => Soon<void>;
  readonly isInMemory: (name: string) => boolean;
}

export type Params = Readonly<Record<string, string>>;

/** A refusal and a request that meets it in the demo world under a manual clock, where nothing has been placed. */
export interface RefusedCall extends RefusalText {
  readonly code: ErrorCode;
  /** The example of the body when absent. */
  readonly body?: object;
  readonly params?: Params;
}

/** The payload of a success, and one as the demo world gives it. */
export interface Answered<A = unknown> {
  readonly schema: Shape<A>;
  readonly example: unknown;
}

/** Its parameters after the question mark are flags on the command line. */
export interface ControlRoute<B = unknown, Q extends QueryFields = QueryFields, A = unknown>
  extends Endpoint<Q, B, A> {
  readonly body?: { readonly shape: Shape<B>; readonly example: NoInfer<B> };
  readonly answer: Answered<A>;
  readonly refusals?: readonly RefusedCall[];
  /** How `gatewright ctl` spells it. */
  readonly verbs?: readonly Verb[];
  /** Answers without the token, and in any state of the venue. */
  readonly open?: true;
  /** Answers when the venue has stopped itself, too: it asks the venue for nothing that is in its file. */
  readonly worksWithoutVenue?: true;
  /** `gone` is aborted when the caller leaves before the answer. */
  run(
    controls: Controls,
    params: Params,
    body: B,
    query: QueryValues<Q>,
    gone: AbortSignal,
  ): Promise<Reply<NoInfer<A>>> | Reply<NoInfer<A>>;
}

/** A control as one among others, with the types that the library has of it. */
export const controlRoute = <
  const P extends string,
  const V extends readonly Verb[],
  A,
  B = Nothing,
  const Q extends QueryFields = Record<never, never>,
>(
  route: ControlRoute<B, Q, A> & { readonly path: P; readonly verbs?: V },
): ControlRoute & Typed<P, V, B, Q, A> => route;

/** The same control under the method that it had first. */
export function byPost({ verbs: _, ...route }: ControlRoute): ControlRoute {
  return {
    ...route,
    method: "POST",
    operationId: `${route.operationId}ByPost`,
    summary: `As \`PUT ${route.path}\`.`,
  };
}

/** The answer of a control that says what was set: the name of the thing, and every member of the body. */
export function echo<B extends object, const N extends string>(
  named: Readonly<Record<N, string>>,
  { shape, example }: { readonly shape: Shape<B>; readonly example: B },
): Answered<Readonly<Record<N, string>> & { readonly [K in keyof B]-?: Exclude<B[K], undefined> }> {
  const names = Object.keys(named).map((name): [string, Schema] => [
    name,
    { type: "string", description: `Name of the ${name}.` },
  ]);
  const properties = { ...Object.fromEntries(names), ...shape.properties };
  const absent = Object.keys(properties).map((name): [string, null] => [name, null]);
  return {
    schema: out({
      type: "object",
      description: "What was set.",
      properties,
      required: Object.keys(properties),
    }),
    example: { ...Object.fromEntries(absent), ...named, ...example },
  };
}

/** The result of a control command. A refused command is marked as such; every other one is committed. */
export function controlReply<A>(outcome: Outcome, data: A): Reply<A> {
  return outcome.kind === "rejected" ? refuseRejected(outcome.rejection) : success(data, "Done");
}

/** `there` says what there is instead. */
export const notFound = (what: string, name: string, there: string): Refused =>
  refuse("NOT_FOUND", `There is no ${what} ${printable(name, 64)}: ${there}`);
