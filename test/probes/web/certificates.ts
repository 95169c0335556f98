import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  /** the certificate and its signers, except the root */
  cert: string;
}

/** Returns whether openssl, which creates the certificates, is installed. */
export const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).status === 0;

interface Wanted {
  /** such as `DNS:localhost,IP:127.0.0.1` */
  names: string;
  /** start and end of the validity, as `YYYYMMDDHHMMSSZ` */
  from?: string;
  until?: string;
  /** whether the certificate is self-signed instead of signed by the authority */
  selfSigned?: boolean;
  by?: string;
  authority?: boolean;
}

/** Creates a certificate authority in a folder that `close` removes. */
export const createAuthority = () => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-certificates-'));
  const file = (name: string): string => join(directory, name);
  let made = 0;

  const openssl = (...words: string[]): void => {
    const { status, stderr } = spawnSync('openssl', words, { cwd: directory, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${words.join(' ')}: ${stderr}`);
  };

  const make = (
    name: string,
    { names, from, until, selfSigned = false, by = 'root', authority = false }: Wanted,
  ): Certificate => {
    writeFileSync(
      file(`${name}.cnf`),
      [
        '[ca]',
        'default_ca = own',
        '[own]',
        `database = ${file(`${name}.index`)}`,
        `new_certs_dir = ${directory}`,
        `serial = ${file(`${name}.serial`)}`,
        'default_md = sha256',
        'policy = any',
        'unique_subject = no',
        '[any]',
        'commonName = supplied',
        '[extensions]',
        ...(names === '' ? [] : [`subjectAltName = ${names}`]),
        `basicConstraints = critical,CA:${authority ? 'TRUE' : 'FALSE'}`,
        '[req]',
        'distinguished_name = name',
        '[name]',
      ].join('\n'),
    );
    writeFileSync(file(`${name}.index`), '');
    writeFileSync(file(`${name}.serial`), `${1_000 + made++}\n`);
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file(`${name}.key`));
    openssl(
      'req',
      '-new',
      '-config',
      file(`${name}.cnf`),
      '-key',
      file(`${name}.key`),
      '-subj',
      `/CN=${name}`,
      '-out',
      file(`${name}.csr`),
    );
    const signer = selfSigned
      ? ['-selfsign', '-keyfile', file(`${name}.key`)]
      : ['-cert', file(`${by}.crt`), '-keyfile', file(`${by}.key`)];
    openssl(
      ...['ca', '-batch', '-notext', '-config', file(`${name}.cnf`), '-extensions', 'extensions', ...signer],
      ...['-startdate', from ?? '20200101000000Z', '-enddate', until ?? '20990101000000Z'],
      ...['-in', file(`${name}.csr`), '-out', file(`${name}.crt`)],
    );
    return { key: readFileSync(file(`${name}.key`), 'utf8'), cert: readFileSync(file(`${name}.crt`), 'utf8') };
  };

  const root = make('root', { names: '', selfSigned: true, authority: true });
  return {
    /** the certificate of the authority */
    root: root.cert,
    make,
    /** Returns the path of a file of a certificate, such as `good.key` or `good.crt`. */
    file,
    close: (): void => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
