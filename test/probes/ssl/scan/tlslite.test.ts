import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { createFolder, stopServers, tlslitePython, tlsliteServer } from '../servers/real.ts';
import { names, scanned, spoken } from './scanning.ts';

const test = specifications('a scan of tlslite-ng');
const folder = createFolder();
test.after.each(stopServers);
test.after(folder.close);

const python = tlslitePython();
if (python === null) console.log('  skipped: tlslite-ng is not installed');
else {
  const rsa = folder.pair('rsa', '-newkey', 'rsa:2048');

  test('a scan finds SSL 3.0 with suites that OpenSSL has dropped', async () => {
    const { port } = await tlsliteServer(python, rsa, {
      minVersion: [3, 0],
      maxVersion: [3, 0],
      cipherNames: ['rc4', '3des', 'aes128', 'null'],
      macNames: ['md5', 'sha'],
      keyExchangeNames: ['rsa'],
    });
    const { facts } = await scanned(port);
    assert.equal(spoken(facts), ['ssl_3_0']);
    assert.equal(names(facts.protocols.ssl_3_0).sort(), [
      'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
      'TLS_RSA_WITH_AES_128_CBC_SHA',
      'TLS_RSA_WITH_NULL_MD5',
      'TLS_RSA_WITH_NULL_SHA',
      'TLS_RSA_WITH_RC4_128_MD5',
      'TLS_RSA_WITH_RC4_128_SHA',
    ]);
    assert.equal(facts.chains.length, 1);
    assert.ok(facts.complete);
  });

  test('a scan finds every protocol from SSL 3.0 on, each with its suites', async () => {
    const { port } = await tlsliteServer(python, rsa, {
      minVersion: [3, 0],
      maxVersion: [3, 4],
      cipherNames: ['aes256gcm', 'aes128', 'aes256ccm_8'],
      keyExchangeNames: ['rsa', 'dhe_rsa', 'ecdhe_rsa'],
    });
    const { facts } = await scanned(port);
    assert.equal(spoken(facts), ['ssl_3_0', 'tls_1_0', 'tls_1_1', 'tls_1_2', 'tls_1_3']);
    assert.equal(names(facts.protocols.tls_1_3), ['TLS_AES_256_GCM_SHA384']);
    const old = [
      'TLS_DHE_RSA_WITH_AES_128_CBC_SHA',
      'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
      'TLS_RSA_WITH_AES_128_CBC_SHA',
    ];
    // SSL 3.0 has no extension to name curves, but tlslite-ng assumes that the client supports them.
    for (const name of ['ssl_3_0', 'tls_1_0', 'tls_1_1'] as const)
      assert.equal(names(facts.protocols[name]).sort(), old);
    assert.ok(names(facts.protocols.tls_1_2).includes('TLS_DHE_RSA_WITH_AES_256_CCM_8'));
    assert.ok(facts.complete);
  });

  test('a scan finds anonymous suites', async () => {
    const { port } = await tlsliteServer(python, rsa, {
      anonymous: true,
      minVersion: [3, 1],
      maxVersion: [3, 2],
      cipherNames: ['aes128', '3des', 'rc4'],
      keyExchangeNames: ['dh_anon', 'ecdh_anon'],
    });
    const { facts } = await scanned(port);
    assert.equal(spoken(facts), ['tls_1_0', 'tls_1_1']);
    assert.ok(names(facts.protocols.tls_1_0).every((name) => /_DH_anon_|_ECDH_anon_/.test(name)));
    assert.ok(facts.protocols.tls_1_0.suites.length >= 4);
  });
}

test.run();
