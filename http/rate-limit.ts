import { LRUCache } from 'lru-cache';
import { HttpError } from './errors.ts';

/**
 * Counts a request of a caller.
 *
 * @throws HttpError 429 with `Retry-After`: the caller has exceeded the limit
 */
export type RateLimit = (caller: string) => void;

/** Token buckets by name. All have the same capacity and refill rate. */
interface Buckets {
  /** Returns the seconds until a token is available; 0: a token is available now. */
  wait: (name: string) => number;
  /** Takes tokens from a bucket. A bucket with fewer tokens has a debt afterwards, up to the debt limit. */
  take: (name: string, tokens?: number) => void;
}

interface Bucket {
  /** negative: a debt, which must be refilled before a token is available */
  tokens: number;
  /** when the bucket was last filled, in milliseconds */
  filledAt: number;
}

/** Maximum number of buckets. The least recently used ones are dropped. */
const NAMES = 10_000;

/** @param mostDebt debt limit of a bucket in tokens; 0: a bucket without tokens is only empty */
const createBuckets = (capacity: number, perSecond: number, clock: () => number, mostDebt = 0): Buckets => {
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
      bucket.tokens = Math.max(-mostDebt, bucket.tokens - tokens);
      buckets.set(name, bucket);
    },
  };
};

/** Creates a 429 error. `seconds` is the time after which the client may retry. */
export const tooMany = (message: string, seconds: number): HttpError =>
  new HttpError(429, message, { headers: { 'Retry-After': seconds.toString() } });

/**
 * Limits the requests per second of each caller. A caller may send all requests of a second at once (a token bucket).
 *
 * @param perSecond null: no limit
 * @param clock returns milliseconds; only differences matter
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

/** A limit for work whose cost is only known after the work is done. */
export interface Budget {
  /**
   * Must be called before the work.
   *
   * @throws HttpError 429 with `Retry-After`: the budget of the caller is spent
   */
  check: (caller: string) => void;
  spend: (caller: string, amount: number) => void;
}

export interface BudgetOptions {
  perSecond: number;
  /** amount that a caller may spend at once */
  burst: number;
  /** message of the error */
  message: string;
  /** maximum excess that counts. Default: `burst`, so that one expensive piece of work does not lock out a caller long */
  mostDebt?: number;
}

/**
 * Limits the amount that each caller may spend per second. A caller who has spent more must wait until the refilled
 * amount covers the excess.
 *
 * @param clock returns milliseconds; only differences matter
 */
export const createBudget = (
  { perSecond, burst, message, mostDebt = burst }: BudgetOptions,
  clock: () => number,
): Budget => {
  const buckets = createBuckets(burst, perSecond, clock, mostDebt);
  return {
    check: (caller) => {
      const seconds = buckets.wait(caller);
      if (seconds > 0) throw tooMany(message, seconds);
    },
    spend: buckets.take,
  };
};

/** Limits the number of 401 responses per address. */
export interface RefusalLimit {
  /** @throws HttpError 429 with `Retry-After`: the address got too many 401 responses */
  check: (address: string) => void;
  count: (address: string) => void;
}

/**
 * Limits the number of 401 responses per minute and address. An address may get all responses of a minute at once.
 *
 * @param perMinute 0: no limit
 * @param clock returns milliseconds; only differences matter
 */
export const createRefusalLimit = (perMinute: number, clock: () => number): RefusalLimit => {
  if (perMinute === 0) return { check: () => undefined, count: () => undefined };
  const message = 'Too many requests without a valid API key or access token from this address.';
  const { check, spend } = createBudget({ perSecond: perMinute / 60, burst: perMinute, message, mostDebt: 0 }, clock);
  return {
    check,
    count: (address) => {
      spend(address, 1);
    },
  };
};

/**
 * Limits how many messages per minute a client without a key may cause to be sent to other people. A client may cause
 * all messages of a minute at once.
 *
 * @param perMinute 0: no limit
 * @param clock returns milliseconds; only differences matter
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
