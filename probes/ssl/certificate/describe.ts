import type { ChainCertificate } from '../../../domain/check/types/certificate-info.ts';
import { instantOf } from '../../../domain/time.ts';
import { distinguishedName } from './distinguished-name.ts';
import type { Certificate } from './read-certificate.ts';

/** Converts a certificate to its representation in results. */
export const describe = (certificate: Certificate): ChainCertificate => ({
  subject: distinguishedName(certificate.subject),
  issuer: distinguishedName(certificate.issuer),
  // RFC 5280, 4.1.2.2 allows 20 bytes, but some serial numbers have more.
  serial_number: certificate.serial.slice(0, 80),
  not_before: instantOf(certificate.notBefore),
  not_after: instantOf(certificate.notAfter),
  key_type: certificate.key.type.slice(0, 100),
  key_size: certificate.key.size,
  signature_algorithm: certificate.signatureAlgorithm.slice(0, 100),
  fingerprint_sha256: certificate.fingerprint,
});
