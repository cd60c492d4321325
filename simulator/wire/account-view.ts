/** Assets, wallets, deposits, fees and settings on the wire: records that the specification names and does not show. */

import type { Claim, Client, Wallet } from "../domain/account.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import type { Asset, Product } from "../domain/market.ts";
import { rateScale } from "../domain/order.ts";
import { lotsText } from "../domain/steps.ts";
import type { Deposit, DepositAddress, Market, VenueState } from "../engine/state.ts";
import { rulesOf } from "../engine/state.ts";
import type { Component } from "./components.ts";
import { isoTime } from "./envelope.ts";
import type { Identities } from "./identities.ts";

export function assetView(state: VenueState, asset: Asset): Component<"Asset"> {
  return {
    symbol: asset.symbol,
    name: asset.name,
    decimalPrecision: asset.precision,
    tradingEnabled: state.markets.some(
      (m) => m.apiEnabled && (m.product.base === asset || m.product.quote === asset),
    ),
    depositEnabled: asset.networks.some((network) => network.depositEnabled),
    explorerUrl: null,
    networks: asset.networks.map((network) => ({
      id: network.id,
      name: network.name,
      isDefault: network.isDefault,
      maxDecimals: network.maxDecimals,
      depositEnabled: network.depositEnabled,
      minDepositAmount: network.minDepositAmount,
      requiresAccountIdentifier: network.accountIdentifierName !== null,
      accountIdentifierName: network.accountIdentifierName,
      confirmationsRequired: network.confirmationsRequired,
    })),
  };
}

export function walletViews(
  state: VenueState,
  ids: Identities,
  client: Pick<Client, "index"> & { readonly wallets: ReadonlyMap<number, Wallet> },
  assets: readonly string[],
): Component<"Wallet">[] {
  return state.world.assets
    .filter(
      (asset) => client.wallets.has(asset.index) && (assets.length === 0 || assets.includes(asset.symbol)),
    )
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
    .map((asset) => {
      const wallet = client.wallets.get(asset.index);
      const balance = wallet?.balance ?? 0n;
      const hold = wallet?.hold ?? 0n;
      return {
        id: ids.walletId(client.index, asset.index),
        asset: asset.symbol,
        name: `${asset.symbol} Wallet`,
        type: "TRADING",
        balance: formatScaled(balance, asset.scale),
        hold: formatScaled(hold, asset.scale),
        available: formatScaled(balance - hold, asset.scale),
        createdAt: isoTime(wallet?.createdAt ?? state.world.startAt),
        updatedAt: isoTime(wallet?.updatedAt ?? state.world.startAt),
      };
    });
}

const assetOf = (state: VenueState, index: number): Asset => {
  const asset = state.world.assets[index];
  if (asset === undefined) throw new RangeError(`no asset ${index}`);
  return asset;
};

const networkOf = (asset: Asset, id: string): Asset["networks"][number] | undefined =>
  asset.networks.find((n) => n.id === id);

export function addressView(
  state: VenueState,
  ids: Identities,
  address: DepositAddress,
): Component<"DepositAddress"> {
  const asset = assetOf(state, address.asset);
  return {
    id: ids.address.idOf(address.number),
    walletId: ids.walletId(address.client, address.asset),
    asset: asset.symbol,
    network: address.network,
    address: address.address,
    accountIdentifier: address.accountIdentifier,
    accountIdentifierName: networkOf(asset, address.network)?.accountIdentifierName ?? null,
    createdAt: isoTime(address.createdAt),
  };
}

export function depositView(state: VenueState, ids: Identities, deposit: Deposit): Component<"Deposit"> {
  const asset = assetOf(state, deposit.asset);
  return {
    id: ids.deposit.idOf(deposit.number),
    walletId: ids.walletId(deposit.client, deposit.asset),
    asset: asset.symbol,
    network: deposit.network,
    amount: formatScaled(deposit.amount, asset.scale),
    status: deposit.status,
    address: deposit.address,
    accountIdentifier: deposit.accountIdentifier,
    txHash: `sim${ids.deposit.idOf(deposit.number).replaceAll("-", "")}`,
    confirmations: deposit.confirmations,
    confirmationsRequired: deposit.confirmationsRequired,
    createdAt: isoTime(deposit.createdAt),
    updatedAt: isoTime(deposit.updatedAt),
    completedAt: deposit.completedAt === null ? null : isoTime(deposit.completedAt),
  };
}

/** Rates are fractions: "0.0025" is 25 basis points (F-account-fee-record). */
export function feeView(state: VenueState, client: Client, product: Product | null): Component<"AccountFee"> {
  const rate = (value: bigint): string => formatScaled(value, rateScale);
  const quote = (product ?? state.markets[0]?.product)?.quote ?? null;
  const volume = quote === null ? undefined : client.volumes.get(quote.index);
  return {
    type: client.feeModel,
    product: product === null ? null : product.id,
    makerRate: rate(client.rates.makerCommission),
    takerRate: rate(client.rates.takerCommission),
    exchangeMakerRate: rate(client.rates.makerExchange),
    exchangeTakerRate: rate(client.rates.takerExchange),
    tradingVolume: quote === null || volume === undefined ? "0" : formatScaled(volume, quote.scale),
    currency: quote?.symbol ?? "",
    updatedAt: isoTime(client.updatedAt),
  };
}

export interface RateLimitView {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Effective settings: an order is refused for a per-client rule if and only if these say so (F-account-settings-record). */
export function settingsView(
  state: VenueState,
  ids: Identities,
  client: Client,
  claims: readonly Claim[],
  rateLimit: RateLimitView | null,
): Component<"AccountSettings"> {
  return {
    userId: ids.clientId(client.index),
    portfolioId: ids.portfolioId(client.index),
    tradingEnabled: client.tradingEnabled,
    products: [...state.markets]
      .sort((a, b) => (a.product.id < b.product.id ? -1 : 1))
      .map((market) => effectiveRules(client, market)),
    rateLimit,
    keyClaims: claims,
    updatedAt: isoTime(client.updatedAt),
  };
}

function effectiveRules(client: Client, market: Market): Component<"AccountProductSetting"> {
  const { product } = market;
  const rules = rulesOf(client, product.index);
  const most = <T extends number | bigint>(...values: (T | null)[]): T | null =>
    values.reduce<T | null>((a, b) => (a === null ? b : b === null ? a : a >= b ? a : b), null);
  const least = <T extends number | bigint>(...values: (T | null)[]): T | null =>
    values.reduce<T | null>((a, b) => (a === null ? b : b === null ? a : a <= b ? a : b), null);
  const lots = (value: number | null): string | null => (value === null ? null : lotsText(product, value));
  const money = (value: bigint | null): string | null =>
    value === null ? null : formatScaled(value, product.quote.scale);
  return {
    productId: product.id,
    enabled: market.apiEnabled && rules.enabled,
    minOrderSize: lots(most(product.exchangeMinSize, product.minOrderSize, rules.minOrderSize)),
    maxOrderSize: lots(least(product.exchangeMaxSize, product.maxOrderSize, rules.maxOrderSize)),
    minQuoteValue: money(most(product.exchangeQuoteMinSize, rules.minQuoteValue)),
    maxQuoteValue: money(least(product.exchangeQuoteMaxSize, rules.maxQuoteValue)),
    source: client.rules.has(product.index) ? "ACCOUNT" : "DEFAULT",
  };
}
