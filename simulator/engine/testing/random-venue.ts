/** Venues for random streams: small books, several fee models, grids that are no powers of ten, coarse cents. */
import type { SelfTradePrevention, Settings } from "../../domain/settings.ts";
import type { Random } from "./random.ts";
import type { ProductSpec, RatesSpec, VenueSpec } from "./venue-spec.ts";

export const modes: readonly SelfTradePrevention[] = [
  "cancel-newest",
  "cancel-oldest",
  "cancel-both",
  "decrement",
  "none",
];

/** How the stream of one product looks: prices within `spread` ticks of the reference, sizes up to `size` steps. */
export interface Activity {
  readonly spread: number;
  readonly size: number;
  /** Lots in one step of size; dust is a single lot. */
  readonly step: number;
}

const products: readonly (ProductSpec & Activity)[] = [
  {
    id: "BTC-USD",
    priceIncrement: "0.01",
    baseIncrement: "0.00000001",
    reference: "60000",
    exchangeMinSize: "0.00000002",
    exchangeMaxSize: "1000",
    exchangeQuoteMaxSize: "50000",
    maxOrderSize: "1.5",
    spread: 12,
    size: 40,
    step: 1_234_567,
  },
  {
    id: "OIL-EUR",
    priceIncrement: "0.005",
    baseIncrement: "0.5",
    reference: "0.05",
    exchangeMinSize: "0.5",
    minOrderSize: "1",
    exchangeQuoteMinSize: "0.01",
    spread: 9,
    size: 60,
    step: 1,
  },
  {
    id: "ETH-BTC",
    priceIncrement: "0.00003",
    baseIncrement: "0.0001",
    reference: "0.0501",
    maxOrderSize: "2",
    spread: 10,
    size: 30,
    step: 701,
  },
];

export const rates: readonly RatesSpec[] = [
  { maker: "0.0025", taker: "0.0025" },
  { maker: "0.0005", taker: "0.0005", exchangeMaker: "0.001", exchangeTaker: "0.002" },
  { maker: "-0.0002", taker: "0.003", exchangeMaker: "0.0005", exchangeTaker: "0.001" },
  { maker: "0.0001", taker: "0.0033333333", exchangeMaker: "-0.0000001", exchangeTaker: "0.0000001" },
  { maker: "0", taker: "0" },
  { maker: "-0.01", taker: "-0.1", exchangeMaker: "0.001", exchangeTaker: "0.002" },
  { maker: "0.5", taker: "0.45", exchangeMaker: "0.5", exchangeTaker: "0.5" },
];

export interface RandomVenue {
  readonly spec: VenueSpec;
  readonly activity: readonly (ProductSpec & Activity)[];
}

export function randomVenue(random: Random): RandomVenue {
  const settings: Partial<Settings> = {
    matchDelayMs: random.pick([0, 50]),
    stp: random.pick(modes),
    stopOnCrossed: random.pick(["reject", "reject", "trigger"]),
    releaseImprovement: random.pick(["at-end", "at-end", "per-fill"]),
    marketBuySizeCheck: random.pick(["estimate", "quote-limits"]),
    maxOpenOrders: random.pick([8, 40, 1000]),
  };
  const rich = { BTC: "40", USD: "900000", EUR: "300", OIL: "400", ETH: "50" };
  const poor = { BTC: "0.3", USD: "20000", EUR: "25.5", OIL: "30.5", ETH: "0.9" };
  const spec: VenueSpec = {
    assets: [
      { symbol: "USD", precision: 2 },
      { symbol: "EUR", precision: 3, feeScale: 2 },
      { symbol: "BTC" },
      { symbol: "OIL", precision: 1 },
      { symbol: "ETH", feeScale: 4 },
    ],
    products: products,
    clients: [
      { name: "all-in", rates: random.pick(rates.slice(0, 1)), balances: rich },
      { name: "cost-plus", model: "COST_PLUS", rates: random.pick(rates.slice(1, 2)), balances: rich },
      { name: "rebate", model: "COST_PLUS", rates: random.pick(rates.slice(2, 4)), balances: rich },
      { name: "poor", model: "COST_PLUS", rates: random.pick(rates), balances: poor },
    ],
    settings,
  };
  return { spec, activity: products };
}
