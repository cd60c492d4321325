/**
 * Everything that changes the venue, as data. The sequencer stamps each command with a sequence number and a
 * market time; nothing else enters the engine. Commands hold JSON values only: the journal stores them as they are.
 */
import type { CreatedKey, FeeModel, KeyState } from "./account.ts";
import type { FaultRule, OrderFault } from "./fault.ts";
import type { OrderNumber, OrderType, Side } from "./order.ts";
import type { Settings } from "./settings.ts";

/** One price level of the synthetic market, as decimal strings. */
export interface SyntheticLevel {
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
}

interface Commands {
  /**
   * A request that passed authentication and parsing. Decimals are well spelled, not yet quantised; of an amount that an
   * order of this type and side does not use, there is none.
   */
  PlaceOrder: {
    client: number;
    clientOrderId: string;
    product: string;
    side: Side;
    type: OrderType;
    baseQuantity: string | null;
    price: string | null;
    stopPrice: string | null;
    quoteValue: string | null;
    fault: OrderFault | null;
  };
  CancelOrder: { client: number; order: OrderNumber };

  // Follow-ups that the agenda of the engine asks for; each is journaled like any other command.
  MatchOrder: { order: OrderNumber };
  ConfirmOrder: { order: OrderNumber; to: "OPEN" | "FAILED" };
  FinishCancel: { order: OrderNumber };
  TriggerStop: { order: OrderNumber };
  /** The next act of the course of an order. */
  TakeCourse: { order: OrderNumber };
  SyncOrders: { orders: readonly OrderNumber[] };

  // The synthetic market.
  RefreshLiquidity: { product: string; levels: readonly SyntheticLevel[] };
  PrintTrade: { product: string; price: string; quantity: string };

  // Money from outside.
  CreateDepositAddress: OnNetwork;
  CreateDeposit: OnNetwork & { amount: string; confirmations: number };
  AdvanceDeposit: { deposit: number; confirmations: number };
  FailDeposit: { deposit: number };
  AdjustBalance: { client: number; asset: string; amount: string; direction: "credit" | "debit" };

  // Rules of the venue.
  ExpireOrder: { order: OrderNumber };
  CancelByExchange: { order: OrderNumber };
  /** A trade with the synthetic market: all that is left without a quantity, and at its own price without another. */
  FillOrder: { order: OrderNumber; quantity: string | null; price?: string };
  /** The exchange does not answer about a PENDING order until it is told to. */
  HoldOrder: { order: OrderNumber };
  SetHalted: { product: string; halted: boolean };
  SetApiEnabled: { product: string; enabled: boolean };
  SetClientRules: { client: number; product: string; enabled: boolean } & Limits;
  SetTradingEnabled: { client: number; enabled: boolean };
  SetFees: { client: number; model: FeeModel } & Rates;
  SetKeyState: { keyId: string; state: KeyState };
  /** The salt is chance that comes with the command: a secret follows from it, and is not in the journal. */
  CreateKey: CreatedKey & { salt: string };
  RotateKey: { keyId: string; salt: string };
  SetFaults: { rules: readonly FaultRule[] };
  ChangeSettings: { settings: Partial<Settings> };
  /** A move of the manual market clock; its time is the stamp of the entry. */
  MoveClock: object;
}

interface OnNetwork {
  client: number;
  asset: string;
  network: string | null;
}

type Limits = Record<"minOrderSize" | "maxOrderSize" | "minQuoteValue" | "maxQuoteValue", string | null>;
type Rates = Record<"makerRate" | "takerRate" | "exchangeMakerRate" | "exchangeTakerRate", string>;

export type CommandKind = keyof Commands;
/** A command of any kind, or of the named kinds. */
export type Command<Kind extends CommandKind = CommandKind> = {
  [K in Kind]: { readonly kind: K } & Readonly<Commands[K]>;
}[Kind];
export type PlaceOrder = Command<"PlaceOrder">;

/** Stable codes of the journal: the position in this list. Append only; an old journal must stay readable. */
export const commandKinds: readonly CommandKind[] = [
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
  "CancelByExchange",
  "FillOrder",
  "HoldOrder",
  "TakeCourse",
  "CreateKey",
  "RotateKey",
];
