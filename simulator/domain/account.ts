/** Clients, their keys, limits and wallets. */
import type { Lots, Units } from "./amount.ts";
import type { FeeRates, OrderNumber } from "./order.ts";

export type Claim = "read:orders" | "write:orders" | "read:account" | "read:market-data";
export const allClaims: readonly Claim[] = [
  "read:orders",
  "write:orders",
  "read:account",
  "read:market-data",
];

/** The secret of a key to which none is given: readable, so that it is not mistaken for a real one. */
export const defaultSecret = (keyId: string): string => `sandbox-only-secret-of-${keyId}`;

export type FeeModel = "ALL_IN" | "COST_PLUS";

/** Per-client rules of one product; null means that the product's own value holds. */
export interface ProductRules {
  readonly enabled: boolean;
  readonly minOrderSize: Lots | null;
  readonly maxOrderSize: Lots | null;
  readonly minQuoteValue: Units | null;
  readonly maxQuoteValue: Units | null;
}

/** A value: a change replaces it with another one. */
export interface Wallet {
  readonly balance: Units;
  readonly hold: Units;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One half of a movement of money; `owner` is the index of a client, or a number below zero for an account of the venue. */
export interface LedgerLine {
  readonly owner: number;
  readonly asset: number;
  readonly amount: Units;
  /** Of that wallet after this line. */
  readonly balance: Units;
}

export interface Client {
  readonly index: number;
  readonly name: string;
  feeModel: FeeModel;
  rates: FeeRates;
  tradingEnabled: boolean;
  /** By product index; a missing entry means the defaults. */
  readonly rules: Map<number, ProductRules>;
  /** By asset index. */
  readonly wallets: Map<number, Wallet>;
  /** Quote value of all fills so far, by index of the quote asset. */
  readonly volumes: Map<number, Units>;
  /** Orders of the client in order of acceptance. */
  readonly orders: OrderNumber[];
  /** Those that are OPEN or PENDING, in the same order. */
  readonly openOrders: Set<OrderNumber>;
  /** All by client_order_id in lower case (PLC-10): an id stays taken for the life of the venue. */
  readonly orderIds: Map<string, OrderNumber>;
  updatedAt: number;
}

export const keyStates = ["enabled", "disabled"] as const;
export type KeyState = (typeof keyStates)[number];

/** An API key. The secret is kept as the UTF-8 text that both sides use (freedom F-secret-bytes). */
export interface ApiKey {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  /** Index of the owning client, or null for a key without a client (`orphan`). */
  readonly client: number | null;
  readonly claims: readonly Claim[];
}

/** A key that a control made. Its secret follows from its salt. */
export type CreatedKey = Omit<ApiKey, "secret">;

/** A nonce that a key has used. */
export interface NonceRecord {
  /** Index of the key in the world; those that were created there come after those of its file. */
  readonly key: number;
  /** 32 lower-case hex digits. */
  readonly nonce: string;
  /** Signed timestamp and real receipt time, milliseconds since the epoch. */
  readonly timestamp: number;
  readonly receivedAt: number;
}
