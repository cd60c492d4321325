/** Lengths of candle intervals, in milliseconds; names as in reads and subscriptions. */
const MINUTE = 60_000;

export const GRANULARITIES = {
  ONE_MINUTE: MINUTE,
  FIVE_MINUTES: 5 * MINUTE,
  FIFTEEN_MINUTES: 15 * MINUTE,
  THIRTY_MINUTES: 30 * MINUTE,
  ONE_HOUR: 60 * MINUTE,
  TWO_HOURS: 120 * MINUTE,
  FOUR_HOURS: 240 * MINUTE,
  SIX_HOURS: 360 * MINUTE,
  ONE_DAY: 1440 * MINUTE,
} as const;

export type Granularity = keyof typeof GRANULARITIES;

// as: the keys of an object literal are exactly its declared ones.
export const GRANULARITY_NAMES = Object.keys(GRANULARITIES) as readonly Granularity[];
