import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import type { SslMetadata } from '../../../domain/check/types/ssl.ts';
import type { KeyFacts, ScanFacts } from '../../../probes/ssl/scan/facts.ts';
import { PROTOCOL_NAMES } from '../../../probes/ssl/wire/protocols.ts';
import { suite } from '../../../probes/ssl/wire/suites.ts';
import { probe } from './probing.ts';
import { scanned } from './scan/scanning.ts';
import { sslscan, type SslscanReport } from './servers/sslscan.ts';
import {
  createFolder,
  has,
  nginxServer,
  opensslServer,
  stopServers,
  tlslitePython,
  tlsliteServer,
  type RealServer,
} from './servers/real.ts';

/*
 * Compares the results of a scan with those of sslscan: protocols, cipher suites with their strength and key exchange,
 * and the certificate.
 */

const test = specifications('a scan compared with sslscan');
const folder = createFolder();
test.after(stopServers);
test.after(folder.close);

const WITHOUT_PSK = 'ALL:COMPLEMENTOFALL:!PSK:!SRP:@SECLEVEL=0';

const groupOf = ({ kind, bits, group }: KeyFacts): string => group ?? `${kind}${bits}`;

/** Returns the facts of a scan in the format of sslscan. */
const ours = (
  facts: ScanFacts,
  { checks: { certificate_info: info } }: SslMetadata,
): Omit<SslscanReport, 'preferred'> => ({
  protocols: PROTOCOL_NAMES.filter((name) => facts.protocols[name].supported),
  ciphers: PROTOCOL_NAMES.flatMap((name) =>
    facts.protocols[name].suites.map((id) => {
      const key = facts.protocols[name].keys.find((known) => known.suite === id);
      const number = `0x${id.toString(16).padStart(4, '0')}`;
      return `${name} ${number} ${suite(id).bits} ${key ? groupOf(key) : ''}`.trim();
    }),
  ),
  certificate: info && {
    signature_algorithm: info.signature_algorithm,
    key_type: info.key_type,
    key_size: (info.key_size ?? 0) / (info.key_type === 'EC' ? 2 : 1),
    subject: info.subject.replace('CN=', ''),
    issuer: info.issuer.replace('CN=', ''),
    self_signed: info.subject === info.issuer,
    expired: Date.parse(info.not_after) < Date.now(),
    not_before: Date.parse(info.not_before),
    not_after: Date.parse(info.not_after),
  },
});

const compare = async (name: string, port: number): Promise<void> => {
  const [{ facts }, outcome, theirs] = [
    await scanned(port),
    await probe('tls.test', port, { hosts: { 'tls.test': ['127.0.0.1'] } }),
    await sslscan(port),
  ];
  const own = ours(facts, outcome.check_metadata as SslMetadata);
  assert.equal(own.protocols, theirs.protocols, `${name}: protocols`);
  // sslscan reports no SSL 3.0 suites if the system's OpenSSL lacks the protocol.
  const comparable = own.ciphers.filter((cipher) => !cipher.startsWith('ssl_3_0'));
  const reported = new Set(theirs.ciphers);
  assert.equal(
    comparable.map((cipher) => (reported.has(cipher) ? cipher : cipher.split(' ').slice(0, 3).join(' '))).sort(),
    [...theirs.ciphers].sort(),
    `${name}: cipher suites`,
  );
  // If the system's OpenSSL lacks the server's suites, sslscan may find no certificate, and it tries suites in its own
  // order.
  const lacking = name.startsWith('tlslite-ng');
  if (theirs.certificate !== null || !lacking)
    assert.equal(own.certificate, theirs.certificate, `${name}: certificate`);
  for (const protocol of PROTOCOL_NAMES)
    if (facts.protocols[protocol].serverPreference === true && !lacking)
      assert.is(facts.protocols[protocol].suites[0], theirs.preferred[protocol], `${name}: ${protocol} preferred`);
};

if (!has('sslscan', '--version')) console.log('  skipped: sslscan is not installed');
else if (!has('nginx', '-v')) console.log('  skipped: nginx is not installed');
else {
  const rsa = folder.pair('rsa', '-newkey', 'rsa:2048');
  const short = folder.pair('short', '-newkey', 'rsa:1024', '-sha1');
  const long = folder.pair('long', '-newkey', 'rsa:4096', '-sha512');
  const p256 = folder.pair('p256', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256');
  const p384 = folder.pair('p384', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-sha384');
  const python = tlslitePython();

  const openssl: Readonly<Record<string, () => Promise<RealServer>>> = {
    'the default of OpenSSL': () => opensslServer(rsa),
    'TLS 1.3 alone': () => opensslServer(rsa, '-tls1_3'),
    'TLS 1.3 with two suites': () =>
      opensslServer(
        rsa,
        '-tls1_3',
        '-ciphersuites',
        'TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384',
        '-serverpref',
      ),
    'TLS 1.2 alone': () => opensslServer(rsa, '-tls1_2'),
    'TLS 1.2 with one suite': () => opensslServer(rsa, '-tls1_2', '-cipher', 'AES128-SHA'),
    'TLS 1.2 in an order': () =>
      opensslServer(rsa, '-tls1_2', '-serverpref', '-cipher', 'AES256-SHA:ECDHE-RSA-AES128-SHA:AES128-GCM-SHA256'),
    'TLS 1.0 alone': () => opensslServer(rsa, '-tls1', '-cipher', WITHOUT_PSK),
    'TLS 1.1 alone': () => opensslServer(rsa, '-tls1_1', '-cipher', WITHOUT_PSK),
    'all of OpenSSL': () => opensslServer(rsa, '-min_protocol', 'TLSv1', '-cipher', WITHOUT_PSK),
    'NULL suites': () => opensslServer(rsa, '-min_protocol', 'TLSv1', '-cipher', 'eNULL:!PSK:@SECLEVEL=0'),
    'anonymous suites': () => opensslServer(rsa, '-tls1_2', '-cipher', 'aNULL:@SECLEVEL=0'),
    'a 1,024-bit key with SHA-1': () => opensslServer(short, '-cipher', 'DEFAULT:@SECLEVEL=0'),
    'a 4,096-bit key': () => opensslServer(long),
    'a key on P-256': () => opensslServer(p256),
    'a key on P-384, with older protocols': () =>
      opensslServer(p384, '-min_protocol', 'TLSv1', '-cipher', 'DEFAULT:@SECLEVEL=0'),
    'two keys': () => opensslServer(rsa, '-dcert', p256.cert, '-dkey', p256.key, '-tls1_2'),
    'another curve': () => opensslServer(rsa, '-named_curve', 'P-521'),
  };
  const nginx: Readonly<Record<string, () => Promise<RealServer>>> = {
    'nginx as it comes': () => nginxServer(folder, rsa, ''),
    'nginx with TLS 1.0 to 1.3': () =>
      nginxServer(folder, rsa, 'ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_ciphers ALL:!PSK:!SRP:@SECLEVEL=0;'),
    'nginx in an order': () =>
      nginxServer(
        folder,
        p256,
        'ssl_protocols TLSv1.2; ssl_prefer_server_ciphers on; ssl_ciphers ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-GCM-SHA384;',
      ),
    'nginx with a 1,024-bit DH group': () => {
      folder.openssl('dhparam', '-dsaparam', '-out', folder.file('dh'), '1024');
      return nginxServer(
        folder,
        rsa,
        `ssl_protocols TLSv1.2; ssl_ciphers kDHE:@SECLEVEL=0; ssl_dhparam ${folder.file('dh')};`,
      );
    },
  };
  const tlslite: Readonly<Record<string, (python: string) => Promise<RealServer>>> = {
    'tlslite-ng with SSL 3.0': (path) =>
      tlsliteServer(path, rsa, {
        minVersion: [3, 0],
        maxVersion: [3, 0],
        cipherNames: ['rc4', '3des', 'aes128', 'null'],
        macNames: ['md5', 'sha'],
        keyExchangeNames: ['rsa'],
      }),
    'tlslite-ng with RC4 and 3DES': (path) =>
      tlsliteServer(path, rsa, {
        minVersion: [3, 1],
        maxVersion: [3, 3],
        cipherNames: ['rc4', '3des'],
        macNames: ['md5', 'sha'],
        keyExchangeNames: ['rsa', 'dhe_rsa', 'ecdhe_rsa'],
      }),
  };
  if (python === null) console.log('  skipped: tlslite-ng is not installed');
  const servers = new Map([
    ...Object.entries(openssl),
    ...Object.entries(nginx),
    ...(python === null
      ? []
      : Object.entries(tlslite).map(([name, start]): [string, () => Promise<RealServer>] => [
          name,
          () => start(python),
        ])),
  ]);
  // sslscan waits most of the time, so all comparisons run concurrently.
  const compared = new Map<string, Promise<void>>();
  test.before(() => {
    for (const [name, start] of servers) {
      const comparison = start().then(({ port }) => compare(name, port));
      comparison.catch(() => undefined);
      compared.set(name, comparison);
    }
  });
  for (const name of servers.keys())
    test(`a scan and sslscan report the same about ${name}`, async () => {
      await compared.get(name);
    });
}

test.run();
