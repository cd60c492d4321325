import { readJsonText } from "../check/lossless-json.ts";
import { type Exchange, headerOf, textOf } from "../model/exchange.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import { Tokens } from "./tokens.ts";

/** The answers that a client saw at one place of a case: each part of the answer by its name, such as `#/data/order/status`. */
export type Facts = ReadonlyMap<string, string>;

/** The answers that a client saw in a case, by request, such as `GET openOrders as reader`: one entry for each time that it was sent. */
export type Observed = ReadonlyMap<string, readonly Facts[]>;

/** The facts of a case; `exchanges` are those of one target, in their order. `hide` takes secrets out of a text. */
export function observe(exchanges: readonly Exchange[], hide: (text: string) => string): Observed {
  const tokens = new Tokens(hide);
  const answers = exchanges.filter(({ transport }) => transport !== "message");
  for (const { request } of answers) {
    const reading = readJsonText(textOf(request.body));
    if (reading.ok) tokens.sent(reading.json);
    tokens.sent(request.path.split(/[/?&=]/).filter((part) => part !== ""));
  }
  const observed = new Map<string, readonly Facts[]>();
  for (const exchange of withoutRepeats(answers)) {
    const words = wordsOf(exchange);
    observed.set(words, [...(observed.get(words) ?? []), factsOf(exchange, tokens)]);
  }
  const events = eventFacts(exchanges, tokens);
  if (events.size > 0) observed.set("stream", [events]);
  return observed;
}

/** A request that is repeated at once waits for something: how often is a matter of time, and its last answer counts. */
function withoutRepeats(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter((exchange, at) => {
    const next = exchanges[at + 1];
    return next === undefined || exchange.request.method !== "GET" || wordsOf(exchange) !== wordsOf(next);
  });
}

function wordsOf({ request }: Exchange): string {
  const { method, path, operation, role } = request;
  const place = operation ?? (path.split("?")[0] ?? "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "{id}");
  return `${method} ${place}${role === "trader" || role === "" ? "" : ` as ${role}`}`;
}

function factsOf({ reply, json, transport }: Exchange, tokens: Tokens): Facts {
  const facts = new Map<string, string>();
  if (reply === undefined) return facts.set("answer", transport);
  facts.set("status", String(reply.status));
  const type = headerOf(reply, "content-type")
    ?.toLowerCase()
    .replace(/\s*;\s*/, "; ");
  facts.set("content-type", type ?? "absent");
  if (headerOf(reply, "retry-after") !== undefined) facts.set("retry-after", "present");
  if (json === undefined) facts.set("body", reply.body.length === 0 ? "empty" : "not JSON");
  else note(json, "#", "", tokens, facts);
  return facts;
}

/** Elements of a list are those of one target, so only their members and kinds count. */
function note(json: Json, pointer: string, key: string, tokens: Tokens, facts: Map<string, string>): void {
  if (json instanceof JsonObject) {
    facts.set(pointer, "an object");
    for (const [name, item] of json.entries) note(item, `${pointer}/${name}`, name, tokens, facts);
  } else if (isArray(json)) {
    facts.set(pointer, "a list");
    for (const item of json) noteKinds(item, `${pointer}/*`, facts);
  } else facts.set(pointer, tokens.of(json, key));
}

function noteKinds(json: Json, pointer: string, facts: Map<string, string>): void {
  if (json instanceof JsonObject)
    for (const [name, item] of json.entries) noteKinds(item, `${pointer}/${name}`, facts);
  else if (isArray(json)) for (const item of json) noteKinds(item, `${pointer}/*`, facts);
  else {
    const kinds = new Set((facts.get(pointer) ?? "").split(" or ").filter((kind) => kind !== ""));
    kinds.add(
      json === null
        ? "null"
        : typeof json === "string"
          ? "text"
          : typeof json === "boolean"
            ? "boolean"
            : "number",
    );
    facts.set(pointer, [...kinds].toSorted().join(" or "));
  }
}

/** The events about each order, in their order, and the members of every kind of message. */
function eventFacts(exchanges: readonly Exchange[], tokens: Tokens): Facts {
  const facts = new Map<string, string>();
  const orders = new Map<string, string[]>();
  for (const { stream, transport } of exchanges) {
    if (transport !== "message" || stream === undefined) continue;
    const is = stream.event.get("is");
    if (typeof is !== "string") continue;
    const reading = readJsonText(textOf(stream.body));
    if (reading.ok) noteKinds(reading.json, `${is} #`, facts);
    const order = stream.event.get("order");
    if (!(order instanceof JsonObject)) continue;
    const [id, status] = [order.get("clientOrderId"), order.get("status")];
    if (typeof id !== "string" || typeof status !== "string" || tokens.of(id, "") !== "text: as sent")
      continue;
    const known = orders.get(id) ?? [];
    if (known.at(-1) !== status) orders.set(id, [...known, status]);
  }
  if (orders.size > 0)
    facts.set(
      "events of own orders",
      [...new Set([...orders.values()].map((all) => all.join(", then ")))].toSorted().join("; "),
    );
  return facts;
}
