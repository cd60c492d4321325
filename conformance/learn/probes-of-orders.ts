/** Probes that place orders: the smallest of the profile, at a price that does not trade, cancelled at once. */
import { randomUUID } from "node:crypto";
import { levelsAt, priceOf } from "../check/book-levels.ts";
import { parseDecimal, plain } from "../check/decimal.ts";
import { isMap } from "../model/value.ts";
import { broken, type LearnDesk, type Placed } from "./desk.ts";
import { mostReads, until, wholeLife } from "./life-of-an-order.ts";
import type { Probe } from "./probe.ts";
import type { Sample } from "./sighting.ts";

const more = (amount: string): string => (amount.includes(".") ? `${amount}0` : `${amount}.0`);

async function decimals(desk: LearnDesk): Promise<void> {
  const quantity = desk.quantity();
  await desk.place("decimals: with a plus sign", { base_quantity: `+${quantity}` });
  await desk.place("decimals: with a zero in front", { base_quantity: `0${quantity}` });
  await desk.place("decimals: with an exponent", { base_quantity: Number(quantity).toExponential() });
}

async function idCase(desk: LearnDesk): Promise<void> {
  const id = `${randomUUID().slice(0, 24)}abcdefabcdef`;
  await desk.place("id-case: in capitals", { client_order_id: id.toUpperCase() });
  await desk.place("id-case: in lower case", { client_order_id: id });
}

async function repeats(desk: LearnDesk): Promise<void> {
  const { clientOrderId } = await desk.place("repeats: placed");
  const twice = parseDecimal(desk.quantity())?.times(2);
  await desk.place("repeats: with another quantity", {
    client_order_id: clientOrderId,
    base_quantity: twice === undefined ? undefined : plain(twice),
  });
  await desk.place("repeats: without quantity", { client_order_id: clientOrderId, base_quantity: undefined });
}

async function refusedId(desk: LearnDesk): Promise<void> {
  const id = { client_order_id: randomUUID() };
  await desk.place("refused-id: signature broken", id, broken);
  await desk.place("refused-id: without quantity", { ...id, base_quantity: undefined });
  await desk.place("refused-id: placed in the end", id);
}

/** A triggered order stands in the book at its price; it is cancelled like the others. */
async function stops(desk: LearnDesk): Promise<void> {
  const type = "STOP_LIMIT";
  await desk.place("stop: trigger not reached", { type, stop_price: desk.far("SELL") });
  const price = desk.far("BUY");
  const crossed = await desk.place("stop: trigger passed", { type, stop_price: price });
  const orderBook = desk.session.operation("orderBook");
  const { path, bids } = orderBook;
  const target = path.replace("{product}", encodeURIComponent(desk.product()));
  const name = "stop: in the book";
  const stands = ({ exchange: { json } }: Sample): boolean =>
    levelsAt(json, bids).some((level) => {
      const shown = priceOf(level, orderBook);
      return typeof shown === "string" && Number(shown) === Number(price);
    });
  if (crossed.order === undefined) await desk.get(name, target);
  else {
    const before = crossed;
    desk.keep(
      name,
      await until(
        before,
        () => desk.get(name, target),
        stands,
        () => 30,
      ),
    );
  }
}

/** A profile that names such ids, or a key without a client, gives failed outcomes without a trade. */
async function outcomes(desk: LearnDesk): Promise<void> {
  const { facts, credentials } = desk.session.profile;
  const trigger = isMap(facts["trigger"]) ? facts["trigger"]["external"] : undefined;
  if (typeof trigger === "string")
    await desk.place("outcome: failed", { client_order_id: trigger + randomUUID().slice(trigger.length) });
  else if (credentials["orphan"] !== undefined) await desk.place("outcome: failed", {}, { role: "orphan" });
}

async function orphans(desk: LearnDesk): Promise<void> {
  if (desk.session.profile.credentials["orphan"] === undefined) return;
  await desk.open("orphan: read", { role: "orphan" });
  await desk.place("orphan: place", {}, { role: "orphan" });
}

async function scope(desk: LearnDesk): Promise<void> {
  const first: Placed = await desk.place("scope: trader");
  const id = { client_order_id: first.clientOrderId };
  const placer = {
    second: desk.roleOf("same client", "write:orders"),
    other: desk.roleOf("another client", "write:orders"),
  };
  const reader = {
    second: desk.roleOf("same client", "read:orders"),
    other: desk.roleOf("another client", "read:orders"),
  };
  if (placer.second !== undefined)
    await desk.place("scope: another key of the client", id, { role: placer.second });
  if (placer.other !== undefined) await desk.place("scope: another client", id, { role: placer.other });
  const { order } = first;
  if (order === undefined || typeof desk.session.profile.operations["readOrder"] !== "object") return;
  await desk.onOrder("scope: read by its key", "readOrder", order);
  if (reader.second !== undefined)
    await desk.onOrder("scope: read by another key of the client", "readOrder", order, {
      role: reader.second,
    });
  if (reader.other !== undefined)
    await desk.onOrder("scope: read by another client", "readOrder", order, { role: reader.other });
}

const rests = { safety: "rests" } as const;

export const probesOfOrders: readonly Probe[] = [
  {
    id: "order",
    ...rests,
    sends: "an order: placed, read, cancelled, cancelled again and repeated",
    requests: 5 + 3 * mostReads,
    orders: 2,
    run: wholeLife,
  },
  {
    id: "zeros",
    ...rests,
    sends: "the same order with trailing zeros",
    requests: 1,
    orders: 1,
    run: async (desk) => {
      await desk.place("zeros: placed", {
        base_quantity: more(desk.quantity()),
        price: more(desk.far("BUY")),
      });
    },
  },
  {
    id: "decimals",
    ...rests,
    sends: "an order with its quantity in odd spellings",
    requests: 3,
    orders: 3,
    run: decimals,
  },
  {
    id: "id-case",
    ...rests,
    sends: "a client_order_id in capitals and in lower case",
    requests: 2,
    orders: 2,
    run: idCase,
  },
  {
    id: "number",
    ...rests,
    sends: "an order with a JSON number",
    requests: 1,
    orders: 1,
    run: async (desk) => {
      await desk.place("number: a JSON number as quantity", {}, { asNumber: "base_quantity" });
    },
  },
  {
    id: "fields",
    ...rests,
    sends: "orders with an unknown field, an unused one and an id of version 1",
    requests: 3,
    orders: 3,
    run: async (desk) => {
      await desk.place("fields: one that nobody knows", { gatewright_learn: "1" });
      await desk.place("fields: quote_value of a LIMIT order is a word", { quote_value: "gatewright" });
      const id = randomUUID();
      await desk.place("fields: a client_order_id of version 1", {
        client_order_id: `${id.slice(0, 14)}1${id.slice(15)}`,
      });
    },
  },
  {
    id: "words",
    ...rests,
    sends: "orders with words in lower case, an unknown product and a type that cannot be placed",
    requests: 4,
    orders: 4,
    run: async (desk) => {
      await desk.place("words: side and type in lower case", { side: "buy", type: "limit" });
      await desk.place("words: product in lower case", { product: desk.product().toLowerCase() });
      await desk.place("words: a product that is not listed", { product: "GWLEARN-USD" });
      await desk.place("words: type TWAP", { type: "TWAP" });
    },
  },
  {
    id: "repeats",
    ...rests,
    sends: "an order and repeats with another body",
    requests: 3,
    orders: 3,
    run: repeats,
  },
  {
    id: "refused-id",
    ...rests,
    sends: "an id that is refused twice and then placed",
    requests: 3,
    orders: 3,
    run: refusedId,
  },
  {
    id: "stop",
    ...rests,
    sends: "two stop orders that cannot trade",
    requests: 2 + mostReads,
    orders: 2,
    run: stops,
  },
  {
    id: "outcome",
    ...rests,
    sends: "an order that the profile says must fail",
    requests: 1,
    orders: 1,
    run: outcomes,
  },
  {
    id: "orphan",
    ...rests,
    sends: "an order with a key without a client",
    requests: 2,
    orders: 1,
    run: orphans,
  },
  {
    id: "scope",
    ...rests,
    sends: "one client_order_id with several keys",
    requests: 6,
    orders: 3,
    run: scope,
  },
];
