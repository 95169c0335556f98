import type { Instant } from '../time.ts';
import { later } from './times.ts';

/** The event that a webhook gets before it gets any other; its answer has to repeat the challenge. */
export const VERIFY = 'subscription.verify';

const PAUSE_MS = 3_600_000;
/** At once, then hourly for a day. */
const MOST_CHALLENGES = 25;

/**
 * When a webhook is asked again.
 *
 * @param failed how many challenges have failed
 * @returns null: not any more
 */
export const nextChallenge = (failed: number, failedAt: Instant): Instant | null =>
  failed >= MOST_CHALLENGES ? null : later(failedAt, PAUSE_MS);

/** Whether an answer repeats a challenge: anywhere in its text, or as `{ "challenge": "…" }`, however that is written. */
export const repeats = (body: string, challenge: string): boolean =>
  body.includes(challenge) || challengeIn(body) === challenge;

/** A JSON text may escape any character. */
const challengeIn = (body: string): unknown => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'challenge' in value ? value.challenge : null;
  } catch {
    return null;
  }
};
