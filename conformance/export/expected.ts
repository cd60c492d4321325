import { resolveFirst, resolvePointer } from "../check/pointer.ts";
import { failedOutcomes } from "../contract/fields.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Names } from "./names.ts";
import { expectedOrder, type KnownOrder, literally, type Orders, orderIn } from "./orders.ts";
import { type Turn, textAt } from "./turn.ts";

/** The parts of an answer that must hold again: the form of `expect`, and of `until` in a poll. */
export function expectedAnswer(turn: Turn, names: Names, orders: Orders): ValueMap {
  const { status, answered, route } = turn;
  if (status === undefined) return {};
  if (status < 200 || status > 299) return { status, ...errorOf(answered) };
  if (route?.op === "placeOrder") return placedAnswer(turn, names, orders);
  const order = orderIn(turn);
  if (order !== undefined) return { status, order: expectedOrder(order, names, knownOf(order, orders)) };
  const items = isOrderList(turn) ? itemsOf(turn, names, orders) : undefined;
  if (items !== undefined) return { status, items };
  return route?.operation.envelope === true ? { status, envelope: "ok" } : { status };
}

/** A code is a word of the gateway; the sentences of a refusal may change. */
function errorOf(answered: Json | undefined): ValueMap {
  const code = textAt(answered, "code");
  return code !== undefined && /^[A-Z][A-Z0-9_]*$/.test(code) ? { body: { code } } : {};
}

function placedAnswer(turn: Turn, names: Names, orders: Orders): ValueMap {
  const type = resolvePointer(turn.answered, "#/data/type");
  if (failedOutcomes.some((known) => known === type))
    return { $macro: "failedOutcome", body: { data: { type: String(type) } } };
  const order = orderIn(turn);
  if (order === undefined) return { status: turn.status ?? 200, envelope: "ok" };
  const id = textAt(order, "id") ?? "";
  const expected = expectedOrder(order, names, { ...knownOf(order, orders), ...placedWith(turn) });
  const first = names.nameOf(id);
  if (type === "NEW_ORDER" && first === undefined) return { $macro: "placed", order: expected };
  if (type === "DUPLICATE_REPLAY" && first !== undefined) {
    const { id: _, ...rest } = expected;
    return { $macro: `replayed(${first})`, order: rest };
  }
  return {
    status: turn.status ?? 200,
    ...(typeof type === "string" ? { body: { data: { type: literally(type) } } } : {}),
    order: expected,
  };
}

/** An order that is seen for the first time has no history. */
function knownOf(order: Json, orders: Orders): KnownOrder {
  const id = textAt(order, "id") ?? "";
  return orders.find(id) ?? { id, status: "", filled: "" };
}

export const placedWith = ({ sent }: Turn): { readonly placedWith?: Json } =>
  sent === undefined ? {} : { placedWith: sent };

export const isOrderList = ({ route }: Turn): boolean =>
  route?.op === "openOrders" || route?.op === "listOrders";

/** The orders of a list. */
export function listedIn({ route, answered }: Turn): readonly JsonObject[] {
  const list = route === undefined ? undefined : resolveFirst(answered, route.operation.items);
  return (isArray(list) ? list : []).filter((item): item is JsonObject => item instanceof JsonObject);
}

/**
 * Of a list, the orders that this recording placed: that they are in it, with their status, or that the open list does
 * not have them any more. Others may be there.
 */
function itemsOf(turn: Turn, names: Names, orders: Orders): Value | undefined {
  const listed = listedIn(turn);
  const own = listed.flatMap((item): Value[] => {
    const id = textAt(item, "id") ?? "";
    if (orders.find(id)?.placedWith === undefined) return [];
    const name = names.nameOf(id);
    const status = textAt(item, "status");
    return name === undefined
      ? []
      : [{ $some: { id: { $eqVar: name }, ...(status === undefined ? {} : { status: literally(status) }) } }];
  });
  const ids = new Set(listed.map((item) => textAt(item, "id")));
  const gone =
    turn.route?.op === "openOrders"
      ? orders.newlyGone(ids).flatMap(({ id }): Value[] => {
          const name = names.nameOf(id);
          return name === undefined ? [] : [{ $none: { id: { $eqVar: name } } }];
        })
      : [];
  const all = [...own, ...gone];
  return all.length > 1 ? { $allOf: all } : all[0];
}

/** The clauses that a step with this answer is about. */
export function clausesOf({ route, status, answered }: Turn): readonly string[] {
  if (status === undefined) return [];
  if (status === 401) return ["AUTH-34"];
  if (route?.op === "placeOrder") {
    if (status !== 200) return status === 400 ? ["ERR-01", "PLC-34"] : ["EPT-04"];
    const type = resolvePointer(answered, "#/data/type");
    if (type === "DUPLICATE_REPLAY") return ["PLC-10", "PLC-11", "PLC-12"];
    return type === "NEW_ORDER" ? ["PLC-21"] : ["PLC-22"];
  }
  if (route?.op === "cancelOrder") return ["EPT-11"];
  if (route?.op === "openOrders") return ["EPT-02"];
  return ["GEN-07"];
}
