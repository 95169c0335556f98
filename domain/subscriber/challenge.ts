import { HOUR_MS, later, type Instant } from '../time.ts';

/** The first event that a webhook gets. Its response must repeat the challenge. */
export const VERIFY = 'subscription.verify';

const PAUSE_MS = HOUR_MS;
/** The first immediately, then hourly for a day. */
const MOST_CHALLENGES = 25;

/**
 * When the next challenge is sent to a webhook.
 *
 * @param failed the number of failed challenges
 * @returns null if no further challenge is sent
 */
export const nextChallenge = (failed: number, failedAt: Instant): Instant | null =>
  failed >= MOST_CHALLENGES ? null : later(failedAt, PAUSE_MS);

/** Whether a response repeats a challenge: anywhere in its text, or in the JSON object `{ "challenge": "…" }`. */
export const provesChallenge = (body: string, challenge: string): boolean =>
  body.includes(challenge) || challengeIn(body) === challenge;

/** The challenge in a JSON object, which may contain escaped characters. */
const challengeIn = (body: string): unknown => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'challenge' in value ? value.challenge : null;
  } catch {
    return null;
  }
};
