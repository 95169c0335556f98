import type { CertificateInfo } from '../../../domain/check/types/certificate-info.ts';
import { instantOf } from '../../../domain/time.ts';
import { readOcspResponse } from './ocsp.ts';
import type { Certificate } from './read-certificate.ts';
import type { RevocationStatus } from './revocation-status.ts';

/** The status in a stapled OCSP response. `answer` is null unless the response is valid. */
export interface ReadStaple {
  answer: RevocationStatus | null;
  details: CertificateInfo['ocsp_stapling_details'];
}

const NOTHING = { status: null, produced_at: null, this_update: null, next_update: null };

/**
 * Reads a stapled OCSP response.
 *
 * @param issuer null if the certificate's issuer is unknown
 * @param now milliseconds since 1970
 */
export const readStaple = (
  staple: Uint8Array | null,
  certificate: Certificate,
  { issuer, now }: { issuer: Certificate | null; now: number },
): ReadStaple => {
  if (!staple)
    return {
      answer: null,
      details: { stapled: false, valid: null, ...NOTHING, details: 'The server staples no OCSP response.' },
    };
  const useless = (why: string): ReadStaple => ({
    answer: null,
    details: { stapled: true, valid: false, ...NOTHING, details: `The OCSP response that the server staples ${why}.` },
  });
  if (!issuer) return useless('cannot be verified because the issuer of the certificate is not known');
  const reading = readOcspResponse(staple, certificate, { issuer, now });
  if (!reading.answer) return useless(reading.why);
  const { answer } = reading;
  return {
    answer,
    details: {
      stapled: true,
      valid: true,
      status: answer.status,
      produced_at: answer.producedAt === null ? null : instantOf(answer.producedAt),
      this_update: instantOf(answer.thisUpdate),
      next_update: answer.nextUpdate === null ? null : instantOf(answer.nextUpdate),
      details: SAYS[answer.status],
    },
  };
};

const SAYS: Record<RevocationStatus['status'], string> = {
  good: 'The stapled OCSP response says that the certificate is not revoked.',
  revoked: 'The stapled OCSP response says that the certificate is revoked.',
  unknown: 'The stapled OCSP response says that the responder does not know the certificate.',
};
