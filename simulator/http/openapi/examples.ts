/** One record of each kind, as the venue would send it. Readers of the documentation look at these first. */
import type { RecordIds } from "./record-ids.ts";

const at = "2026-01-01T00:00:00.000Z";
const later = "2026-01-01T00:00:00.100Z";
const clientOrderId = "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11";

const client = {
  userId: "0b5f7a44-9a0c-4b1f-8f57-6f0f4b8f2c10",
  portfolioId: "c2a7d1de-30f5-4d7e-9d6c-1f1f6ab0a901",
};

/** A LIMIT BUY of 0.5 at 60000 with 25 basis points, after 0.2 at 59900 and 0.1 at 60000. */
const order = {
  id: "8f14e45f-ceea-467f-a83c-91d6a2f4a001",
  createdAt: at,
  updatedAt: later,
  externalId: "1f0e3dad-9990-4345-b743-91a0c3a2b002",
  ...client,
  productId: "BTC-USD",
  side: "BUY",
  clientOrderId: clientOrderId,
  type: "LIMIT",
  baseQuantity: "0.5",
  quoteValue: "30000",
  limitPrice: "60000",
  startTime: null,
  expiryTime: null,
  status: "OPEN",
  timeInForce: "GOOD_UNTIL_CANCELLED",
  filledQuantity: "0.3",
  filledValue: "17980",
  averageFilledPrice: "59933.33333333",
  commission: "44.95",
  exchangeFee: "0",
  historicalPov: null,
  stopPrice: null,
  netAverageFilledPrice: "60083.16666667",
  userContext: null,
  clientProductId: "BTC-USD",
  postOnly: false,
  orderEditHistory: [],
  isRaiseExact: false,
  displaySize: null,
  editHistory: [],
  displayQuoteSize: null,
  displayBaseSize: null,
  synced: true,
  fees: "44.95",
  totalUserRecieveAmount: "0.3",
};

const unfilled = {
  ...order,
  updatedAt: at,
  filledQuantity: "0",
  filledValue: "0",
  averageFilledPrice: null,
  commission: "0",
  netAverageFilledPrice: null,
  synced: false,
  fees: "0",
  totalUserRecieveAmount: "0",
};

const pagination = { nextCursor: null, hasNext: false, sortDirection: "DESC" };

const pair = {
  id: "BTC-USD",
  apiEnabled: true,
  createdAt: at,
  updatedAt: at,
  base: "BTC",
  quote: "USD",
  exchangeProductId: "BTC-USD",
  exchangeMinSize: "0.00001",
  exchangeMaxSize: "1000",
  exchangeBaseIncrement: "0.00000001",
  exchangeQuoteMinSize: "1",
  exchangeQuoteMaxSize: "50000000",
  minOrderSize: "0.0001",
  maxOrderSize: "100",
};

const wallet = "45c48cce-2e2d-4fbd-aa1f-c51c7c6ad003";
const address = "bc1qsim0k3v9q2h7m4w1x8z5y6t";

const deposit = {
  id: "d3d94468-02a4-4259-955d-4bd3a9d4a004",
  walletId: wallet,
  asset: "BTC",
  network: "bitcoin-mainnet",
  amount: "0.5",
  status: "CONFIRMED",
  address: address,
  accountIdentifier: null,
  txHash: "simd3d9446802a44259955d4bd3a9d4a004",
  confirmations: 3,
  confirmationsRequired: 3,
  createdAt: at,
  updatedAt: later,
  completedAt: later,
};

/** For the paths of a document that no venue serves. */
export const idsOfExamples: RecordIds = { order: order.id, deposits: deposit.id };

/** By name of the component. */
export const records: Readonly<Record<string, unknown>> = {
  Order: order,
  OrderPage: { items: [order], pagination },
  ProductGroup: { name: "BTC", availablePairs: [pair] },
  ProductPair: pair,
  OrderBook: {
    product: "BTC-USD",
    bookSequence: 1042,
    timestamp: at,
    bids: [
      { price: "59990", quantity: "0.5" },
      { price: "59980.5", quantity: "1.2" },
    ],
    asks: [{ price: "60000", quantity: "0.75" }],
  },
  Candle: { timestamp: at, open: "60000", high: "60120.5", low: "59950", close: "60010", volume: "12.5" },
  Asset: {
    symbol: "BTC",
    name: "Bitcoin",
    decimalPrecision: 8,
    tradingEnabled: true,
    depositEnabled: true,
    explorerUrl: null,
    networks: [
      {
        id: "bitcoin-mainnet",
        name: "Bitcoin",
        isDefault: true,
        maxDecimals: 8,
        depositEnabled: true,
        minDepositAmount: "0.0001",
        requiresAccountIdentifier: false,
        accountIdentifierName: null,
        confirmationsRequired: 3,
      },
    ],
  },
  Wallet: {
    id: wallet,
    asset: "BTC",
    name: "BTC Wallet",
    type: "TRADING",
    balance: "1.5",
    hold: "0.25",
    available: "1.25",
    createdAt: at,
    updatedAt: later,
  },
  DepositAddress: {
    id: "98f13708-2101-44c4-b5b6-8a9a1e0ba005",
    walletId: wallet,
    asset: "BTC",
    network: "bitcoin-mainnet",
    address: address,
    accountIdentifier: null,
    accountIdentifierName: null,
    createdAt: at,
  },
  Deposit: deposit,
  DepositPage: { items: [deposit], pagination },
  AccountFee: {
    type: "ALL_IN",
    product: "BTC-USD",
    makerRate: "0.0025",
    takerRate: "0.0025",
    exchangeMakerRate: "0",
    exchangeTakerRate: "0",
    tradingVolume: "17980",
    currency: "USD",
    updatedAt: at,
  },
  AccountSettings: {
    ...client,
    tradingEnabled: true,
    products: [
      {
        productId: "BTC-USD",
        enabled: true,
        minOrderSize: "0.0001",
        maxOrderSize: "10",
        minQuoteValue: "1",
        maxQuoteValue: "50000000",
        source: "ACCOUNT",
      },
    ],
    rateLimit: null,
    keyClaims: ["read:orders", "write:orders", "read:account", "read:market-data"],
    updatedAt: at,
  },
};

/** The outcomes of POST /order, told apart by `data.type`. */
export const orderOutcomes: Readonly<Record<string, { readonly message: string; readonly data: object }>> = {
  NEW_ORDER: { message: "Order placed", data: { type: "NEW_ORDER", order: unfilled } },
  DUPLICATE_REPLAY: {
    message: "Duplicate order",
    data: {
      type: "DUPLICATE_REPLAY",
      order,
      message: `Order with client_order_id ${clientOrderId} already exists`,
    },
  },
  EXTERNAL_EXECUTION_FAILED: {
    message: "Order not executed",
    data: { type: "EXTERNAL_EXECUTION_FAILED", message: "The exchange could not be reached" },
  },
  INTERNAL_EXECUTION_FAILED: {
    message: "Order not executed",
    data: { type: "INTERNAL_EXECUTION_FAILED", message: "The gateway failed after it accepted the request" },
  },
  CLIENT_NOT_FOUND: {
    message: "Order not executed",
    data: { type: "CLIENT_NOT_FOUND", message: "This API key has no client" },
  },
};

const asked = { client_order_id: clientOrderId, product: "BTC-USD" };

/** Bodies by name of the request's component, then by a name for people. */
export const requests: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  OrderRequest: {
    "LIMIT BUY": { side: "BUY", type: "LIMIT", base_quantity: "0.5", price: "60000", ...asked },
    "MARKET BUY": { side: "BUY", type: "MARKET", quote_value: "1000", ...asked },
    "MARKET SELL": { side: "SELL", type: "MARKET", base_quantity: "0.5", ...asked },
    "STOP_LIMIT BUY": {
      side: "BUY",
      type: "STOP_LIMIT",
      base_quantity: "0.5",
      price: "63000",
      stop_price: "63000",
      ...asked,
    },
  },
  DepositAddressRequest: {
    "Default network": { asset: "BTC" },
    "Named network": { asset: "ETH", network: "ethereum-mainnet" },
  },
};
