/** Lengths of candle intervals, in milliseconds; names as in reads and subscriptions. */
const minuteMs = 60_000;

export const granularities = {
  ONE_MINUTE: minuteMs,
  FIVE_MINUTES: 5 * minuteMs,
  FIFTEEN_MINUTES: 15 * minuteMs,
  THIRTY_MINUTES: 30 * minuteMs,
  ONE_HOUR: 60 * minuteMs,
  TWO_HOURS: 120 * minuteMs,
  FOUR_HOURS: 240 * minuteMs,
  SIX_HOURS: 360 * minuteMs,
  ONE_DAY: 1440 * minuteMs,
} as const;

export type Granularity = keyof typeof granularities;

// as: the keys of an object literal are exactly its declared ones.
export const granularityNames = Object.keys(granularities) as readonly Granularity[];
