/** Bugs in what the service remembers of a `client_order_id`, and in what it answers to a repeat. */
import type { Reply } from "../../http/route.ts";
import { refuse } from "../../http/route.ts";
import { Aliases } from "../../variations/aliases.ts";
import {
  changedData,
  isReplay,
  type OrderBody,
  outcomeOf,
  placing,
  reading,
  textOf,
} from "../../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../../variations/defect.ts";
import { parseObject } from "../../variations/json.ts";
import { Echoes } from "./echoes.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
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
      if (!uuid.test(id)) return null;
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

const columnWidth = 32;
const mostKept = 5;
const mostRepeats = 3;
const slowInsertMs = 60;

export const repeatBugs: readonly Defect[] = [
  // The column of the key is a little too narrow.
  bug(
    "A-64",
    "Two ids that are equal in their first 32 characters are one",
    ["PLC-21", "PLC-12", "ORD-40"],
    () => {
      const kept = new Map<string, string>();
      return {
        route: placing(async (_call, body, place) => {
          const column = idOf(body).slice(0, columnWidth);
          const reply = await place({
            ...body,
            client_order_id: kept.get(column) ?? body["client_order_id"],
          });
          if (isNew(reply)) kept.set(column, idOf(body));
          return reply;
        }),
      };
    },
  ),
  // Ids are unique per API key.
  bug("A-65", "One id makes an order for each API key of a client", { informational: ["PLC-19"] }, () =>
    scopedBy((_body, { caller }) => caller.keyId),
  ),
  // Ids are unique per product.
  bug("A-66", "One id makes an order for each product", ["PLC-14", "PLC-10", "PLC-11"], () =>
    scopedBy((body) => textOf(body, "product")),
  ),
  // A small cache of ids that drops the one that has not been used for longest.
  bug("A-67", "An id is forgotten after five others", ["PLC-15", "PLC-10", "PLC-11"], () => {
    const aliases = new Aliases();
    const names = new Map<string, string>();
    const forgotten = new Set<string>();
    return {
      answer: aliases.answer,
      route: reading((body) => {
        const id = idOf(body);
        if (!uuid.test(id)) return null;
        const name = names.get(id) ?? (forgotten.delete(id) ? aliases.another(id) : id);
        names.delete(id);
        names.set(id, name);
        const [oldest] = names.keys();
        if (names.size > mostKept && oldest !== undefined) {
          names.delete(oldest);
          forgotten.add(oldest);
        }
        return { ...body, client_order_id: name };
      }),
    };
  }),
  // A client that repeats too often is taken for a broken one.
  bug("A-68", "The fourth repeat is answered 409", ["PLC-15", "PLC-11"], () => {
    const repeats = new Map<string, number>();
    return {
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        if (!isReplay(reply)) return reply;
        const count = (repeats.get(idOf(body)) ?? 0) + 1;
        repeats.set(idOf(body), count);
        return count > mostRepeats ? refuse("CONFLICT", "Too many duplicates of this order") : reply;
      }),
    };
  }),
  // Only live orders are looked at when the type of the result is chosen.
  bug("A-69", "A repeat of an order that is over says NEW_ORDER", ["PLC-17", "PLC-11"], () =>
    repeating((data) => {
      const live = ["OPEN", "PENDING"].includes(String(orderIn(data)["status"]));
      return live ? data : { type: "NEW_ORDER", order: data["order"] };
    }),
  ),
  // The order is inserted or updated.
  bug("A-70", "A repeat with another price changes the price of the order", ["PLC-14", "PLC-12"], () => {
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
  bug("A-71", "Simultaneous repeats are answered 500", ["PLC-16", "PLC-11", "ERR-09"], () => {
    const inserting = new Set<string>();
    return {
      route: placing(async (_call, body, place) => {
        const id = idOf(body);
        if (inserting.has(id)) return refuse("INTERNAL_ERROR", "duplicate key value violates a constraint");
        inserting.add(id);
        try {
          await new Promise((resolve) => setTimeout(resolve, slowInsertMs));
          return await place(body);
        } finally {
          inserting.delete(id);
        }
      }),
    };
  }),
  // The text is written where the two requests are found to be equal.
  bug("A-72", "A repeat with other contents comes without a message", ["PLC-13", "RES-07"], () => {
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
  bug("A-73", "The body of a repeat says status 409", ["ENV-03"], () => ({
    answer: (answer) =>
      answer.body.includes('"type":"DUPLICATE_REPLAY"')
        ? { ...answer, body: answer.body.replace('"statusCode":200', '"statusCode":409') }
        : answer,
  })),
  // The table of orders has one column for both kinds of limit orders.
  bug("A-74", "A repeat shows a STOP_LIMIT as a LIMIT", ["PLC-12", "ORD-42"], () =>
    repeating((data) => {
      const order = orderIn(data);
      return order["type"] === "STOP_LIMIT" ? { ...data, order: { ...order, type: "LIMIT" } } : data;
    }),
  ),
  // Answers are cached by id, refusals for size too.
  bug("A-75", "A refusal for size is repeated to a corrected order with the same id", ["PLC-20"], () => {
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
  // The row is inserted before the size is looked at, and is not rolled back.
  bug(
    "A-76",
    "An order above the maximum size is refused and stays open all the same",
    ["PLC-34", "EPT-08"],
    () => {
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
    },
  ),
  // A variable of the handler outlives the request.
  bug(
    "A-77",
    "A repeat shows the newest order instead of the original",
    ["PLC-12", "PLC-10", "ORD-39"],
    () => {
      let newest: unknown;
      return {
        route: placing(async (_call, body, place) => {
          const reply = await place(body);
          if (isReplay(reply)) return changedData(reply, (data) => ({ ...data, order: newest }));
          if (reply.ok && isNew(reply)) newest = parseObject(reply.data)["order"];
          return reply;
        }),
      };
    },
  ),
];
