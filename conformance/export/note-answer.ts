import { resolvePointer } from "../check/pointer.ts";
import type { Value } from "../model/value.ts";
import { isOrderList, listedIn, placedWith } from "./expected.ts";
import { isIdentifier, type Names, nameFor } from "./names.ts";
import { type Orders, orderIn } from "./orders.ts";
import { type Turn, textAt, textsBelow } from "./turn.ts";

/** Takes over the orders, identifiers and prices of an answer; returns whether a known order has changed. */
export function noteAnswer(turn: Turn, step: string, names: Names, orders: Orders): boolean {
  const { answered, route } = turn;
  if (turn.status === undefined || turn.status > 299) return false;
  if (route?.op === "orderBook") notePrices(turn, step, names);
  const order = orderIn(turn);
  const isPlacing = route?.op === "placeOrder";
  const id = textAt(order, "id");
  if (id !== undefined) {
    const name = isPlacing ? `order${orders.placed().length + 1}` : "order";
    names.offer(id, { step, name, pointer: "#order/id" });
  }
  for (const { text, key, pointer } of textsBelow(answered))
    if (isIdentifier(text, key)) names.offer(text, { step, name: nameFor(key), pointer });
  const records = order === undefined ? (isOrderList(turn) ? listedIn(turn) : []) : [order];
  const isNew = resolvePointer(answered, "#/data/type") === "NEW_ORDER";
  const news = records.map((one) =>
    orders.see(one, isPlacing && isNew ? placedWith(turn).placedWith : undefined),
  );
  return news.includes(true);
}

/** The client makes new ids each time. */
export function nameClientId({ sent }: Turn, names: Names): void {
  const id = textAt(sent, "client_order_id");
  if (id === undefined || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return;
  const name = `key${names.defined + 1}`;
  if (!names.isDefined(id)) names.define(id, name, generatorFor(id, name));
}

/** A beginning of zeros is a word of the sandbox, and the version is part of what is tested. */
function generatorFor(id: string, name: string): Value {
  const version = Number(id[14]);
  const prefix = id.startsWith("0000") ? { prefix: id.slice(0, 8) } : {};
  if (version === 4 && !id.startsWith("0000")) return { $uuid4: name };
  return { $uuid: { version: version === 1 || version === 7 ? version : 4, ...prefix } };
}

function notePrices({ route, answered }: Turn, step: string, names: Names): void {
  const sides = [
    ["bid", route?.operation.bids],
    ["ask", route?.operation.asks],
  ] as const;
  for (const [name, levels] of sides)
    for (const place of ["0/price", "0/0"]) {
      const pointer = `${levels ?? ""}/${place}`;
      const price = resolvePointer(answered, pointer);
      if (typeof price === "string") names.offerPrice(price, { step, name, pointer });
    }
}
