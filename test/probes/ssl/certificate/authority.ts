import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export { hasOpenssl } from '../../web/certificates.ts';

export type Key = 'ec' | 'p384' | 'ed25519' | 'rsa-1024' | 'rsa-2048';

export interface Wanted {
  /** whose key signs it; itself if absent */
  by?: string;
  key?: Key;
  /** the key of another certificate */
  keyOf?: string;
  /** `/CN=example.test` */
  subject?: string;
  /** `DNS:localhost,IP:127.0.0.1`; none if absent */
  names?: string;
  /** `YYYYMMDDHHMMSSZ` */
  from?: string;
  until?: string;
  authority?: boolean;
  digest?: 'sha1' | 'sha256' | 'md5';
  /** further lines of openssl's section of extensions */
  extensions?: readonly string[];
  /** a hexadecimal number */
  serial?: string;
}

export interface Made {
  key: string;
  /** PEM */
  cert: string;
  der: Buffer;
}

/** By name, with the reason or an empty text. */
export type Revoked = Record<string, string>;

export interface OcspWanted {
  signer?: string;
  revoked?: Revoked;
  /** the certificates that the responder knows */
  known?: readonly string[];
  /** until the next response; null if it does not say */
  days?: number | null;
  asked?: Buffer;
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
 * An authority that creates certificates with the openssl program, in a directory that `close` removes. It records what
 * it has issued, for `ocspResponse` and `crl`.
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

  /** The configuration of openssl ca for one certificate, or for a list. */
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
    // Ed25519 has its own digest.
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

  /** The lines of openssl's index for certificates, some of them revoked. */
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

  /** An OCSP response in DER. @param asked a request in DER from a client; default: one about `of` */
  const ocspResponse = (
    of: string,
    by: string,
    { signer = by, revoked = {}, known = [of], days = 7, asked, more = [] }: OcspWanted = {},
  ): Buffer => {
    index('ocsp.index', known, revoked);
    if (asked) writeFileSync(file('ocsp.request'), asked);
    const pem = (name: string): string => file(`${name}.crt`);
    openssl(
      ...['ocsp', '-index', file('ocsp.index'), '-CA', pem(by), '-rsigner', pem(signer)],
      ...['-rkey', file(`${signer}.key`), '-respout', file('ocsp.response')],
      ...(days === null ? [] : ['-ndays', days.toString()]),
      ...(asked ? ['-reqin', file('ocsp.request')] : ['-issuer', pem(by), '-cert', pem(of), '-no_nonce']),
      ...more,
    );
    return readFileSync(file('ocsp.response'));
  };

  /** A list of revoked certificates in PEM. */
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
    /** where a file of a certificate is: `good.key`, `good.crt` */
    file,
    close: (): void => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
