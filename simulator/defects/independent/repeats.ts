/** Bugs in what the service remembers of a `client_order_id`, and in what it answers to a repeat. */
import type { Reply } from "../../http/route.ts";
import { refuse } from "../../http/route.ts";
import { Aliases } from "../aliases.ts";
import {
  changedData,
  isReplay,
  type OrderBody,
  outcomeOf,
  placing,
  reading,
  textOf,
} from "../changed-call.ts";
import { type BrokenCall, type Decorators, type Defect, defect } from "../defect.ts";
import { parseObject } from "../json.ts";
import { Echoes } from "./echoes.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const idOf = (body: OrderBody): string => textOf(body, "client_order_id");
const isNew = (reply: Reply): boolean => outcomeOf(reply) === "NEW_ORDER";

/** A name for the same id in another scope is another id. */
function scopedBy(scope: (body: OrderBody, call: BrokenCall) => string): Decorators {
  const aliases = new Aliases();
  const firstScopes = new Map<string, string>();
  const names = new Map<string, string>();
  return {
    answer: aliases.answer,
    route: reading((body, call) => {
      const id = idOf(body);
      if (!UUID.test(id)) return null;
      const own = scope(body, call);
      const first = firstScopes.get(id) ?? own;
      firstScopes.set(id, first);
      if (first === own) return null;
      const name = `${id} ${own}`;
      const alias = names.get(name) ?? aliases.another(id);
      names.set(name, alias);
      return { ...body, client_order_id: alias };
    }),
  };
}

/** Changes the result that a repeat is answered with. */
const repeating = (
  change: (data: ReturnType<typeof parseObject>, body: OrderBody) => object,
): Pick<Decorators, "route"> => ({
  route: placing(async (_call, body, place) => {
    const reply = await place(body);
    return isReplay(reply) ? changedData(reply, (data) => change(data, body)) : reply;
  }),
});

// as: `order` of a replay is an order.
const orderIn = (data: ReturnType<typeof parseObject>): ReturnType<typeof parseObject> =>
  data["order"] as ReturnType<typeof parseObject>;

const COLUMN_WIDTH = 32;
const KEPT = 5;
const PATIENCE = 3;
const SLOW_INSERT_MS = 60;

export const REPEATS: readonly Defect[] = [
  // The column of the key is a little too narrow.
  defect("A-64", () => {
    const kept = new Map<string, string>();
    return {
      route: placing(async (_call, body, place) => {
        const column = idOf(body).slice(0, COLUMN_WIDTH);
        const reply = await place({ ...body, client_order_id: kept.get(column) ?? body["client_order_id"] });
        if (isNew(reply)) kept.set(column, idOf(body));
        return reply;
      }),
    };
  }),
  // Ids are unique per API key.
  defect("A-65", () => scopedBy((_body, { caller }) => caller.keyId)),
  // Ids are unique per product.
  defect("A-66", () => scopedBy((body) => textOf(body, "product"))),
  // A small cache of ids that drops the one that has not been used for longest.
  defect("A-67", () => {
    const aliases = new Aliases();
    const names = new Map<string, string>();
    const forgotten = new Set<string>();
    return {
      answer: aliases.answer,
      route: reading((body) => {
        const id = idOf(body);
        if (!UUID.test(id)) return null;
        const name = names.get(id) ?? (forgotten.delete(id) ? aliases.another(id) : id);
        names.delete(id);
        names.set(id, name);
        const [oldest] = names.keys();
        if (names.size > KEPT && oldest !== undefined) {
          names.delete(oldest);
          forgotten.add(oldest);
        }
        return { ...body, client_order_id: name };
      }),
    };
  }),
  // Whoever repeats too often is taken for broken.
  defect("A-68", () => {
    const repeats = new Map<string, number>();
    return {
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        if (!isReplay(reply)) return reply;
        const count = (repeats.get(idOf(body)) ?? 0) + 1;
        repeats.set(idOf(body), count);
        return count > PATIENCE ? refuse("CONFLICT", "Too many duplicates of this order") : reply;
      }),
    };
  }),
  // Only live orders are looked at when the type of the result is chosen.
  defect("A-69", () =>
    repeating((data) => {
      const live = ["OPEN", "PENDING"].includes(String(orderIn(data)["status"]));
      return live ? data : { type: "NEW_ORDER", order: data["order"] };
    }),
  ),
  // The order is inserted or updated.
  defect("A-70", () => {
    const echoes = new Echoes();
    return {
      ...echoes.shown,
      ...repeating((data, body) => {
        if (typeof body["price"] === "string" && orderIn(data)["limitPrice"] !== null)
          echoes.tell(idOf(body), { limitPrice: body["price"] });
        return data;
      }),
    };
  }),
  // The one who loses the race for the row does not understand why.
  defect("A-71", () => {
    const inserting = new Set<string>();
    return {
      route: placing(async (_call, body, place) => {
        const id = idOf(body);
        if (inserting.has(id)) return refuse("INTERNAL_ERROR", "duplicate key value violates a constraint");
        inserting.add(id);
        try {
          await new Promise((resolve) => setTimeout(resolve, SLOW_INSERT_MS));
          return await place(body);
        } finally {
          inserting.delete(id);
        }
      }),
    };
  }),
  // The text is written where the two requests are found to be equal.
  defect("A-72", () => {
    const bodies = new Map<string, string>();
    return {
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        if (isNew(reply)) bodies.set(idOf(body), JSON.stringify(body));
        const equal = bodies.get(idOf(body)) === JSON.stringify(body);
        return isReplay(reply) && !equal ? changedData(reply, ({ type, order }) => ({ type, order })) : reply;
      }),
    };
  }),
  // The handler means to answer 409, and a filter makes it 200 again; the body stays.
  defect("A-73", () => ({
    answer: (answer) =>
      answer.body.includes('"type":"DUPLICATE_REPLAY"')
        ? { ...answer, body: answer.body.replace('"statusCode":200', '"statusCode":409') }
        : answer,
  })),
  // The table of orders has one column for both kinds of limit orders.
  defect("A-74", () =>
    repeating((data) => {
      const order = orderIn(data);
      return order["type"] === "STOP_LIMIT" ? { ...data, order: { ...order, type: "LIMIT" } } : data;
    }),
  ),
  // Answers are cached by id, refusals for size too.
  defect("A-75", () => {
    const cached = new Map<string, Reply>();
    return {
      route: placing(async (_call, body, place) => {
        const known = cached.get(idOf(body));
        if (known !== undefined) return known;
        const reply = await place(body);
        if (!reply.ok && reply.error.code.startsWith("ORDER_SIZE")) cached.set(idOf(body), reply);
        return reply;
      }),
    };
  }),
  // The row is inserted before the size is looked at, and nobody rolls back.
  defect("A-76", () => {
    const echoes = new Echoes();
    return {
      ...echoes.shown,
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        if (reply.ok || reply.error.code !== "ORDER_SIZE_ABOVE_MAXIMUM") return reply;
        echoes.tell(idOf(body), { baseQuantity: body["base_quantity"] });
        await place({ ...body, base_quantity: "1" });
        return reply;
      }),
    };
  }),
  // A variable of the handler outlives the request.
  defect("A-77", () => {
    let newest: unknown;
    return {
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        if (isReplay(reply)) return changedData(reply, (data) => ({ ...data, order: newest }));
        if (reply.ok && isNew(reply)) newest = parseObject(reply.data)["order"];
        return reply;
      }),
    };
  }),
];
