/**
 * A route as data and two pure functions: the request of a client, the command or read in it, and the answer. The
 * listener, the claim check and the API documentation all read this one record.
 */
import type { Caller } from "../auth/keyring.ts";
import type { NonceRecord } from "../auth/nonces.ts";
import type { Command } from "../domain/command.ts";
import type { FiredFault } from "../domain/fault.ts";
import type { Rejection } from "../domain/rejection.ts";
import { ok, type Result } from "../domain/result.ts";
import type { Outcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import { decode } from "../schema/decode.ts";
import { uuid } from "../schema/fields.ts";
import type { Entries, Place } from "../sequencer/sequencer.ts";
import type { RateLimitView } from "../wire/account-view.ts";
import type { Decoded, DecodeOptions, Problem } from "../wire/body.ts";
import type { Identities } from "../wire/identities.ts";
import type { UnknownNames } from "../wire/query.ts";
import type { QueryFields, QueryValues } from "../wire/query-fields.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ErrorCode, Refusal } from "./errors.ts";
import type { PastOrders } from "./past-orders.ts";
import { printable } from "./printable.ts";

/** A success as JSON text, or a refusal with its facts; `errors.ts` knows the status of each code. */
export type Reply<A = unknown> = Answer<A> | Refused;

export interface Answer<A = unknown> {
  /** The type of the payload, for the compiler alone. */
  readonly of?: A;
  readonly ok: true;
  readonly status: number;
  readonly message: string;
  readonly data: string;
  /** The answer to a request that was executed earlier: there is no new outcome to lose. */
  readonly repeated?: true;
  /** Half of the body leaves, because of a fault rule. */
  readonly cut?: true;
}

export interface Refused {
  readonly ok: false;
  readonly error: Refusal;
}

export const success = <A>(data: A, message = "OK"): Answer<A> => successText(JSON.stringify(data), message);
export const successText = <A>(data: string, message = "OK", status = 200): Answer<A> => ({
  ok: true,
  status,
  message,
  data,
});
export const refused = (error: Refusal): Refused => ({ ok: false, error });
export const refuse = (code: ErrorCode, message: string, details: readonly object[] = []): Refused =>
  refused({ code, message, details });

/** A rejection by the engine, with all its facts. */
export function refuseRejected({ code, message, ...facts }: Rejection): Refused {
  return refuse(code, message, [facts]);
}

/** On a read, the product is part of the address: unknown is 404 (F-unknown-product). */
export const unknownProduct = (id: string): Refused =>
  refused({
    code: "PRODUCT_NOT_FOUND",
    message: `There is no product ${printable(id, 64)}; GET /product lists them`,
    details: [{ field: "product" }],
    status: 404,
  });

/** A refusal that says which fields are wrong, all of them. */
export function refuseProblems(code: ErrorCode, problems: readonly Problem[]): Refused {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more: see details)` : "";
  const message =
    first === undefined ? "The request is malformed" : `${first.field} ${first.issue}${more}`.trim();
  return refuse(
    code,
    printable(message, longestMessage),
    problems.map((problem) => ({ ...problem })),
  );
}

const longestMessage = 600;

/** The command of the body, after `decode` has read it, and the members that are not used. */
export function askInBody<T>(
  { body, options }: Call,
  decode: (body: unknown, options: DecodeOptions) => Decoded<T>,
  ask: (value: T) => Result<Command | null, Refusal>,
): Asked {
  if (!body.ok) return body;
  const decoded = decode(body.value, options);
  const { ignored } = decoded;
  const asked = decoded.ok ? ask(decoded.value) : refuseProblems("VALIDATION_FAILED", decoded.error);
  return asked.ok ? { ok: true, value: asked.value, ignored } : { ok: false, error: asked.error, ignored };
}

export const invalidCursor: Refused = refuse(
  "INVALID_CURSOR",
  "The cursor is not one of this list: use `nextCursor` of the page before, whole, with the same filters and the same account",
  [{ field: "cursor", issue: "does not belong to this list with these filters" }],
);

/** A signed, authorised request. */
export interface Call<F extends QueryFields = QueryFields> {
  readonly caller: Caller;
  /** Null when a defect serves one request again: the first time has handed it to the venue. */
  readonly nonce: NonceRecord | null;
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the query, as the route declares them. */
  readonly query: QueryValues<F>;
  /** A mistake in the query: this reply takes the place of the decoded request after faults were drawn. */
  readonly wrongQuery: Refusal | null;
  /** Names in the query that the route does not have. */
  readonly ignored: readonly string[];
  /** The query string without its question mark, as sent. */
  readonly search: string;
  /** The parsed body, or why it cannot be parsed. */
  readonly body: Result<unknown, Refusal>;
  readonly ids: Identities;
  readonly past: PastOrders;
  readonly options: CallOptions;
}

/** What came of a request: its reply, and what the exchange log and a header of the answer say of it. */
export interface Served {
  readonly reply: Reply;
  /** The journal entries that it has caused, and where in the journal it was served. */
  readonly entries: Entries | null;
  readonly place: Place;
  /** Faults that took effect on it. */
  readonly faults: readonly FiredFault[];
  /** Parts of the request that are not used. */
  readonly ignored: readonly string[];
}

/** A decoded request: a command, or null for a read. `ignored` names members of the body that are not used. */
export type Asked = Result<Command | null, Refusal> & { readonly ignored?: readonly string[] };

/** From an authorised request to what came of it. */
export type Serve = (route: Route, call: Call) => Promise<Served>;

export interface CallOptions extends DecodeOptions {
  readonly unknownQuery: UnknownNames;
  readonly fillCandleGaps: boolean;
  /** Null while no rate is limited. */
  readonly rateLimit: RateLimitView | null;
}

export interface Route<F extends QueryFields = QueryFields, A = unknown> extends Endpoint<F, unknown, A> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly tag: string;
  readonly description?: string;
  /** Of a success, in its example; `OK` when absent. */
  readonly message?: string;
  /** Codes of refusals besides those of authentication, claims, limits, the query as a whole and the JSON of a body. */
  readonly refusals: readonly ErrorCode[];
  /** Faults are drawn for the order in its body, and for no request without one. */
  readonly drawsByOrder?: true;
  /** Pure; absent where nothing is asked but a look at the state. A method: each route reads its own query. */
  decode?(call: Call<F>): Asked;
  /** Pure. `state` is committed; `outcome` is that of the command. */
  view(call: Call<F>, outcome: Outcome, state: VenueState): Reply<NoInfer<A>>;
}

/** A route as one among others: what it answers is of the type of its schema. */
export const route = <A, const F extends QueryFields = Record<never, never>>(one: Route<F, A>): Route<F, A> =>
  one;

/** The client behind the key, or a refusal: a key without a client sees nothing. */
export const clientOf = ({ caller: { client } }: Pick<Call, "caller">): Result<number, Refusal> =>
  client === null ? noClient : ok(client);

const noClient = refuse(
  "FORBIDDEN",
  "This API key has no client, so there is no account to read or change. Use a key of a client",
);

const aUuid = uuid("Id of the record.");

/** The id in the path, or a refusal: a text that is no UUID was never an id of this venue. */
export function idOf({ params }: Pick<Call, "params">): Result<string, Refusal> {
  const id = params["id"] ?? "";
  if (decode(aUuid, id).ok) return ok(id);
  const problem = { field: "id", issue: "must be a UUID", value: id.slice(0, 64) };
  return refuseProblems("VALIDATION_FAILED", [problem]);
}
