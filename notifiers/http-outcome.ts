import type { IncomingHttpHeaders } from 'node:http';
import { instantOf, type Instant } from '../domain/time.ts';
import { firstValue } from '../network/http/fields.ts';
import type { HttpResponse } from '../network/http-request.ts';
import type { SendOutcome } from './notifier.ts';
import { failedAttempt } from './send-outcomes.ts';

/** Statuses below 500 after which a retry may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 421, 425, 429]);

/**
 * Derives the outcome from a response. Any 2xx status means that the message was delivered. Redirects are not followed,
 * because the policy has not been applied to their target.
 *
 * @param who name of the target in sentences: `the webhook`
 * @param now milliseconds since 1970
 */
export const outcomeOfResponse = ({ status, headers }: HttpResponse, who: string, now: number): SendOutcome => {
  const response_code = status;
  if (status >= 200 && status < 300) return { status: 'delivered', response_code };
  const code = status.toString();
  if (status >= 300 && status < 400) {
    const sentence = `The answer of ${who} was ${code}, a redirect, which is not followed.`;
    return failedAttempt('redirect', sentence, { permanent: true, response_code });
  }
  const permanent = status < 500 && !PASSING.has(status);
  const notBefore = permanent ? null : retryAfter(headers, now);
  return failedAttempt('status', `The answer of ${who} was ${code}.`, { permanent, notBefore, response_code });
};

const LATEST = Date.parse('9999-01-01T00:00:00Z');
/** The only date format that servers are allowed to send (RFC 9110, 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the earliest time of the next attempt, from the `Retry-After` header: a number of seconds or a date (RFC
 * 9110, 10.2.3). Returns null if there is no valid header.
 */
const retryAfter = (headers: IncomingHttpHeaders, now: number): Instant | null => {
  const text = firstValue(headers, 'retry-after')?.trim() ?? '';
  const at = /^\d{1,10}$/.test(text)
    ? now + Number(text) * 1_000
    : HTTP_DATE.test(text)
      ? Date.parse(text)
      : Number.NaN;
  return Number.isNaN(at) || at < 0 || at > LATEST ? null : instantOf(at);
};
