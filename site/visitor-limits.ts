import { createBudget, createMinuteLimit, type Budget, type RateLimit } from '../http/rate-limit.ts';

/**
 * Maximum number of requests per minute and client address. It is high enough for a company whose users share one
 * address and all visit at the same time. Password guesses are limited separately
 * (commands/sign-in/sign-in-backoff.ts).
 */
const PER_MINUTE = 300;
/**
 * Maximum number of searches per minute and client address. Lower than the limit of other requests, because search
 * results are never cached.
 */
const SEARCHES_PER_MINUTE = 60;

/**
 * Limit on the events that are folded for one client address. To show a page with 2,000 incidents, about 6,000 events
 * are folded.
 */
const PAST_EVENTS = {
  perSecond: 1_000,
  burst: 60_000,
  message: 'Too many past states were requested from this address.',
};

export interface VisitorLimits {
  /** @throws HttpError 429 too many forms were sent */
  forms: RateLimit;
  /** @throws HttpError 429 too many expensive pages were requested */
  heavy: RateLimit;
  /** @throws HttpError 429 the history of pages was searched or filtered too often */
  searches: RateLimit;
  /** Limits the events that are folded to show past states. */
  past: Budget;
}

/**
 * Creates the limits of a process.
 *
 * @param clock returns a time in milliseconds; only differences between two calls are used
 */
export const createVisitorLimits = (clock: () => number): VisitorLimits => ({
  forms: createMinuteLimit(PER_MINUTE, 'Too many forms were sent from this address.', clock),
  heavy: createMinuteLimit(PER_MINUTE, 'Too many large pages were requested from this address.', clock),
  past: createBudget(PAST_EVENTS, clock),
  searches: createMinuteLimit(SEARCHES_PER_MINUTE, 'Too many searches were made from this address.', clock),
});
