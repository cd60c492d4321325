/** Assets, wallets, deposits, fees and settings on the wire as schemas. */
import { allClaims } from "../domain/account.ts";
import { inDocument } from "../schema/document.ts";
import type { Schema } from "../schema/fields.ts";
import { addressRequest } from "./address-request.ts";
import {
  always,
  count,
  decimal,
  flag,
  list,
  nullable,
  oneOfText,
  productId,
  record,
  ref,
  size,
  text,
  time,
  uuid,
} from "./schema.ts";

const network = record("A network of an asset.", {
  id: text("Network id."),
  name: text("Network name."),
  isDefault: flag("Whether it is used when a request names none."),
  maxDecimals: count("Decimals of an amount on this network."),
  depositEnabled: flag("Whether deposits are accepted."),
  minDepositAmount: decimal("Smallest deposit."),
  requiresAccountIdentifier: flag("Whether a deposit needs a memo or tag."),
  accountIdentifierName: nullable(text("What the network calls it.")),
  confirmationsRequired: count("Confirmations until a deposit is credited."),
});

const depositAnswer = record("A deposit.", {
  id: uuid("Deposit id."),
  walletId: uuid("Wallet it is credited to."),
  asset: text("Asset symbol."),
  network: text("Network id."),
  amount: decimal("Amount."),
  status: oneOfText("Deposit status. The balance is credited once, at CONFIRMED.", [
    "PENDING",
    "CONFIRMED",
    "FAILED",
  ]),
  address: text("Address it was sent to."),
  accountIdentifier: nullable(text("Memo or tag.")),
  txHash: text("Transaction hash."),
  confirmations: count("Confirmations so far."),
  confirmationsRequired: count("Confirmations until it is credited."),
  createdAt: time("When it was first seen."),
  updatedAt: time("When it last changed."),
  completedAt: nullable(time("When it ended.")),
});

export const accountComponents = {
  Asset: record("An asset available to the account.", {
    symbol: text("Asset symbol."),
    name: text("Asset name."),
    decimalPrecision: count("Decimals of an amount."),
    tradingEnabled: flag("Whether a pair with it can be traded."),
    depositEnabled: flag("Whether it can be deposited."),
    explorerUrl: nullable(text("Block explorer.")),
    networks: list(ref("AssetNetwork"), "Empty for fiat."),
  }),
  AssetNetwork: network,
  Wallet: record("A wallet of the account.", {
    id: uuid("Wallet id."),
    asset: text("Asset symbol."),
    name: text("Wallet name."),
    type: always("Wallet type.", "TRADING"),
    balance: decimal("Everything in it."),
    hold: decimal("What is on hold for open orders."),
    available: decimal("balance - hold."),
    createdAt: time("When it was created."),
    updatedAt: time("When it last changed."),
  }),
  DepositAddressRequest: inDocument(addressRequest),
  DepositAddress: record("An address that takes deposits. Earlier addresses stay valid.", {
    id: uuid("Address id."),
    walletId: uuid("Wallet it credits."),
    asset: text("Asset symbol."),
    network: text("Network id."),
    address: text("The address. It is a simulator's: no network accepts it."),
    accountIdentifier: nullable(text("Memo or tag to use.")),
    accountIdentifierName: nullable(text("What the network calls it.")),
    createdAt: time("When it was made."),
  }),
  Deposit: depositAnswer,
  DepositPage: record("A page of deposits.", { items: list(ref("Deposit")), pagination: ref("Pagination") }),
  AccountFee: record("Trading fee of the account. Rates are fractions: 0.0025 is 25 basis points.", {
    type: oneOfText("Fee model.", ["ALL_IN", "COST_PLUS"]),
    product: nullable(productId("Trading pair, when one was asked for.")),
    makerRate: decimal("Commission as maker."),
    takerRate: decimal("Commission as taker."),
    exchangeMakerRate: decimal("Exchange fee as maker, on top."),
    exchangeTakerRate: decimal("Exchange fee as taker, on top."),
    tradingVolume: decimal(
      "Quote value of all fills of the account since the venue began, on products priced in `currency`. The rates do not depend on it.",
    ),
    currency: text("Currency of the volume."),
    updatedAt: time("When the rates last changed."),
  }),
  AccountSettings: record("Effective settings of the account: defaults with its own values on top.", {
    userId: uuid("Client."),
    portfolioId: uuid("Portfolio."),
    tradingEnabled: flag("Whether the account may trade."),
    products: list(ref("AccountProductSetting")),
    rateLimit: ref("AccountRateLimit"),
    keyClaims: list(oneOfText("Claim.", allClaims), "Claims of the key that asks."),
    updatedAt: time("When the settings last changed."),
  }),
  AccountProductSetting: record(
    "Effective rules of one pair: an order is refused for a client rule exactly when these say so.",
    {
      productId: productId("Trading pair."),
      enabled: flag("Whether the account may trade it."),
      minOrderSize: size(
        "Smallest base quantity. A MARKET BUY is measured by what it buys at the best ask, fees included.",
      ),
      maxOrderSize: size(
        "Largest base quantity. A MARKET BUY is measured by what it buys at the best ask, and never fills more.",
      ),
      minQuoteValue: size(
        "Smallest value of an order: quote_value of a MARKET BUY, price times quantity of a LIMIT or STOP_LIMIT.",
      ),
      maxQuoteValue: size("Largest value of an order, measured in the same way."),
      source: oneOfText("Whether the account has values of its own.", ["ACCOUNT", "DEFAULT"]),
    },
  ),
  AccountRateLimit: nullable(
    record("Requests a key may send; null without a limit.", {
      requestsPerSecond: count("Sustained rate."),
      burst: count("How many at once."),
    }),
  ),
} satisfies Readonly<Record<string, Schema>>;
