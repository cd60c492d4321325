/**
 * fixtures/outcomes.json: everything that can happen to a request. A *forced* outcome is brought about by a fault: by a
 * `client_order_id` whose first group is reserved, as the next outcomes of a key, or by a fault rule. A reserved id stays a
 * valid UUID of version 4, and price, size and product stay free for the test. A *genuine* one needs a request alone, and what
 * has to be so before it.
 */
import type { Fault, FaultRule, WireFault } from "../domain/fault.ts";
import type { OrderStatus } from "../domain/order.ts";
import { fixture } from "../fixture.ts";
import type { FaultEntry } from "./schema.ts";

export interface ExpectedAnswer {
  /** HTTP status; null: the connection ends without a whole answer. */
  readonly status: number | null;
  /** `data.type` of a placement. */
  readonly type: string | null;
  /** `code` of an error, and its reason where it has one. */
  readonly code: string | null;
  readonly reason: string | null;
  /** Status of the order two seconds of market time later; null: there is none. */
  readonly later: OrderStatus | null;
}

interface Outcome {
  readonly code: string;
  readonly does: string;
  /** The clause or the freedom that it is about. */
  readonly about: string;
  readonly answer: ExpectedAnswer;
}

export interface ForcedOutcome extends Outcome {
  /** First group of a `client_order_id` that asks for it. */
  readonly prefix: string;
  readonly fault: Fault;
  /** A fault of the wire that goes with it. */
  readonly besides?: WireFault;
}

/** A request as a client sends it; it signs what it sends, if nothing else is said. */
export interface ReadyRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the prefix of the gateway, with its query. `{order}` is the id of the order that was placed before. */
  readonly path: string;
  /** Name of the key that signs; `trader` when absent. */
  readonly key?: string;
  readonly body?: object;
  /** In place of a body: these characters, which are no JSON of an order. */
  readonly text?: string;
  /** Headers that are changed after signing, sent several times, or (null) left out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
}

export interface GenuineOutcome extends Outcome {
  readonly request: ReadyRequest;
  /** Members of a world file over the demo world, if it needs a world of its own. */
  readonly world?: object;
  /** Calls of the control surface, below `/__gatewright`. */
  readonly controls?: readonly {
    readonly method: "POST" | "PUT";
    readonly path: string;
    readonly body: object;
  }[];
  /** Requests that are sent before. */
  readonly before?: readonly ReadyRequest[];
  /** The request is sent twice, byte for byte, and the second answer is meant. */
  readonly twice?: true;
}

/** A LIMIT order that rests far from the market. `prefix`: the first group of its `client_order_id`. */
export const placing = (prefix: string, change: object = {}): ReadyRequest => ({
  method: "POST",
  path: "/order",
  body: {
    product: "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.001",
    price: "50000",
    client_order_id: `${prefix}-0000-4000-8000-000000000001`,
    ...change,
  },
});

/** In the file, `place` stands for that order, with what is changed of it; and an answer has what is not null. */
type WrittenRequest = ReadyRequest | (Omit<ReadyRequest, "method" | "path"> & { readonly place: object });
type Written<O extends Outcome> = Omit<O, "answer" | "request" | "before"> & {
  readonly answer: Partial<ExpectedAnswer>;
};
type WrittenGenuine = Written<GenuineOutcome> & {
  readonly request: WrittenRequest;
  readonly before?: readonly WrittenRequest[];
};

const nothing = { type: null, code: null, reason: null, later: null, status: null };
const answerOf = (answer: Partial<ExpectedAnswer>): ExpectedAnswer => ({ ...nothing, ...answer });

function requestOf(written: WrittenRequest): ReadyRequest {
  if (!("place" in written)) return written;
  const { place, ...more } = written;
  return { ...placing("00000000", place), ...more };
}

// as: a test reads the file by the schema of fault rules, and another meets each outcome.
const { forced, genuine } = fixture("outcomes.json") as {
  readonly forced: readonly Written<ForcedOutcome>[];
  readonly genuine: readonly WrittenGenuine[];
};

export const forcedOutcomes: readonly ForcedOutcome[] = forced.map((one) => ({
  ...one,
  answer: answerOf(one.answer),
}));

export const genuineOutcomes = (): readonly GenuineOutcome[] =>
  genuine.map(({ request, before, ...one }) => ({
    ...one,
    answer: answerOf(one.answer),
    request: requestOf(request),
    ...(before === undefined ? {} : { before: before.map(requestOf) }),
  }));

/** A rule that brings an outcome about; undefined when there is none of this code. */
export function outcomeRule(
  code: string,
  conditions: Omit<FaultRule, "fault" | "besides" | "outcome" | "route">,
): FaultRule | undefined {
  const found = forcedOutcomes.find((one) => one.code === code);
  if (found === undefined) return undefined;
  const { fault, besides } = found;
  const rule = { ...conditions, route: "POST /order", outcome: code, fault };
  return besides === undefined ? rule : { ...rule, besides };
}

/** The rule as it was asked for, without the meaning of its outcome. */
export function asAsked({ fault, besides: _, ...rule }: FaultRule): FaultEntry {
  return rule.outcome === undefined ? { ...rule, fault } : rule;
}

/** The rules of the reserved ids. */
export const reservedOutcomes: readonly FaultRule[] = forcedOutcomes.flatMap(
  ({ code, prefix }) =>
    outcomeRule(code, { id: `reserved-${code}`, clientOrderIdPrefix: `${prefix}-` }) ?? [],
);

/** The same, by the beginning of the id. */
export const reservedByPrefix = (): ReadonlyMap<string, FaultRule> =>
  new Map(reservedOutcomes.map((rule) => [rule.clientOrderIdPrefix ?? "", rule]));
