import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export { hasOpenssl } from '../../web/certificates.ts';

export type Key = 'ec' | 'p384' | 'ed25519' | 'rsa-1024' | 'rsa-2048';

export interface Wanted {
  /** name of the certificate whose key signs this certificate; by default the certificate is self-signed */
  by?: string;
  key?: Key;
  /** name of another certificate whose key is used */
  keyOf?: string;
  /** such as `/CN=example.test` */
  subject?: string;
  /** subject alternative names, such as `DNS:localhost,IP:127.0.0.1`; by default none */
  names?: string;
  /** start and end of the validity, as `YYYYMMDDHHMMSSZ` */
  from?: string;
  until?: string;
  authority?: boolean;
  digest?: 'sha1' | 'sha256' | 'md5';
  /** further lines for the section of extensions in openssl's configuration */
  extensions?: readonly string[];
  /** a hexadecimal number */
  serial?: string;
}

export interface Made {
  key: string;
  /** in PEM */
  cert: string;
  der: Buffer;
}

/** Revoked certificates by name. The value is the reason, or an empty string. */
export type Revoked = Record<string, string>;

export interface OcspWanted {
  signer?: string;
  revoked?: Revoked;
  /** names of the certificates that the responder knows */
  known?: readonly string[];
  /** days until the next update; null if the response does not name it */
  days?: number | null;
  request?: Buffer;
  more?: readonly string[];
}

const privateKey = (kind: Key): string => {
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  switch (kind) {
    case 'ec':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString();
    case 'p384':
      return generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(pem).toString();
    case 'ed25519':
      return generateKeyPairSync('ed25519').privateKey.export(pem).toString();
    default:
      return generateKeyPairSync('rsa', { modulusLength: Number(kind.slice(4)) })
        .privateKey.export(pem)
        .toString();
  }
};

export const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');

/**
 * Creates an authority that issues certificates with the openssl program, in a folder that `close` removes. It records
 * the issued certificates, for `ocspResponse` and `list`.
 */
export const createAuthority = () => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-authority-'));
  const file = (name: string): string => join(directory, name);
  const made = new Map<string, { wanted: Wanted; serial: string }>();
  let serials = 0;

  const openssl = (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync('openssl', words, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${words.join(' ')}: ${stderr}`);
    return stdout;
  };

  /** Writes a configuration of `openssl ca` for one certificate or for a revocation list. */
  const configure = (name: string, extensions: readonly string[], rest: readonly string[] = []): string => {
    const path = file(`${name}.cnf`);
    writeFileSync(
      path,
      [
        ...['[ca]', 'default_ca = own', '[own]', `database = ${file(`${name}.index`)}`],
        ...[`new_certs_dir = ${directory}`, `serial = ${file(`${name}.serial`)}`, 'default_md = sha256'],
        ...['policy = any', 'unique_subject = no', 'default_crl_days = 30', 'preserve = yes', 'utf8 = yes'],
        'string_mask = utf8only',
        ...['[any]', 'countryName = optional', 'organizationName = optional', 'organizationalUnitName = optional'],
        ...['commonName = optional', '[extensions]', ...extensions],
        ...['[req]', 'distinguished_name = name', '[name]', ...rest],
      ].join('\n'),
    );
    return path;
  };

  const make = (name: string, wanted: Wanted = {}): Made => {
    const { by, key = 'ec', keyOf, subject = `/CN=${name}`, names, from, until, authority = false } = wanted;
    const serial = wanted.serial ?? (4_096 + serials++).toString(16);
    const config = configure(name, [
      ...(names === undefined ? [] : [`subjectAltName = ${names}`]),
      ...(wanted.extensions?.some((line) => line.startsWith('basicConstraints'))
        ? []
        : [`basicConstraints = critical,CA:${authority ? 'TRUE' : 'FALSE'}`]),
      ...(wanted.extensions ?? []),
    ]);
    writeFileSync(file(`${name}.index`), '');
    writeFileSync(file(`${name}.serial`), `${serial.padStart(serial.length + (serial.length % 2), '0')}\n`);
    writeFileSync(
      file(`${name}.key`),
      keyOf === undefined ? privateKey(key) : readFileSync(file(`${keyOf}.key`), 'utf8'),
    );
    openssl(
      ...['req', '-new', '-utf8', '-config', config, '-key', file(`${name}.key`)],
      ...['-subj', subject, '-out', file(`${name}.csr`)],
    );
    const signer =
      by === undefined
        ? ['-selfsign', '-keyfile', file(`${name}.key`)]
        : ['-cert', file(`${by}.crt`), '-keyfile', file(`${by}.key`)];
    // Ed25519 includes its own digest algorithm.
    const digest = /ed25519/.test(made.get(by ?? '')?.wanted.key ?? (by === undefined ? key : '')) ? 'default' : null;
    openssl(
      ...['ca', '-batch', '-notext', '-config', config, '-extensions', 'extensions', ...signer],
      ...['-md', digest ?? wanted.digest ?? 'sha256'],
      ...['-startdate', from ?? '20200101000000Z', '-enddate', until ?? '20990101000000Z'],
      ...['-in', file(`${name}.csr`), '-out', file(`${name}.crt`)],
    );
    made.set(name, { wanted, serial });
    const cert = readFileSync(file(`${name}.crt`), 'utf8');
    return { key: readFileSync(file(`${name}.key`), 'utf8'), cert, der: derOf(cert) };
  };

  /** Writes the index file of openssl for some certificates, with the revoked ones marked. */
  const index = (name: string, certificates: readonly string[], revoked: Revoked): void => {
    const lines = certificates.map((one) => {
      const serial = (made.get(one)?.serial ?? '').toUpperCase();
      const even = serial.padStart(serial.length + (serial.length % 2), '0');
      const reason = revoked[one];
      const [status, when] = reason === undefined ? ['V', ''] : ['R', `260102030405Z${reason && `,${reason}`}`];
      return `${status}\t20990101000000Z\t${when}\t${even}\tunknown\t/CN=${one}\n`;
    });
    writeFileSync(file(name), lines.join(''));
  };

  /** Creates an OCSP response in DER. @param asked a client's request in DER; by default a request about `of` */
  const ocspResponse = (
    of: string,
    by: string,
    { signer = by, revoked = {}, known = [of], days = 7, request, more = [] }: OcspWanted = {},
  ): Buffer => {
    index('ocsp.index', known, revoked);
    if (request) writeFileSync(file('ocsp.request'), request);
    const pem = (name: string): string => file(`${name}.crt`);
    openssl(
      ...['ocsp', '-index', file('ocsp.index'), '-CA', pem(by), '-rsigner', pem(signer)],
      ...['-rkey', file(`${signer}.key`), '-respout', file('ocsp.response')],
      ...(days === null ? [] : ['-ndays', days.toString()]),
      ...(request ? ['-reqin', file('ocsp.request')] : ['-issuer', pem(by), '-cert', pem(of), '-no_nonce']),
      ...more,
    );
    return readFileSync(file('ocsp.response'));
  };

  /** Creates a certificate revocation list in PEM. */
  const list = (
    by: string,
    {
      revoked = {},
      days = 30,
      extensions = [],
    }: { revoked?: Revoked; days?: number; extensions?: readonly string[] } = {},
  ): string => {
    const config = configure('list', ['[list]', ...extensions]);
    index('list.index', Object.keys(revoked), revoked);
    openssl(
      ...['ca', '-gencrl', '-config', config, '-cert', file(`${by}.crt`), '-keyfile', file(`${by}.key`)],
      ...['-crldays', days.toString(), '-crlexts', 'list', '-out', file('list.pem')],
    );
    return readFileSync(file('list.pem'), 'utf8');
  };

  return {
    make,
    ocspResponse,
    list,
    openssl,
    /** Returns the path of a file of a certificate, such as `good.key` or `good.crt`. */
    file,
    close: (): void => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
