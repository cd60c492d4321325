import { type Exchange, headerOf, type Reply, textOf } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Operation } from "../model/profile.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import { describeJson, describeValue, shorten } from "./describe.ts";
import { envelopeDifferences } from "./envelope.ts";
import { expandExchangeMacro } from "./exchange-macros.ts";
import { match } from "./match.ts";
import { difference, type MatchContext, noDifference } from "./matching.ts";
import { objectsIn, resolveFirst } from "./pointer.ts";
import { holdsForInteger } from "./relation.ts";
import { walletIn } from "./wallet-in.ts";

/** What one step has to show: its exchange, the profile's view of it, and the lists that were collected. */
export interface Observed {
  readonly exchange?: Exchange;
  /** Where this target keeps an order or a list in a reply (canonical views). */
  readonly views: Pick<Operation, "order" | "items" | "wallet" | "next">;
  readonly collected: (name: string) => readonly Exchange[] | undefined;
  /** The body of another step, for `anywhere: { in: stepId }`. */
  readonly bodyOf: (step: string) => Json | undefined;
}

export const expectationKeys = [
  "status",
  "transport",
  "headers",
  "contentType",
  "envelope",
  "body",
  "bodyText",
  "order",
  "items",
  "wallet",
  "event",
  "count",
  "anywhere",
  "$macro",
  "$anyOf",
  "$switch",
] as const;

/** Judges one block (`expect`, `should`, `observe`, `until`, `match`). Every part is looked at, not the first. */
export function checkExpectation(
  expectation: ValueMap,
  observed: Observed,
  context: MatchContext,
): Difference[] {
  if (expectation["$switch"] !== undefined) return checkSwitch(expectation, observed, context);
  const answered = ["response", "message"].includes(observed.exchange?.transport ?? "");
  const needsReply = Object.entries(expectation).some(
    ([key, wanted]) => !["transport", "count", "$anyOf"].includes(key) && wanted !== "turnedAway",
  );
  if (needsReply && observed.exchange !== undefined && !answered && expectation["transport"] === undefined) {
    const { transport, problem } = observed.exchange;
    return [
      {
        pointer: "transport",
        expected: "response",
        actual: problem === undefined ? transport : `${transport}: ${problem}`,
        ...(transport === "timeout" ? { unanswered: true } : {}),
      },
    ];
  }
  return Object.entries(expectation).flatMap(([key, wanted]) => {
    if (!isExpectationKey(key)) throw new Error(`unknown expectation ${key} reached the run`);
    return checkPart(key, wanted, observed, context);
  });
}

export function isExpectationKey(key: string): key is (typeof expectationKeys)[number] {
  return expectationKeys.some((known) => known === key);
}

function checkPart(
  key: (typeof expectationKeys)[number],
  wanted: Value,
  observed: Observed,
  context: MatchContext,
): Difference[] {
  const { exchange } = observed;
  const reply = exchange?.reply;
  switch (key) {
    case "status":
      return checkStatus(wanted, reply?.status, context);
    case "transport":
      return match(wanted, exchange?.transport ?? "none", context, { pointer: "transport" });
    case "headers":
      return checkHeaders(wanted, reply, context);
    case "contentType":
      return wanted === "json" ? checkJsonMedia(reply) : noDifference;
    case "envelope":
      return exchange === undefined ? noDifference : envelopeDifferences(exchange, String(wanted));
    case "body":
      return exchange?.jsonProblem === undefined || wanted === "$absent"
        ? match(wanted, exchange?.json, context)
        : difference({ pointer: "body" }, "a JSON body", `${exchange.jsonProblem}: ${shownBody(exchange)}`);
    case "bodyText":
      return match(wanted, textIn(exchange), context, { pointer: "bodyText" });
    case "order":
      return match(wanted, orderIn(observed), context, { pointer: "order" });
    case "items":
      return match(wanted, listIn(exchange?.json, observed.views.items), context, { pointer: "items" });
    case "wallet":
      return checkWallet(wanted, observed, context);
    case "count":
      return checkCount(wanted, observed, context);
    case "anywhere":
      return checkAnywhere(wanted, observed, context);
    case "$macro":
      return expandExchangeMacro(String(wanted)).flatMap((part) => checkExpectation(part, observed, context));
    case "$anyOf":
      return checkAlternatives(wanted, observed, context);
    case "event":
      return match(wanted, exchange?.stream?.event, context, { pointer: "event" });
    case "$switch":
      return noDifference;
    default:
      return key satisfies never;
  }
}

const orderIn = ({ exchange, views }: Observed): Json | undefined =>
  exchange?.stream?.event.get("order") ?? resolveFirst(exchange?.json, views.order);

function textIn(exchange: Exchange | undefined): string | undefined {
  const body = exchange?.reply?.body ?? exchange?.stream?.body;
  return body === undefined ? undefined : textOf(body);
}

function checkHeaders(wanted: Value, reply: Reply | undefined, context: MatchContext): Difference[] {
  return Object.entries(isMap(wanted) ? wanted : {}).flatMap(([name, matcher]) =>
    match(matcher, headerOf(reply, name), context, { pointer: `headers/${name}` }),
  );
}

function checkStatus(wanted: Value, status: number | undefined, context: MatchContext): Difference[] {
  if (status === undefined) return difference({ pointer: "status" }, describeValue(wanted), "(no response)");
  return match(wanted, new JsonNumber(String(status)), context, { pointer: "status", isStatus: true });
}

/** GEN-12: the media type is application/json; parameters are allowed. */
/** A refusal may be a problem document, which is JSON under a name of its own. */
export function checkJsonMedia(reply: Reply | undefined): Difference[] {
  const contentType = headerOf(reply, "content-type");
  const media = contentType?.split(";")[0]?.trim().toLowerCase();
  const problem = (reply?.status ?? 0) >= 400 && media === "application/problem+json";
  return media === "application/json" || problem
    ? noDifference
    : [
        {
          pointer: "headers/content-type",
          expected: "application/json",
          actual: contentType ?? "(missing)",
          clause: "GEN-12",
        },
      ];
}

function shownBody(exchange: Exchange): string {
  return shorten(JSON.stringify(textOf(exchange.reply?.body ?? new Uint8Array())), 80);
}

/** A list may be `data` itself or stand one level below it; without a mapping the first array found is taken. */
export function listIn(json: Json | undefined, pointers: readonly string[]): Json | undefined {
  const mapped = resolveFirst(json, pointers);
  if (isArray(mapped) || pointers.length > 1) return mapped;
  const data = json instanceof JsonObject ? json.get("data") : undefined;
  if (isArray(data)) return data;
  if (!(data instanceof JsonObject)) return undefined;
  const arrays = [...data.entries.values()].filter(isArray);
  return arrays.length === 1 ? arrays[0] : undefined;
}

/** `wallet: { of: BTC, is: matcher }`: balance, hold and available of one asset, wherever the listing has them. */
function checkWallet(wanted: Value, { exchange, views }: Observed, context: MatchContext): Difference[] {
  if (!isMap(wanted)) return noDifference;
  const asset = String(wanted["of"]);
  const wallet = walletIn(listIn(exchange?.json, views.items), asset, views.wallet);
  return match(wanted["is"] ?? {}, wallet, context, { pointer: `wallet ${asset}` });
}

/** `count: { of: race, where: { status: 200 }, is: 1 }` over a collected list. */
function checkCount(wanted: Value, observed: Observed, context: MatchContext): Difference[] {
  if (!isMap(wanted)) return noDifference;
  const list = observed.collected(String(wanted["of"])) ?? [];
  const where = isMap(wanted["where"]) ? wanted["where"] : {};
  const fitting = list.filter(
    (exchange) => checkExpectation(where, { ...observed, exchange }, context).length === 0,
  );
  const is = wanted["is"] ?? 0;
  if (holdsForInteger(fitting.length, is)) return noDifference;
  const silent = list.filter(({ transport }) => transport === "timeout").length;
  const open = Array.from({ length: silent }, (_, index) => fitting.length + index + 1).some((count) =>
    holdsForInteger(count, is),
  );
  const found = difference(
    { pointer: `count of ${String(wanted["of"])}` },
    describeValue(is),
    `${fitting.length} of ${list.length}${silent === 0 ? "" : `, ${silent} unanswered`}`,
  );
  return open ? found.map((one) => ({ ...one, unanswered: true })) : found;
}

/** Finds objects at any depth, so that a list can be judged whose shape the specification does not show (EPT-06). */
function checkAnywhere(wanted: Value, observed: Observed, context: MatchContext): Difference[] {
  if (!isMap(wanted)) return noDifference;
  const where = wanted["in"];
  const json =
    where === undefined || where === "this" ? observed.exchange?.json : observed.bodyOf(String(where));
  const object = wanted["object"] ?? {};
  const found = objectsIn(json, (candidate) => match(object, candidate, context).length === 0);
  const times = wanted["times"] ?? { gte: 1 };
  return holdsForInteger(found.length, times)
    ? noDifference
    : difference(
        { pointer: "anywhere" },
        `${describeValue(times)} × ${describeValue(object)}`,
        `${found.length} found`,
      );
}

/** One of several blocks holds; when none does, the block that came closest is shown. */
function checkAlternatives(wanted: Value, observed: Observed, context: MatchContext): Difference[] {
  const blocks = isList(wanted) ? wanted.filter(isMap) : [];
  const results = blocks.map((block) => checkExpectation(block, observed, context));
  if (results.some((found) => found.length === 0)) return noDifference;
  const { exchange } = observed;
  const data = exchange?.json === undefined ? "" : ` ${describeJson(exchange.json)}`;
  const event = exchange?.stream === undefined ? "" : ` ${describeJson(exchange.stream.event)}`;
  const found = difference(
    { pointer: "" },
    `any of ${describeValue(blocks)}`,
    `${exchange?.reply?.status ?? exchange?.transport ?? "no response"}${data}${event}`,
  );
  // An answer that did not come in time would have decided it.
  return exchange?.transport === "timeout" ? found.map((one) => ({ ...one, unanswered: true })) : found;
}

/** Table-driven expectation: the sibling key named by the value is the block that counts; no such key, no claim. */
function checkSwitch(expectation: ValueMap, observed: Observed, context: MatchContext): Difference[] {
  const branch = expectation[String(expectation["$switch"])];
  return isMap(branch) ? checkExpectation(branch, observed, context) : noDifference;
}
