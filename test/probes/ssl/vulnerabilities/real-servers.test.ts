import { getDiffieHellman } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDialer, targetOf } from '../../../../probes/ssl/dial.ts';
import { createScan } from '../../../../probes/ssl/scan/scan.ts';
import { VULNERABILITIES, type VulnerabilityFindings } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import { vulnerabilitiesOf } from '../../../../probes/ssl/vulnerabilities/vulnerabilities.ts';
import { contextOf } from '../../run-context.ts';
import {
  createFolder,
  has,
  nginxServer,
  opensslServer,
  stopServers,
  tlslitePython,
  tlsliteServer,
} from '../servers/real.ts';
import { verdicts } from './testing.ts';

const test = suite('vulnerability tests of real servers');
test.after.each(stopServers);

/** The parameters of Oakley group 2, with generator 2, in OpenSSL's format. */
const OAKLEY_2 = [
  '-----BEGIN DH PARAMETERS-----',
  Buffer.concat([
    Buffer.from([0x30, 0x81, 0x87, 0x02, 0x81, 0x81, 0x00]),
    getDiffieHellman('modp2').getPrime(),
    Buffer.from([0x02, 0x01, 0x02]),
  ]).toString('base64'),
  '-----END DH PARAMETERS-----',
].join('\n');

/** Scans a server and tests it for vulnerabilities. */
const looked = async (port: number): Promise<{ findings: VulnerabilityFindings; dialed: number }> => {
  const context = contextOf({});
  const dialer = createDialer(await targetOf({ host: '127.0.0.1', port, starttls: 'none' }, context), context);
  const scan = createScan(dialer, context);
  await scan.run();
  const { findings } = await vulnerabilitiesOf(dialer, scan.facts(), context);
  return { findings, dialed: dialer.dialed };
};

/** Asserts that the expected vulnerabilities were found, and that everything else was tested and is safe. */
const assertOnly = (findings: VulnerabilityFindings, expected: Record<string, string>): void => {
  const all = Object.fromEntries(VULNERABILITIES.map((name) => [name, expected[name] ?? 'safe']));
  assert.equal(verdicts(findings), all);
};

const withOpenssl = has('openssl', 'version');
const folder = createFolder();
test.after(folder.close);
if (!withOpenssl) console.log('  skipped: openssl is not installed');
else {
  const rsa = folder.pair('rsa', '-newkey', 'rsa:2048');
  const ec = folder.pair('ec', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256');
  const weak = folder.pair('weak', '-newkey', 'rsa:1024');

  test('tests of OpenSSL with default settings find no vulnerability, and need at most 60 connections', async () => {
    const { port } = await opensslServer(rsa);
    const { findings, dialed } = await looked(port);
    assertOnly(findings, {});
    assert.ok(dialed <= 60, dialed.toString());
  });

  test('a server with only TLS 1.3 has no vulnerability', async () => {
    const { port } = await opensslServer(ec, '-tls1_3');
    assertOnly((await looked(port)).findings, {});
  });

  test('a server without tickets has no vulnerability', async () => {
    const { port } = await opensslServer(ec, '-tls1_2', '-no_ticket');
    assertOnly((await looked(port)).findings, {});
  });

  test('vulnerability tests work with a 1,024-bit key', async () => {
    const { port } = await opensslServer(weak, '-cipher', 'AES128-SHA:@SECLEVEL=0', '-tls1_2');
    assertOnly((await looked(port)).findings, {});
  });

  test('a server with TLS 1.0 has BEAST and no other vulnerability', async () => {
    const { port } = await opensslServer(rsa, '-cipher', 'AES128-SHA:AES256-SHA:@SECLEVEL=0', '-tls1');
    assertOnly((await looked(port)).findings, { beast: 'vulnerable' });
  });

  test('OpenSSL with every cipher has BEAST and a small group, and refuses fallbacks', async () => {
    const { port } = await opensslServer(rsa, '-cipher', 'ALL:@SECLEVEL=0', '-no_tls1_3');
    assertOnly((await looked(port)).findings, { beast: 'vulnerable', logjam: 'well_known_group' });
  });

  test('a small Diffie-Hellman group that many servers share is reported as Logjam', async () => {
    const group = folder.write('oakley2.pem', OAKLEY_2);
    const { port } = await opensslServer(rsa, '-cipher', 'DHE:@SECLEVEL=0', '-tls1_2', '-dhparam', group);
    assertOnly((await looked(port)).findings, { logjam: 'well_known_group' });
  });

  test('client-initiated renegotiation is found, even if the server supports TLS 1.3', async () => {
    const { port } = await opensslServer(rsa, '-client_renegotiation');
    assertOnly((await looked(port)).findings, { session_renegotiation: 'client_initiated' });
  });

  test('Node.js is reported as a server that limits renegotiations', async () => {
    const server = createServer({ key: folder.read('rsa.key'), cert: folder.read('rsa.crt') });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { findings } = await looked((server.address() as AddressInfo).port);
      assertOnly(findings, {});
      assert.match(findings.session_renegotiation.details, /allows only 3 per connection/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  if (!has('nginx', '-v')) console.log('  skipped: nginx is not installed');
  else {
    test('nginx with default settings has no vulnerability', async () => {
      const { port } = await nginxServer(folder, rsa, '');
      assertOnly((await looked(port)).findings, {});
    });

    test('nginx with every cipher has BEAST', async () => {
      const { port } = await nginxServer(
        folder,
        rsa,
        'ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_ciphers ALL:@SECLEVEL=0;',
      );
      assertOnly((await looked(port)).findings, { beast: 'vulnerable' });
    });
  }

  const python = tlslitePython();
  if (python === null) console.log('  skipped: tlslite-ng is not installed');
  else {
    const OLD = { poodle_ssl: 'vulnerable', rc4: 'vulnerable', sweet32: 'vulnerable', beast: 'vulnerable' };

    test('tlslite-ng with every protocol from SSL 3.0 on has only vulnerabilities of old ciphers', async () => {
      const { port } = await tlsliteServer(python, rsa, {
        minVersion: [3, 0],
        maxVersion: [3, 4],
        cipherNames: ['aes256gcm', 'aes128', '3des', 'rc4'],
        keyExchangeNames: ['rsa', 'dhe_rsa', 'ecdhe_rsa'],
      });
      const { findings } = await looked(port);
      assertOnly(findings, OLD);
      assert.match(findings.heartbleed.details, /supports heartbeats and discards/);
    });

    test('for a server with SSL 3.0 only, all tests are possible except those that need a full handshake', async () => {
      const { port } = await tlsliteServer(python, rsa, {
        minVersion: [3, 0],
        maxVersion: [3, 0],
        cipherNames: ['rc4', '3des', 'aes128'],
        macNames: ['md5', 'sha'],
        keyExchangeNames: ['rsa'],
      });
      assertOnly((await looked(port)).findings, { ...OLD, ticketbleed: 'untested', session_renegotiation: 'untested' });
    });
  }
}

test.run();
