import { X509Certificate } from 'node:crypto';
import { Type } from '@sinclair/typebox';

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CERTIFICATES = 20;

const isCertificate = (block: string): boolean => {
  try {
    return Boolean(new X509Certificate(block));
  } catch {
    return false;
  }
};

/** Whether a text holds certificates and no other PEM: a key does not belong in a definition. */
const holdsCertificates = (text: string): boolean => {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0 || blocks.length > MAX_CERTIFICATES) return false;
  return !text.replace(BLOCK, '').includes('-----') && blocks.every(isCertificate);
};

/** Certificates (PEM) that a check trusts instead of those that its runner trusts. */
export const caCertificate = Type.Optional(
  Type.String({
    maxLength: 65_536,
    check: holdsCertificates,
    sentence: `Must be one to ${MAX_CERTIFICATES.toString()} certificates in PEM, and nothing else.`,
    description:
      'certificates in PEM that are trusted instead of the usual ones: of an authority, or that of the server if it signed itself',
  }),
);

/** TLS from the start of the connection: `true`, or an object with details. */
export interface TlsAsked {
  server_name?: string;
}

export const tls = Type.Optional(
  Type.Unsafe<boolean | TlsAsked>({
    type: ['boolean', 'object'],
    properties: {
      server_name: {
        type: 'string',
        maxLength: 253,
        pattern: '^[^\\s/?#@:]+$',
        sentence: 'Must be a host name or an IPv4 address.',
        description: 'sent to the server (SNI), and what its certificate must be for; `host` when absent',
      },
    },
    description: 'whether the connection is secured at once; an object means true and may give details',
  }),
);
