/**
 * A recorded request as the call that it was, past the checks at the door; or why its answer cannot be computed again. What
 * is refused at the door depends on real time, on nonces and on limits, of which the journal knows nothing.
 */
import type { Caller } from "../auth/keyring.ts";
import type { CreatedKey } from "../domain/account.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { checksInOrder } from "../exchanges/checks.ts";
import { parseJson } from "../http/parse-json.ts";
import { PastOrders } from "../http/past-orders.ts";
import { type Call, type CallOptions, type Route, refuseProblems } from "../http/route.ts";
import { tradingRoutes } from "../http/routes/all.ts";
import { checkSearch, searchOf } from "../http/search.ts";
import type { Identities } from "../wire/identities.ts";
import { readQuery } from "../wire/query.ts";
import type { CapsuleExchange } from "./capsule.ts";

/** Why an answer is not compared. */
export type Uncompared =
  | "refused at the door: credentials, nonce, limits, claims, form of the request"
  | "answered by a fault rule, or not at all"
  | "of a venue that could not serve"
  | "to requests of which only the beginning is kept"
  | "of no trading route, such as health"
  | "a WebSocket"
  | "shaped by a legal variation that was in force"
  | "about orders whose reads stayed behind by the market clock"
  | "without a place in the journal";

export interface RecordedCall {
  readonly route: Route;
  readonly call: Call;
}

export interface CallParts {
  readonly ids: Identities;
  readonly options: CallOptions;
  /** Path in front of every trading route. */
  readonly prefix: string;
}

export function recordedCall(
  exchange: CapsuleExchange,
  keys: readonly CreatedKey[],
  parts: CallParts,
): Result<RecordedCall, Uncompared> {
  const { kind, status, code, faults, answered, target, key } = exchange;
  if (kind === "stream") return err("a WebSocket");
  if (status === 0 || faults.some(({ kind: fault, refused }) => refused || answering.has(fault)))
    return err("answered by a fault rule, or not at all");
  if (code !== null && unable.includes(code)) return err("of a venue that could not serve");
  const found = routeOf(exchange.method, target.split("?", 1)[0] ?? "", parts.prefix);
  const caller = callerOf(keys, key);
  if (code !== null && atTheDoor.includes(code))
    return err("refused at the door: credentials, nonce, limits, claims, form of the request");
  if (found === undefined || caller === undefined) return err("of no trading route, such as health");
  if (answered === null) return err("without a place in the journal");
  const { body: kept } = exchange;
  const bytes =
    typeof kept === "string"
      ? Buffer.from(kept)
      : Buffer.from(kept.base64 ?? kept.text ?? "", kept.base64 === undefined ? "utf8" : "base64");
  if (typeof kept !== "string" && bytes.length !== kept.length)
    return err("to requests of which only the beginning is kept");
  return ok({ route: found.route, call: callOf({ ...found, caller, target, bytes }, parts) });
}

/** Faults that put something else in the place of an answer. */
const answering: ReadonlySet<string> = new Set([
  "status",
  "cutBody",
  "dropConnectionBefore",
  "dropConnectionAfter",
  "resetConnectionBefore",
  "resetConnectionAfter",
]);

const codesOf = (check: string): readonly string[] =>
  checksInOrder.find((one) => one.check === check)?.codes ?? [];
const unable = codesOf("the venue takes requests");
/** The codes of the checks before those that a call makes. */
const atTheDoor: readonly string[] = checksInOrder
  .slice(
    0,
    checksInOrder.findIndex(({ codes }) => codes.includes("INVALID_QUERY")),
  )
  .flatMap(({ codes }) => codes);

function callerOf(keys: readonly CreatedKey[], name: string | null): Caller | undefined {
  const index = keys.findIndex((key) => key.name === name);
  const key = keys[index];
  if (key === undefined) return undefined;
  const { keyId, client, claims } = key;
  return { key: index, keyId, name: key.name, client, claims };
}

interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** A path without parameters comes before one with them, as on the listener. */
function routeOf(method: string, path: string, prefix: string): Found | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const segments = path.slice(prefix.length).split("/");
  const fitting = tradingRoutes.flatMap((route) => {
    const params = route.method === method ? paramsOf(route.path.split("/"), segments) : undefined;
    return params === undefined ? [] : [{ route, params }];
  });
  return fitting.toSorted(
    (one, other) => Object.keys(one.params).length - Object.keys(other.params).length,
  )[0];
}

function paramsOf(names: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const segment = segments[at] ?? "";
    if (name.startsWith("{")) params[name.slice(1, -1)] = segment;
    else if (name !== segment) return undefined;
  }
  return params;
}

interface Sent extends Found {
  readonly caller: Caller;
  readonly target: string;
  readonly bytes: Buffer;
}

function callOf({ route, params, caller, target, bytes }: Sent, { ids, options }: CallParts): Call {
  const search = searchOf(target);
  const unreadable = checkSearch(search);
  const query = readQuery(route.query ?? {}, unreadable === null ? search : "", options.unknownQuery);
  const wrong = query.ok ? null : refuseProblems("INVALID_QUERY", query.error).error;
  return {
    caller,
    nonce: null,
    ids,
    past: nothingPast,
    options,
    search,
    query: query.ok ? query.value.values : {},
    wrongQuery: unreadable ?? wrong,
    ignored: [],
    params,
    body: route.body === undefined ? ok(undefined) : parseJson(bytes),
  };
}

const nothingPast = new PastOrders(() => 0);
