/** Bugs in the priority of orders, and in holds, refunds and charges. */
import type { Reply } from "../http/route.ts";
import { handling, type OrderBody, placing, textOf } from "../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../variations/defect.ts";
import { type Fields, parseList, parseObject } from "../variations/json.ts";
import { type OrderRecord, ordersWith } from "../variations/order-records.ts";

const isFilled = (order: OrderRecord): boolean => Number(order["filledQuantity"] ?? 0) > 0;
const plus = (text: unknown, more: number): string => (Number(text) + more).toFixed(8);

/** Wrong amounts in the wallets of a client: more on hold, or less of everything. */
class Hidden {
  readonly #amounts = new Map<string, number>();

  add(call: BrokenCall, asset: string, amount: number): void {
    const key = `${String(call.caller.client)} ${asset}`;
    this.#amounts.set(key, (this.#amounts.get(key) ?? 0) + amount);
  }

  wallets(change: (wallet: Fields, amount: number) => Fields): NonNullable<Decorators["route"]> {
    return handling("listWallets", async (call, handle) => {
      const reply = await handle();
      if (!reply.ok) return reply;
      const shown = parseList(reply.data).map((wallet) => {
        const amount = this.#amounts.get(`${String(call.caller.client)} ${String(wallet["asset"])}`);
        return amount === undefined ? wallet : change(wallet, amount);
      });
      return { ...reply, data: JSON.stringify(shown) };
    });
  }
}

const onHold = (wallet: Fields, amount: number): Fields => ({
  ...wallet,
  hold: plus(wallet["hold"], amount),
  available: plus(wallet["available"], -amount),
});

const taken = (wallet: Fields, amount: number): Fields => ({
  ...wallet,
  balance: plus(wallet["balance"], -amount),
  available: plus(wallet["available"], -amount),
});

const heldAsset = (side: unknown, product: unknown): string =>
  String(product).split("-")[side === "SELL" ? 0 : 1] ?? "";

/** A bug in placing that shows in the wallets. */
function heldAfter(test: (reply: Reply) => boolean): Decorators {
  const hidden = new Hidden();
  const wallets = hidden.wallets(onHold);
  const orders = placing(async (call, body, place) => {
    const reply = await place(body);
    if (test(reply)) hidden.add(call, heldAsset(body["side"], body["product"]), 0.001);
    return reply;
  });
  return { route: (inner) => wallets(orders(inner)) };
}

/** The hold of an order that was cancelled stays. */
function heldAfterCancel(): Decorators {
  const hidden = new Hidden();
  const wallets = hidden.wallets(onHold);
  const cancels = handling("cancelOrder", async (call, handle) => {
    const reply = await handle();
    const order = reply.ok ? parseObject(reply.data) : {};
    if (reply.ok) hidden.add(call, heldAsset(order["side"], order["productId"]), 0.001);
    return reply;
  });
  return { route: (inner) => wallets(cancels(inner)) };
}

/** The fees of each order that is seen filled for the first time are taken from its quote wallet a second time. */
function chargedAgain(): Decorators {
  const hidden = new Hidden();
  const wallets = hidden.wallets(taken);
  const seen = new Set<unknown>();
  const reads = handling("readOrder", async (call, handle) => {
    const reply = await handle();
    const order = reply.ok ? parseObject(reply.data) : {};
    const over = order["status"] === "FILLED" || order["status"] === "CANCELLED";
    if (over && isFilled(order) && !seen.has(order["id"])) {
      seen.add(order["id"]);
      hidden.add(call, heldAsset("BUY", order["productId"]), Number(order["fees"]));
    }
    return reply;
  });
  return { route: (inner) => wallets(reads(inner)) };
}

/** The fees so far are charged again with each fill that is seen. */
function feesAddUp() {
  const fills = new Map<unknown, { readonly quantity: unknown; readonly fees: number }>();
  return (order: OrderRecord): OrderRecord => {
    if (!isFilled(order)) return order;
    const before = fills.get(order["id"]);
    const fees =
      before === undefined || before.quantity === order["filledQuantity"]
        ? (before?.fees ?? Number(order["fees"]))
        : before.fees + Number(order["fees"]);
    fills.set(order["id"], { quantity: order["filledQuantity"], fees });
    return { ...order, fees: fees.toFixed(8) };
  };
}

/** An order that has ended is shown with its fees once, and with more ever after. */
function feesGrow() {
  const ended = new Set<unknown>();
  return (order: OrderRecord): OrderRecord => {
    const over = order["status"] === "FILLED" || order["status"] === "CANCELLED";
    if (!over || order["synced"] !== true || !isFilled(order)) return order;
    if (ended.has(order["id"])) return { ...order, fees: plus(order["fees"], 0.01) };
    ended.add(order["id"]);
    return order;
  };
}

/**
 * Places orders at other prices than requested and shows the requested ones. This imitates a bug in the priority of a book: the
 * order that should come first is placed a little behind, and the one that should come second a little before, the order that
 * the client placed a moment ago.
 */
function misplaced(
  now: () => number,
  change: (body: OrderBody, earlier: number | undefined) => OrderBody,
): Decorators {
  const last = new Map<string, { readonly price: number; readonly at: number }>();
  const asked = new Map<string, OrderBody>();
  return {
    route: placing(async (call, body, place) => {
      const key = [call.caller.client, body["side"], body["product"]].join(" ");
      const earlier = last.get(key);
      const isFresh = earlier !== undefined && now() - earlier.at < momentMs;
      const changed = change(body, isFresh ? earlier.price : undefined);
      if (body["type"] === "LIMIT") last.set(key, { price: Number(body["price"]), at: now() });
      if (changed !== body) asked.set(textOf(body, "client_order_id"), body);
      return place(changed);
    }),
    ...ordersWith((order) => {
      const body = asked.get(String(order["clientOrderId"]));
      if (body === undefined) return order;
      const { price, stop_price: trigger = null, type } = body;
      return { ...order, limitPrice: price, stopPrice: trigger, type };
    }),
  };
}

const momentMs = 500;
const cent = 0.01;
const behind = (body: OrderBody, price: number, steps: number): OrderBody => ({
  ...body,
  price: (price + (body["side"] === "SELL" ? steps : -steps) * cent).toFixed(2),
});

const isBetter = (body: OrderBody, price: number): boolean =>
  body["side"] === "SELL" ? Number(body["price"]) < price : Number(body["price"]) > price;

/** Near enough to an earlier order of the same client to be offered beside it. */
const isNear = (body: OrderBody, price: number): boolean =>
  body["type"] === "LIMIT" && Math.abs(Number(body["price"]) - price) < price / 1000;

export const moneyDefects: readonly Defect[] = [
  bug("M-200", "A cancelled order forgets what was filled", ["STA-05"], () =>
    ordersWith((order) =>
      order["status"] === "CANCELLED" && isFilled(order)
        ? { ...order, filledQuantity: "0", filledValue: "0", averageFilledPrice: null }
        : order,
    ),
  ),
  bug("M-201", "The fees of an order that has ended grow", ["STA-06"], () => ordersWith(feesGrow())),
  bug("M-202", "A refused order holds funds all the same", ["PLC-35"], () => heldAfter((reply) => !reply.ok)),
  bug("M-203", "A cancelled order goes on holding funds", ["PLC-36"], heldAfterCancel),
  bug("M-204", "The better price trades after the worse one that came before it", ["PLC-37"], ({ now }) =>
    misplaced(now, (body, earlier) =>
      earlier !== undefined && isNear(body, earlier) && isBetter(body, earlier)
        ? behind(body, earlier, 1)
        : body,
    ),
  ),
  bug("M-205", "At one price the later order trades first", ["PLC-38"], ({ now }) =>
    misplaced(now, (body, earlier) =>
      earlier !== undefined && isNear(body, earlier) && Number(body["price"]) === earlier
        ? behind(body, earlier, -1)
        : body,
    ),
  ),
  bug("M-206", "Each fill charges the fees of the earlier ones again", ["ORD-60"], () =>
    ordersWith(feesAddUp()),
  ),
  bug("M-207", "Fees leave the wallet twice", ["ORD-60"], chargedAgain),
  bug("M-208", "A stop order does not wait for its trigger", ["PLC-32", "PLC-39"], ({ now }) =>
    misplaced(now, (body) => (body["type"] === "STOP_LIMIT" ? { ...body, type: "LIMIT" } : body)),
  ),
  bug("M-209", "A stop order waits for ever", ["PLC-39"], ({ now }) =>
    misplaced(now, (body) =>
      body["type"] === "STOP_LIMIT"
        ? { ...body, stop_price: body["side"] === "BUY" ? "1000000" : "1" }
        : body,
    ),
  ),
];
