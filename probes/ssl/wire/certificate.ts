import { readerOf } from './bytes.ts';

/** Maximum number of certificates that are read. No server intentionally sends more. */
const MAX_CERTIFICATES = 50;

/**
 * Returns the certificates (DER) of a Certificate message up to TLS 1.2, in the order in which they were sent, the
 * server's own first.
 *
 * @throws MalformedTlsMessage
 */
export const readCertificates = (body: Buffer): Buffer[] => {
  const reader = readerOf(readerOf(body).vector(3));
  const chain: Buffer[] = [];
  while (reader.left > 0 && chain.length < MAX_CERTIFICATES) chain.push(reader.vector(3));
  return chain;
};

/**
 * Returns the OCSP response (DER) in a CertificateStatus message (RFC 6066, 8); null if the status has another type.
 *
 * @throws MalformedTlsMessage
 */
export const readStaple = (body: Buffer): Buffer | null => {
  const reader = readerOf(body);
  return reader.number(1) === 1 ? reader.vector(3) : null;
};
