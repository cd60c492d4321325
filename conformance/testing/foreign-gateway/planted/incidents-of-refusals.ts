import { amountOf } from "../amounts.ts";
import { Refusal, type Visit } from "../authenticator.ts";
import { type Bug, replace } from "../bug.ts";
import type { Desk } from "../desk.ts";
import type { Answer } from "../gateway.ts";
import { type Draft, isLive, type Record_ } from "../order.ts";
import { mentions, places, statusOf, turns } from "../site.ts";

const duplicateEach = 4;
const brokenEach = 30;
const secondMs = 1000;
const mostRequests = 100;
const pricesMs = 10_000;
const mostPrices = 20;

const page = (status: number, title: string): Answer => ({
  status,
  body: {},
  page: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

const isPlacement = ({ method, target }: Visit): boolean => method === "POST" && target.endsWith("/order");

/** Answers something else where the exchange refuses an order that keeps the rules. */
const whereRefused = (
  desk: Desk,
  answer: (draft: Draft, key: Parameters<Desk["place"]>[0]) => Record_,
): void =>
  replace(desk, "placeNew", (legal) => (key, draft) => {
    desk.checkRules(draft);
    try {
      return legal(key, draft);
    } catch (error) {
      if (error instanceof Refusal) return answer(draft, key);
      throw error;
    }
  });

/** Counts what happens, and says how often it did in so many milliseconds. */
function counter(withinMs: number): () => number {
  let times: number[] = [];
  return () => {
    const now = Date.now();
    times = [...times.filter((time) => time > now - withinMs), now];
    return times.length;
  };
}

/** A page in place of JSON cannot be read. */
const isUnreadable = (reply: Promise<unknown>): Promise<boolean> =>
  reply.then(
    () => false,
    () => true,
  );

/** What went wrong at public gateways with refusals and with limits on requests (fixtures/incidents.yaml). */
export const incidentsOfRefusals: readonly Bug[] = [
  {
    id: "F-365",
    says: "A key that opens nothing gets the page to sign in, with status 200, where it reads the open orders.",
    clauses: ["ERR-07", "ERR-10", "AUTH-34"],
    hard: true,
    kind: "validation",
    install: (gateway) =>
      replace(gateway, "refused", (legal) => (error, visit) => {
        const isKey = error instanceof Refusal && error.message === "this key opens nothing";
        return isKey && visit.target.endsWith("/order/open") ? page(200, "Sign in") : legal(error, visit);
      }),
    shows: async ({ revoked }) => isUnreadable(revoked.get("/order/open")),
  },
  {
    id: "F-366",
    says: "An order that the exchange refuses is answered 200 with NEW_ORDER, and its status is FAILED.",
    clauses: ["ERR-04"],
    hard: true,
    kind: "placement",
    install: ({ desk }) =>
      whereRefused(desk, (draft, key) => ({
        type: "NEW_ORDER",
        order: { ...desk.writer.view(desk.create(key, draft)), status: "FAILED" },
      })),
    shows: async ({ trader }) => (await trader.buy("100000000", "25")).order["status"] === "FAILED",
  },
  {
    id: "F-367",
    says: "That a field is missing shows when it is used: the answer is 500.",
    clauses: ["ERR-01", "ERR-05", "ERR-09", "PLC-01", "PLC-02", "PLC-03", "PLC-04", "PLC-07"],
    hard: false,
    kind: "validation",
    install: ({ orderReader }) => {
      const demand = (body: Record_, field: string): void => {
        if (body[field] === undefined) throw new Error(`${field} of undefined`);
      };
      replace(orderReader, "parse", (legal) => (bytes) => {
        const body = legal(bytes);
        for (const field of ["side", "type", "client_order_id", "product"]) demand(body, field);
        return body;
      });
      replace(orderReader, "positive", (legal) => (body, field) => {
        demand(body, field);
        return legal(body, field);
      });
    },
    shows: async ({ trader }) => (await trader.place({ side: undefined })).status === 500,
  },
  {
    id: "F-368",
    says: "An order that the exchange refuses is answered 200: the execution failed, for a reason that is unknown.",
    clauses: ["ERR-04", "ERR-05"],
    hard: true,
    kind: "placement",
    install: ({ desk }) =>
      whereRefused(desk, () => ({ type: "EXTERNAL_EXECUTION_FAILED", message: "unknown" })),
    shows: async ({ trader }) => (await trader.buy("100000000", "25")).data["message"] === "unknown",
  },
  {
    id: "F-369",
    says: "Each fourth cancel of an open order is refused because its client_order_id is in use, and the order stays.",
    clauses: ["EPT-11"],
    hard: true,
    kind: "rare state",
    install: ({ desk }) => {
      let cancels = 0;
      replace(desk, "cancel", (legal) => (key, id) => {
        if (isLive(desk.found(key, id))) cancels += 1;
        if (cancels % duplicateEach === 0 && isLive(desk.found(key, id)))
          throw new Refusal(400, "client_order_id has to be unique");
        return legal(key, id);
      });
    },
    shows: async ({ trader }) => {
      for (const _ of turns(3)) await trader.cancel(await trader.place());
      return (await trader.cancel(await trader.place())).status === 400;
    },
  },
  {
    id: "F-370",
    says: "Each thirtieth order is placed and answered 502 with a page.",
    clauses: ["ERR-10", "EPT-04", "PLC-21"],
    hard: true,
    kind: "placement",
    install: (gateway) => {
      let placed = 0;
      replace(gateway, "run", (legal) => async (route, call) => {
        const answer = await legal(route, call);
        if ((Object(answer.body["data"]) as Record_)["type"] !== "NEW_ORDER") return answer;
        placed += 1;
        return placed % brokenEach === 0 ? page(502, "Bad gateway") : answer;
      });
    },
    shows: async (site) => {
      await places(site, 29);
      return isUnreadable(site.trader.place());
    },
  },
  {
    id: "F-371",
    says: "Whatever is wrong with an order, the answer is 500 and says that an unknown error occurred.",
    clauses: ["ERR-01", "ERR-04", "ERR-05", "ERR-09"],
    hard: false,
    kind: "validation",
    install: (gateway) =>
      replace(gateway, "refused", (legal) => (error, visit) => {
        const isOfOrder = isPlacement(visit) && error instanceof Refusal && error.status === 400;
        return legal(isOfOrder ? new Refusal(500, "an unknown error occurred") : error, visit);
      }),
    shows: async ({ trader }) => (await trader.place({ price: "-1" })).status === 500,
  },
  {
    id: "F-372",
    says: "The message of every order that is refused says that all operations failed, and no more.",
    clauses: ["ERR-05"],
    hard: true,
    kind: "validation",
    install: (gateway) =>
      replace(gateway, "refused", (legal) => (error, visit) => {
        const isOfOrder = isPlacement(visit) && error instanceof Refusal && error.status === 400;
        return legal(isOfOrder ? new Refusal(400, "all operations failed") : error, visit);
      }),
    shows: async ({ trader }) =>
      mentions((await trader.place({ side: "UP" })).message, "all operations failed"),
  },
  {
    id: "F-373",
    says: "Who is beyond a hundred requests in a second is answered 429 with a page.",
    clauses: ["ERR-10"],
    hard: true,
    kind: "race",
    install: (gateway) => {
      const requests = counter(secondMs);
      replace(
        gateway,
        "answer",
        (legal) => async (visit) =>
          requests() > mostRequests ? page(429, "Too many requests") : legal(visit),
      );
    },
    shows: async ({ trader }) => {
      const replies = turns(150).map(() => isUnreadable(trader.get("/order/open", { apart: true })));
      return (await Promise.all(replies)).includes(true);
    },
  },
  {
    id: "F-374",
    says: "From the 21st read of products or books in ten seconds on, the answer is 200 with a note about the limit.",
    clauses: ["GEN-07", "ENV-01"],
    hard: true,
    kind: "products",
    install: (gateway) => {
      const reads = counter(pricesMs);
      const body = { note: "Thank you for using this service. Please make fewer requests." };
      replace(
        gateway,
        "run",
        (legal) => async (route, call) =>
          route.claim === "read:market-data" && reads() > mostPrices
            ? { status: 200, body }
            : legal(route, call),
      );
    },
    shows: async ({ trader }) => {
      for (const _ of turns(20)) await trader.get("/product");
      const { status: code, success } = await trader.get("/product");
      return code === 200 && success === undefined;
    },
  },
  {
    id: "F-376",
    says: "A LIMIT at price zero is taken, and while it is open no order of its product trades.",
    clauses: ["REQ-18", "PLC-30"],
    hard: false,
    kind: "validation",
    install: ({ orderReader, market }) => {
      replace(orderReader, "price", (legal) => (body, field, product) => {
        const isFree = body["type"] === "LIMIT" && amountOf(body[field]) === 0n;
        return isFree ? 0n : legal(body, field, product);
      });
      replace(market, "match", (legal) => (taker) => {
        const isStopped = [taker, ...market.book(taker.product)].some(
          ({ type, price }) => type === "LIMIT" && price === 0n,
        );
        if (!isStopped) legal(taker);
      });
    },
    shows: async ({ trader, counter }) => {
      const free = await trader.place({ price: "0" });
      const placed = await counter.buy("50100", "0.001");
      return free.status === 200 && (await statusOf(counter.read(placed))) === "OPEN";
    },
  },
  {
    id: "F-380",
    says: "Amounts may have an exponent; one below zero is misread, and the order is refused as too small.",
    clauses: ["REQ-26"],
    hard: true,
    kind: "validation",
    install: ({ orderReader }) =>
      replace(orderReader, "positive", (legal) => (body, field) => {
        const text = body[field];
        if (typeof text !== "string" || !/^\d+(?:\.\d+)?e[+-]?\d{1,2}$/i.test(text))
          return legal(body, field);
        if (text.includes("-")) throw new Refusal(400, `${field}: the order is too small`);
        return legal({ [field]: BigInt(Math.trunc(Number(text))).toString() }, field);
      }),
    shows: async ({ trader }) => {
      const replies = [await trader.place({ price: "3e4" }), await trader.place({ base_quantity: "1e-3" })];
      return replies.map((reply) => reply.status).join() === "200,400";
    },
  },
];
