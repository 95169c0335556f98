import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The report of sslscan about a server. */
export interface SslscanReport {
  /** such as `ssl_3_0` */
  protocols: string[];
  /**
   * such as `tls_1_2 0xc02f 128 x25519`: protocol, number, bits, and the group of the key exchange. The group is
   * missing for suites that the system's OpenSSL lacks.
   */
  ciphers: string[];
  /** the server's preferred suite by protocol, as a number */
  preferred: Readonly<Record<string, number>>;
  certificate: {
    signature_algorithm: string;
    key_type: string;
    /** size in bits; sslscan reports half the bits of an elliptic curve */
    key_size: number;
    subject: string;
    issuer: string;
    self_signed: boolean;
    expired: boolean;
    /** milliseconds since 1970 */
    not_before: number;
    not_after: number;
  } | null;
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  SSLv2: 'ssl_2_0',
  SSLv3: 'ssl_3_0',
  'TLSv1.0': 'tls_1_0',
  'TLSv1.1': 'tls_1_1',
  'TLSv1.2': 'tls_1_2',
  'TLSv1.3': 'tls_1_3',
};

const GROUPS: Readonly<Record<string, string>> = {
  '25519': 'x25519',
  P: 'secp',
};

const attributes = (tag: string): Record<string, string> =>
  Object.fromEntries([...tag.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));

const textOf = (xml: string, name: string): string =>
  new RegExp(`<${name}>(?:<!\\[CDATA\\[)?(.*?)(?:\\]\\]>)?</${name}>`).exec(xml)?.[1] ?? '';

const groupOf = ({ curve = '', dhebits = '' }: Record<string, string>): string => {
  if (dhebits !== '') return `dh${dhebits}`;
  return GROUPS[curve] ?? curve.replace(/^P-(\d+)$/, 'secp$1r1');
};

/** Runs sslscan against a server under the name `tls.test`. */
export const sslscan = async (port: number): Promise<SslscanReport> => {
  const { stdout } = await promisify(execFile)('sslscan', [
    ...['--xml=-', '--no-colour', '--no-fallback', '--no-renegotiation', '--no-heartbleed', '--no-groups'],
    ...['--no-compression', '--sni-name=tls.test', `127.0.0.1:${port}`],
  ]);
  const tags = (name: string) =>
    [...stdout.matchAll(new RegExp(`<${name} [^>]*>`, 'g'))].map(([tag]) => attributes(tag));
  const protocols = tags('protocol').filter(({ enabled }) => enabled === '1');
  const ciphers = tags('cipher').map((cipher): Record<string, string> & { protocol: string } => ({
    ...cipher,
    protocol: PROTOCOLS[cipher['sslversion'] ?? ''] ?? '',
  }));
  const certificate = /<certificate type="short">.*?<\/certificate>/s.exec(stdout)?.[0];
  const [key = {}] = tags('pk');
  return {
    protocols: protocols.map(
      ({ type = '', version = '' }) => `${type}_${version.includes('.') ? version.replace('.', '_') : `${version}_0`}`,
    ),
    ciphers: ciphers.map((cipher) =>
      `${cipher.protocol} ${(cipher['id'] ?? '').toLowerCase()} ${cipher['bits'] ?? ''} ${groupOf(cipher)}`.trim(),
    ),
    preferred: Object.fromEntries(
      ciphers
        .filter((cipher) => cipher['status'] === 'preferred')
        .map((cipher) => [cipher.protocol, Number(cipher['id'])]),
    ),
    certificate:
      // For a server without a certificate, sslscan reports an empty one.
      certificate === undefined || key['bits'] === undefined
        ? null
        : {
            signature_algorithm: textOf(certificate, 'signature-algorithm'),
            key_type: key['type'] ?? '',
            key_size: Number(key['bits']),
            subject: textOf(certificate, 'subject'),
            issuer: textOf(certificate, 'issuer'),
            self_signed: textOf(certificate, 'self-signed') === 'true',
            expired: textOf(certificate, 'expired') === 'true',
            not_before: Date.parse(textOf(certificate, 'not-valid-before')),
            not_after: Date.parse(textOf(certificate, 'not-valid-after')),
          },
  };
};
