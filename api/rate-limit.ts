import { LRUCache } from 'lru-cache';
import { HttpError } from './errors.ts';

/** Lets a request of a key through, or refuses it. @throws HttpError 429 with `Retry-After` */
export type RateLimit = (keyId: string) => void;

interface Bucket {
  tokens: number;
  /** milliseconds */
  filledAt: number;
}

const KEYS = 10_000;

/**
 * At most so many requests a second and key, and as many at once (a token bucket).
 *
 * @param perSecond null switches it off
 * @param clock milliseconds; only differences count
 */
export const createRateLimit = (perSecond: number | null, clock: () => number): RateLimit => {
  if (perSecond === null) return () => undefined;
  const capacity = Math.max(1, perSecond);
  const buckets = new LRUCache<string, Bucket>({ max: KEYS });
  return (keyId) => {
    const now = clock();
    const bucket = buckets.get(keyId) ?? { tokens: capacity, filledAt: now };
    bucket.tokens = Math.min(capacity, bucket.tokens + (Math.max(0, now - bucket.filledAt) * perSecond) / 1000);
    bucket.filledAt = now;
    buckets.set(keyId, bucket);
    if (bucket.tokens < 1) {
      const seconds = Math.ceil((1 - bucket.tokens) / perSecond);
      throw new HttpError(429, 'Too many requests. Please slow down.', {
        headers: { 'Retry-After': Math.max(1, seconds).toString() },
      });
    }
    bucket.tokens -= 1;
  };
};
