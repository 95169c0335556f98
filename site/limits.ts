import { createMinuteLimit, type RateLimit } from '../http/rate-limit.ts';

/**
 * What visitors of one address may do a minute: enough for a company behind one address whose people all come at once.
 * Guesses at passwords are counted besides (commands/sign-in/sign-in-limits.ts).
 */
const PER_MINUTE = 300;
/** Of what people type and no cache keeps, since each is rendered anew. */
const SEARCHES_PER_MINUTE = 60;

export interface VisitorLimits {
  /** @throws HttpError 429 too many forms were sent */
  forms: RateLimit;
  /** @throws HttpError 429 too many pages were requested that take long */
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
