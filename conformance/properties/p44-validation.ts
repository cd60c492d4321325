import { calculate } from "../check/calc.ts";
import { soleReference } from "../model/expr.ts";
import type { Call, Expectation, Sign, WrittenStep } from "../model/language.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { type Field, fields, type Malformed, malformed } from "./malformed.ts";
import type { Plan, Situation } from "./property.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { call, type Judged, market, nowhere, orderOf, place, type Shape, shapes } from "./templates.ts";
import { assetsOf, fundsOf, nothingHeld } from "./wallet-steps.ts";

/**
 * P-44: an order with one malformed value is refused without a trace.
 * Table: the type of order; the field, of those that it needs; the malformed form, each that the field can have, in
 * every type of order; and the trace that is looked for afterwards: an order in the open list, a used id, an unused
 * nonce, a changed wallet.
 * Oracle: 400, or the other answers that `malformed.ts` allows for the form. A target that accepts another spelling of
 * a number shows that number. The nonce is judged if a forgery of the same request is answered 401, because then the
 * signature was checked first.
 * Safety: a LIMIT or STOP_LIMIT that is accepted rests far from the market; of MARKET orders only what must be refused is sent.
 */
const orders: Readonly<Record<string, Shape>> = {
  LIMIT: shapes.limitBuy,
  STOP_LIMIT: shapes.stopLimitSell,
  "MARKET BUY": shapes.marketBuy,
  "MARKET SELL": shapes.marketSell,
};

const table: Table = {
  id: "P-44",
  title: "An order with a malformed value is refused without a trace",
  spec: [
    "REQ-01",
    "REQ-02",
    "REQ-03",
    "REQ-04",
    "REQ-05",
    "REQ-07",
    "REQ-09",
    "REQ-12",
    "REQ-14",
    "REQ-15",
    "REQ-16",
    "REQ-17",
    "REQ-18",
    "REQ-19",
    "REQ-20",
    "REQ-26",
    "PLC-02",
    "PLC-03",
    "PLC-04",
    "PLC-07",
    "PLC-20",
    "PLC-34",
    "PLC-35",
    "EPT-08",
    "ORD-44",
    "ORD-45",
    "ORD-46",
    "AUTH-48",
  ],
  safety: "rests",
  cost: { requests: 8, orders: 4 },
  staging: 12,
  dimensions: {
    order: Object.keys(orders),
    field: Object.keys(fields),
    form: Object.keys(malformed),
    trace: ["none", "order", "id", "nonce", "wallet"],
  },
  strength: 2,
  closer: Object.keys(fields).map((field) => ({ field })),
  cannot: ({ order = "", field = "", form = "", trace }) => {
    const wrong = formOf(form, field);
    if (!orders[order]?.required.includes(field)) return "an ignored field may have any value";
    if (wrong === undefined) return "a field of this kind has no such form";
    if (wrong.verdict === "refused")
      return trace === "none" ? "what must be refused is looked for" : undefined;
    if (trace !== "none") return "a form that may be accepted creates an order";
    return order.startsWith("MARKET") ? "what may be taken would trade" : undefined;
  },
  lacks: ({ trace }, situation) =>
    trace === "wallet"
      ? missing(situation, { credentials: ["otherClient"], operations: ["wallets"] })
      : undefined,
  // One refusal may leave several traces. Wallets are those of a client that no other plan uses during this
  // one.
  together: ({ trace, ...refused }) =>
    trace === "none" || trace === "wallet" ? undefined : JSON.stringify(refused),
  plan: planOf,
};

export const validation = tableProperty(table);

function formOf(form: string, field: string, right = "1"): Malformed | undefined {
  const kind = fields[field]?.kind;
  const found = kind === undefined ? undefined : malformed[form]?.[kind]?.(right);
  return found?.value === right ? { ...found, verdict: "same" } : found;
}

function planOf(
  { order = "", field = "", form = "" }: Tuple,
  situation: Situation,
  all: readonly Tuple[],
): Plan {
  const shape = orders[order] ?? shapes.limitBuy;
  const { clause, needed, shown } = fields[field] ?? { clause: "REQ-20" };
  const right = rightOf(field, shape, situation);
  const { value, verdict, clause: other } = formOf(form, field, right) ?? { value: null, verdict: "refused" };
  const { [field]: _, ...rest } = orderOf(shape, "a");
  const body = value === undefined ? rest : { ...rest, [field]: value };
  const spec = other ?? (value === undefined ? (needed ?? shape.clause) : clause);
  const traces = all.map(({ trace = "" }) => trace);
  if (verdict === "refused")
    return {
      vars: { ...market, ...assetsOf("${product}") },
      // No other plan may change the held funds of that client.
      ...(traces.includes("wallet") ? { isolation: "account" as const } : {}),
      steps: refusedWith(body, spec, traces),
    };
  const taken: Expectation = { status: 200, body: { data: { type: "NEW_ORDER", ...showing(shown, right) } } };
  const judged: Judged = {
    spec: [verdict === "same" ? "REQ-26" : spec],
    expect: { $anyOf: [...refusals, taken] },
    ...(verdict === "same" ? {} : { should: { $anyOf: refusals } }),
  };
  return { vars: market, steps: [place("malformed", body, judged)] };
}

/** An unknown pair may be answered with 404. */
const refusals: readonly Expectation[] = [{ $macro: "rejected" }, { status: "4xx" }];

function showing(shown: Field["shown"], right: string): ValueMap {
  if (shown === undefined) return {};
  const [name, clause] = shown;
  return {
    order: { $optional: { [name]: { $cite: clause, is: { $optional: { $nullable: { $dec: right } } } } } },
  };
}

/** A value of the shape. Price and size are already numbers here, so that their digits can be changed. */
function rightOf(field: string, shape: Shape, { market: known }: Situation): string {
  const text = String(orderOf(shape, "a")[field]);
  const valueOf = (name: string): string | undefined => {
    const generator = market[name];
    if (typeof generator !== "object" || generator === null) return undefined;
    const [word = "", argument = null] = Object.entries(generator)[0] ?? [];
    if (word === "$calc") return calculate(String(argument), valueOf);
    return String(known.generate(word, argument as Value, false));
  };
  return valueOf(soleReference(text) ?? "") ?? text;
}

/** The malformed order, which is refused, and then the possible traces. */
function refusedWith(body: ValueMap, spec: string, traces: readonly string[]): WrittenStep[] {
  const refused = (id: string, more: Call = {}): WrittenStep =>
    call(id, "placeOrder", { ...more, body }, { spec: [spec], expect: { $anyOf: [...refusals] } });
  const sign: Sign = { transform: ["flipBit(5)"] };
  const note = "a wrong signature was let in: other tables see to that";
  const letIn: Judged = { note, onFail: "block", expect: { $macro: "refused" } };
  const as = "otherClient";
  const walletsAround = [...fundsOf(as), refused("malformedToo", { as }), ...nothingHeld("PLC-35", as)];
  const lookFor = (trace: string, ...steps: WrittenStep[]): WrittenStep[] =>
    traces.includes(trace) ? steps : [];
  return [
    ...lookFor("wallet", ...walletsAround),
    ...(traces.every((trace) => trace === "wallet") ? [] : [refused("malformed")]),
    ...lookFor("order", nowhere("nothing", "a")),
    ...lookFor("id", validUnder("a")),
    ...lookFor("nonce", call("forged", "placeOrder", { body, sign }, letIn), usedNonce),
  ];
}

/** After a 400 the id can be used again: if the order had been kept, this would be its repeat. */
function validUnder(slot: string): WrittenStep {
  const isNew: Expectation = { body: { data: { type: { $cite: "PLC-20", is: "NEW_ORDER" } } } };
  const noRepeat: Expectation = { $anyOf: [isNew, { $macro: "rejected" }] };
  return place("valid", orderOf(shapes.limitBuy, slot), {
    spec: ["PLC-34"],
    expect: { $switch: "${malformed.status}", "400": noRepeat },
    should: { $switch: "${malformed.status}", "400": isNew },
  });
}

const usedNonce: WrittenStep = call(
  "usedNonce",
  "openOrders",
  { sign: { override: { nonce: "${malformed.request.nonce}" } } },
  {
    spec: ["AUTH-48"],
    expect: { $switch: "${forged.status} ${malformed.status}", "401 400": { $macro: "refused" } },
  },
);
