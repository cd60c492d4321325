/** Assets, products and the synthetic market of each product. */

import {
  decimal,
  flag,
  integer,
  list,
  milliseconds,
  oneOf,
  only,
  optional,
  productId,
  section,
  symbol,
  taggedBy,
  text,
  withDefault,
} from "../../schema/fields.ts";
import { maxLedgerScale, worldDefaults } from "../defaults.ts";

const { asset, network, product, liquidity } = worldDefaults;

export const NetworkSchema = section(
  {
    id: text(64, "Identifier of the network, such as ethereum-mainnet."),
    name: text(64, "Name of the network for a person."),
    isDefault: withDefault(
      flag("Whether a deposit without a network uses this one. With none marked, the first is the default."),
      network.isDefault,
    ),
    maxDecimals: withDefault(
      integer(0, 30, "Digits after the point that the network itself carries.", { unit: "digits" }),
      network.maxDecimals,
    ),
    depositEnabled: withDefault(
      flag("Whether deposits over this network are accepted."),
      network.depositEnabled,
    ),
    minDepositAmount: withDefault(decimal("Smallest deposit.", { unit: "asset" }), network.minDepositAmount),
    accountIdentifierName: optional(
      text(32, "Set when an address needs a second part: what that part is called, such as destination_tag."),
    ),
    confirmationsRequired: withDefault(
      integer(1, 1000, "Confirmations until a deposit is credited.", { unit: "confirmations" }),
      network.confirmationsRequired,
    ),
    addressPrefix: optional(text(32, "How made-up addresses begin. They are never valid on a real network.")),
  },
  "A network over which an asset can be deposited.",
);

export const AssetSchema = section(
  {
    symbol: symbol("Symbol of the asset, such as BTC."),
    name: text(64, "Name of the asset for a person."),
    precision: withDefault(
      integer(
        0,
        maxLedgerScale,
        "Digits after the point that a client may use (decimalPrecision of the asset record).",
        { unit: "digits" },
      ),
      asset.precision,
    ),
    feeScale: withDefault(
      integer(
        0,
        maxLedgerScale,
        "Fees charged in this asset are rounded up at this many digits after the point.",
        { unit: "digits" },
      ),
      asset.feeScale,
    ),
    networks: withDefault(list(NetworkSchema, "Deposit networks. Leave out for money (EUR, USD)."), []),
  },
  "Something that can be held and traded.",
);

const ladder = {
  levels: withDefault(integer(1, 100, "Price levels on each side.", { unit: "levels" }), liquidity.levels),
  spacingTicks: optional(
    integer(
      1,
      1_000_000_000,
      "Distance between levels, and of the first from the middle. Default: 0.01 % of the price.",
      { unit: "ticks" },
    ),
  ),
  quantity: optional(
    decimal("Quantity of the first level. Default: 1 % of the largest order size.", { unit: "base asset" }),
  ),
  everyMs: withDefault(milliseconds("Market time between refreshes.", {}, 1), liquidity.everyMs),
};

const recordedTimes = ["from-start", "recorded"] as const;
export type RecordedTimes = (typeof recordedTimes)[number];

export const LiquiditySchema = taggedBy(
  "mode",
  [
    section({
      mode: only("pinned", "The same full levels at every refresh; the market never moves."),
      ...ladder,
    }),
    section({
      mode: only("ladder", "A fixed ladder around the reference price whose quantities differ by level."),
      ...ladder,
    }),
    section({
      mode: only("walk", "Around a price that moves within 5 % of the reference price, with printed trades."),
      ...ladder,
    }),
    section({
      mode: only("trades", "A recorded market, replayed: levels around the last print, and the prints."),
      trades: text(1024, "CSV file with the columns time,price,quantity, relative to this file."),
      times: withDefault(
        oneOf(
          recordedTimes,
          "When the trades happen. from-start: the first trade of all recorded files happens when the market begins. recorded: at the times of the file, under a manual clock.",
        ),
        liquidity.times,
      ),
      ...ladder,
    }),
    section({ mode: only("empty", "No synthetic market: clients trade with each other only.") }),
  ],
  "How the synthetic market of this product behaves.",
  { default: { mode: liquidity.mode } },
);

const size = (description: string, unit: string) => optional(decimal(description, { unit }));

export const ProductSchema = section(
  {
    id: productId("Identifier of the product: base and quote asset joined by a hyphen."),
    exchangeProductId: optional(text(64, "Its name at the exchange. Default: the id.")),
    baseIncrement: decimal("Smallest step of a quantity (one lot).", { unit: "base asset" }),
    priceIncrement: decimal("Smallest step of a price (one tick).", { unit: "quote asset" }),
    exchangeMinSize: size("Smallest quantity at the exchange. Left out: no limit.", "base asset"),
    exchangeMaxSize: size("Largest quantity at the exchange. Left out: no limit.", "base asset"),
    exchangeQuoteMinSize: size("Smallest value at the exchange. Left out: no limit.", "quote asset"),
    exchangeQuoteMaxSize: size("Largest value at the exchange. Left out: no limit.", "quote asset"),
    minOrderSize: size("Smallest quantity at the gateway. Left out: no limit.", "base asset"),
    maxOrderSize: size("Largest quantity at the gateway. Left out: no limit.", "base asset"),
    referencePrice: decimal("Middle of the synthetic market, and the last price before the first trade.", {
      unit: "quote asset",
    }),
    apiEnabled: withDefault(flag("Whether clients may trade it through the gateway."), product.apiEnabled),
    halted: withDefault(flag("Whether trading is halted from the start."), product.halted),
    liquidity: optional(LiquiditySchema),
  },
  "A pair of assets that can be traded.",
);
