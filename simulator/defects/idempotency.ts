/** Bugs in the promise that one `client_order_id` makes one order. */
import { randomUUID } from "node:crypto";
import { type Reply, refuse } from "../http/route.ts";
import { Aliases } from "../variations/aliases.ts";
import { withStatus } from "../variations/answers.ts";
import {
  changedData,
  isReplay,
  isUuid,
  type OrderBody,
  type Placement,
  placing,
  textOf,
} from "../variations/changed-call.ts";
import { type Answer, type BrokenCall, bug, type Decorators, type Defect } from "../variations/defect.ts";
import { type Fields, parseObject } from "../variations/json.ts";
import { orderJson } from "../wire/order-view.ts";
import { InFlight, LostAnswers } from "./in-flight.ts";

const idField = "client_order_id";
const fields = ["side", "type", "base_quantity", "quote_value", "price", "stop_price", "product"];
const second = 1_000;
const terminal = /"status":"(?:FILLED|CANCELLED|EXPIRED|FAILED)"/;

/**
 * If this returns true, the existing order is not found, and a second one is made. A value that is not an id matches no
 * order.
 */
function forgetting(misses: (call: BrokenCall, body: OrderBody) => boolean): Decorators {
  const aliases = new Aliases();
  const route = placing((call, body, place) =>
    place(
      isUuid(textOf(body, idField)) && misses(call, body)
        ? { ...body, [idField]: aliases.another(textOf(body, idField)) }
        : body,
    ),
  );
  return { route, answer: aliases.answer };
}

/** Remembers by a key that is more than the id. */
function keyedBy(keyOf: (body: OrderBody) => string): Decorators {
  const known = new Map<string, Set<string>>();
  return forgetting((_call, body) => {
    const keys = known.get(textOf(body, idField)) ?? new Set<string>();
    known.set(textOf(body, idField), keys);
    const key = keyOf(body);
    const misses = keys.size > 0 && !keys.has(key);
    keys.add(key);
    return misses;
  });
}

/** An id that was used longer ago than this is unknown. */
function forgettingAfter(age: number, now: () => number): Decorators {
  const used = new Map<string, number>();
  return forgetting((_call, body) => {
    const id = textOf(body, idField);
    const at = used.get(id);
    if (at === undefined) used.set(id, now());
    return at !== undefined && now() - at > age;
  });
}

/** Answers a replay in another way. */
const replaying = (change: (reply: Reply, call: BrokenCall, body: OrderBody) => Reply): Decorators => ({
  route: placing(async (call, body, place) => {
    const reply = await place(body);
    return isReplay(reply) ? change(reply, call, body) : reply;
  }),
});

const changedReplay = (change: (data: Fields) => unknown): Decorators =>
  replaying((reply) => changedData(reply, change));

const without = (field: string) => (data: Fields) => ({ ...data, [field]: undefined });

/** The order of a replay, changed. */
const withOrder =
  (change: (order: Fields) => unknown) =>
  (data: Fields): unknown => ({
    ...data,
    // as: the order of an OrderResult.
    order: change(data["order"] as Fields),
  });

function latestOrder(call: BrokenCall): Fields | null {
  const { client } = call.caller;
  const number = client === null ? undefined : call.state.client(client).orders.at(-1);
  if (number === undefined) return null;
  return parseObject(orderJson(call.state, call.ids, call.state.order(number)));
}

const echoed = (body: OrderBody): Record<string, unknown> => ({
  side: body["side"],
  type: body["type"],
  ...(body["base_quantity"] === undefined ? {} : { baseQuantity: body["base_quantity"] }),
  ...(body["price"] === undefined ? {} : { limitPrice: body["price"] }),
});

const around = (placement: Placement): Decorators => ({ route: placing(placement) });

export const idempotencyDefects: readonly Defect[] = [
  bug("M-041", "Two orders with one id at once both go through", ["PLC-16"], () => {
    const flying = new InFlight();
    const aliases = new Aliases();
    return {
      route: placing((_call, body, place) => {
        const id = textOf(body, idField);
        const unseen = flying.has(id) ? aliases.another(id) : id;
        return flying.during(id, () => place({ ...body, [idField]: unseen }));
      }),
      answer: aliases.answer,
    };
  }),
  bug("M-042", "A repeat makes a second order", ["PLC-10", "PLC-11"], () => {
    const used = new Set<string>();
    return forgetting((_call, body) => {
      const again = used.has(textOf(body, idField));
      used.add(textOf(body, idField));
      return again;
    });
  }),
  bug("M-043", "A repeat is answered NEW_ORDER", ["PLC-11"], () =>
    changedReplay((data) => ({ ...data, type: "NEW_ORDER" })),
  ),
  bug("M-044", "A repeat is answered with 409", ["PLC-11", "EPT-04"], () => ({
    answer: (answer: Answer) =>
      answer.body.includes('"DUPLICATE_REPLAY"')
        ? withStatus({ ...answer, body: answer.body.replace('"success":true', '"success":false') }, 409)
        : answer,
  })),
  bug("M-045", "A repeat is answered without its order", ["RES-04"], () => changedReplay(without("order"))),
  bug("M-046", "A repeat is answered without a message", ["PLC-13", "RES-07"], () =>
    changedReplay(without("message")),
  ),
  bug("M-047", "A repeat shows the latest order instead of the original", ["PLC-12"], () =>
    replaying((reply, call) =>
      changedData(
        reply,
        withOrder((order) => latestOrder(call) ?? order),
      ),
    ),
  ),
  bug("M-048", "A repeat shows another id for the same order", ["PLC-12", "ORD-39"], () =>
    changedReplay(withOrder((order) => ({ ...order, id: randomUUID() }))),
  ),
  bug("M-049", "A repeat shows what was asked for the second time", ["PLC-12"], () =>
    replaying((reply, _call, body) =>
      changedData(
        reply,
        withOrder((order) => ({ ...order, ...echoed(body) })),
      ),
    ),
  ),
  bug("M-050", "Another payload under the same id makes another order", ["PLC-14"], () =>
    keyedBy((body) => fields.map((field) => String(body[field])).join("\n")),
  ),
  bug("M-051", "An id is free again once its order is over", ["PLC-17"], () => {
    const aliases = new Aliases();
    return {
      route: placing(async (_call, body, place) => {
        const reply = await place(body);
        const over = reply.ok && isReplay(reply) && terminal.test(reply.data);
        return over ? place({ ...body, [idField]: aliases.another(textOf(body, idField)) }) : reply;
      }),
      answer: aliases.answer,
    };
  }),
  bug("M-052", "Each of two workers remembers its own ids", ["PLC-15", "PLC-10", "PLC-11"], () => {
    let placements = 0;
    return keyedBy(() => {
      placements += 1;
      return `worker ${placements % 2}`;
    });
  }),
  bug("M-053", "An id is forgotten after a second", ["PLC-15", "PLC-10", "PLC-11"], ({ now }) =>
    forgettingAfter(second, now),
  ),
  bug("M-054", "A repeat while the first is on its way is answered with 500", ["PLC-16", "ERR-09"], () => {
    const flying = new InFlight();
    return around((_call, body, place) => {
      const id = textOf(body, idField);
      if (flying.has(id)) {
        return Promise.resolve(refuse("INTERNAL_ERROR", "UNIQUE constraint failed: orders.client_order_id"));
      }
      return flying.during(id, () => place(body));
    });
  }),
  bug("M-055", "A refused order uses up its id", ["PLC-20"], () => {
    const burnt = new Set<string>();
    return around(async (_call, body, place) => {
      const id = textOf(body, idField);
      if (burnt.has(id))
        return refuse("VALIDATION_FAILED", "client_order_id was used before", [{ field: idField }]);
      const reply = await place(body);
      if (!reply.ok) burnt.add(id);
      return reply;
    });
  }),
  bug("M-056", "Another client's order is answered for the same id", ["PLC-19"], () => {
    const owners = new Map<string, { readonly client: number | null; readonly data: string }>();
    return around(async ({ caller }, body, place) => {
      const id = textOf(body, idField);
      const first = owners.get(id);
      if (first !== undefined && first.client !== caller.client) {
        const data = first.data
          .replace("NEW_ORDER", "DUPLICATE_REPLAY")
          .replace(/\}$/, ',"message":"Duplicate"}');
        return { ok: true, status: 200, message: "Duplicate order", data, repeated: true };
      }
      const reply = await place(body);
      if (reply.ok && !isReplay(reply)) owners.set(id, { client: caller.client, data: reply.data });
      return reply;
    });
  }),
  bug("M-057", "The third repeat fails", ["PLC-15"], () => {
    const replays = new Map<string, number>();
    return replaying((reply, _call, body) => {
      const id = textOf(body, idField);
      const count = (replays.get(id) ?? 0) + 1;
      replays.set(id, count);
      return count < 3 ? reply : refuse("CONFLICT", "Too many repeats of this order");
    });
  }),
  bug("M-058", "A retry after a lost answer makes a second order", ["PLC-10"], ({ now }) => {
    const answers = new LostAnswers(now);
    return {
      ...forgetting((_call, body) => answers.wasLost(textOf(body, idField))),
      listener: ({ app }) => {
        app.addHook("preHandler", (request, _reply, next) => {
          const body = request.body instanceof Uint8Array ? Buffer.from(request.body).toString("utf8") : "";
          const id = /"client_order_id"\s*:\s*"([^"]+)"/.exec(body)?.[1];
          if (id !== undefined) answers.expect(request.raw.socket, id);
          next();
        });
      },
    };
  }),
  bug("M-191", "An id is forgotten after eight seconds", ["PLC-18", "PLC-10", "PLC-11"], ({ now }) =>
    forgettingAfter(8 * second, now),
  ),
];
