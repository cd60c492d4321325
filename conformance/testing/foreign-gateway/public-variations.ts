import { randomUUID } from "node:crypto";
import { Refusal } from "./authenticator.ts";
import { replace } from "./bug.ts";
import { isLive } from "./order.ts";
import type { Variation } from "./variations.ts";

const carriedOutAfterMs = 150;
const rememberedMs = 600_000;

/** Habits of public gateways, as their documents and threads tell, that the specification leaves open. */
export const publicVariations: readonly Variation[] = [
  {
    id: "H-10",
    says: "A client_order_id that another client has used is refused.",
    tried: ["idempotency-*", "P-18"],
    install: ({ desk }) =>
      replace(desk, "placeNew", (legal) => (key, draft) => {
        const isTaken = desk.orders.some(
          ({ clientOrderId, client }) =>
            client !== key.client && clientOrderId.toLowerCase() === draft.clientOrderId.toLowerCase(),
        );
        if (isTaken) throw new Refusal(409, "this client_order_id is in use");
        return legal(key, draft);
      }),
  },
  {
    id: "H-12",
    says: "A cancel is a request: it is answered at once with the order as it is, and carried out a little later.",
    tried: ["orders-22*", "wallets-*", "claims-*"],
    install: ({ desk }) =>
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        if (!isLive(order)) return legal(key, id);
        setTimeout(() => isLive(order) && legal(key, id), carriedOutAfterMs).unref();
        return desk.writer.view(order);
      }),
  },
  {
    id: "H-13",
    says: "The list of open orders does not show the trigger of a stop.",
    tried: ["orders-*", "stops-*"],
    install: ({ desk }) =>
      replace(desk, "open", (legal) => (key) => legal(key).map((view) => ({ ...view, stopPrice: null }))),
  },
  {
    id: "H-14",
    says: "A new order is told of once, as it is after it has met the market.",
    tried: ["events-*"],
    install: ({ stream }) =>
      replace(stream, "order", (legal) => (order, view) => {
        if (order.synced) legal(order, view);
      }),
  },
  {
    id: "H-15",
    says: "A client_order_id can be used again ten minutes after its order.",
    tried: ["idempotency-*"],
    install: ({ desk, market }) =>
      replace(desk, "earlier", (legal) => (key, draft) => {
        const order = legal(key, draft);
        return order !== undefined && market.now() - order.created < rememberedMs ? order : undefined;
      }),
  },
  {
    id: "H-16",
    says: "The ids of orders are random UUIDs.",
    tried: ["orders-*"],
    install: ({ desk }) => replace(desk, "newId", () => () => randomUUID()),
  },
  {
    id: "H-17",
    says: "Orders have fields that the document does not name.",
    tried: ["orders-*", "events-*"],
    install: ({ writer }) =>
      replace(writer, "view", (legal) => (order) => ({
        ...legal(order),
        stp: "dc",
        settled: !isLive(order),
        profileId: null,
      })),
  },
];
