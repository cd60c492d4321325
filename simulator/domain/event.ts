/**
 * Facts that follow from a command. `engine/decide.ts` makes them, `engine/apply.ts` is the only reader that changes
 * state; the store derives its rows from them and the stream its messages.
 */
import type { FeeModel, ProductRules } from "./account.ts";
import type { Lots, Ticks, Units } from "./amount.ts";
import type { FaultRule } from "./fault.ts";
import type { DueAction, FeeRates, OrderNumber, OrderStatus, OrderTerms, Side } from "./order.ts";
import type { Settings } from "./settings.ts";

/** What one side of a trade was charged; increases of cumulative, rounded fees (F-fee-rounding). */
export interface Charge {
  readonly commission: Units;
  readonly exchangeFee: Units;
}

/** One maker and one taker meeting. Number 0 on either side is the synthetic market. */
export interface Traded {
  readonly kind: "Traded";
  readonly trade: number;
  readonly product: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly takerSide: Side;
  readonly taker: OrderNumber;
  readonly maker: OrderNumber;
  readonly takerCharge: Charge;
  readonly makerCharge: Charge;
}

export interface OrderClosed {
  readonly kind: "OrderClosed";
  readonly order: OrderNumber;
  readonly status: Exclude<OrderStatus, "OPEN" | "PENDING">;
  readonly reason: string | null;
}

export interface OrderAccepted {
  readonly kind: "OrderAccepted";
  readonly terms: OrderTerms;
  readonly status: "OPEN" | "PENDING" | "FAILED";
  readonly hold: Units;
  readonly reason: string | null;
  /** When the agenda must act on it next, and how; null = nothing is due. */
  readonly due: { readonly at: number; readonly action: DueAction } | null;
  /** False only under the fault `neverSync`. */
  readonly willSync: boolean;
}

type AnyEvent =
  | OrderAccepted
  | { readonly kind: "OrderConfirmed"; readonly order: OrderNumber; readonly matchAt: number }
  | Traded
  /** The remainder of a LIMIT order enters the book. */
  | { readonly kind: "OrderRested"; readonly order: OrderNumber; readonly quantity: Lots }
  | { readonly kind: "StopArmed"; readonly order: OrderNumber }
  | { readonly kind: "StopTriggered"; readonly order: OrderNumber }
  /** Self-trade prevention `decrement` took lots away from an order. */
  | { readonly kind: "OrderReduced"; readonly order: OrderNumber; readonly quantity: Lots }
  | OrderClosed
  | { readonly kind: "CancelRequested"; readonly order: OrderNumber; readonly finishAt: number }
  | { readonly kind: "OrdersSynced"; readonly orders: readonly OrderNumber[] }
  | { readonly kind: "LiquidityCleared"; readonly product: number }
  | {
      readonly kind: "LiquidityRested";
      readonly product: number;
      readonly side: Side;
      readonly price: Ticks;
      readonly quantity: Lots;
    }
  | {
      readonly kind: "TradePrinted";
      readonly trade: number;
      readonly product: number;
      readonly price: Ticks;
      readonly quantity: Lots;
    }
  | {
      readonly kind: "DepositAddressCreated";
      readonly number: number;
      readonly client: number;
      readonly asset: number;
      readonly network: string;
      readonly address: string;
      readonly accountIdentifier: string | null;
    }
  | {
      readonly kind: "DepositCreated";
      readonly number: number;
      readonly client: number;
      readonly asset: number;
      readonly network: string;
      readonly amount: Units;
      readonly address: string;
      readonly accountIdentifier: string | null;
      readonly confirmationsRequired: number;
    }
  | { readonly kind: "DepositAdvanced"; readonly number: number; readonly confirmations: number }
  | { readonly kind: "DepositCompleted"; readonly number: number; readonly status: "CONFIRMED" | "FAILED" }
  | {
      readonly kind: "BalanceAdjusted";
      readonly client: number;
      readonly asset: number;
      readonly amount: Units;
    }
  | { readonly kind: "HaltedSet"; readonly product: number; readonly halted: boolean }
  | { readonly kind: "ApiEnabledSet"; readonly product: number; readonly enabled: boolean }
  | {
      readonly kind: "ClientRulesSet";
      readonly client: number;
      readonly product: number;
      readonly rules: ProductRules;
    }
  | { readonly kind: "TradingEnabledSet"; readonly client: number; readonly enabled: boolean }
  | { readonly kind: "FeesSet"; readonly client: number; readonly model: FeeModel; readonly rates: FeeRates }
  | { readonly kind: "KeyStateSet"; readonly keyId: string; readonly state: "enabled" | "disabled" }
  | { readonly kind: "FaultsSet"; readonly rules: readonly FaultRule[] }
  | { readonly kind: "SettingsChanged"; readonly settings: Settings }
  | { readonly kind: "ClockMoved" };

export type EventKind = AnyEvent["kind"];
export type Event<Kind extends EventKind = EventKind> = Extract<AnyEvent, { kind: Kind }>;
