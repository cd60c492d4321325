/**
 * Facts that follow from a command. `engine/decide.ts` makes them, `engine/apply.ts` is the only reader that changes
 * state; the store derives its rows from them and the stream its messages.
 */
import type { CreatedKey, FeeModel, KeyState, ProductRules } from "./account.ts";
import type { Lots, Ticks, Units } from "./amount.ts";
import type { FaultRule } from "./fault.ts";
import type { Due, FeeRates, OrderNumber, OrderStatus, OrderTerms, Side } from "./order.ts";
import type { Settings } from "./settings.ts";

/** Fees of one side of a trade: increases of cumulative, rounded fees (F-fee-rounding). */
export interface Charge {
  readonly commission: Units;
  readonly exchangeFee: Units;
}

interface Events {
  OrderAccepted: {
    terms: OrderTerms;
    status: "OPEN" | "PENDING" | "FAILED";
    hold: Units;
    reason: string | null;
    /** When the agenda must act on it next, and how; null = nothing is due. */
    due: Due | null;
    /** As in the order record. */
    willSync: boolean | number;
    /** As in the order record, where it is not true. */
    willCancel?: false | number;
  };
  /** Commands that were due for an order without an answer of the exchange are due no more. */
  OrderHeld: { order: OrderNumber };
  /** An act of its course is over; `due` is the next one. */
  CourseTaken: { order: OrderNumber; due: Due | null };
  OrderConfirmed: { order: OrderNumber; matchAt: number };
  /** One maker and one taker meeting. Number 0 on either side is the synthetic market. */
  Traded: Print & {
    takerSide: Side;
    taker: OrderNumber;
    maker: OrderNumber;
    takerCharge: Charge;
    makerCharge: Charge;
  };
  /** The remainder of a LIMIT order enters the book. */
  OrderRested: { order: OrderNumber; quantity: Lots };
  StopArmed: { order: OrderNumber };
  StopTriggered: { order: OrderNumber };
  /** Self-trade prevention `decrement` took lots away from an order. */
  OrderReduced: { order: OrderNumber; quantity: Lots };
  OrderClosed: {
    order: OrderNumber;
    status: Exclude<OrderStatus, "OPEN" | "PENDING">;
    reason: string | null;
  };
  /** `finishAt` is null for a cancel that will not take effect. */
  CancelRequested: { order: OrderNumber; finishAt: number | null };
  OrdersSynced: { orders: readonly OrderNumber[] };
  LiquidityCleared: { product: number };
  LiquidityRested: { product: number; side: Side; price: Ticks; quantity: Lots };
  TradePrinted: Print;
  DepositAddressCreated: Address;
  DepositCreated: Address & { amount: Units; confirmationsRequired: number };
  DepositAdvanced: { number: number; confirmations: number };
  DepositCompleted: { number: number; status: "CONFIRMED" | "FAILED" };
  BalanceAdjusted: { client: number; asset: number; amount: Units };
  HaltedSet: { product: number; halted: boolean };
  ApiEnabledSet: { product: number; enabled: boolean };
  ClientRulesSet: { client: number; product: number; rules: ProductRules };
  TradingEnabledSet: { client: number; enabled: boolean };
  FeesSet: { client: number; model: FeeModel; rates: FeeRates };
  KeyStateSet: { keyId: string; state: KeyState };
  KeyCreated: CreatedKey & { salt: string };
  KeyRotated: { keyId: string; salt: string };
  FaultsSet: { rules: readonly FaultRule[] };
  SettingsChanged: { settings: Settings };
  ClockMoved: object;
}

interface Print {
  trade: number;
  product: number;
  price: Ticks;
  quantity: Lots;
}

interface Address {
  number: number;
  client: number;
  asset: number;
  network: string;
  address: string;
  accountIdentifier: string | null;
}

export type EventKind = keyof Events;
/** An event of any kind, or of the named kinds. */
export type Event<Kind extends EventKind = EventKind> = {
  [K in Kind]: { readonly kind: K } & Readonly<Events[K]>;
}[Kind];
