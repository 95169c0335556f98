import { ProbeFailure } from '../../engine/probe-failure.ts';
import type { WhoisInfo } from './whois-info.ts';
import type { Registration } from './registration.ts';
import { DAY_MS } from '../../../domain/time.ts';

/**
 * Returns a sentence that says why the expiry date of a domain is unknown or comes from an earlier look-up; null if a
 * registry returned the date in this look-up.
 *
 * @param hasThreshold whether the check has a `domain_expiration_threshold`, which can't be checked without the date
 */
export const unknownExpiry = ({ info, error }: Registration, hasThreshold: boolean): string | null => {
  if (info && info.expiration_date !== null) return error;
  const why = error ?? `No registry says when the registration of ${info?.domain_name ?? 'the domain'} ends.`;
  return hasThreshold ? `${why} So domain_expiration_threshold was not checked.` : why;
};

/**
 * Returns the failure of a check whose domain expires too soon; null if the date is later or unknown.
 *
 * @param threshold in seconds
 * @param now milliseconds since 1970
 */
export const expiryFailure = (
  { domain_name: domain, registrar, expiration_date: date }: WhoisInfo,
  threshold: number,
  now: number,
): ProbeFailure | null => {
  if (date === null) return null;
  const left = Date.parse(date) - now;
  if (left > threshold * 1_000) return null;
  const name = domain ?? 'the domain';
  const where = registrar === null ? 'Renew it.' : `Renew it at ${registrar.replace(/\.$/, '')}.`;
  const day = date.slice(0, 10);
  const what =
    left <= 0
      ? `The registration of ${name} expired on ${day}.`
      : `The registration of ${name} expires in ${inDays(left)}, on ${day}.`;
  return new ProbeFailure('failed', 'domain', `${what} ${where}`);
};

const inDays = (milliseconds: number): string => {
  const days = Math.floor(milliseconds / DAY_MS);
  if (days === 0) return 'less than a day';
  return days === 1 ? '1 day' : `${days} days`;
};
