import { LRUCache } from 'lru-cache';
import { HttpError } from './errors.ts';

/** Lets a request of a caller through, or refuses it. @throws HttpError 429 with `Retry-After` */
export type RateLimit = (caller: string) => void;

/** Token buckets by name, with a size and a rate per second. */
interface Buckets {
  /** @returns seconds until there is a token; 0 when there is one */
  wait: (name: string) => number;
  /** Takes tokens, down to none. */
  take: (name: string, tokens?: number) => void;
}

interface Bucket {
  tokens: number;
  /** milliseconds */
  filledAt: number;
}

/** How many buckets are kept: those used last. */
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

/** 429, and after how many seconds to ask again. */
export const tooMany = (message: string, seconds: number): HttpError =>
  new HttpError(429, message, { headers: { 'Retry-After': seconds.toString() } });

/**
 * Allows a number of requests per second and caller, and as many at once (a token bucket).
 *
 * @param perSecond null switches it off
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

/** An amount of work that each caller may cause; what it costs is known only afterwards. */
export interface Budget {
  /** @throws HttpError 429 with `Retry-After` when nothing is left */
  check: (caller: string) => void;
  spend: (caller: string, amount: number) => void;
}

/**
 * Allows an amount per second and caller, and `burst` at once.
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

/** Counts the answers 401 of each address. */
export interface RefusalLimit {
  /** @throws HttpError 429 with `Retry-After` when it got too many */
  check: (address: string) => void;
  count: (address: string) => void;
}

/**
 * Allows a number of answers 401 per minute and address, and as many at once.
 *
 * @param perMinute 0 switches it off
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
 * Lets a client without a key ask so often a minute for something that reaches others, and as often at once.
 *
 * @param perMinute 0 switches it off
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
