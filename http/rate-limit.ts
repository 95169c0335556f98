import { LRUCache } from 'lru-cache';
import { HttpError } from './errors.ts';

/** Counts a request of a caller. @throws HttpError 429 with `Retry-After` */
export type RateLimit = (caller: string) => void;

/** Token buckets by name, with a capacity and a refill rate. */
interface Buckets {
  /** @returns seconds until a token is available; 0: now */
  wait: (name: string) => number;
  /** Takes tokens; the bucket does not go below zero. */
  take: (name: string, tokens?: number) => void;
}

interface Bucket {
  tokens: number;
  /** milliseconds */
  filledAt: number;
}

/** Maximum number of buckets; the least recently used ones are dropped. */
const NAMES = 10_000;

const createBuckets = (capacity: number, perSecond: number, clock: () => number): Buckets => {
  const buckets = new LRUCache<string, Bucket>({ max: NAMES });
  const filled = (name: string): Bucket => {
    const now = clock();
    const bucket = buckets.get(name) ?? { tokens: capacity, filledAt: now };
    bucket.tokens = Math.min(capacity, bucket.tokens + (Math.max(0, now - bucket.filledAt) * perSecond) / 1000);
    bucket.filledAt = now;
    return bucket;
  };
  return {
    wait: (name) => {
      const { tokens } = filled(name);
      return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / perSecond)) : 0;
    },
    take: (name, tokens = 1) => {
      const bucket = filled(name);
      bucket.tokens = Math.max(0, bucket.tokens - tokens);
      buckets.set(name, bucket);
    },
  };
};

/** 429 with the seconds until a retry. */
export const tooMany = (message: string, seconds: number): HttpError =>
  new HttpError(429, message, { headers: { 'Retry-After': seconds.toString() } });

/**
 * Limits the requests per second of each caller, with a burst of the same number (a token bucket).
 *
 * @param perSecond null: no limit
 * @param clock milliseconds; only differences count
 */
export const createRateLimit = (perSecond: number | null, clock: () => number): RateLimit => {
  if (perSecond === null) return () => undefined;
  const buckets = createBuckets(Math.max(1, perSecond), perSecond, clock);
  return (caller) => {
    const seconds = buckets.wait(caller);
    if (seconds > 0) throw tooMany('Too many requests. Please slow down.', seconds);
    buckets.take(caller);
  };
};

/** A limit for work whose cost is known only afterwards. */
export interface Budget {
  /** @throws HttpError 429 with `Retry-After` if nothing is left */
  check: (caller: string) => void;
  spend: (caller: string, amount: number) => void;
}

/**
 * Limits the amount per second of each caller, with a burst.
 *
 * @param clock milliseconds; only differences count
 */
export const createBudget = (
  { perSecond, burst, message }: { perSecond: number; burst: number; message: string },
  clock: () => number,
): Budget => {
  const buckets = createBuckets(burst, perSecond, clock);
  return {
    check: (caller) => {
      const seconds = buckets.wait(caller);
      if (seconds > 0) throw tooMany(message, seconds);
    },
    spend: buckets.take,
  };
};

/** Limits the 401 responses per address. */
export interface RefusalLimit {
  /** @throws HttpError 429 with `Retry-After` if the address got too many */
  check: (address: string) => void;
  count: (address: string) => void;
}

/**
 * Limits the 401 responses per minute and address, with a burst of the same number.
 *
 * @param perMinute 0: no limit
 * @param clock milliseconds; only differences count
 */
export const createRefusalLimit = (perMinute: number, clock: () => number): RefusalLimit => {
  if (perMinute === 0) return { check: () => undefined, count: () => undefined };
  const message = 'Too many requests without a valid API key or access token from this address.';
  const { check, spend } = createBudget({ perSecond: perMinute / 60, burst: perMinute, message }, clock);
  return {
    check,
    count: (address) => {
      spend(address, 1);
    },
  };
};

/**
 * Limits how often per minute a client without a key may cause messages to others, with a burst of the same number.
 *
 * @param perMinute 0: no limit
 * @param clock milliseconds; only differences count
 */
export const createMinuteLimit = (perMinute: number, message: string, clock: () => number): RateLimit => {
  if (perMinute === 0) return () => undefined;
  const buckets = createBuckets(perMinute, perMinute / 60, clock);
  return (network) => {
    const seconds = buckets.wait(network);
    if (seconds > 0) throw tooMany(message, seconds);
    buckets.take(network);
  };
};
