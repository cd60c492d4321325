/** The order record of the engine, and its state machine as data. */
import type { Lots, Ticks, Units } from "./amount.ts";
import type { CourseStep } from "./fault.ts";

export type Side = "BUY" | "SELL";
/** The three order types that can be placed (EPT-01); the record's enumeration lists five more. */
export type OrderType = "LIMIT" | "MARKET" | "STOP_LIMIT";
export type OrderStatus = "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";

export const isTerminal = (status: OrderStatus): boolean => status !== "OPEN" && status !== "PENDING";

/**
 * Which status may follow which (freedom F-transitions). Anything else is a bug of ours and stops the venue.
 * OPEN to FAILED is absent on purpose: an accepted order is cancelled or expires, it does not fail.
 */
export const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PENDING: ["OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"],
  OPEN: ["FILLED", "CANCELLED", "EXPIRED"],
  FILLED: [],
  CANCELLED: [],
  EXPIRED: [],
  FAILED: [],
};

/** Rates in force when the order was accepted, as integers at `rateScale`; they never change for that order. */
export interface FeeRates {
  readonly makerCommission: bigint;
  readonly takerCommission: bigint;
  readonly makerExchange: bigint;
  readonly takerExchange: bigint;
}

/** A rate of 1 (100 %) is 10^rateScale. */
export const rateScale = 10;

/** The journal's sequence number of the `PlaceOrder` that made it: the primary key inside. Public ids derive from it. */
export type OrderNumber = number;

/** Fixed when the order is accepted. */
export interface OrderTerms {
  readonly number: OrderNumber;
  readonly client: number;
  readonly product: number;
  /** As the client spelled it; compared without regard to letter case. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  /** Null for a MARKET BUY, which `budget` sizes. */
  readonly quantity: Lots | null;
  readonly price: Ticks | null;
  readonly stopPrice: Ticks | null;
  /** `quote_value` of a MARKET BUY: the most it may cost, fees included. */
  readonly budget: Units | null;
  readonly rates: FeeRates;
  /** Milliseconds since the epoch on the market clock. */
  readonly createdAt: number;
}

/** Where an order is while it is not terminal. */
export type OrderPhase = "unconfirmed" | "queued" | "waiting-for-stop" | "resting" | "done";

/** Actions that can be due on an order. `FailOrder` ends an outcome that stayed unknown. */
export type DueAction = "MatchOrder" | "ConfirmOrder" | "FailOrder" | "FinishCancel" | "TakeCourse";

/** One act of the course of an order. */
export interface Act {
  readonly does: CourseStep["do"];
  /** Market time after the act before. */
  readonly afterMs: number;
  /** Of a fill. */
  readonly quantity?: Lots;
  readonly price?: Ticks;
  /** Of a fill of a MARKET order: the share that is filled when it is over, in percent. */
  readonly upTo?: number;
}

export interface Due {
  readonly at: number;
  readonly action: DueAction;
  /** Of `TakeCourse`: the acts that are still to come. */
  readonly acts?: readonly Act[];
}

/** The living record. Only `engine/apply.ts` writes to it. */
export interface Order {
  readonly terms: OrderTerms;
  status: OrderStatus;
  phase: OrderPhase;
  synced: boolean;
  updatedAt: number;
  /** Grows by one with every change of this order (freedom F-ws-payloads). */
  revision: number;
  /** True once the exchange has accepted it: `externalId` is shown from then on. */
  accepted: boolean;
  /** Lots that self-trade prevention took away from the order (mode `decrement`). */
  removed: Lots;
  filled: Lots;
  filledValue: Units;
  /** Sums of notional x rate at scale ledger + rateScale, before rounding, so that fees do not depend on how an order is split. */
  commissionExact: bigint;
  exchangeFeeExact: bigint;
  commission: Units;
  exchangeFee: Units;
  /** Funds still on hold for this order, in quote (BUY) or base (SELL) units. */
  hold: Units;
  /** The next action of the agenda for this order; null if there is none. */
  due: Due | null;
  /** When `synced` turns true; null = it is true already, or never will be. */
  syncAt: number | null;
  /** False only under the fault `neverSync`; under `lateSync`, how long it takes in place of the setting. */
  readonly willSync: boolean | number;
  /** False under the fault `stuckCancel`: cancels of the client hang; a number: they are refused after this many milliseconds. */
  readonly willCancel: boolean | number;
  /** Place in the order book while it rests there, else -1. An index only: never part of a snapshot or a hash. */
  slot: number;
  /** `userContext`: why the system or the client ended it, in plain English. */
  reason: string | null;
}
