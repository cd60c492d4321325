import { readJsonText } from "../check/lossless-json.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Operation } from "../model/profile.ts";
import { isHidden, shownIn } from "../recording/hidden.ts";
import type { Recording } from "../recording/read-recording.ts";
import { type RecordedBytes, type RecordedExchange, valueOf } from "../recording/recording.ts";

/** An exchange, read: where it went, what it sent, what it got. */
export interface Turn {
  readonly exchange: RecordedExchange;
  readonly from: number;
  readonly to: number;
  readonly method: string;
  /** Below the base address, without the query. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly route?: Route;
  /** The body as JSON, where it is that and whole. */
  readonly sent?: Json;
  readonly answered?: Json;
  readonly status?: number;
  /** Members of the body, and parts of the path, whose values somebody has hidden; `sent` is without them. */
  readonly hidden: readonly string[];
  /** Values of the answer were hidden; `answered` is without them. */
  readonly hidesAnswer: boolean;
  /** `sent` was made of the answer. */
  readonly isRebuilt?: true;
}

/** The kit's name for what was asked, and the values in its path. */
export interface Route {
  readonly op: string;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

export type Operations = Readonly<Record<string, Operation | "absent">>;

/** Undefined for a request that went elsewhere than below the base path. */
export function turnOf(
  exchange: RecordedExchange,
  basePath: string,
  operations: Operations,
  { lateMs, isOfClient, mayHide }: Pick<Recording, "lateMs" | "isOfClient" | "mayHide">,
): Turn | undefined {
  const { method, target, body } = exchange.request;
  const [whole = "", ...rest] = target.split("?");
  // Seen by a client of the signing proxy, the path begins with a token.
  const start = whole.indexOf(`${basePath}/`);
  if (start === -1 || (start > 0 && !isOfClient)) return undefined;
  const path = whole.slice(start + basePath.length);
  const route = routeOf(operations, method, path);
  const [hidden, inAnswer] = [new Set<string>(), new Set<string>()];
  const read = (bytes: RecordedBytes | undefined, names: Set<string>): Json | undefined => {
    const json = bytes === undefined ? undefined : jsonOf(bytes);
    return json === undefined || !mayHide ? json : shownIn(json, names);
  };
  const sent = read(body, hidden);
  const answered = read(exchange.answer?.body, inAnswer);
  for (const [name, value] of Object.entries(route?.params ?? {}))
    if (mayHide && isHidden(value)) hidden.add(name);
  return {
    exchange,
    from: exchange.at,
    to: Math.max(exchange.at, exchange.at + exchange.durationMs - lateMs),
    method,
    path,
    query: queryOf(rest.join("?")),
    ...(route === undefined ? {} : { route }),
    ...(sent === undefined ? {} : { sent }),
    ...(answered === undefined ? {} : { answered }),
    ...(exchange.answer === undefined ? {} : { status: exchange.answer.status }),
    hidden: [...hidden],
    hidesAnswer: inAnswer.size > 0,
  };
}

/** The body as JSON, where it is that and whole. */
export function jsonOf({ text, cut, coding }: RecordedBytes): Json | undefined {
  if (text === undefined || cut === true || coding !== undefined) return undefined;
  const reading = readJsonText(text);
  return reading.ok ? reading.json : undefined;
}

function queryOf(text: string): [string, string][] {
  if (text === "") return [];
  return text.split("&").map((pair): [string, string] => {
    const [name = "", ...value] = pair.split("=");
    return [decoded(name), decoded(value.join("="))];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A path without parameters is more exact than one with them: `/order/open` is no order. */
function routeOf(operations: Operations, method: string, path: string): Route | undefined {
  const found = Object.entries(operations).flatMap(([op, operation]): Route[] => {
    if (operation === "absent" || operation.method !== method) return [];
    const params = paramsIn(operation.path.split("?")[0] ?? "", path);
    // A route that is mapped with a query is another one without it.
    return params === undefined || operation.path.includes("?") ? [] : [{ op, operation, params }];
  });
  return found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

/** The values of a path at the names of its template; undefined if it is another path. */
export function paramsIn(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    const value = given[index] ?? "";
    if (name !== undefined && value !== "") params[name] = decoded(value);
    else if (segment !== value) return undefined;
  }
  return params;
}

export const headerIn = ({ exchange }: Turn, wanted: string): string | undefined =>
  valueOf(exchange.request.headers, wanted);

export function textAt(json: Json | undefined, key: string): string | undefined {
  const value = json instanceof JsonObject ? json.get(key) : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Every text in a value, with its pointer and the key that it stands at. */
export function* textsBelow(
  json: Json | undefined,
  pointer = "#",
  key = "",
): Generator<{ readonly text: string; readonly pointer: string; readonly key: string }> {
  if (typeof json === "string") yield { text: json, pointer, key };
  else if (json instanceof JsonNumber) yield { text: json.lexeme, pointer, key };
  else if (json instanceof JsonObject)
    for (const [name, item] of json.entries)
      yield* textsBelow(item, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, name);
  else if (isArray(json))
    for (const [at, item] of json.entries()) yield* textsBelow(item, `${pointer}/${at}`, key);
}

const verbs: Readonly<Record<string, string>> = {
  placeOrder: "place",
  openOrders: "open",
  readOrder: "read",
  listOrders: "list",
  cancelOrder: "cancel",
  products: "products",
};

/** A step is called like its request. */
export function verbOf({ route, method }: Turn): string {
  if (route === undefined) return method.toLowerCase().replace(/[^a-z]/g, "") || "call";
  return verbs[route.op] ?? route.op;
}
