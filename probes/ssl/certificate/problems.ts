import { isIP } from 'node:net';
import type { CertificateProblem } from '../../../domain/check/types/certificate-info.ts';
import { instantOf } from '../../../domain/time.ts';
import { cut, shortName } from './distinguished-name.ts';
import { isFor, nameText } from './host-match.ts';
import type { Certificate } from './read-certificate.ts';
import type { RevocationStatus } from './revocation-status.ts';
import { dayOf, durationInWords } from './durations.ts';

/** Maximum number of names of a certificate that a sentence lists. */
const SHOWN_NAMES = 5;

/**
 * Returns a problem with the validity period of a certificate; null if there is none.
 *
 * @param now milliseconds since 1970
 */
export const timeProblem = ({ notBefore, notAfter }: Certificate, now: number): CertificateProblem | null => {
  if (notAfter < now) {
    const ago = `${durationInWords(now - notAfter)} ago, on ${dayOf(instantOf(notAfter))}`;
    return { code: 'expired', details: `Certificate expired ${ago}: renew it and make the server load the new one.` };
  }
  if (notBefore <= now) return null;
  const from = `${dayOf(instantOf(notBefore))}, which is in ${durationInWords(notBefore - now)}`;
  return { code: 'not_yet_valid', details: `Certificate is not valid before ${from}.` };
};

/**
 * Returns the problem of a certificate that is not valid for a host; null if it is valid.
 *
 * @param host result of `hostName`
 */
export const hostProblem = ({ names, subject }: Certificate, host: string): CertificateProblem | null => {
  if (isFor(host, names)) return null;
  const shown = names.flatMap((name) => nameText(name) ?? []).map((name) => cut(printable(name), 80));
  const rest = shown.length - SHOWN_NAMES;
  const list = shown.slice(0, SHOWN_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  const kind = isIP(host) === 0 ? 'name' : 'address';
  return {
    code: 'hostname_mismatch',
    details:
      shown.length > 0
        ? `Certificate is not for ${host}, only for ${list}.`
        : `Certificate has no subject alternative name, and clients ignore its common name "${shortName(subject)}": get one that has the ${kind} ${host}.`,
  };
};

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** @param from the source, as part of a sentence: `the OCSP responder at ocsp.example` */
export const revokedProblem = ({ revokedAt, reason }: RevocationStatus, from: string): CertificateProblem => {
  const since = revokedAt === null ? '' : ` on ${dayOf(instantOf(revokedAt))}`;
  const why = reason === null || reason === 'unspecified' ? '' : ` (${reason})`;
  return { code: 'revoked', details: `Certificate was revoked${since}${why} according to ${from}: replace it.` };
};
