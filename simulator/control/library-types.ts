/**
 * The types of the controls, made from their declarations by testing/library-types-text.ts. Do not edit them: run
 * `npx vitest run simulator/control/library.test.ts -u`.
 */

/** The controls of a sandbox: by noun, then by verb. */
export interface ControlLibrary {
  readonly health: {
    /** How the venue is: version, mode, seed, sequence number, chain hash. Asks for no token. */
    readonly read: () => Promise<ReadHealthAnswer>;
  };
  readonly clock: {
    /** The market clock and the next due command. */
    readonly read: () => Promise<ReadClockAnswer>;
    /** Advance the market clock, by 1m for example. */
    readonly advance: (values: {
      readonly ms: number;
    }) => Promise<MoveClockAnswer>;
    /** Move the market clock to a time. */
    readonly set: (values: {
      readonly to: string;
    }) => Promise<MoveClockAnswer>;
    /** Move the market clock until an order has a status. */
    readonly until: (values: {
      readonly order: string;
      readonly status: "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED" | "PENDING" | "CONFIRMED";
      readonly withinMs?: number;
    }) => Promise<MoveClockAnswer>;
    /** Move the market clock until a trade has a price. */
    readonly untilPrice: (values: {
      readonly product: string;
      readonly price: string;
      readonly withinMs?: number;
    }) => Promise<MoveClockAnswer>;
    /** Move the market clock until a deposit has a status. */
    readonly untilDeposit: (values: {
      readonly deposit: string;
      readonly status: "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED" | "PENDING" | "CONFIRMED";
      readonly withinMs?: number;
    }) => Promise<MoveClockAnswer>;
    /** Stop the market clock. */
    readonly freeze: () => Promise<MoveClockAnswer>;
    /** Let the market clock run. */
    readonly run: () => Promise<MoveClockAnswer>;
    /** Let the market clock run, and jump to the next due thing when no command comes. */
    readonly skipIdle: () => Promise<MoveClockAnswer>;
  };
  readonly faults: {
    /** Fault rules in force, and how often each matched and fired. */
    readonly read: () => Promise<ReadFaultsAnswer>;
    /** Replace the fault rules. The drawn fault is journaled with the order, so a replay needs no rules. */
    readonly set: (values: {
      readonly rules: readonly {
        readonly id: string;
        readonly fault?: {
          readonly kind: "externalFailure";
          readonly outcome: "certain" | "unknown";
          readonly resolvesTo?: "OPEN" | "FAILED";
          readonly afterMs?: number;
        } | {
          readonly kind: "internalFailure";
        } | {
          readonly kind: "clientNotFound";
        } | {
          readonly kind: "stuckPending";
        } | {
          readonly kind: "rejectByExchange";
          readonly reason: "INVALID_SIZE_INCREMENT" | "INVALID_PRICE_INCREMENT" | "QUOTE_SIZE_OUT_OF_RANGE" | "INSUFFICIENT_FUNDS" | "STOP_PRICE_WOULD_TRIGGER" | "PRICE_OUT_OF_COLLAR" | "AMOUNT_TOO_LARGE" | "TRADING_HALTED" | "TOO_MANY_OPEN_ORDERS";
        } | {
          readonly kind: "neverSync";
        } | {
          readonly kind: "staleReads";
          readonly ms: number;
        } | {
          readonly kind: "lateSync";
          readonly ms: number;
        } | {
          readonly kind: "course";
          readonly steps: readonly {
            readonly do: "confirm" | "fail" | "fill" | "match" | "cancel" | "expire";
            readonly afterMs: number;
            readonly percent?: number;
            readonly betterBy?: number;
          }[];
        } | {
          readonly kind: "stuckCancel";
          readonly refusedAfterMs?: number;
        } | {
          readonly kind: "doubleEvents";
        } | {
          readonly kind: "delay";
          readonly ms: number;
        } | {
          readonly kind: "streamDrop";
        } | {
          readonly kind: "streamDuplicate";
        } | {
          readonly kind: "streamReorder";
        } | {
          readonly kind: "streamStall";
          readonly ms: number;
        } | {
          readonly kind: "streamSlow";
          readonly ms: number;
        } | {
          readonly kind: "streamClose";
        } | {
          readonly kind: "delayResponse";
          readonly ms: number;
        } | {
          readonly kind: "dropConnectionBefore";
        } | {
          readonly kind: "dropConnectionAfter";
        } | {
          readonly kind: "resetConnectionBefore";
        } | {
          readonly kind: "resetConnectionAfter";
        } | {
          readonly kind: "cutBody";
        } | {
          readonly kind: "status";
          readonly status: 429 | 500 | 503;
          readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
          readonly body?: "none";
        };
        readonly outcome?: "EXTERNAL_FAILURE" | "UNKNOWN_THEN_OPEN" | "INTERNAL_FAILURE" | "STUCK_PENDING" | "LOST_ANSWER" | "UNKNOWN_THEN_FAILED" | "CLIENT_NOT_FOUND" | "EXCHANGE_REJECTS" | "NEVER_SYNCED" | "LOST_REQUEST" | "LATE_ANSWER" | "STATUS_429" | "STATUS_500" | "STATUS_503" | "RESET_AFTER" | "RESET_BEFORE" | "CUT_ANSWER" | "LATE_REQUEST" | "VERY_LATE_ANSWER" | "STATUS_500_EMPTY" | "STATUS_503_EMPTY" | "STATUS_503_NOT_READY" | "STATUS_503_UNKNOWN" | "COLLAR_REJECTS" | "NEVER_FILLED" | "FILLED_AT_ONCE" | "HALF_FILLED" | "TEN_FILLS" | "TWO_PRICES" | "PENDING_THEN_OPEN" | "PENDING_THEN_FAILED" | "OPEN_THEN_EXPIRED" | "PARTIAL_THEN_CANCELLED" | "PARTIAL_THEN_STALLED" | "FILLED_BEFORE_ANSWER" | "EVENTS_TWICE" | "LATE_SYNCED" | "STALE_READS" | "STUCK_CANCEL" | "CANCEL_REFUSED_LATE";
        readonly route?: string;
        readonly product?: string;
        readonly clientOrderIdPrefix?: string;
        readonly key?: string;
        readonly nth?: number;
        readonly percent?: number;
        readonly count?: number;
      }[];
      readonly counts?: readonly {
        readonly id: string;
        readonly matched: number;
        readonly fired: number;
      }[];
    }) => Promise<SetFaultsAnswer>;
    /** Remove all fault rules, those of the world included. The reserved client_order_id prefixes stay. */
    readonly clear: () => Promise<ClearFaultsAnswer>;
  };
  readonly fault: {
    /** Add a fault rule behind those in force. */
    readonly add: (values: {
      readonly id: string;
      readonly fault?: {
        readonly kind: "externalFailure";
        readonly outcome: "certain" | "unknown";
        readonly resolvesTo?: "OPEN" | "FAILED";
        readonly afterMs?: number;
      } | {
        readonly kind: "internalFailure";
      } | {
        readonly kind: "clientNotFound";
      } | {
        readonly kind: "stuckPending";
      } | {
        readonly kind: "rejectByExchange";
        readonly reason: "INVALID_SIZE_INCREMENT" | "INVALID_PRICE_INCREMENT" | "QUOTE_SIZE_OUT_OF_RANGE" | "INSUFFICIENT_FUNDS" | "STOP_PRICE_WOULD_TRIGGER" | "PRICE_OUT_OF_COLLAR" | "AMOUNT_TOO_LARGE" | "TRADING_HALTED" | "TOO_MANY_OPEN_ORDERS";
      } | {
        readonly kind: "neverSync";
      } | {
        readonly kind: "staleReads";
        readonly ms: number;
      } | {
        readonly kind: "lateSync";
        readonly ms: number;
      } | {
        readonly kind: "course";
        readonly steps: readonly {
          readonly do: "confirm" | "fail" | "fill" | "match" | "cancel" | "expire";
          readonly afterMs: number;
          readonly percent?: number;
          readonly betterBy?: number;
        }[];
      } | {
        readonly kind: "stuckCancel";
        readonly refusedAfterMs?: number;
      } | {
        readonly kind: "doubleEvents";
      } | {
        readonly kind: "delay";
        readonly ms: number;
      } | {
        readonly kind: "streamDrop";
      } | {
        readonly kind: "streamDuplicate";
      } | {
        readonly kind: "streamReorder";
      } | {
        readonly kind: "streamStall";
        readonly ms: number;
      } | {
        readonly kind: "streamSlow";
        readonly ms: number;
      } | {
        readonly kind: "streamClose";
      } | {
        readonly kind: "delayResponse";
        readonly ms: number;
      } | {
        readonly kind: "dropConnectionBefore";
      } | {
        readonly kind: "dropConnectionAfter";
      } | {
        readonly kind: "resetConnectionBefore";
      } | {
        readonly kind: "resetConnectionAfter";
      } | {
        readonly kind: "cutBody";
      } | {
        readonly kind: "status";
        readonly status: 429 | 500 | 503;
        readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
        readonly body?: "none";
      };
      readonly outcome?: "EXTERNAL_FAILURE" | "UNKNOWN_THEN_OPEN" | "INTERNAL_FAILURE" | "STUCK_PENDING" | "LOST_ANSWER" | "UNKNOWN_THEN_FAILED" | "CLIENT_NOT_FOUND" | "EXCHANGE_REJECTS" | "NEVER_SYNCED" | "LOST_REQUEST" | "LATE_ANSWER" | "STATUS_429" | "STATUS_500" | "STATUS_503" | "RESET_AFTER" | "RESET_BEFORE" | "CUT_ANSWER" | "LATE_REQUEST" | "VERY_LATE_ANSWER" | "STATUS_500_EMPTY" | "STATUS_503_EMPTY" | "STATUS_503_NOT_READY" | "STATUS_503_UNKNOWN" | "COLLAR_REJECTS" | "NEVER_FILLED" | "FILLED_AT_ONCE" | "HALF_FILLED" | "TEN_FILLS" | "TWO_PRICES" | "PENDING_THEN_OPEN" | "PENDING_THEN_FAILED" | "OPEN_THEN_EXPIRED" | "PARTIAL_THEN_CANCELLED" | "PARTIAL_THEN_STALLED" | "FILLED_BEFORE_ANSWER" | "EVENTS_TWICE" | "LATE_SYNCED" | "STALE_READS" | "STUCK_CANCEL" | "CANCEL_REFUSED_LATE";
      readonly route?: string;
      readonly product?: string;
      readonly clientOrderIdPrefix?: string;
      readonly key?: string;
      readonly nth?: number;
      readonly percent?: number;
      readonly count?: number;
    }) => Promise<AddFaultAnswer>;
  };
  readonly outcomes: {
    /** Everything that can happen to a request, each with a request that meets it: by force (a reserved id, a fault), or genuinely. */
    readonly read: () => Promise<ListOutcomesAnswer>;
    /** Give the next orders of a key an outcome, as a fault rule behind those in force. */
    readonly next: (values: {
      readonly code: string;
      readonly key: string;
      readonly count?: number;
    }) => Promise<QueueOutcomeAnswer>;
  };
  readonly settings: {
    /** All settings in force: those of the engine, and those of the server that only a start can change. */
    readonly read: () => Promise<ReadSettingsAnswer>;
    /** Change settings of the engine, spelled as GET shows them; what is not named stays, and what only a start can change must be as it is. */
    readonly set: (values?: {
      readonly matchDelayMs?: number;
      readonly syncDelayMs?: number;
      readonly acceptance?: "sync" | "async";
      readonly confirmDelayMs?: number;
      readonly cancelMode?: "sync" | "async";
      readonly stp?: "cancel-newest" | "cancel-oldest" | "cancel-both" | "decrement" | "none";
      readonly stopOnCrossed?: "reject" | "trigger";
      readonly slippageCollarBps?: number;
      readonly releaseImprovement?: "at-end" | "per-fill";
      readonly marketBuySizeCheck?: "estimate" | "quote-limits";
      readonly answerDelayMs?: number;
      readonly variations?: readonly ("V-01" | "V-02" | "V-03" | "V-04" | "V-06" | "V-07" | "V-08" | "V-09" | "V-10" | "V-12" | "V-16" | "V-18" | "V-19" | "V-20" | "V-21" | "V-26" | "V-28" | "V-29" | "V-32" | "V-33" | "V-34" | "V-35" | "V-41" | "V-42" | "V-44" | "V-47" | "V-55")[];
      readonly maxOpenOrders?: number;
      readonly auth?: {
        readonly signedPath?: "path" | "path-and-query" | "either";
        readonly clockWindowMs?: number;
        readonly nonceRetentionMs?: number;
        readonly nonceFormat?: "uuid" | "any";
        readonly strictHexCase?: boolean;
        readonly requireContentTypeAlways?: boolean;
      };
      readonly diagnostics?: boolean;
      readonly validation?: {
        readonly unknownFields?: "ignore" | "reject";
        readonly unknownQuery?: "ignore" | "reject";
      };
      readonly candles?: {
        readonly fillGaps?: boolean;
      };
      readonly rateLimit?: {
        readonly enabled?: boolean;
        readonly requestsPerSecond?: number;
        readonly burst?: number;
        readonly addressRequestsPerSecond?: number;
      };
      readonly limits?: {
        readonly bodyBytes?: number;
        readonly urlBytes?: number;
        readonly requestTimeoutMs?: number;
        readonly headersTimeoutMs?: number;
        readonly connections?: number;
        readonly streamConnectionsPerKey?: number;
        readonly streamMessagesPerSecond?: number;
        readonly streamMessageBytes?: number;
        readonly streamSubscriptions?: number;
        readonly streamQueueBytes?: number;
        readonly streamQueueMessages?: number;
        readonly streamSubscribeTimeoutMs?: number;
        readonly streamPingEveryMs?: number;
        readonly streamSilenceMs?: number;
      };
    }) => Promise<ChangeSettingsAnswer>;
  };
  readonly freedoms: {
    /** Every choice that the specification leaves open, with the option in force and when it can be switched. */
    readonly read: () => Promise<ListFreedomsAnswer>;
    /** Switch many freedoms at once. FILE is spelled as GET shows them. */
    readonly set: (values?: {
      readonly set?: "polite" | "prime-like" | "strict";
      readonly freedoms?: readonly {
        readonly id: string;
        readonly option: string;
      }[];
      readonly hostile?: number;
      readonly switchable?: number;
      readonly fixed?: number;
    }) => Promise<SetFreedomsAnswer>;
    /** Switch to a named set: polite, prime-like or strict. */
    readonly use: (values: {
      readonly set: "polite" | "prime-like" | "strict";
    }) => Promise<SetFreedomsAnswer>;
  };
  readonly freedom: {
    /** Switch a freedom to another option, or to another number. */
    readonly read: (values: {
      readonly freedom: string;
      readonly option: string;
    }) => Promise<SetFreedomAnswer>;
  };
  readonly hostile: {
    /** Let a seed choose an option of every freedom. */
    readonly read: (values: {
      readonly seed: number;
    }) => Promise<SetHostileAnswer>;
    /** Put back the freedoms that the world began with. */
    readonly off: () => Promise<SetHostileAnswer>;
  };
  readonly exchange: {
    /** The exchange log: requests and WebSockets with their answers, the oldest first. */
    readonly list: (values?: {
      readonly limit?: number;
      readonly after?: number;
      readonly key?: string;
      readonly status?: string;
      readonly path?: string;
    }) => Promise<ListExchangesAnswer>;
    /** One exchange: what was sent, what was checked, what it caused and what was answered. */
    readonly read: (values: {
      readonly requestId: string;
    }) => Promise<ReadExchangeAnswer>;
  };
  readonly explain: {
    /** Why an order is as it is, or a request was answered as it was: by order id, client_order_id or request id. */
    readonly read: (values: {
      readonly id: string;
    }) => Promise<ExplainAnswer>;
  };
  readonly capsule: {
    /** The world with its journal and its exchanges as one file, without secrets, to be replayed anywhere. */
    readonly read: () => Promise<ReadCapsuleAnswer>;
  };
  readonly doctor: {
    /** What is wrong with the signature of a request: the mistake, and both texts. Nothing of it is executed. */
    readonly read: (values: {
      readonly method: string;
      readonly target: string;
      readonly host?: string;
      readonly contentType?: string;
      readonly keyId: string;
      readonly timestamp: string;
      readonly nonce: string;
      readonly signature: string;
      readonly bodyBase64?: string;
    }) => Promise<DiagnoseSignatureAnswer>;
  };
  readonly journal: {
    /** Entries of the journal with their events, the oldest first. */
    readonly read: (values?: {
      readonly from?: number;
      readonly limit?: number;
    }) => Promise<ReadJournalAnswer>;
    /** One entry of the journal with its events. */
    readonly entry: (values: {
      readonly seq: string;
    }) => Promise<ReadEntryAnswer>;
  };
  readonly stateHash: {
    /** SHA-256 over the whole state: equal for two venues that took the same commands. */
    readonly read: () => Promise<ReadStateHashAnswer>;
  };
  readonly product: {
    /** Halt trading of a product; cancelling stays possible. */
    readonly halt: (values: {
      readonly product: string;
    }) => Promise<HaltProductAnswer>;
    /** Resume trading of a product. */
    readonly resume: (values: {
      readonly product: string;
    }) => Promise<HaltProductAnswer>;
    /** Enable a product for all clients. */
    readonly enable: (values: {
      readonly product: string;
    }) => Promise<EnableProductAnswer>;
    /** Disable a product for all clients. */
    readonly disable: (values: {
      readonly product: string;
    }) => Promise<EnableProductAnswer>;
    /** Replace the synthetic market's liquidity, at most 1000 levels. New levels trade with clients' orders that they cross. */
    readonly book: (values: {
      readonly product: string;
      readonly levels: readonly {
        readonly side: "BUY" | "SELL";
        readonly price: string;
        readonly quantity: string;
      }[];
    }) => Promise<LayBookAnswer>;
    /** Print a trade of the synthetic market: it fills clients' orders at that price or a better one first; the rest moves the last price, the candles and the stops, and no money. */
    readonly trade: (values: {
      readonly product: string;
      readonly price: string;
      readonly quantity: string;
    }) => Promise<PrintTradeAnswer>;
  };
  readonly order: {
    /** Orders of all clients, the newest first; those that have not ended, unless a status is named. */
    readonly list: (values?: {
      readonly client?: string;
      readonly product?: string;
      readonly status?: "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED" | "PENDING";
      readonly limit?: number;
    }) => Promise<ListOrdersAnswer>;
    /** Fill an order that rests in the book, or a part of it, at its price or a better one: the synthetic market takes it. */
    readonly fill: (values: {
      readonly id: string;
      readonly quantity?: string;
      readonly price?: string;
    }) => Promise<FillOrderAnswer>;
    /** Let the exchange confirm a PENDING order. */
    readonly confirm: (values: {
      readonly id: string;
    }) => Promise<ConfirmOrderAnswer>;
    /** Let the exchange reject a PENDING order: it becomes FAILED. */
    readonly reject: (values: {
      readonly id: string;
    }) => Promise<RejectOrderAnswer>;
    /** Keep the exchange from answering about a PENDING order, until `confirm`, `reject` or an end. */
    readonly hold: (values: {
      readonly id: string;
    }) => Promise<HoldOrderAnswer>;
    /** Let the exchange cancel an order that has not ended. */
    readonly cancel: (values: {
      readonly id: string;
    }) => Promise<CancelOrderAnswer>;
    /** Expire an order that has not ended. */
    readonly expire: (values: {
      readonly id: string;
    }) => Promise<ExpireOrderAnswer>;
  };
  readonly client: {
    /** The clients of the world with their keys and wallets. */
    readonly list: () => Promise<ListClientsAnswer>;
    /** A client: its keys, balances and holds, its fees, and the rules of its own. */
    readonly show: (values: {
      readonly client: string;
    }) => Promise<ReadClientAnswer>;
    /** Credit a wallet from outside. */
    readonly credit: (values: {
      readonly client: string;
      readonly asset: string;
      readonly amount: string;
    }) => Promise<AdjustBalanceAnswer>;
    /** Debit a wallet from outside. */
    readonly debit: (values: {
      readonly client: string;
      readonly asset: string;
      readonly amount: string;
    }) => Promise<AdjustBalanceAnswer>;
    /** Replace a client's rules for one product; a limit left out means the product's own. */
    readonly rules: (values: {
      readonly client: string;
      readonly product: string;
      readonly enabled: boolean;
      readonly minOrderSize?: string;
      readonly maxOrderSize?: string;
      readonly minQuoteValue?: string;
      readonly maxQuoteValue?: string;
    }) => Promise<SetClientRulesAnswer>;
    /** Allow a client to trade. */
    readonly allow: (values: {
      readonly client: string;
    }) => Promise<AllowTradingAnswer>;
    /** Forbid a client to trade at all. */
    readonly forbid: (values: {
      readonly client: string;
    }) => Promise<AllowTradingAnswer>;
    /** Change a client's fee rates, spelled as in a world; orders that are accepted already keep theirs. */
    readonly fees: (values: {
      readonly client: string;
      readonly feeModel: "ALL_IN" | "COST_PLUS";
      readonly makerRate: string;
      readonly takerRate: string;
      readonly exchangeMakerRate?: string;
      readonly exchangeTakerRate?: string;
    }) => Promise<SetFeesAnswer>;
  };
  readonly deposit: {
    /** A deposit arrives; it is credited once it has the network's confirmations. */
    readonly create: (values: {
      readonly client: string;
      readonly asset: string;
      readonly amount: string;
      readonly network?: string;
      readonly confirmations?: number;
    }) => Promise<Deposit>;
    /** Add confirmations to a pending deposit. */
    readonly confirm: (values: {
      readonly id: string;
      readonly confirmations: number;
    }) => Promise<Deposit>;
    /** Fail a pending deposit; nothing is credited. */
    readonly fail: (values: {
      readonly id: string;
    }) => Promise<Deposit>;
  };
  readonly key: {
    /** The API keys of the world with their secrets: this is a sandbox. */
    readonly list: () => Promise<ListKeysAnswer>;
    /** Create an API key. Its id and its secret are in the answer, and in `GET /keys`. */
    readonly new: (values: {
      readonly name: string;
      readonly client?: string;
      readonly claims?: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
    }) => Promise<CreateKeyAnswer>;
    /** Give an API key another secret at once, and close its WebSockets. The key id stays. */
    readonly rotate: (values: {
      readonly key: string;
    }) => Promise<RotateKeyAnswer>;
    /** Enable an API key, by its name. */
    readonly enable: (values: {
      readonly key: string;
    }) => Promise<EnableKeyAnswer>;
    /** Disable an API key, by its name. */
    readonly disable: (values: {
      readonly key: string;
    }) => Promise<EnableKeyAnswer>;
  };
  readonly world: {
    /** All worlds of this process, the oldest first. */
    readonly list: () => Promise<ListWorldsAnswer>;
    /** Make a world in memory: the demo world, a world FILE, or a fork of WORLD or WORLD@ENTRY. */
    readonly new: (values: {
      readonly name: string;
      readonly from?: string;
      readonly seed?: number;
      readonly clock?: "real" | "manual" | "skip-idle";
      readonly freedomSet?: "polite" | "prime-like" | "strict";
      readonly hostile?: number;
    }) => Promise<CreateWorldAnswer>;
    /** A world with its keys. */
    readonly read: (values: {
      readonly world: string;
    }) => Promise<ReadWorldAnswer>;
    /** Delete a world with everything in it. */
    readonly delete: (values: {
      readonly world: string;
    }) => Promise<DeleteWorldAnswer>;
    /** Begin a world in memory anew, with an empty journal and the keys of its world file. */
    readonly reset: (values: {
      readonly world: string;
    }) => Promise<ResetWorldAnswer>;
    /** Make a world that goes on from where this one is, or was after an entry of its journal. */
    readonly fork: (values: {
      readonly world: string;
      readonly name: string;
      readonly entry?: number;
    }) => Promise<ForkWorldAnswer>;
  };
}

/** How the venue is. */
export interface ReadHealthAnswer {
  readonly version: string;
  readonly mode: string;
  readonly trouble: string | null;
  readonly seed: number;
  readonly worldDigest: string;
  readonly epoch: number;
  readonly seq: number;
  readonly hash: string;
  readonly marketTime: string;
  readonly clock: "real" | "manual" | "skip-idle";
  readonly hostile: number | null;
  readonly freedoms: Readonly<Record<string, string>>;
}

/** The market clock. */
export interface ReadClockAnswer {
  readonly mode: "real" | "manual" | "skip-idle";
  readonly now: string;
  readonly nextDue: string | null;
}

/** The market clock, and what the move did. */
export interface MoveClockAnswer {
  readonly mode: "real" | "manual" | "skip-idle";
  readonly now: string;
  readonly nextDue: string | null;
  readonly entries: number;
  readonly effects: readonly {
    readonly entry: number;
    readonly at: string;
    readonly kind: "OrderConfirmed" | "OrderRested" | "StopTriggered" | "Traded" | "OrderClosed" | "OrdersSynced" | "TradePrinted" | "DepositCompleted";
    readonly order?: string;
    readonly deposit?: string;
    readonly status?: "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED" | "PENDING" | "CONFIRMED";
    readonly product?: string;
    readonly price?: string;
    readonly quantity?: string;
  }[];
  readonly effectsTotal: number;
}

/** The rules in force. */
export interface ReadFaultsAnswer {
  readonly rules: readonly {
    readonly id: string;
    readonly fault?: {
      readonly kind: "externalFailure";
      readonly outcome: "certain" | "unknown";
      readonly resolvesTo?: "OPEN" | "FAILED";
      readonly afterMs?: number;
    } | {
      readonly kind: "internalFailure";
    } | {
      readonly kind: "clientNotFound";
    } | {
      readonly kind: "stuckPending";
    } | {
      readonly kind: "rejectByExchange";
      readonly reason: "INVALID_SIZE_INCREMENT" | "INVALID_PRICE_INCREMENT" | "QUOTE_SIZE_OUT_OF_RANGE" | "INSUFFICIENT_FUNDS" | "STOP_PRICE_WOULD_TRIGGER" | "PRICE_OUT_OF_COLLAR" | "AMOUNT_TOO_LARGE" | "TRADING_HALTED" | "TOO_MANY_OPEN_ORDERS";
    } | {
      readonly kind: "neverSync";
    } | {
      readonly kind: "staleReads";
      readonly ms: number;
    } | {
      readonly kind: "lateSync";
      readonly ms: number;
    } | {
      readonly kind: "course";
      readonly steps: readonly {
        readonly do: "confirm" | "fail" | "fill" | "match" | "cancel" | "expire";
        readonly afterMs: number;
        readonly percent?: number;
        readonly betterBy?: number;
      }[];
    } | {
      readonly kind: "stuckCancel";
      readonly refusedAfterMs?: number;
    } | {
      readonly kind: "doubleEvents";
    } | {
      readonly kind: "delay";
      readonly ms: number;
    } | {
      readonly kind: "streamDrop";
    } | {
      readonly kind: "streamDuplicate";
    } | {
      readonly kind: "streamReorder";
    } | {
      readonly kind: "streamStall";
      readonly ms: number;
    } | {
      readonly kind: "streamSlow";
      readonly ms: number;
    } | {
      readonly kind: "streamClose";
    } | {
      readonly kind: "delayResponse";
      readonly ms: number;
    } | {
      readonly kind: "dropConnectionBefore";
    } | {
      readonly kind: "dropConnectionAfter";
    } | {
      readonly kind: "resetConnectionBefore";
    } | {
      readonly kind: "resetConnectionAfter";
    } | {
      readonly kind: "cutBody";
    } | {
      readonly kind: "status";
      readonly status: 429 | 500 | 503;
      readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
      readonly body?: "none";
    };
    readonly outcome?: "EXTERNAL_FAILURE" | "UNKNOWN_THEN_OPEN" | "INTERNAL_FAILURE" | "STUCK_PENDING" | "LOST_ANSWER" | "UNKNOWN_THEN_FAILED" | "CLIENT_NOT_FOUND" | "EXCHANGE_REJECTS" | "NEVER_SYNCED" | "LOST_REQUEST" | "LATE_ANSWER" | "STATUS_429" | "STATUS_500" | "STATUS_503" | "RESET_AFTER" | "RESET_BEFORE" | "CUT_ANSWER" | "LATE_REQUEST" | "VERY_LATE_ANSWER" | "STATUS_500_EMPTY" | "STATUS_503_EMPTY" | "STATUS_503_NOT_READY" | "STATUS_503_UNKNOWN" | "COLLAR_REJECTS" | "NEVER_FILLED" | "FILLED_AT_ONCE" | "HALF_FILLED" | "TEN_FILLS" | "TWO_PRICES" | "PENDING_THEN_OPEN" | "PENDING_THEN_FAILED" | "OPEN_THEN_EXPIRED" | "PARTIAL_THEN_CANCELLED" | "PARTIAL_THEN_STALLED" | "FILLED_BEFORE_ANSWER" | "EVENTS_TWICE" | "LATE_SYNCED" | "STALE_READS" | "STUCK_CANCEL" | "CANCEL_REFUSED_LATE";
    readonly route?: string;
    readonly product?: string;
    readonly clientOrderIdPrefix?: string;
    readonly key?: string;
    readonly nth?: number;
    readonly percent?: number;
    readonly count?: number;
  }[];
  readonly counts?: readonly {
    readonly id: string;
    readonly matched: number;
    readonly fired: number;
  }[];
}

/** The rules in force. */
export interface SetFaultsAnswer {
  readonly rules: readonly {
    readonly id: string;
    readonly fault?: {
      readonly kind: "externalFailure";
      readonly outcome: "certain" | "unknown";
      readonly resolvesTo?: "OPEN" | "FAILED";
      readonly afterMs?: number;
    } | {
      readonly kind: "internalFailure";
    } | {
      readonly kind: "clientNotFound";
    } | {
      readonly kind: "stuckPending";
    } | {
      readonly kind: "rejectByExchange";
      readonly reason: "INVALID_SIZE_INCREMENT" | "INVALID_PRICE_INCREMENT" | "QUOTE_SIZE_OUT_OF_RANGE" | "INSUFFICIENT_FUNDS" | "STOP_PRICE_WOULD_TRIGGER" | "PRICE_OUT_OF_COLLAR" | "AMOUNT_TOO_LARGE" | "TRADING_HALTED" | "TOO_MANY_OPEN_ORDERS";
    } | {
      readonly kind: "neverSync";
    } | {
      readonly kind: "staleReads";
      readonly ms: number;
    } | {
      readonly kind: "lateSync";
      readonly ms: number;
    } | {
      readonly kind: "course";
      readonly steps: readonly {
        readonly do: "confirm" | "fail" | "fill" | "match" | "cancel" | "expire";
        readonly afterMs: number;
        readonly percent?: number;
        readonly betterBy?: number;
      }[];
    } | {
      readonly kind: "stuckCancel";
      readonly refusedAfterMs?: number;
    } | {
      readonly kind: "doubleEvents";
    } | {
      readonly kind: "delay";
      readonly ms: number;
    } | {
      readonly kind: "streamDrop";
    } | {
      readonly kind: "streamDuplicate";
    } | {
      readonly kind: "streamReorder";
    } | {
      readonly kind: "streamStall";
      readonly ms: number;
    } | {
      readonly kind: "streamSlow";
      readonly ms: number;
    } | {
      readonly kind: "streamClose";
    } | {
      readonly kind: "delayResponse";
      readonly ms: number;
    } | {
      readonly kind: "dropConnectionBefore";
    } | {
      readonly kind: "dropConnectionAfter";
    } | {
      readonly kind: "resetConnectionBefore";
    } | {
      readonly kind: "resetConnectionAfter";
    } | {
      readonly kind: "cutBody";
    } | {
      readonly kind: "status";
      readonly status: 429 | 500 | 503;
      readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
      readonly body?: "none";
    };
    readonly outcome?: "EXTERNAL_FAILURE" | "UNKNOWN_THEN_OPEN" | "INTERNAL_FAILURE" | "STUCK_PENDING" | "LOST_ANSWER" | "UNKNOWN_THEN_FAILED" | "CLIENT_NOT_FOUND" | "EXCHANGE_REJECTS" | "NEVER_SYNCED" | "LOST_REQUEST" | "LATE_ANSWER" | "STATUS_429" | "STATUS_500" | "STATUS_503" | "RESET_AFTER" | "RESET_BEFORE" | "CUT_ANSWER" | "LATE_REQUEST" | "VERY_LATE_ANSWER" | "STATUS_500_EMPTY" | "STATUS_503_EMPTY" | "STATUS_503_NOT_READY" | "STATUS_503_UNKNOWN" | "COLLAR_REJECTS" | "NEVER_FILLED" | "FILLED_AT_ONCE" | "HALF_FILLED" | "TEN_FILLS" | "TWO_PRICES" | "PENDING_THEN_OPEN" | "PENDING_THEN_FAILED" | "OPEN_THEN_EXPIRED" | "PARTIAL_THEN_CANCELLED" | "PARTIAL_THEN_STALLED" | "FILLED_BEFORE_ANSWER" | "EVENTS_TWICE" | "LATE_SYNCED" | "STALE_READS" | "STUCK_CANCEL" | "CANCEL_REFUSED_LATE";
    readonly route?: string;
    readonly product?: string;
    readonly clientOrderIdPrefix?: string;
    readonly key?: string;
    readonly nth?: number;
    readonly percent?: number;
    readonly count?: number;
  }[];
  readonly counts?: readonly {
    readonly id: string;
    readonly matched: number;
    readonly fired: number;
  }[];
}

/** The rule that was added. */
export interface AddFaultAnswer {
  readonly id: string;
  readonly fault?: {
    readonly kind: "externalFailure";
    readonly outcome: "certain" | "unknown";
    readonly resolvesTo?: "OPEN" | "FAILED";
    readonly afterMs?: number;
  } | {
    readonly kind: "internalFailure";
  } | {
    readonly kind: "clientNotFound";
  } | {
    readonly kind: "stuckPending";
  } | {
    readonly kind: "rejectByExchange";
    readonly reason: "INVALID_SIZE_INCREMENT" | "INVALID_PRICE_INCREMENT" | "QUOTE_SIZE_OUT_OF_RANGE" | "INSUFFICIENT_FUNDS" | "STOP_PRICE_WOULD_TRIGGER" | "PRICE_OUT_OF_COLLAR" | "AMOUNT_TOO_LARGE" | "TRADING_HALTED" | "TOO_MANY_OPEN_ORDERS";
  } | {
    readonly kind: "neverSync";
  } | {
    readonly kind: "staleReads";
    readonly ms: number;
  } | {
    readonly kind: "lateSync";
    readonly ms: number;
  } | {
    readonly kind: "course";
    readonly steps: readonly {
      readonly do: "confirm" | "fail" | "fill" | "match" | "cancel" | "expire";
      readonly afterMs: number;
      readonly percent?: number;
      readonly betterBy?: number;
    }[];
  } | {
    readonly kind: "stuckCancel";
    readonly refusedAfterMs?: number;
  } | {
    readonly kind: "doubleEvents";
  } | {
    readonly kind: "delay";
    readonly ms: number;
  } | {
    readonly kind: "streamDrop";
  } | {
    readonly kind: "streamDuplicate";
  } | {
    readonly kind: "streamReorder";
  } | {
    readonly kind: "streamStall";
    readonly ms: number;
  } | {
    readonly kind: "streamSlow";
    readonly ms: number;
  } | {
    readonly kind: "streamClose";
  } | {
    readonly kind: "delayResponse";
    readonly ms: number;
  } | {
    readonly kind: "dropConnectionBefore";
  } | {
    readonly kind: "dropConnectionAfter";
  } | {
    readonly kind: "resetConnectionBefore";
  } | {
    readonly kind: "resetConnectionAfter";
  } | {
    readonly kind: "cutBody";
  } | {
    readonly kind: "status";
    readonly status: 429 | 500 | 503;
    readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
    readonly body?: "none";
  };
  readonly outcome?: "EXTERNAL_FAILURE" | "UNKNOWN_THEN_OPEN" | "INTERNAL_FAILURE" | "STUCK_PENDING" | "LOST_ANSWER" | "UNKNOWN_THEN_FAILED" | "CLIENT_NOT_FOUND" | "EXCHANGE_REJECTS" | "NEVER_SYNCED" | "LOST_REQUEST" | "LATE_ANSWER" | "STATUS_429" | "STATUS_500" | "STATUS_503" | "RESET_AFTER" | "RESET_BEFORE" | "CUT_ANSWER" | "LATE_REQUEST" | "VERY_LATE_ANSWER" | "STATUS_500_EMPTY" | "STATUS_503_EMPTY" | "STATUS_503_NOT_READY" | "STATUS_503_UNKNOWN" | "COLLAR_REJECTS" | "NEVER_FILLED" | "FILLED_AT_ONCE" | "HALF_FILLED" | "TEN_FILLS" | "TWO_PRICES" | "PENDING_THEN_OPEN" | "PENDING_THEN_FAILED" | "OPEN_THEN_EXPIRED" | "PARTIAL_THEN_CANCELLED" | "PARTIAL_THEN_STALLED" | "FILLED_BEFORE_ANSWER" | "EVENTS_TWICE" | "LATE_SYNCED" | "STALE_READS" | "STUCK_CANCEL" | "CANCEL_REFUSED_LATE";
  readonly route?: string;
  readonly product?: string;
  readonly clientOrderIdPrefix?: string;
  readonly key?: string;
  readonly nth?: number;
  readonly percent?: number;
  readonly count?: number;
}

/** The rules in force. */
export interface ClearFaultsAnswer {
  readonly rules: readonly {
    readonly id: string;
    readonly fault?: {
      readonly kind: "externalFailure";
      readonly outcome: "certain" | "unknown";
      readonly resolvesTo?: "OPEN" | "FAILED";
      readonly afterMs?: number;
    } | {
      readonly kind: "internalFailure";
    } | {
      readonly kind: "clientNotFound";
    } | {
      readonly kind: "stuckPending";
    } | {
      readonly kind: "rejectByExchange";
      readonly reason: "INVALID_SIZE_INCREMENT" | "INVALID_PRICE_INCREMENT" | "QUOTE_SIZE_OUT_OF_RANGE" | "INSUFFICIENT_FUNDS" | "STOP_PRICE_WOULD_TRIGGER" | "PRICE_OUT_OF_COLLAR" | "AMOUNT_TOO_LARGE" | "TRADING_HALTED" | "TOO_MANY_OPEN_ORDERS";
    } | {
      readonly kind: "neverSync";
    } | {
      readonly kind: "staleReads";
      readonly ms: number;
    } | {
      readonly kind: "lateSync";
      readonly ms: number;
    } | {
      readonly kind: "course";
      readonly steps: readonly {
        readonly do: "confirm" | "fail" | "fill" | "match" | "cancel" | "expire";
        readonly afterMs: number;
        readonly percent?: number;
        readonly betterBy?: number;
      }[];
    } | {
      readonly kind: "stuckCancel";
      readonly refusedAfterMs?: number;
    } | {
      readonly kind: "doubleEvents";
    } | {
      readonly kind: "delay";
      readonly ms: number;
    } | {
      readonly kind: "streamDrop";
    } | {
      readonly kind: "streamDuplicate";
    } | {
      readonly kind: "streamReorder";
    } | {
      readonly kind: "streamStall";
      readonly ms: number;
    } | {
      readonly kind: "streamSlow";
      readonly ms: number;
    } | {
      readonly kind: "streamClose";
    } | {
      readonly kind: "delayResponse";
      readonly ms: number;
    } | {
      readonly kind: "dropConnectionBefore";
    } | {
      readonly kind: "dropConnectionAfter";
    } | {
      readonly kind: "resetConnectionBefore";
    } | {
      readonly kind: "resetConnectionAfter";
    } | {
      readonly kind: "cutBody";
    } | {
      readonly kind: "status";
      readonly status: 429 | 500 | 503;
      readonly code?: "NOT_READY" | "OUTCOME_UNKNOWN";
      readonly body?: "none";
    };
    readonly outcome?: "EXTERNAL_FAILURE" | "UNKNOWN_THEN_OPEN" | "INTERNAL_FAILURE" | "STUCK_PENDING" | "LOST_ANSWER" | "UNKNOWN_THEN_FAILED" | "CLIENT_NOT_FOUND" | "EXCHANGE_REJECTS" | "NEVER_SYNCED" | "LOST_REQUEST" | "LATE_ANSWER" | "STATUS_429" | "STATUS_500" | "STATUS_503" | "RESET_AFTER" | "RESET_BEFORE" | "CUT_ANSWER" | "LATE_REQUEST" | "VERY_LATE_ANSWER" | "STATUS_500_EMPTY" | "STATUS_503_EMPTY" | "STATUS_503_NOT_READY" | "STATUS_503_UNKNOWN" | "COLLAR_REJECTS" | "NEVER_FILLED" | "FILLED_AT_ONCE" | "HALF_FILLED" | "TEN_FILLS" | "TWO_PRICES" | "PENDING_THEN_OPEN" | "PENDING_THEN_FAILED" | "OPEN_THEN_EXPIRED" | "PARTIAL_THEN_CANCELLED" | "PARTIAL_THEN_STALLED" | "FILLED_BEFORE_ANSWER" | "EVENTS_TWICE" | "LATE_SYNCED" | "STALE_READS" | "STUCK_CANCEL" | "CANCEL_REFUSED_LATE";
    readonly route?: string;
    readonly product?: string;
    readonly clientOrderIdPrefix?: string;
    readonly key?: string;
    readonly nth?: number;
    readonly percent?: number;
    readonly count?: number;
  }[];
  readonly counts?: readonly {
    readonly id: string;
    readonly matched: number;
    readonly fired: number;
  }[];
}

/** The outcomes. */
export interface ListOutcomesAnswer {
  readonly outcomes: readonly {
    readonly code: string;
    readonly forced: boolean;
    readonly prefix: string | null;
    readonly does: string;
    readonly about: string;
    readonly answer: {
      readonly status: number | null;
      readonly type: string | null;
      readonly code: string | null;
      readonly reason: string | null;
      readonly later: string | null;
    };
    readonly example: {
      readonly method: string;
      readonly path: string;
      readonly key: string;
      readonly body?: Readonly<Record<string, unknown>>;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, unknown>>;
      readonly world?: Readonly<Record<string, unknown>>;
      readonly controls?: readonly Readonly<Record<string, unknown>>[];
      readonly before?: readonly Readonly<Record<string, unknown>>[];
      readonly twice?: boolean;
    };
  }[];
}

/** What was set. */
export interface QueueOutcomeAnswer {
  readonly rule: string;
}

/** Points that the specification leaves open. */
export interface ReadSettingsAnswer {
  readonly matchDelayMs?: number;
  readonly syncDelayMs?: number;
  readonly acceptance?: "sync" | "async";
  readonly confirmDelayMs?: number;
  readonly cancelMode?: "sync" | "async";
  readonly stp?: "cancel-newest" | "cancel-oldest" | "cancel-both" | "decrement" | "none";
  readonly stopOnCrossed?: "reject" | "trigger";
  readonly slippageCollarBps?: number;
  readonly releaseImprovement?: "at-end" | "per-fill";
  readonly marketBuySizeCheck?: "estimate" | "quote-limits";
  readonly answerDelayMs?: number;
  readonly variations?: readonly ("V-01" | "V-02" | "V-03" | "V-04" | "V-06" | "V-07" | "V-08" | "V-09" | "V-10" | "V-12" | "V-16" | "V-18" | "V-19" | "V-20" | "V-21" | "V-26" | "V-28" | "V-29" | "V-32" | "V-33" | "V-34" | "V-35" | "V-41" | "V-42" | "V-44" | "V-47" | "V-55")[];
  readonly maxOpenOrders?: number;
  readonly auth?: {
    readonly signedPath?: "path" | "path-and-query" | "either";
    readonly clockWindowMs?: number;
    readonly nonceRetentionMs?: number;
    readonly nonceFormat?: "uuid" | "any";
    readonly strictHexCase?: boolean;
    readonly requireContentTypeAlways?: boolean;
  };
  readonly diagnostics?: boolean;
  readonly validation?: {
    readonly unknownFields?: "ignore" | "reject";
    readonly unknownQuery?: "ignore" | "reject";
  };
  readonly candles?: {
    readonly fillGaps?: boolean;
  };
  readonly rateLimit?: {
    readonly enabled?: boolean;
    readonly requestsPerSecond?: number;
    readonly burst?: number;
    readonly addressRequestsPerSecond?: number;
  };
  readonly limits?: {
    readonly bodyBytes?: number;
    readonly urlBytes?: number;
    readonly requestTimeoutMs?: number;
    readonly headersTimeoutMs?: number;
    readonly connections?: number;
    readonly streamConnectionsPerKey?: number;
    readonly streamMessagesPerSecond?: number;
    readonly streamMessageBytes?: number;
    readonly streamSubscriptions?: number;
    readonly streamQueueBytes?: number;
    readonly streamQueueMessages?: number;
    readonly streamSubscribeTimeoutMs?: number;
    readonly streamPingEveryMs?: number;
    readonly streamSilenceMs?: number;
  };
}

/** Points that the specification leaves open. */
export interface ChangeSettingsAnswer {
  readonly matchDelayMs?: number;
  readonly syncDelayMs?: number;
  readonly acceptance?: "sync" | "async";
  readonly confirmDelayMs?: number;
  readonly cancelMode?: "sync" | "async";
  readonly stp?: "cancel-newest" | "cancel-oldest" | "cancel-both" | "decrement" | "none";
  readonly stopOnCrossed?: "reject" | "trigger";
  readonly slippageCollarBps?: number;
  readonly releaseImprovement?: "at-end" | "per-fill";
  readonly marketBuySizeCheck?: "estimate" | "quote-limits";
  readonly answerDelayMs?: number;
  readonly variations?: readonly ("V-01" | "V-02" | "V-03" | "V-04" | "V-06" | "V-07" | "V-08" | "V-09" | "V-10" | "V-12" | "V-16" | "V-18" | "V-19" | "V-20" | "V-21" | "V-26" | "V-28" | "V-29" | "V-32" | "V-33" | "V-34" | "V-35" | "V-41" | "V-42" | "V-44" | "V-47" | "V-55")[];
  readonly maxOpenOrders?: number;
  readonly auth?: {
    readonly signedPath?: "path" | "path-and-query" | "either";
    readonly clockWindowMs?: number;
    readonly nonceRetentionMs?: number;
    readonly nonceFormat?: "uuid" | "any";
    readonly strictHexCase?: boolean;
    readonly requireContentTypeAlways?: boolean;
  };
  readonly diagnostics?: boolean;
  readonly validation?: {
    readonly unknownFields?: "ignore" | "reject";
    readonly unknownQuery?: "ignore" | "reject";
  };
  readonly candles?: {
    readonly fillGaps?: boolean;
  };
  readonly rateLimit?: {
    readonly enabled?: boolean;
    readonly requestsPerSecond?: number;
    readonly burst?: number;
    readonly addressRequestsPerSecond?: number;
  };
  readonly limits?: {
    readonly bodyBytes?: number;
    readonly urlBytes?: number;
    readonly requestTimeoutMs?: number;
    readonly headersTimeoutMs?: number;
    readonly connections?: number;
    readonly streamConnectionsPerKey?: number;
    readonly streamMessagesPerSecond?: number;
    readonly streamMessageBytes?: number;
    readonly streamSubscriptions?: number;
    readonly streamQueueBytes?: number;
    readonly streamQueueMessages?: number;
    readonly streamSubscribeTimeoutMs?: number;
    readonly streamPingEveryMs?: number;
    readonly streamSilenceMs?: number;
  };
}

/** The register. */
export interface ListFreedomsAnswer {
  readonly switchable: number;
  readonly fixed: number;
  readonly hostile: number | null;
  readonly freedoms: readonly {
    readonly id: string;
    readonly option: string;
    readonly switchable: "run time" | "start" | "never";
    readonly gap: string;
    readonly setting: string | null;
    readonly options: readonly {
      readonly id: string;
      readonly means: string;
    }[];
    readonly reason: string;
    readonly whyFixed: string | null;
  }[];
}

/** What is in force. */
export interface SetFreedomAnswer {
  readonly freedom: string;
  readonly option: string;
}

/** What is in force. */
export interface SetFreedomsAnswer {
  readonly hostile: number | null;
  readonly freedoms: Readonly<Record<string, string>>;
  readonly left: Readonly<Record<string, string>>;
}

/** What is in force. */
export interface SetHostileAnswer {
  readonly hostile: number | null;
  readonly freedoms: Readonly<Record<string, string>>;
  readonly left: Readonly<Record<string, string>>;
}

/** A part of the exchange log. */
export interface ListExchangesAnswer {
  readonly exchanges: readonly {
    readonly number: number;
    readonly requestId: string;
    readonly kind: "request" | "stream";
    readonly receivedAt: string;
    readonly durationMs: number;
    readonly key: string | null;
    readonly client: string | null;
    readonly method: string;
    readonly target: string;
    readonly status: number;
    readonly code: string | null;
    readonly sent: boolean;
    readonly refusedBy: string | null;
    readonly entries: {
      readonly first: number;
      readonly last: number;
    } | null;
    readonly faults: readonly {
      readonly rule: string;
      readonly kind: string;
      readonly refused: boolean;
    }[];
    readonly stream: {
      readonly code: number;
      readonly reason: string;
      readonly received: number;
      readonly sent: number;
      readonly subscriptions: readonly string[];
    } | null;
  }[];
  readonly dropped: number;
}

/** An exchange. */
export interface ReadExchangeAnswer {
  readonly number: number;
  readonly requestId: string;
  readonly kind: "request" | "stream";
  readonly receivedAt: string;
  readonly durationMs: number;
  readonly key: string | null;
  readonly client: string | null;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly code: string | null;
  readonly sent: boolean;
  readonly refusedBy: string | null;
  readonly entries: {
    readonly first: number;
    readonly last: number;
  } | null;
  readonly faults: readonly {
    readonly rule: string;
    readonly kind: string;
    readonly refused: boolean;
  }[];
  readonly stream: {
    readonly code: number;
    readonly reason: string;
    readonly received: number;
    readonly sent: number;
    readonly subscriptions: readonly string[];
  } | null;
  readonly address: string;
  readonly freedoms: Readonly<Record<string, string>>;
  readonly checks: readonly {
    readonly check: string;
    readonly passed: boolean;
  }[];
  readonly signature: {
    readonly state: "found" | "unexplained" | "unfinished" | "notSearched";
    readonly mistakes: readonly string[];
    readonly hint: string | null;
    readonly expectedCanonical: string;
    readonly signedCanonical: string | null;
    readonly firstDifference: {
      readonly line: number;
      readonly byte: number;
    } | null;
    readonly tried: number;
  } | null;
  readonly request: {
    readonly headers: readonly {
      readonly name: string;
      readonly value: string;
    }[];
    readonly body: {
      readonly length: number;
      readonly text?: string;
      readonly base64?: string;
    };
  };
  readonly answer: {
    readonly headers: readonly {
      readonly name: string;
      readonly value: string;
    }[];
    readonly body: {
      readonly length: number;
      readonly text?: string;
      readonly base64?: string;
    };
  };
}

/** An explanation. */
export interface ExplainAnswer {
  readonly subject: {
    readonly kind: "order" | "request";
    readonly id: string;
    readonly clientOrderId: string | null;
    readonly status: string | null;
  };
  readonly facts: readonly {
    readonly code: "RECEIVED" | "REFUSED" | "SIGNATURE" | "ANSWERED" | "ANSWER_LOST" | "ACCEPTED" | "FAULT" | "FREEDOMS" | "HELD" | "CONFIRMED" | "STOP_ARMED" | "STOP_TRIGGERED" | "RESTED" | "TRADED" | "REDUCED" | "CANCEL_REQUESTED" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED" | "SYNCED" | "LEFT_OUT" | "WAITS_FOR_EXCHANGE" | "NEVER_CONFIRMED" | "WAITS_FOR_MATCHING" | "WAITS_FOR_COURSE" | "NEVER_MATCHED" | "WAITS_FOR_STOP" | "WAITS_FOR_CANCEL" | "WAITS_FOR_TRADE" | "HALTED" | "NEVER_SYNCED";
    readonly sentence: string;
    readonly values: Readonly<Record<string, unknown>>;
    readonly entry: number | null;
  }[];
}

/** A capsule. */
export interface ReadCapsuleAnswer {
  readonly entries: number;
  readonly exchanges: number;
  readonly leftOut: number;
  readonly hash: string;
  readonly file: string;
}

/** A diagnosis. */
export interface DiagnoseSignatureAnswer {
  readonly key: string;
  readonly world: string;
  readonly verifies: boolean;
  readonly remarks: readonly string[];
  readonly state: "found" | "unexplained" | "unfinished" | "notSearched";
  readonly mistakes: readonly string[];
  readonly hint: string | null;
  readonly expectedCanonical: string;
  readonly signedCanonical: string | null;
  readonly firstDifference: {
    readonly line: number;
    readonly byte: number;
  } | null;
  readonly tried: number;
}

/** A part of the journal. */
export interface ReadJournalAnswer {
  readonly entries: readonly {
    readonly seq: number;
    readonly at: string;
    readonly kind: string;
    readonly command: Readonly<Record<string, unknown>>;
    readonly hash: string;
    readonly events: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly last: number;
}

/** An entry of the journal. */
export interface ReadEntryAnswer {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly hash: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** The state as hashes. */
export interface ReadStateHashAnswer {
  readonly seq: number;
  readonly chainHash: string;
  readonly stateHash: string;
}

/** What was set. */
export interface HaltProductAnswer {
  readonly product: string;
  readonly halted: boolean;
}

/** What was set. */
export interface EnableProductAnswer {
  readonly product: string;
  readonly enabled: boolean;
}

/** The new book. */
export interface LayBookAnswer {
  readonly product: string;
  readonly levels: number;
}

/** What was set. */
export interface PrintTradeAnswer {
  readonly product: string;
  readonly price: string;
  readonly quantity: string;
}

/** Orders. */
export interface ListOrdersAnswer {
  readonly orders: readonly {
    readonly client: string;
    readonly order: Order;
  }[];
  readonly total: number;
}

/** The clients. */
export interface ListClientsAnswer {
  readonly clients: readonly {
    readonly name: string;
    readonly keys: readonly string[];
    readonly tradingEnabled: boolean;
    readonly openOrders: number;
    readonly wallets: readonly Wallet[];
  }[];
}

/** The client. */
export interface ReadClientAnswer {
  readonly name: string;
  readonly keys: readonly string[];
  readonly tradingEnabled: boolean;
  readonly openOrders: number;
  readonly wallets: readonly Wallet[];
  readonly fees: AccountFee;
  readonly rules: readonly {
    readonly product: string;
    readonly enabled: boolean;
    readonly minOrderSize: string | null;
    readonly maxOrderSize: string | null;
    readonly minQuoteValue: string | null;
    readonly maxQuoteValue: string | null;
  }[];
}

/** The order as it is now. */
export interface FillOrderAnswer {
  readonly id: string;
  readonly status: "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";
  readonly filledQuantity: string;
}

/** The order as it is now. */
export interface ConfirmOrderAnswer {
  readonly id: string;
  readonly status: "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";
  readonly filledQuantity: string;
}

/** The order as it is now. */
export interface RejectOrderAnswer {
  readonly id: string;
  readonly status: "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";
  readonly filledQuantity: string;
}

/** The order as it is now. */
export interface HoldOrderAnswer {
  readonly id: string;
  readonly status: "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";
  readonly filledQuantity: string;
}

/** The order as it is now. */
export interface CancelOrderAnswer {
  readonly id: string;
  readonly status: "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";
  readonly filledQuantity: string;
}

/** The order as it is now. */
export interface ExpireOrderAnswer {
  readonly id: string;
  readonly status: "PENDING" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED";
  readonly filledQuantity: string;
}

/** What was set. */
export interface AdjustBalanceAnswer {
  readonly client: string;
  readonly asset: string;
  readonly amount: string;
  readonly direction: "credit" | "debit";
}

/** What was set. */
export interface SetClientRulesAnswer {
  readonly client: string;
  readonly product: string;
  readonly enabled: boolean;
  readonly minOrderSize: string | null;
  readonly maxOrderSize: string | null;
  readonly minQuoteValue: string | null;
  readonly maxQuoteValue: string | null;
}

/** What was set. */
export interface AllowTradingAnswer {
  readonly client: string;
  readonly enabled: boolean;
}

/** What was set. */
export interface SetFeesAnswer {
  readonly client: string;
  readonly feeModel: "ALL_IN" | "COST_PLUS";
  readonly makerRate: string;
  readonly takerRate: string;
  readonly exchangeMakerRate: string | null;
  readonly exchangeTakerRate: string | null;
}

/** The keys. */
export type ListKeysAnswer = readonly {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  readonly client: string | null;
  readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
}[];

/** An API key. */
export interface CreateKeyAnswer {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  readonly client: string | null;
  readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
}

/** An API key. */
export interface RotateKeyAnswer {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
  readonly client: string | null;
  readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
}

/** What was set. */
export interface EnableKeyAnswer {
  readonly key: string;
  readonly enabled: boolean;
}

/** The worlds. */
export type ListWorldsAnswer = readonly {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
}[];

/** A world. */
export interface CreateWorldAnswer {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly keys: readonly {
    readonly name: string;
    readonly keyId: string;
    readonly secret: string;
    readonly client: string | null;
    readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
  }[];
}

/** A world. */
export interface ReadWorldAnswer {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly keys: readonly {
    readonly name: string;
    readonly keyId: string;
    readonly secret: string;
    readonly client: string | null;
    readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
  }[];
}

/** A world. */
export interface DeleteWorldAnswer {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly keys: readonly {
    readonly name: string;
    readonly keyId: string;
    readonly secret: string;
    readonly client: string | null;
    readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
  }[];
}

/** A world. */
export interface ResetWorldAnswer {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly keys: readonly {
    readonly name: string;
    readonly keyId: string;
    readonly secret: string;
    readonly client: string | null;
    readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
  }[];
}

/** A world. */
export interface ForkWorldAnswer {
  readonly name: string;
  readonly seed: number;
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
  readonly keys: readonly {
    readonly name: string;
    readonly keyId: string;
    readonly secret: string;
    readonly client: string | null;
    readonly claims: readonly ("read:orders" | "write:orders" | "read:account" | "read:market-data")[];
  }[];
}

/** A deposit. */
export interface Deposit {
  readonly id: string;
  readonly walletId: string;
  readonly asset: string;
  readonly network: string;
  readonly amount: string;
  readonly status: "PENDING" | "CONFIRMED" | "FAILED";
  readonly address: string;
  readonly accountIdentifier: string | null;
  readonly txHash: string;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
}

/** An order, as it is now. */
export interface Order {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly externalId: string | null;
  readonly userId: string | null;
  readonly portfolioId: string | null;
  readonly productId: string;
  readonly side: "BUY" | "SELL";
  readonly clientOrderId: string;
  readonly type: "MARKET" | "LIMIT" | "TWAP" | "BLOCK" | "VWAP" | "STOP_LIMIT" | "RFQ" | "PEG";
  readonly baseQuantity: string | null;
  readonly quoteValue: string | null;
  readonly limitPrice: string | null;
  readonly startTime: string | null;
  readonly expiryTime: string | null;
  readonly status: "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED" | "FAILED" | "PENDING";
  readonly timeInForce: "GOOD_UNTIL_CANCELLED" | "IMMEDIATE_OR_CANCEL" | null;
  readonly filledQuantity: string | null;
  readonly filledValue: string | null;
  readonly averageFilledPrice: string | null;
  readonly commission: string | null;
  readonly exchangeFee: string | null;
  readonly historicalPov: string | null;
  readonly stopPrice: string | null;
  readonly netAverageFilledPrice: string | null;
  readonly userContext: string | null;
  readonly clientProductId: string | null;
  readonly postOnly: boolean | null;
  readonly orderEditHistory: readonly OrderEditHistoryEntry[] | null;
  readonly isRaiseExact: boolean | null;
  readonly displaySize: string | null;
  readonly editHistory: readonly EditHistoryEntry[] | null;
  readonly displayQuoteSize: string | null;
  readonly displayBaseSize: string | null;
  readonly synced: boolean;
  readonly fees: string | null;
  readonly totalUserRecieveAmount: string | null;
}

/** A wallet of the account. */
export interface Wallet {
  readonly id: string;
  readonly asset: string;
  readonly name: string;
  readonly type: "TRADING";
  readonly balance: string;
  readonly hold: string;
  readonly available: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Trading fee of the account. Rates are fractions: 0.0025 is 25 basis points. */
export interface AccountFee {
  readonly type: "ALL_IN" | "COST_PLUS";
  readonly product: string | null;
  readonly makerRate: string;
  readonly takerRate: string;
  readonly exchangeMakerRate: string;
  readonly exchangeTakerRate: string;
  readonly tradingVolume: string;
  readonly currency: string;
  readonly updatedAt: string;
}

/** What an order was before an edit. */
export interface OrderEditHistoryEntry {
  readonly price?: string;
  readonly size?: string;
  readonly displaySize?: string;
  readonly stopPrice?: string;
  readonly stopLimitPrice?: string;
  readonly endTime?: string;
  readonly acceptTime?: string;
  readonly clientOrderId?: string;
}

/** What an order was before an edit. */
export interface EditHistoryEntry {
  readonly price?: string;
  readonly baseQuantity?: string;
  readonly quoteValue?: string;
  readonly displayBaseSize?: string;
  readonly displayQuoteSize?: string;
  readonly stopPrice?: string;
  readonly expiryTime?: string;
  readonly acceptTime?: string;
  readonly clientOrderId?: string;
}
