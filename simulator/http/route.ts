/**
 * A route as data: what a client sends, what it gets, and the handler between. The listener, the claim check and the API
 * documentation all read this one record.
 */
import type { Caller } from "../auth/keyring.ts";
import type { Client } from "../domain/account.ts";
import type { Command } from "../domain/command.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Outcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import type { RateLimitView } from "../wire/account-view.ts";
import type { Decoded, DecodeOptions } from "../wire/body.ts";
import type { Identities } from "../wire/identities.ts";
import type { Problem } from "../wire/order-request.ts";
import type { UnknownNames } from "../wire/query.ts";
import type { QueryFields, QueryValues } from "../wire/query-fields.ts";
import { UUID } from "../wire/schema.ts";
import type { ErrorCode, Refusal } from "./errors.ts";
import { printable } from "./printable.ts";

/** A success as JSON text, or a refusal with its facts; `errors.ts` knows the status of each code. */
export type Reply =
  | {
      readonly ok: true;
      readonly status: number;
      readonly message: string;
      readonly data: string;
      /** The answer to a request that was executed earlier: there is no new outcome to lose. */
      readonly repeated?: true;
    }
  | Refused;

export type Refused = { readonly ok: false } & Refusal;

export const success = (data: unknown, message = "OK"): Reply => successText(JSON.stringify(data), message);
export const successText = (data: string, message = "OK", status = 200): Reply => ({
  ok: true,
  status,
  message,
  data,
});
export const refuse = (code: ErrorCode, message: string, details: readonly object[] = []): Refused => ({
  ok: false,
  code,
  message,
  details,
});

/** On a read, the product is part of the address: unknown is 404 (F-unknown-product). */
export const unknownProduct = (id: string): Refused => ({
  ...refuse("PRODUCT_NOT_FOUND", `There is no product ${printable(id, 64)}; GET /product lists them`, [
    { field: "product" },
  ]),
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
    printable(message, LONGEST_MESSAGE),
    problems.map((problem) => ({ ...problem })),
  );
}

const LONGEST_MESSAGE = 600;

/** The body as `decode` reads it; what was not used is told in a header, whatever comes of the request. */
export function readBody<T>(
  call: Call,
  decode: (body: unknown, options: DecodeOptions) => Decoded<T>,
): Result<T, Refused> {
  const body = call.body();
  if (!body.ok) return body;
  const decoded = decode(body.value, call.options);
  call.ignore(decoded.ignored);
  return decoded.ok ? ok(decoded.value) : err(refuseProblems("VALIDATION_FAILED", decoded.error));
}

export const INVALID_CURSOR: Refused = refuse(
  "INVALID_CURSOR",
  "The cursor is not one of this list: use `nextCursor` of the page before, whole, with the same filters and the same account",
  [{ field: "cursor", issue: "does not belong to this list with these filters" }],
);

/** What a handler may use: a signed, authorised request and the venue behind it. */
export interface Call<F extends QueryFields = QueryFields> {
  readonly caller: Caller;
  readonly state: VenueState;
  readonly ids: Identities;
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the query, as the route declares them. */
  readonly query: QueryValues<F>;
  /** The query string without its question mark, as sent. */
  readonly search: string;
  readonly options: CallOptions;
  /** The parsed body, or why it cannot be parsed. */
  body(): Result<unknown, Refused>;
  /** Names parts of the request that are not used. */
  ignore(names: readonly string[]): void;
  /** Waits until this request's nonce is durable. Reads call it before they look at the state. */
  settled(): Promise<void>;
  /** Hands a command over; resolves after the commit. */
  submit(command: Command): Promise<Outcome>;
}

export interface CallOptions extends DecodeOptions {
  readonly unknownQuery: UnknownNames;
  readonly fillCandleGaps: boolean;
  /** Null while no rate is limited. */
  readonly rateLimit: RateLimitView | null;
}

export interface Route<F extends QueryFields = QueryFields> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix, with `{name}` for parameters: the words of the documentation and of the claim table. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: F;
  /** Name of the body's schema in the components. */
  readonly request?: string;
  /** Names of the members of that body, where they are worth knowing in advance: it is read faster. */
  readonly members?: readonly string[];
  readonly response: { readonly status: number; readonly schema: string; readonly list?: boolean };
  /** Codes of refusals besides those of authentication, claims, limits, the query as a whole and the JSON of a body. */
  readonly refusals: readonly ErrorCode[];
  /** A method: a route that reads its own query is a route among others. */
  handle(call: Call<F>): Promise<Reply>;
}

/** The client behind the key, or a refusal: a key without a client sees nothing. */
export function clientOf(call: Pick<Call, "caller" | "state">): Client | Refused {
  const { client } = call.caller;
  return client === null
    ? refuse(
        "FORBIDDEN",
        "No client stands behind this API key, so there is no account to read or change. Use a key of a client",
      )
    : call.state.client(client);
}

const A_UUID = new RegExp(UUID);

/** The id in the path, or a refusal: what is no UUID was never an id of this venue. */
export function idOf({ params }: Pick<Call, "params">): string | Refused {
  const id = params["id"] ?? "";
  if (A_UUID.test(id)) return id;
  const problem = { field: "id", issue: "must be a UUID", value: id.slice(0, 64) };
  return refuseProblems("VALIDATION_FAILED", [problem]);
}

export const isRefusal = (value: Client | Refused): value is Refused => "ok" in value;
