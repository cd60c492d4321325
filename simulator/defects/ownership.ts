/** Bugs that show or change what belongs to another client. */

import { ok } from "../domain/result.ts";
import type { Reply } from "../http/route.ts";
import type { Grant } from "../stream/subscriptions.ts";
import { changedData, handling } from "../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../variations/defect.ts";
import { parseObject } from "../variations/json.ts";
import { orderJson } from "../wire/order-view.ts";

/** The same request as if a key of that client had signed it. */
const asClient = (call: BrokenCall, client: number): BrokenCall => ({
  ...call,
  caller: { ...call.caller, client },
});

/** Handled as if the client whose order the path names had asked. */
const forItsOwner = (operationId: string): Decorators => ({
  route: handling(operationId, (call, handle) => handle(asOwner(call))),
});

function asOwner(call: BrokenCall): BrokenCall {
  const number = call.ids.order.numberOf(call.params["id"]?.toLowerCase() ?? "");
  const owner = number === null ? undefined : call.state.orders.get(number)?.terms.client;
  return owner === undefined ? call : asClient(call, owner);
}

/** Handled as for each client in turn, beginning with the caller, until one answer is as wanted. */
const forAnyClient = (wanted: (reply: Reply) => boolean): Decorators => ({
  route: handling("listOrders", async (call, handle) => {
    const own = await handle();
    if (wanted(own)) return own;
    for (const { index } of call.state.clients) {
      const other = await handle(asClient(call, index));
      if (wanted(other)) return other;
    }
    return own;
  }),
});

const itemsOf = (reply: Reply): unknown[] => {
  const items = reply.ok ? parseObject(reply.data)["items"] : [];
  return Array.isArray(items) ? items : [];
};

/** After the caller's own orders come those that other clients have cancelled last. */
const withOthersCancelled: Decorators["route"] = handling("listOrders", async (call, handle) => {
  const reply = await handle();
  const others = call.state.clients
    .filter(({ index }) => index !== call.caller.client)
    .flatMap(({ orders }) => orders.map((number) => call.state.order(number)))
    .filter(({ status }) => status === "CANCELLED")
    .slice(-100)
    .map((order): unknown => JSON.parse(orderJson(call.state, call.ids, order)));
  return changedData(reply, (data) => ({ ...data, items: [...itemsOf(reply), ...others] }));
});

/** A subscriber to orders gets the open orders of all clients, and afterwards only changes of its own. */
const openOrdersOfAll =
  (inner: Grant): Grant =>
  (request, access) => {
    const granted = inner(request, access);
    if (!granted.ok) return granted;
    return ok(
      granted.value.flatMap((one) => {
        if (one.channel !== "orders" || one.client === null) return [one];
        const others = access.state.clients.filter(({ index }) => index !== one.client);
        return [
          one,
          ...others.map(({ index }) => ({
            ...one,
            key: `${one.key} of ${index}`,
            topic: "nobody tells of this",
            client: index,
          })),
        ];
      }),
    );
  };

export const ownershipDefects: readonly Defect[] = [
  bug("M-220", "An order can be read by anybody who knows its id", ["OWN-01"], () =>
    forItsOwner("readOrder"),
  ),
  bug("M-221", "The list of orders shows what other clients have cancelled", ["OWN-02"], () => ({
    route: withOthersCancelled,
  })),
  bug("M-222", "A cursor opens the list of the client that it was made for", ["OWN-03"], () =>
    forAnyClient((reply) => reply.ok),
  ),
  bug("M-223", "An order can be cancelled by anybody who knows its id", ["OWN-04"], () =>
    forItsOwner("cancelOrder"),
  ),
  bug("M-224", "A search by client_order_id looks in the orders of all clients", ["OWN-05"], () =>
    forAnyClient((reply) => !reply.ok || itemsOf(reply).length > 0),
  ),
  bug("M-225", "The channel of orders begins with those of all clients", ["OWN-06"], () => ({
    grant: openOrdersOfAll,
  })),
];
