import { orderFields } from "../contract/fields.ts";
import { type Exchange, headerOf, type Reply, textOf } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { Expectation, PlainExpectation, SwitchedExpectation } from "../model/language.ts";
import type { Operation } from "../model/profile.ts";
import { asJson, branchesOf, isSwitched } from "../model/step.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { describeJson, describeValue, shorten } from "./describe.ts";
import { envelopeDifferences } from "./envelope.ts";
import { expandExchangeMacro } from "./exchange-macros.ts";
import { match } from "./match.ts";
import { difference, type MatchContext, noDifference } from "./matching.ts";
import { objectsIn, resolveFirst } from "./pointer.ts";
import { holdsForInteger } from "./relation.ts";
import { walletIn } from "./wallet-in.ts";
import { isLookedForInVain, whereLooked } from "./where-looked.ts";

/** The data that one step is judged by: its exchange, the profile's view of it, and the collected lists. */
export interface Observed {
  readonly exchange?: Exchange;
  /** The places of an order or a list in this target's replies (canonical views). */
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
] as const satisfies readonly (keyof PlainExpectation)[];

/** Judges one block (`expect`, `should`, `observe`, `until`, `match`). Every part is checked, not only the first. */
export function checkExpectation(
  expectation: Expectation,
  observed: Observed,
  context: MatchContext,
): Difference[] {
  if (isSwitched(expectation)) return checkSwitch(expectation, observed, context);
  const answered = isAnswered(observed.exchange);
  const needsReply = Object.entries(expectation).some(
    ([key, wanted]) => !["transport", "count", "$anyOf"].includes(key) && wanted !== "turnedAway",
  );
  if (needsReply && observed.exchange !== undefined && !answered && expectation.transport === undefined) {
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
  return Object.keys(expectation).flatMap((key) => {
    if (!isExpectationKey(key)) throw new Error(`unknown expectation ${key} reached the run`);
    return checkPart(key, expectation, observed, context);
  });
}

const isAnswered = (exchange: Exchange | undefined): boolean =>
  exchange?.transport === "response" || exchange?.transport === "message";

export function isExpectationKey(key: string): key is (typeof expectationKeys)[number] {
  return expectationKeys.some((known) => known === key);
}

function checkPart(
  key: (typeof expectationKeys)[number],
  expectation: PlainExpectation,
  observed: Observed,
  context: MatchContext,
): Difference[] {
  const { exchange } = observed;
  const { status = null, transport = null, body = null, bodyText = null, order = null } = expectation;
  const { items = null, event = null, wallet, count, anywhere, headers = {}, $anyOf = [] } = expectation;
  switch (key) {
    case "status":
      return checkStatus(status, exchange?.reply?.status, context);
    case "transport":
      return match(transport, exchange?.transport ?? "none", context, { pointer: "transport" });
    case "headers":
      return checkHeaders(headers, exchange?.reply, context);
    case "contentType":
      return expectation.contentType === "json" ? checkJsonMedia(exchange?.reply) : noDifference;
    case "envelope":
      return exchange === undefined
        ? noDifference
        : envelopeDifferences(exchange, String(expectation.envelope));
    case "body":
      return exchange?.jsonProblem === undefined || body === "$absent"
        ? match(body, exchange?.json, context)
        : difference({ pointer: "body" }, "a JSON body", `${exchange.jsonProblem}: ${shownBody(exchange)}`);
    case "bodyText":
      return match(bodyText, textIn(exchange), context, { pointer: "bodyText" });
    case "order":
      return orderDifferences(order, observed, context);
    case "items":
      return match(items, listIn(exchange?.json, observed.views.items), context, { pointer: "items" });
    case "wallet":
      return wallet === undefined ? noDifference : checkWallet(wallet, observed, context);
    case "count":
      return count === undefined ? noDifference : checkCount(count, observed, context);
    case "anywhere":
      return anywhere === undefined ? noDifference : checkAnywhere(anywhere, observed, context);
    case "$macro":
      return expandExchangeMacro(String(expectation.$macro)).flatMap((part) =>
        checkExpectation(part, observed, context),
      );
    case "$anyOf":
      return checkAlternatives($anyOf, observed, context);
    case "event":
      return match(event, exchange?.stream?.event, context, { pointer: "event" });
    default:
      return key satisfies never;
  }
}

type Wallet = NonNullable<PlainExpectation["wallet"]>;
type Count = NonNullable<PlainExpectation["count"]>;
type Anywhere = NonNullable<PlainExpectation["anywhere"]>;

const orderIn = ({ exchange, views }: Observed): Json | undefined =>
  exchange?.stream?.event.get("order") ?? resolveFirst(exchange?.json, views.order);

function orderDifferences(order: Value, observed: Observed, context: MatchContext): Difference[] {
  const shown = orderIn(observed);
  const found = match(order, shown, context, { pointer: "order" });
  return isLookedForInVain(shown, observed.exchange) ? found.map((one) => whereLooked(one, observed)) : found;
}

function textIn(exchange: Exchange | undefined): string | undefined {
  const body = exchange?.reply?.body ?? exchange?.stream?.body;
  return body === undefined ? undefined : textOf(body);
}

function checkHeaders(wanted: ValueMap, reply: Reply | undefined, context: MatchContext): Difference[] {
  return Object.entries(wanted).flatMap(([name, matcher]) =>
    match(matcher, headerOf(reply, name), context, { pointer: `headers/${name}` }),
  );
}

function checkStatus(wanted: Value, status: number | undefined, context: MatchContext): Difference[] {
  if (status === undefined) return difference({ pointer: "status" }, describeValue(wanted), "(no response)");
  return match(wanted, new JsonNumber(String(status)), context, { pointer: "status", isStatus: true });
}

/**
 * GEN-12: the media type is application/json; parameters are allowed. A refusal may be a problem document, which is
 * JSON with its own media type.
 */
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

/** A list may be `data` itself or one level below it; without a mapping the first array found is used. */
export function listIn(json: Json | undefined, pointers: readonly string[]): Json | undefined {
  const mapped = resolveFirst(json, pointers);
  if (isArray(mapped) || pointers.length > 1) return mapped;
  const data = json instanceof JsonObject ? json.get("data") : undefined;
  if (isArray(data)) return data;
  if (!(data instanceof JsonObject)) return undefined;
  const arrays = [...data.entries.values()].filter(isArray);
  return arrays.length === 1 ? arrays[0] : undefined;
}

/** `wallet: { of: BTC, is: matcher }`: balance, hold and available of one asset, anywhere in the listing. */
function checkWallet({ of, is }: Wallet, { exchange, views }: Observed, context: MatchContext): Difference[] {
  const wallet = walletIn(listIn(exchange?.json, views.items), of, views.wallet);
  return match(is, wallet, context, { pointer: `wallet ${of}` });
}

/** `count: { of: race, where: { status: 200 }, is: 1 }` over a collected list. */
function checkCount({ of, where = {}, is }: Count, observed: Observed, context: MatchContext): Difference[] {
  const list = observed.collected(of) ?? [];
  const fitting = list.filter(
    (exchange) => checkExpectation(where, { ...observed, exchange }, context).length === 0,
  );
  if (holdsForInteger(fitting.length, is)) return noDifference;
  const silent = list.filter(({ transport }) => transport === "timeout").length;
  const open = Array.from({ length: silent }, (_, index) => fitting.length + index + 1).some((count) =>
    holdsForInteger(count, is),
  );
  const found = difference(
    { pointer: `count of ${of}` },
    describeValue(is),
    `${fitting.length} of ${list.length}${silent === 0 ? "" : `, ${silent} unanswered`}`,
  );
  return open ? found.map((one) => ({ ...one, unanswered: true })) : found;
}

/** Finds objects at any depth, to judge a list whose shape the specification does not show (EPT-06). */
function checkAnywhere(wanted: Anywhere, observed: Observed, context: MatchContext): Difference[] {
  const { in: where = "this", object, times = { gte: 1 } } = wanted;
  const json = where === "this" ? observed.exchange?.json : observed.bodyOf(where);
  const found = objectsIn(json, (candidate) => match(object, candidate, context).length === 0);
  return holdsForInteger(found.length, times)
    ? noDifference
    : difference(
        { pointer: "anywhere" },
        `${describeValue(times)} × ${describeValue(object)}`,
        `${found.length} found`,
      );
}

/**
 * One of several blocks must hold. A block that fails by the shape of a record alone shows what was broken, and the clauses
 * of the step are not charged with it. Otherwise the difference is that none holds.
 */
function checkAlternatives(
  blocks: readonly Expectation[],
  observed: Observed,
  context: MatchContext,
): Difference[] {
  const results = blocks.map((block) => checkExpectation(block, observed, context));
  if (results.some((found) => found.length === 0)) return noDifference;
  const shapes = results.find((found) => found.every(({ clause = "" }) => isOfShape(clause)));
  if (shapes !== undefined) return shapes;
  const { exchange } = observed;
  const data = exchange?.json === undefined ? "" : ` ${describeJson(exchange.json)}`;
  const event = exchange?.stream === undefined ? "" : ` ${describeJson(exchange.stream.event)}`;
  const found = difference(
    { pointer: exchange === undefined || isAnswered(exchange) ? "" : "transport" },
    `any of ${describeValue(blocks.map(asJson))}`,
    `${exchange?.reply?.status ?? exchange?.transport ?? "no response"}${data}${event}`,
  );
  // The assertion depends on an answer that did not come in time.
  return exchange?.transport === "timeout" ? found.map((one) => ({ ...one, unanswered: true })) : found;
}

const isOfShape = (clause: string): boolean =>
  /^(?:GEN|ENV)-/.test(clause) || orderFields.some((field) => field.clause === clause);

/**
 * Table-driven expectation: the block under the key that equals the value counts; without such a key nothing is
 * expected.
 */
function checkSwitch(
  expectation: SwitchedExpectation,
  observed: Observed,
  context: MatchContext,
): Difference[] {
  const branch = branchesOf(expectation).get(String(expectation.$switch));
  return branch === undefined ? noDifference : checkExpectation(branch, observed, context);
}
