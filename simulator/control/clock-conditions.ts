/** Conditions that a move of the clock can wait for: the status of an order or of a deposit, or a trade at a price. */
import { didYouMean } from "../domain/nearest-name.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { ticksOf, ticksText } from "../domain/steps.ts";
import type { Refusal } from "../http/errors.ts";
import { printable } from "../http/printable.ts";
import { refuseProblems } from "../http/route.ts";
import { decimal, maybe, oneOf, productId, section, uuid, type ValueOf } from "../schema/fields.ts";
import type { CommittedEntry } from "../sequencer/sequencer.ts";
import { orderStatuses } from "../wire/order-components.ts";
import { type Controls, notFound } from "./control-route.ts";
import { orderNamed } from "./named-orders.ts";

const depositStatuses = ["PENDING", "CONFIRMED", "FAILED"] as const;

export const Until = section(
  {
    order: maybe(uuid("Id or `client_order_id` of an order; with `status`.")),
    deposit: maybe(uuid("Id of a deposit; with `status`.")),
    status: maybe(oneOf([...orderStatuses, "CONFIRMED"], "Status of the order or deposit.")),
    product: maybe(productId("Product of a trade; with `price`.")),
    price: maybe(decimal("Price of a trade; with `product`.", { unit: "quote asset" })),
  },
  "Move until this is so: an order or a deposit has a status, or a trade has a price.",
);

export interface Condition {
  /** Asked with the entries since the last time. */
  readonly isMet: (fresh: readonly CommittedEntry[]) => boolean;
  /** The state now, when the condition is not met. */
  readonly found: () => string;
}

type Wanted = ValueOf<typeof Until>;

export function conditionOf(wanted: Wanted, controls: Controls): Result<Condition, Refusal> {
  const given = Object.entries(wanted).flatMap(([name, value]) => (value === null ? [] : [name]));
  switch (given.toSorted().join()) {
    case "order,status":
      return orderHas(wanted.order ?? "", wanted.status ?? "", controls);
    case "deposit,status":
      return depositHas(wanted.deposit ?? "", wanted.status ?? "", controls);
    case "price,product":
      return tradeAt(wanted.product ?? "", wanted.price ?? "", controls);
    default:
      return wrong(
        "until",
        "must hold `order` and `status`, `deposit` and `status`, or `product` and `price`",
      );
  }
}

function orderHas(id: string, status: string, controls: Controls): Result<Condition, Refusal> {
  const named = orderNamed(controls, id);
  if (!named.ok) return named;
  const now = (): string | undefined => controls.venue.state.orders.get(named.value)?.status;
  if (status === "CONFIRMED") return wrong("until.status", `must be one of ${orderStatuses.join(", ")}`);
  return ok({ isMet: () => now() === status, found: () => `The order is ${now()}` });
}

function depositHas(id: string, status: string, { venue, ids }: Controls): Result<Condition, Refusal> {
  const number = ids.deposit.numberOf(id);
  const now = (): string | undefined => venue.state.deposits[(number ?? 0) - 1]?.status;
  if (now() === undefined) return notFound("deposit", id, "GET /wallet/deposits lists those of a client");
  if (!depositStatuses.some((known) => known === status))
    return wrong("until.status", `must be one of ${depositStatuses.join(", ")}`);
  return ok({ isMet: () => now() === status, found: () => `The deposit is ${now()}` });
}

function tradeAt(id: string, price: string, { venue }: Controls): Result<Condition, Refusal> {
  const { products } = venue.state.world;
  const index = products.findIndex((product) => product.id === id);
  const product = products[index];
  if (product === undefined) {
    const names = products.map((one) => one.id);
    return notFound("product", id, didYouMean(id, names) ?? `the products are ${names.join(", ")}`);
  }
  const ticks = ticksOf(product, price);
  if (ticks === null)
    return wrong(
      "until.price",
      `must be a multiple of the price increment ${ticksText(product, 1)}, was ${printable(price, 64)}`,
    );
  return ok({
    isMet: (fresh) =>
      fresh.some(({ events }) =>
        events.some(
          (event) =>
            (event.kind === "Traded" || event.kind === "TradePrinted") &&
            event.product === index &&
            event.price === ticks,
        ),
      ),
    found: () => `No trade of ${id} had the price ${price}`,
  });
}

const wrong = (field: string, issue: string): Result<never, Refusal> =>
  err(refuseProblems("VALIDATION_FAILED", [{ field, issue }]).error);
