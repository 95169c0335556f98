import { HOUR_MS, later, type Instant } from '../time.ts';

/** The type of the first message to a webhook. The response of the webhook must repeat the challenge in the message. */
export const VERIFY = 'subscription.verify';

const PAUSE_MS = HOUR_MS;
/** Maximum number of challenges. The first is sent immediately, the others hourly for a day. */
const MOST_CHALLENGES = 25;

/**
 * Returns when the next challenge is sent to a webhook; null if no further one is sent.
 *
 * @param failed the number of failed challenges
 */
export const nextChallenge = (failed: number, failedAt: Instant): Instant | null =>
  failed >= MOST_CHALLENGES ? null : later(failedAt, PAUSE_MS);

/**
 * Whether a response repeats a challenge. The challenge can be anywhere in the text, or in a JSON object `{
 * "challenge": "…" }`.
 */
export const provesChallenge = (body: string, challenge: string): boolean =>
  body.includes(challenge) || challengeIn(body) === challenge;

/** Returns the challenge in a JSON object. Parsing is necessary, because JSON can contain escaped characters. */
const challengeIn = (body: string): unknown => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'challenge' in value ? value.challenge : null;
  } catch {
    return null;
  }
};
