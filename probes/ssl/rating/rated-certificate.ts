import type { CertificateInfo } from '../../../domain/check/types/certificate-info.ts';
import type { RatedCertificate } from './server.ts';

/** Returns the facts about a certificate that the rating uses. */
export const ratedCertificate = (info: CertificateInfo): RatedCertificate => {
  // The signature of a trust anchor does not matter.
  const path = info.path?.slice(0, -1) ?? info.chain.slice(0, 1);
  const sent = new Set(info.chain.map(({ fingerprint_sha256 }) => fingerprint_sha256));
  return {
    in_time: info.cert_date_valid,
    matches_host: !info.hostname_mismatch,
    trusted: info.in_trust_store,
    revoked: info.is_revoked,
    // `chain` contains only a part of a long chain, which is therefore considered complete.
    chain_complete:
      info.chain_total > info.chain.length || path.every(({ fingerprint_sha256 }) => sent.has(fingerprint_sha256)),
    key_type: info.key_type,
    key_bits: info.key_size,
    signature_algorithms: path.map(({ signature_algorithm }) => signature_algorithm),
  };
};
