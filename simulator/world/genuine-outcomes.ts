/** Outcomes that need no force: the request, and the state that it needs. */
import { genuineRefusals } from "./genuine-refusals.ts";
import { failed, type GenuineOutcome, placed, type ReadyRequest } from "./outcome.ts";
import { cancelIt, placing } from "./ready-requests.ts";

const order = placing("00000000");
const market: ReadyRequest = {
  method: "POST",
  path: "/order",
  body: {
    product: "BTC-USD",
    side: "BUY",
    type: "MARKET",
    quote_value: "100",
    client_order_id: "00000000-0000-4000-8000-000000000002",
  },
};

export const genuineOutcomes: readonly GenuineOutcome[] = [
  {
    code: "NEW_ORDER",
    does: "`NEW_ORDER`; the order rests in the book",
    about: "PLC-21",
    request: order,
    answer: placed("OPEN"),
  },
  {
    code: "DUPLICATE_REPLAY",
    does: "`DUPLICATE_REPLAY` with the order that was placed before",
    about: "PLC-11",
    before: [order],
    request: order,
    answer: failed("DUPLICATE_REPLAY", "OPEN"),
  },
  {
    code: "KEY_WITHOUT_CLIENT",
    does: "`CLIENT_NOT_FOUND`: the key has no client",
    about: "F-client-record-missing",
    request: { ...order, key: "orphan" },
    answer: failed("CLIENT_NOT_FOUND", null),
  },
  {
    code: "MARKET_FILLED",
    does: "a MARKET order, `FILLED` by the synthetic market",
    about: "PLC-30",
    request: market,
    answer: placed("FILLED"),
  },
  {
    code: "UNCONFIRMED",
    does: "`PENDING`, because the exchange takes its time to confirm",
    about: "F-initial-status",
    controls: [
      { method: "PUT", path: "/settings", body: { acceptance: "async", confirmDelayMs: 86_400_000 } },
    ],
    request: order,
    answer: placed("PENDING"),
  },
  {
    code: "CANCELLED",
    does: "an order that its client cancels",
    about: "F-cancel-operation",
    before: [order],
    request: cancelIt,
    answer: { status: 200, type: null, code: null, reason: null, later: "CANCELLED" },
  },
  ...genuineRefusals,
];
