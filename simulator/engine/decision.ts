/** What a decision consists of. */
import type { Event, OrderAccepted } from "../domain/event.ts";
import type { OrderNumber } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";

/** What the sequencer gives a command: its place in the total order and its time on the market clock. */
export interface Stamp {
  readonly seq: number;
  readonly at: number;
}

export type Outcome =
  | { readonly kind: "accepted"; readonly event: OrderAccepted }
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

export const done = (events: readonly Event[], number = 0): Decision => ({
  outcome: { kind: "done", number },
  events,
});
export const rejected = (rejection: Rejection): Decision => ({
  outcome: { kind: "rejected", rejection },
  events: [],
});
export const invalid = (field: string, message: string): Decision =>
  rejected({ code: "INVALID_COMMAND", field, message });
