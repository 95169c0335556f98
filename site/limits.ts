import { createMinuteLimit, type RateLimit } from '../http/rate-limit.ts';

/**
 * What visitors of one address may do a minute: enough for a company behind one address whose people all come at once.
 * Guesses at passwords are counted besides (commands/sign-in/sign-in-limits.ts).
 */
const PER_MINUTE = 300;

export interface VisitorLimits {
  /** @throws HttpError 429 too many forms were sent */
  forms: RateLimit;
  /** @throws HttpError 429 too many pages were requested that take long */
  heavy: RateLimit;
}

/** @param clock milliseconds; only differences count */
export const createVisitorLimits = (clock: () => number): VisitorLimits => ({
  forms: createMinuteLimit(PER_MINUTE, 'Too many forms were sent from this address.', clock),
  heavy: createMinuteLimit(PER_MINUTE, 'Too many large pages were requested from this address.', clock),
});
