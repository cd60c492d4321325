/** The parts of a decision. */
import type { Command, CommandKind } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Asset, Product } from "../domain/market.ts";
import type { Order, OrderNumber } from "../domain/order.ts";
import type { ExchangeFacts, ExchangeReason, Rejection } from "../domain/rejection.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { VenueState } from "./state.ts";

/** Given to a command by the sequencer: its number in the total order and its time on the market clock. */
export interface Stamp {
  readonly seq: number;
  readonly at: number;
}

export type Outcome =
  /** `order` is as acceptance made it: without fills, after any later events (F-market-fills-in-answer). */
  | { readonly kind: "accepted"; readonly order: Order }
  | { readonly kind: "replayed"; readonly order: OrderNumber; readonly differs: readonly string[] }
  | {
      readonly kind: "failed";
      /** Whether the order may have been executed all the same. */
      readonly isUnknown: boolean;
      readonly type: "EXTERNAL_EXECUTION_FAILED" | "INTERNAL_EXECUTION_FAILED" | "CLIENT_NOT_FOUND";
      readonly message: string;
    }
  | { readonly kind: "rejected"; readonly rejection: Rejection }
  /** Done; `number` names what was created (an address, a deposit), 0 when nothing was. */
  | { readonly kind: "done"; readonly number: number };

export interface Decision {
  readonly outcome: Outcome;
  readonly events: readonly Event[];
}

/** One deciding function for each of these kinds of commands. */
export type Deciders<Kinds extends CommandKind> = {
  readonly [Kind in Kinds]: (state: VenueState, command: Command<Kind>, stamp: Stamp) => Decision;
};

export const done = (events: readonly Event[], number = 0): Decision => ({
  outcome: { kind: "done", number },
  events,
});
export const rejected = (rejection: Rejection): Decision => ({
  outcome: { kind: "rejected", rejection },
  events: [],
});
/** A refusal of the exchange, in the words of its reason. */
export const refusedByExchange = (
  reason: ExchangeReason,
  message: string,
  facts: ExchangeFacts = {},
): Rejection => ({
  code: "EXCHANGE_REJECTED",
  message,
  reason,
  ...facts,
});
export const invalid = (field: string, message: string): Decision =>
  rejected({ code: "INVALID_COMMAND", field, message });

export const noProduct = (id: string, products: readonly Product[]): Decision =>
  invalid(
    "product",
    `There is no product ${id}: the products are ${products.map((product) => product.id).join(", ")}`,
  );

/** A price that is zero or between two ticks. */
export const offTick = (field: string, text: string, product: Product): Decision =>
  invalid(field, offGrid(field, text, ticksText(product, 1), product.quote));

/** A quantity that is zero or between two lots. */
export const offLot = (field: string, text: string, product: Product): Decision =>
  invalid(field, offGrid(field, text, lotsText(product, 1), product.base));

const offGrid = (field: string, text: string, increment: string, { symbol }: Asset): string =>
  `${field} must be a positive multiple of ${increment} ${symbol}, was ${text}`;
