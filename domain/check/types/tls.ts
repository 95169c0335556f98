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

/** Whether a text contains certificates and no other PEM block. Users might paste a private key by mistake. */
const hasOnlyCertificates = (text: string): boolean => {
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0 || blocks.length > MAX_CERTIFICATES) return false;
  return !text.replace(BLOCK, '').includes('-----') && blocks.every(isCertificate);
};

/** Certificates in PEM format. A check trusts them instead of the runner's trust store. */
export const caCertificate = Type.Optional(
  Type.String({
    maxLength: 65_536,
    check: hasOnlyCertificates,
    sentence: `Must be one to ${MAX_CERTIFICATES} certificates in PEM, and nothing else.`,
    description:
      'certificates in PEM that are trusted instead of the default ones: of a certificate authority, or the self-signed certificate of the server',
  }),
);

/** Details of a connection that uses TLS from its start. The parameter `tls` is such an object or a boolean. */
export interface TlsRequest {
  server_name?: string;
}

export const tls = Type.Optional(
  Type.Unsafe<boolean | TlsRequest>({
    type: ['boolean', 'object'],
    properties: {
      server_name: {
        type: 'string',
        maxLength: 253,
        pattern: '^[^\\s/?#@:]+$',
        sentence: 'Must be a host name or an IPv4 address.',
        description: 'sent to the server (SNI), and matched against its certificate; default: `host`',
      },
    },
    description: 'whether TLS is used from the start of the connection; an object means true, with details',
  }),
);
