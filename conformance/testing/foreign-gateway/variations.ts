import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "./authenticator.ts";
import { type Bug, replace } from "./bug.ts";
import { isLive, type Order } from "./order.ts";
import { publicVariations } from "./public-variations.ts";

/** Behaviour of real gateways that breaks no clause, with the cases and properties that could mistake it for a bug. */
export interface Variation extends Pick<Bug, "id" | "says" | "install"> {
  readonly tried: readonly string[];
}

const releasesAfterMs = 500;
const acknowledgedAfterMs = 2000;

export const variations: readonly Variation[] = [
  {
    id: "H-1",
    says: "The funds of a cancelled order are released half a second after its cancel.",
    tried: ["wallets-020*", "wallets-040*", "P-27"],
    install: ({ wallets }) =>
      replace(wallets, "hold", (legal) => (order, amount) => {
        if (order.status !== "CANCELLED") return legal(order, amount);
        setTimeout(() => legal(order, amount), releasesAfterMs).unref();
      }),
  },
  {
    id: "H-2",
    says: "The first cancel of a young order is refused: it is not yet acknowledged, and the client is to try again.",
    tried: ["orders-22*", "wallets-050*"],
    install: ({ desk, market }) => {
      const asked = new WeakSet<Order>();
      replace(desk, "cancel", (legal) => (key, id) => {
        const order = desk.found(key, id);
        const isYoung = market.now() - order.created < acknowledgedAfterMs;
        if (!isLive(order) || !isYoung || asked.has(order)) return legal(key, id);
        asked.add(order);
        throw new Refusal(409, "the order is not acknowledged yet, try again");
      });
    },
  },
  {
    id: "H-3",
    says: "A repeat that comes while the first request is being worked on is answered 409: try again.",
    tried: ["idempotency-030*", "P-18"],
    install: ({ desk }) => {
      const working = new Set<string>();
      replace(desk, "place", (legal) => async (key, draft) => {
        const name = desk.indexOf(key, draft);
        if (desk.earlier(key, draft) !== undefined) return legal(key, draft);
        if (working.has(name))
          throw new Refusal(409, "the first request is still being worked on, try again");
        working.add(name);
        try {
          await sleep(3);
          return await legal(key, draft);
        } finally {
          working.delete(name);
        }
      });
    },
  },
  {
    id: "H-4",
    says: "A MARKET BUY whose rest of the value buys no further step ends CANCELLED, with its fills.",
    tried: ["market-buy-*"],
    install: ({ market }) =>
      replace(
        market,
        "isSpent",
        () =>
          ({ spend, value }) =>
            value === spend,
      ),
  },
  {
    id: "H-5",
    says: "A path that no route has is answered with a page of HTML.",
    tried: ["errors-*", "auth-290*"],
    install: (gateway) =>
      replace(gateway, "unknown", () => () => ({
        status: 404,
        body: {},
        page: "<!doctype html><title>404</title><p>There is nothing here.</p>",
      })),
  },
  {
    id: "H-6",
    says: "The levels of both sides of a book go up in price.",
    tried: ["matching-*", "orders-23*", "events-140*"],
    install: (gateway) =>
      replace(gateway, "book", (legal) => (name) => {
        const book = legal(name);
        return { ...book, bids: [...(book["bids"] as unknown[])].reverse() };
      }),
  },
  {
    id: "H-7",
    says: "An order that has ended is found in the list of all orders only.",
    tried: ["orders-22*", "orders-237*", "P-50"],
    install: ({ desk }) =>
      replace(desk, "read", (legal) => (key, id) => {
        if (!isLive(desk.found(key, id))) throw new Refusal(404, "no such order is being worked on");
        return legal(key, id);
      }),
  },
  {
    id: "H-8",
    says: "A STOP_LIMIT whose price equals its stop price is refused.",
    tried: ["orders-*", "limits-*", "idempotency-*", "wallets-*", "claims-*", "P-19", "P-44"],
    install: ({ desk }) =>
      replace(desk, "checkRules", (legal) => (draft) => {
        if (draft.type === "STOP_LIMIT" && draft.price === draft.stop)
          throw new Refusal(400, "the price of a stop order is another one than its stop price");
        legal(draft);
      }),
  },
  {
    id: "H-9",
    says: "Reading orders asks for the claim to read them or for the claim to place them.",
    tried: ["claims-*", "P-42"],
    install: (gateway) =>
      replace(
        gateway,
        "permits",
        (legal) => (route, call) =>
          legal(route, call) || (route.claim === "read:orders" && call.key.claims.includes("write:orders")),
      ),
  },
  ...publicVariations,
];
