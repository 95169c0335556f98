import { readerOf } from './bytes.ts';

/** More than any server sends intentionally. */
const MAX_CERTIFICATES = 50;

/**
 * The chain of a Certificate message up to TLS 1.2, in the order sent: DER, the server's own first.
 *
 * @throws Malformed
 */
export const readCertificates = (body: Buffer): Buffer[] => {
  const reader = readerOf(readerOf(body).vector(3));
  const chain: Buffer[] = [];
  while (reader.left > 0 && chain.length < MAX_CERTIFICATES) chain.push(reader.vector(3));
  return chain;
};

/**
 * The OCSP response (DER) in a CertificateStatus message (RFC 6066, 8); null if it has another type. @throws Malformed
 */
export const readStaple = (body: Buffer): Buffer | null => {
  const reader = readerOf(body);
  return reader.number(1) === 1 ? reader.vector(3) : null;
};
