/** Every refusal a client can cause, as values that keep their facts to the edge. */

export const exchangeReasons = [
  "INVALID_SIZE_INCREMENT",
  "INVALID_PRICE_INCREMENT",
  "QUOTE_SIZE_OUT_OF_RANGE",
  "INSUFFICIENT_FUNDS",
  "STOP_PRICE_WOULD_TRIGGER",
  "PRICE_OUT_OF_COLLAR",
  "AMOUNT_TOO_LARGE",
  "TRADING_HALTED",
  "TOO_MANY_OPEN_ORDERS",
] as const;
export type ExchangeReason = (typeof exchangeReasons)[number];

export type LimitSource = "CLIENT" | "PRODUCT" | "EXCHANGE";

/** Facts of a refusal by the exchange, for programs; amounts are decimals in `asset`. */
export interface ExchangeFacts {
  readonly field?: string;
  readonly expected?: string;
  readonly value?: string;
  readonly limit?: string;
  readonly asset?: string;
  readonly needed?: string;
  readonly available?: string;
}

/** A refusal of the engine: stable code, sentence for a person, facts for a machine. */
export type Rejection =
  | { readonly code: "PRODUCT_NOT_FOUND"; readonly message: string; readonly product: string }
  | { readonly code: "PRODUCT_NOT_ENABLED"; readonly message: string; readonly product: string }
  | {
      readonly code: "ORDER_SIZE_BELOW_MINIMUM" | "ORDER_SIZE_ABOVE_MAXIMUM";
      readonly message: string;
      readonly field: "base_quantity" | "quote_value";
      readonly limit: string;
      /** Asset that the limit is in. */
      readonly asset: string;
      readonly source: LimitSource;
    }
  | ({
      readonly code: "EXCHANGE_REJECTED";
      readonly message: string;
      readonly reason: ExchangeReason;
    } & ExchangeFacts)
  | { readonly code: "ORDER_NOT_FOUND"; readonly message: string }
  | { readonly code: "ORDER_NOT_CANCELLABLE" | "CONFLICT"; readonly message: string; readonly status: string }
  | {
      readonly code: "ASSET_NOT_SUPPORTED" | "NETWORK_NOT_SUPPORTED";
      readonly message: string;
      readonly field: string;
    }
  | { readonly code: "INVALID_COMMAND"; readonly message: string; readonly field: string };
