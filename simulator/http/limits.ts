/**
 * Token buckets, and the refusals with 429: of keys and addresses that send too often (F-rate-limit, off unless configured), of
 * worlds with a quota, of keys with too many WebSockets, and of fault rules. Only V-45 of variations/legal-answers.ts makes one of its own. The messages of
 * a WebSocket are counted by a bucket, too, and not answered 429.
 */
import type { Refusal } from "./errors.ts";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Allowance {
  /** Null: it may pass. */
  readonly refusal: Refusal | null;
  /**
   * X-RateLimit-Limit, -Remaining, -Reset (seconds until the bucket is full), and Retry-After when
   * refused.
   */
  readonly headers: Readonly<Record<string, string>>;
}

export type RateLimit = (name: string) => Allowance;

interface Bucket {
  tokens: number;
  at: number;
}

const mostBuckets = 10_000;

/** `now` in milliseconds; a monotonic clock is best. `tooMany` begins the message of a refusal. */
export function createRateLimit(rate: Rate, now: () => number, tooMany = "Too many requests."): RateLimit {
  const buckets = new Map<string, Bucket>();
  return (name) => {
    const present = now();
    const bucket = buckets.get(name) ?? { tokens: rate.burst, at: present };
    refill(bucket, rate, present);
    if (!buckets.has(name)) {
      if (buckets.size >= mostBuckets) makeRoom(buckets, rate, present);
      buckets.set(name, bucket);
    }
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    const headers = headersOf(bucket, rate, allowed);
    return { refusal: allowed ? null : tooOften(tooMany, headers), headers };
  };
}

const tooOften = (tooMany: string, headers: Allowance["headers"]): Refusal => ({
  code: "RATE_LIMITED",
  message:
    `${tooMany} Nothing was executed; ` + `try again in ${headers["retry-after"]} s, with a new nonce.`,
  headers,
});

export const limited = (message: string): Refusal => ({
  code: "RATE_LIMITED",
  message,
  headers: { "retry-after": "1" },
});

export const tooManyConnections = limited(
  "This key has the maximum number of WebSockets open. Close one, or use another key.",
);

function refill(bucket: Bucket, rate: Rate, present: number): void {
  const elapsed = Math.max(0, present - bucket.at) / 1000;
  bucket.tokens = Math.min(rate.burst, bucket.tokens + elapsed * rate.perSecond);
  bucket.at = present;
}

/**
 * A full bucket is as good as none. When most are in use, the oldest go as well: the memory stays bounded,
 * and a quarter at a time, so that a flood of names does not pay for this walk with each of them.
 */
function makeRoom(buckets: Map<string, Bucket>, rate: Rate, present: number): void {
  for (const [name, bucket] of buckets) {
    refill(bucket, rate, present);
    if (bucket.tokens >= rate.burst) buckets.delete(name);
  }
  for (const name of buckets.keys()) {
    if (buckets.size <= (mostBuckets * 3) / 4) return;
    buckets.delete(name);
  }
}

function headersOf(
  { tokens }: Bucket,
  { perSecond, burst }: Rate,
  allowed: boolean,
): Readonly<Record<string, string>> {
  const headers = {
    "x-ratelimit-limit": String(burst),
    "x-ratelimit-remaining": String(Math.floor(tokens)),
    "x-ratelimit-reset": String(Math.ceil((burst - tokens) / perSecond)),
  };
  // Rounded up, so that waiting that long is enough.
  return allowed
    ? headers
    : { ...headers, "retry-after": String(Math.max(1, Math.ceil((1 - tokens) / perSecond))) };
}
