/**
 * Everything that changes the venue, as data. The sequencer stamps each command with a sequence number and a
 * market time; nothing else enters the engine. Commands hold JSON values only: the journal stores them as they are.
 */
import type { FeeModel } from "./account.ts";
import type { FaultRule, OrderFault } from "./fault.ts";
import type { OrderNumber, OrderType, Side } from "./order.ts";
import type { Settings } from "./settings.ts";

/**
 * A request that passed authentication and parsing. Decimals are well spelled, not yet quantised; of an amount that an
 * order of this type and side does not use, there is none.
 */
export interface PlaceOrder {
  readonly kind: "PlaceOrder";
  readonly client: number;
  readonly clientOrderId: string;
  readonly product: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly baseQuantity: string | null;
  readonly price: string | null;
  readonly stopPrice: string | null;
  readonly quoteValue: string | null;
  readonly fault: OrderFault | null;
}

export interface CancelOrder {
  readonly kind: "CancelOrder";
  readonly client: number;
  readonly order: OrderNumber;
}

/** One price level of the synthetic market, as decimal strings. */
export interface SyntheticLevel {
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
}

type AnyCommand =
  | PlaceOrder
  | CancelOrder
  // Follow-ups that the agenda of the engine asks for; each is journaled like any other command.
  | { readonly kind: "MatchOrder"; readonly order: OrderNumber }
  | { readonly kind: "ConfirmOrder"; readonly order: OrderNumber; readonly to: "OPEN" | "FAILED" }
  | { readonly kind: "FinishCancel"; readonly order: OrderNumber }
  | { readonly kind: "TriggerStop"; readonly order: OrderNumber }
  | { readonly kind: "SyncOrders"; readonly orders: readonly OrderNumber[] }
  // The synthetic market.
  | {
      readonly kind: "RefreshLiquidity";
      readonly product: string;
      readonly levels: readonly SyntheticLevel[];
    }
  | {
      readonly kind: "PrintTrade";
      readonly product: string;
      readonly price: string;
      readonly quantity: string;
    }
  // Money from outside.
  | {
      readonly kind: "CreateDepositAddress";
      readonly client: number;
      readonly asset: string;
      readonly network: string | null;
    }
  | {
      readonly kind: "CreateDeposit";
      readonly client: number;
      readonly asset: string;
      readonly network: string | null;
      readonly amount: string;
      readonly confirmations: number;
    }
  | { readonly kind: "AdvanceDeposit"; readonly deposit: number; readonly confirmations: number }
  | { readonly kind: "FailDeposit"; readonly deposit: number }
  | {
      readonly kind: "AdjustBalance";
      readonly client: number;
      readonly asset: string;
      readonly amount: string;
      readonly direction: "credit" | "debit";
    }
  // Rules of the venue.
  | { readonly kind: "ExpireOrder"; readonly order: OrderNumber }
  | { readonly kind: "SetHalted"; readonly product: string; readonly halted: boolean }
  | { readonly kind: "SetApiEnabled"; readonly product: string; readonly enabled: boolean }
  | {
      readonly kind: "SetClientRules";
      readonly client: number;
      readonly product: string;
      readonly enabled: boolean;
      readonly minOrderSize: string | null;
      readonly maxOrderSize: string | null;
      readonly minQuoteValue: string | null;
      readonly maxQuoteValue: string | null;
    }
  | { readonly kind: "SetTradingEnabled"; readonly client: number; readonly enabled: boolean }
  | {
      readonly kind: "SetFees";
      readonly client: number;
      readonly model: FeeModel;
      readonly makerRate: string;
      readonly takerRate: string;
      readonly exchangeMakerRate: string;
      readonly exchangeTakerRate: string;
    }
  | { readonly kind: "SetKeyState"; readonly keyId: string; readonly state: "enabled" | "disabled" }
  | { readonly kind: "SetFaults"; readonly rules: readonly FaultRule[] }
  | { readonly kind: "ChangeSettings"; readonly settings: Partial<Settings> }
  /** A move of the manual market clock; its time is the stamp of the entry. */
  | { readonly kind: "MoveClock" };

export type CommandKind = AnyCommand["kind"];
export type Command<Kind extends CommandKind = CommandKind> = Extract<AnyCommand, { kind: Kind }>;

/** Stable codes of the journal: the position in this list. Append only; an old journal must stay readable. */
export const COMMAND_KINDS: readonly CommandKind[] = [
  "PlaceOrder",
  "CancelOrder",
  "MatchOrder",
  "ConfirmOrder",
  "FinishCancel",
  "TriggerStop",
  "SyncOrders",
  "RefreshLiquidity",
  "PrintTrade",
  "CreateDepositAddress",
  "CreateDeposit",
  "AdvanceDeposit",
  "FailDeposit",
  "AdjustBalance",
  "ExpireOrder",
  "SetHalted",
  "SetApiEnabled",
  "SetClientRules",
  "SetTradingEnabled",
  "SetFees",
  "SetKeyState",
  "SetFaults",
  "ChangeSettings",
  "MoveClock",
];
