import { createMinuteLimit, type RateLimit } from '../http/rate-limit.ts';

/**
 * Requests per minute and client address: enough for a company behind a shared address whose users all visit at the
 * same time. Password guesses are limited separately (commands/sign-in/sign-in-backoff.ts).
 */
const PER_MINUTE = 300;
/** For searches, which are rendered for every request. */
const SEARCHES_PER_MINUTE = 60;

export interface VisitorLimits {
  /** @throws HttpError 429 too many forms were sent */
  forms: RateLimit;
  /** @throws HttpError 429 too many expensive pages were requested */
  heavy: RateLimit;
  /** @throws HttpError 429 the history of pages was searched or filtered too often */
  searches: RateLimit;
}

/** @param clock milliseconds; only differences count */
export const createVisitorLimits = (clock: () => number): VisitorLimits => ({
  forms: createMinuteLimit(PER_MINUTE, 'Too many forms were sent from this address.', clock),
  heavy: createMinuteLimit(PER_MINUTE, 'Too many large pages were requested from this address.', clock),
  searches: createMinuteLimit(SEARCHES_PER_MINUTE, 'Too many searches were made from this address.', clock),
});
