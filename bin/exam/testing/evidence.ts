/** Evidence of a situation in which all went well, for tests that spoil one part of it. */
import type { Book, Evidence, Sent } from "../evidence.ts";
import type { Situation, VenueOrder } from "../situation.ts";

export const wanted = {
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.3",
  price: "30000.10",
};

export const situation: Situation = { id: "place-test", title: "A test", task: "place", orders: [wanted] };

let nonces = 0;

export function sent(more: Partial<Sent> = {}): Sent {
  const body = { ...wanted, client_order_id: "c-1" };
  return {
    method: "POST",
    path: "/order",
    target: "/api/v1/trading/order",
    cameAt: 0,
    answeredAt: 5,
    status: 200,
    code: null,
    faults: [],
    nonce: `n-${(nonces += 1)}`,
    retryAfterS: undefined,
    headers: [],
    text: JSON.stringify(body),
    body,
    answer: { headers: [], text: "", bytes: 0 },
    answeredStatuses: ["OPEN"],
    ...more,
  };
}

/** Answers that never came, or that refuse, so many milliseconds after the first. */
export const tries = (times: readonly number[], more: Partial<Sent>): readonly Sent[] =>
  times.map((cameAt) => sent({ cameAt, answeredAt: cameAt + 1, answeredStatuses: [], ...more }));

export const order = (more: Partial<VenueOrder> = {}): VenueOrder => ({
  id: "o-1",
  clientOrderId: "c-1",
  status: "OPEN",
  filledQuantity: "0",
  productId: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  limitPrice: "30000.1",
  baseQuantity: "0.3",
  ...more,
});

export const end: Evidence["end"] = {
  kind: "exited",
  code: 0,
  signal: null,
  stdout: "",
  stderr: "",
  durationMs: 10,
  leftRunning: 0,
};

export const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  situation,
  startedAt: 0,
  sent: [sent()],
  streams: [],
  orders: [order()],
  end,
  quietMs: 2000,
  listenedLate: false,
  ofOthers: new Set(),
  book: undefined,
  said: { kind: "orders", orders: [{ clientOrderId: "c-1", status: "OPEN", filledQuantity: "0" }] },
  secrets: {
    finds: (text) => text.includes("s3cret"),
    redact: (text) => text.replaceAll("s3cret", "«secret»"),
  },
  ...more,
});

export const inCancel = (more: Partial<Evidence>): Evidence =>
  evidence({ situation: { ...situation, task: "cancel" }, ...more });

export const book: Book = {
  bookSequence: 7,
  bids: [{ price: "99", quantity: "2" }],
  asks: [{ price: "101", quantity: "1" }],
};

/** A client that has followed a book for five seconds. */
export const inBook = (more: Partial<Evidence>): Evidence =>
  evidence({
    situation: { id: "book-test", title: "A test", task: "book", seconds: 5 },
    sent: [sent({ method: "GET", path: "/ws", status: 101, text: "", body: undefined })],
    orders: [],
    book,
    end: { ...end, durationMs: 5010 },
    said: { kind: "book", book },
    ...more,
  });
