/** Choices where the specification leaves one. Each names its freedom. */

/** F-self-trade: what happens when an incoming order meets an order of the same client. */
export type SelfTradePrevention = "cancel-newest" | "cancel-oldest" | "cancel-both" | "decrement" | "none";

export interface Settings {
  /** F-match-delay: market time between acceptance and matching; 0 matches within the same command. */
  readonly matchDelayMs: number;
  /** F-sync-delay: market time from a change until `synced` turns true. */
  readonly syncDelayMs: number;
  /** F-initial-status: `async` answers PENDING and confirms after `confirmDelayMs`. */
  readonly acceptance: "sync" | "async";
  readonly confirmDelayMs: number;
  /** F-cancel-mode: `async` leaves the order OPEN until `confirmDelayMs` has passed. */
  readonly cancelMode: "sync" | "async";
  readonly stp: SelfTradePrevention;
  /** F-stop-crossed: what to do with a stop that the last price has already passed. */
  readonly stopOnCrossed: "reject" | "trigger";
  /** F-price-collar: how far from the best price a MARKET order may walk, in basis points; null = the whole book. */
  readonly slippageCollarBps: number | null;
  /** F-improvement-release: whether price improvement leaves the hold with each fill or when the order ends. */
  readonly releaseImprovement: "at-end" | "per-fill";
  /** F-market-buy-size-check: whether limits of base sizes bind a MARKET BUY, or only limits of `quote_value` do. */
  readonly marketBuySizeCheck: "estimate" | "quote-limits";
  /** F-open-order-cap */
  readonly maxOpenOrders: number;
}

export const defaultSettings: Settings = {
  matchDelayMs: 50,
  syncDelayMs: 50,
  acceptance: "sync",
  confirmDelayMs: 50,
  cancelMode: "sync",
  stp: "cancel-newest",
  stopOnCrossed: "reject",
  slippageCollarBps: null,
  releaseImprovement: "at-end",
  marketBuySizeCheck: "estimate",
  maxOpenOrders: 1000,
};
