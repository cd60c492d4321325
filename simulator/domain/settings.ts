/** Choices where the specification leaves one. Each names its freedom. */

/** F-self-trade: what happens when an incoming order meets an order of the same client. */
export type SelfTradePrevention = "cancel-newest" | "cancel-oldest" | "cancel-both" | "decrement" | "none";

/** The legal variations that a world can switch on while it runs: they remember nothing. */
export const switchableVariations = [
  "V-01",
  "V-02",
  "V-03",
  "V-04",
  "V-06",
  "V-07",
  "V-08",
  "V-09",
  "V-10",
  "V-12",
  "V-16",
  "V-18",
  "V-19",
  "V-20",
  "V-21",
  "V-26",
  "V-28",
  "V-29",
  "V-32",
  "V-33",
  "V-34",
  "V-35",
  "V-41",
  "V-42",
  "V-44",
  "V-47",
  "V-55",
] as const;
export type Variation = (typeof switchableVariations)[number];

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
  /** F-answer-delay: milliseconds of real time that an answer may come late at most. The engine does not see it. */
  readonly answerDelayMs?: number;
  /** Ids of the legal variations in force (`V-42`), sorted: options of freedoms that are no setting of their own. */
  readonly variations?: readonly Variation[];
  /** The seed that chose the freedoms, or that none does any more. */
  readonly hostile?: number | "off";
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
