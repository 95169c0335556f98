import { ProbeFailure } from '../../probe/failure.ts';
import type { WhoisInfo } from './info.ts';
import type { Registration } from './registration.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Characters of why nobody says when a registration ends. */
const LONGEST_WHY = 250;

/**
 * The failure of a check whose domain must stay registered for some time, when it is not known until when it is; null
 * if that is known, or if the runner has put the look-up off.
 *
 * @param host that the check names
 */
export const unknownExpiry = (host: string, { info, error, later }: Registration): ProbeFailure | null => {
  if (later || (info && info.expiration_date !== null)) return null;
  const name = info?.domain_name ?? host;
  const why = error ?? 'No registry gives a date, so a threshold can not be checked.';
  const short = why.length > LONGEST_WHY ? `${why.slice(0, LONGEST_WHY)}….` : why;
  return new ProbeFailure('failed', 'domain', `It is not known when the registration of ${name} ends. ${short}`);
};

/**
 * The failure of a check whose domain must stay registered for some time; null if it does, or if nobody says until when.
 *
 * @param threshold seconds
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
  return days === 1 ? '1 day' : `${days.toString()} days`;
};
