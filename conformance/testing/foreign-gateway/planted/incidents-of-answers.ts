import { Refusal } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import type { Order, Record_ } from "../order.ts";
import { bookPath, mentions, turns } from "../site.ts";

const workers = 40;
const behindMs = 120_000;
const emptyEach = 12;
const sizeDigits = 8;

/** What went wrong at public gateways with signatures, clocks, repeats and answers (fixtures/incidents.yaml). */
export const incidentsOfAnswers: readonly Bug[] = [
  {
    id: "F-281",
    says: "The query is encoded again with capitals before it is signed: hex digits in small letters make the signature wrong.",
    clauses: ["AUTH-41"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) =>
      replace(
        authenticator,
        "signedPath",
        (legal) => (visit) => legal(visit).replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
      ),
    shows: async ({ trader }) => (await trader.get("/orders?product=BTC%2dUSD")).status === 401,
  },
  {
    id: "F-282",
    says: "Each fortieth request comes to a worker whose clock is two minutes behind: a right timestamp is refused there.",
    clauses: ["AUTH-32", "AUTH-08"],
    hard: true,
    kind: "signature",
    install: ({ authenticator }) => {
      let requests = 0;
      replace(authenticator, "isFresh", (legal) => (timestamp) => {
        requests += 1;
        // To a clock that is behind, a timestamp looks as if it was ahead.
        return legal(requests % workers === 0 ? String(Number(timestamp) + behindMs) : timestamp);
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(40)) if ((await trader.get("/order/open")).status === 401) return true;
      return false;
    },
  },
  {
    id: "F-283",
    says: "A client_order_id is looked at when an order goes into the book: one that trades at once may have a used one.",
    clauses: ["PLC-10", "PLC-17"],
    hard: true,
    kind: "placement",
    install: ({ desk, market }) =>
      replace(desk, "earlier", (legal) => (key, draft) => {
        const order = draft as Order;
        const [best] = draft.type === "STOP_LIMIT" ? [] : market.opposite(order);
        return best !== undefined && market.crosses(order, best) ? undefined : legal(key, draft);
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      return (await trader.again({ ...body, price: "50200" })).data["type"] === "NEW_ORDER";
    },
  },
  {
    id: "F-284",
    says: "A repeat is refused as a duplicate, and there is no order with it.",
    clauses: ["PLC-11", "PLC-12"],
    hard: false,
    kind: "placement",
    install: ({ desk }) =>
      replace(desk, "replay", () => () => {
        throw new Refusal(409, "duplicate client_order_id, and the report of the order is missing");
      }),
    shows: async ({ trader }) => {
      const body = trader.body();
      await trader.again(body);
      return (await trader.again(body)).status === 409;
    },
  },
  {
    id: "F-285",
    says: "An order that does not exist, funds that are missing and a product that is not enabled are answered 500.",
    clauses: ["ERR-04", "ERR-09"],
    hard: false,
    kind: "validation",
    install: ({ desk }) => {
      replace(desk, "found", (legal) => (key, id) => {
        if (!desk.orders.some((order) => order.id === id && desk.isOwn(key, order)))
          throw new Error("no such order");
        return legal(key, id);
      });
      replace(desk, "refuseFunds", () => () => {
        throw new Error("missing funds");
      });
      replace(desk, "checkRules", (legal) => (draft) => {
        if (!draft.product.enabled) throw new Error("closed market");
        legal(draft);
      });
    },
    shows: async ({ trader }) => {
      const replies = [
        await trader.get("/orders/L77"),
        await trader.buy("100000000", "25"),
        await trader.buy("0.4", "10", { product: "XRP-USD" }),
      ];
      return replies.every((reply) => reply.status === 500);
    },
  },
  {
    id: "F-286",
    says: "Each twelfth LIMIT is placed and answered 200 with an empty text.",
    clauses: ["GEN-07", "RES-01", "RES-03"],
    hard: true,
    kind: "placement",
    install: (gateway) => {
      let placed = 0;
      replace(gateway, "run", (legal) => async (route, call) => {
        const answer = await legal(route, call);
        const { type, order } = Object(answer.body["data"]) as Record_;
        if (type !== "NEW_ORDER" || (order as Record_)["type"] !== "LIMIT") return answer;
        placed += 1;
        return placed % emptyEach === 0 ? { ...answer, page: "" } : answer;
      });
    },
    shows: async ({ trader }) => {
      let isEmpty = false;
      for (const _ of turns(12))
        await trader.place().catch(() => {
          isEmpty = true;
        });
      return isEmpty && (await trader.get("/order/open")).list.length === 12;
    },
  },
  {
    id: "F-287",
    says: "The quantities of a book that is read are JSON numbers of eight digits: longer ones lose their end.",
    clauses: ["GEN-04", "EPT-13"],
    hard: false,
    kind: "arithmetic",
    install: (gateway) =>
      replace(gateway, "book", (legal) => (name) => {
        const book = legal(name);
        const cut = (side: unknown) =>
          (side as { price: string; quantity: string }[]).map(({ price, quantity }) => ({
            price,
            quantity: Number(Number(quantity).toPrecision(sizeDigits)),
          }));
        return { ...book, bids: cut(book["bids"]), asks: cut(book["asks"]) };
      }),
    shows: async ({ trader }) => {
      await trader.place({ price: "49900", base_quantity: "0.12345678" });
      return mentions(await trader.get(bookPath), 40.123457);
    },
  },
];
