import { spawnSync } from 'node:child_process';
import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { createFolder, has, nginxServer, opensslServer, stopServers } from '../servers/real.ts';
import { names, scanned, spoken } from './scanning.ts';

const test = specifications('a scan of OpenSSL');
const folder = createFolder();
test.after.each(stopServers);
test.after(folder.close);

const ANY = 'ALL:COMPLEMENTOFALL:@SECLEVEL=0';

if (!has('openssl', 'version')) console.log('  skipped: openssl is not installed');
else {
  const rsa = folder.pair('rsa', '-newkey', 'rsa:2048');
  const ecdsa = folder.pair('ecdsa', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384');

  /** Returns OpenSSL's own list of suites for a server with an RSA key, up to TLS 1.2. */
  const ofRsa = (): string[] =>
    [
      ...spawnSync('openssl', ['ciphers', '-s', '-stdname', '-v', ANY], { encoding: 'utf8' }).stdout.matchAll(
        /^(\S+) .*(?:TLSv1.2|TLSv1|SSLv3) +Kx=(?:RSA|DH|ECDH) +Au=(?:RSA|None)/gm,
      ),
    ]
      .map(([, name = '']) => name)
      .sort();

  test('a scan finds the 23 suites in the default list of OpenSSL with at most 60 connections', async () => {
    const { port } = await opensslServer(rsa);
    const { facts, connections } = await scanned(port);
    assert.equal(spoken(facts), ['tls_1_2', 'tls_1_3']);
    assert.equal(names(facts.protocols.tls_1_3).sort(), [
      'TLS_AES_128_GCM_SHA256',
      'TLS_AES_256_GCM_SHA384',
      'TLS_CHACHA20_POLY1305_SHA256',
    ]);
    assert.equal(facts.protocols.tls_1_2.suites.length, 20);
    assert.ok(connections <= 35, connections.toString());
    assert.ok(facts.complete);
  });

  test('a scan finds the preference order of the server, or that the server follows the client’s order', async () => {
    const list = 'AES128-SHA:ECDHE-RSA-AES256-GCM-SHA384:DHE-RSA-AES128-SHA256:AES256-GCM-SHA384';
    const inOrder = [
      'TLS_RSA_WITH_AES_128_CBC_SHA',
      'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
      'TLS_DHE_RSA_WITH_AES_128_CBC_SHA256',
      'TLS_RSA_WITH_AES_256_GCM_SHA384',
    ];
    const first = await opensslServer(rsa, '-tls1_2', '-cipher', list, '-serverpref');
    const { facts } = await scanned(first.port);
    assert.equal(names(facts.protocols.tls_1_2), inOrder);
    assert.equal(facts.protocols.tls_1_2.serverPreference, true);
    assert.equal(facts.protocols.tls_1_3.refusal, { kind: 'alert', name: 'protocol_version' });

    const second = await opensslServer(rsa, '-tls1_2', '-cipher', list);
    const { facts: other } = await scanned(second.port);
    assert.equal(names(other.protocols.tls_1_2).sort(), inOrder.sort());
    assert.equal(other.protocols.tls_1_2.serverPreference, false);
  });

  test('a scan finds a server’s preference order even if it equals the order of the offer', async () => {
    const list = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:AES128-SHA';
    const { port } = await opensslServer(rsa, '-tls1_2', '-cipher', list, '-serverpref');
    const { facts } = await scanned(port);
    assert.equal(facts.protocols.tls_1_2.serverPreference, true);
    assert.equal(facts.protocols.tls_1_2.suites, [0xc02f, 0xc030, 0x002f]);
  });

  test('a scan finds all protocols and every suite that OpenSSL still supports', async () => {
    const { port } = await opensslServer(rsa, '-min_protocol', 'TLSv1', '-cipher', ANY);
    const { facts } = await scanned(port);
    assert.equal(spoken(facts), ['tls_1_0', 'tls_1_1', 'tls_1_2', 'tls_1_3']);
    assert.equal(names(facts.protocols.tls_1_2).sort(), ofRsa());
    assert.equal(facts.protocols.tls_1_0.suites.length, 20);
    for (const name of ['TLS_RSA_WITH_NULL_MD5', 'TLS_DH_anon_WITH_AES_128_CBC_SHA', 'TLS_ECDHE_RSA_WITH_NULL_SHA'])
      assert.ok(names(facts.protocols.tls_1_0).includes(name), name);
  });

  test('a scan finds the group that TLS 1.3 would use', async () => {
    const { port } = await opensslServer(rsa, '-tls1_3', '-groups', 'ffdhe3072');
    const { facts } = await scanned(port);
    assert.equal(facts.protocols.tls_1_3.keys[0], { suite: 0x1301, kind: 'dh', bits: 3_072, group: 'ffdhe3072' });
  });

  test('a scan finds the suites of both certificates of a server, and both chains', async () => {
    const { port } = await opensslServer(
      rsa,
      ...['-dcert', ecdsa.cert, '-dkey', ecdsa.key, '-tls1_2', '-cipher'],
      'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256',
    );
    const { facts } = await scanned(port);
    assert.equal([...facts.protocols.tls_1_2.suites].sort(), [0xc02b, 0xc02f]);
    assert.equal(facts.chains.length, 2);
  });

  test('a scan finds the only suite of a server, even if this suite uses a pre-shared key', async () => {
    const { port } = await opensslServer(rsa, '-tls1_2', '-psk', 'abcdef', '-cipher', 'PSK-AES128-CBC-SHA256');
    const { facts } = await scanned(port);
    assert.equal(names(facts.protocols.tls_1_2), ['TLS_PSK_WITH_AES_128_CBC_SHA256']);
    assert.equal(facts.protocols.tls_1_2.serverPreference, null);
  });

  if (!has('nginx', '-v')) console.log('  skipped: nginx is not installed');
  else {
    test('a scan finds the groups of key exchanges', async () => {
      const prime = folder.file('dh1024.pem');
      folder.openssl('dhparam', '-dsaparam', '-out', prime, '1024');
      const { port } = await nginxServer(
        folder,
        rsa,
        `ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-SHA:ECDHE-RSA-AES128-SHA:AES128-SHA:@SECLEVEL=0;
         ssl_dhparam ${prime}; ssl_ecdh_curve secp384r1;`,
      );
      const { facts } = await scanned(port);
      assert.equal(
        [...facts.protocols.tls_1_2.keys].sort((one, other) => one.suite - other.suite),
        [
          { suite: 0x0033, kind: 'dh', bits: 1_024, group: null },
          { suite: 0xc013, kind: 'ecdh', bits: 384, group: 'secp384r1' },
        ],
      );
      assert.equal(
        facts.dhGroups.map(({ bits, prime: { length } }) => [bits, length]),
        [[1_024, 256]],
      );
    });

    for (const [settings, protocols, suites] of [
      ['ssl_protocols TLSv1.3;', ['tls_1_3'], 3],
      ['ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256;', ['tls_1_2'], 1],
      ['ssl_protocols TLSv1 TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;', ['tls_1_0', 'tls_1_1'], 8],
      [
        'ssl_protocols TLSv1.1 TLSv1.3; ssl_ciphers AES128-SHA:@SECLEVEL=0; ssl_prefer_server_ciphers on;',
        ['tls_1_1', 'tls_1_3'],
        4,
      ],
    ] as const)
      test(`a scan finds the suites of nginx with "${settings}"`, async () => {
        const { port } = await nginxServer(folder, rsa, settings);
        const { facts } = await scanned(port);
        assert.equal(spoken(facts), protocols);
        assert.ok(facts.complete);
        const all = new Set(Object.values(facts.protocols).flatMap(({ suites: ids }) => ids));
        assert.equal(all.size, suites);
      });
  }
}

test.run();
