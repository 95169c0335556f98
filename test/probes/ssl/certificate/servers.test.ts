import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../../network/clock.ts';
import { trustedAnchors } from '../../../../probes/ssl/certificate/anchors.ts';
import { examineCertificate } from '../../../../probes/ssl/examine-certificate.ts';
import { handshake } from '../../../../probes/ssl/handshake.ts';
import { judgeCertificate } from '../../../../probes/ssl/judge-certificate.ts';
import { createFolder, has, nginxServer, opensslServer, stopServers, type Pair } from '../servers/real.ts';
import { createAuthority, hasOpenssl, type Key, type Wanted } from './authority.ts';

const looking = suite('certificates of real servers');

looking.after.each(stopServers);

const connected = (port: number): Promise<ReturnType<typeof connect>> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(socket);
    });
    socket.on('error', reject);
  });

if (hasOpenssl() && has('nginx', '-v')) {
  const authority = createAuthority();
  const { make, file, ocspResponse } = authority;
  const folder = createFolder();
  const root = make('root', { authority: true });
  const middle = make('middle', { by: 'root', authority: true, key: 'rsa-2048' });
  looking.after(() => {
    authority.close();
    folder.close();
  });

  /** Examines the certificate of a server as a run does. */
  const look = async (port: number) => {
    const now = Date.now();
    const peer = `127.0.0.1:${port}`;
    const { signal } = new AbortController();
    const shown = await handshake(await connected(port), { serverName: 'a.test', peer, clock: systemClock, signal });
    const examined = examineCertificate(shown, { host: 'a.test', now, anchors: trustedAnchors({ ca: root.cert }) });
    const { failure } = judgeCertificate(examined, { expirationThreshold: undefined, now });
    return { info: examined.info, sentence: failure?.message ?? null };
  };

  const pairOf = (name: string): Pair => ({ key: file(`${name}.key`), cert: file(`${name}.crt`) });
  const chained = ['-cert_chain', file('middle.crt')];

  looking('every kind of certificate of openssl s_server is examined', async () => {
    const kinds: [string, Wanted, readonly string[], RegExp | null][] = [
      ['ecdsa', {}, [], null],
      ['rsa', { key: 'rsa-2048' }, [], null],
      ['tiny', { key: 'rsa-1024', digest: 'sha1' }, ['-cipher', 'ALL:@SECLEVEL=0'], null],
      ['ed', { key: 'ed25519' satisfies Key }, [], null],
      ['expired', { until: '20250101000000Z' }, [], /^Certificate expired \d+ days ago, on 2025-01-01: renew it/],
      [
        'early',
        { from: '20980101000000Z' },
        [],
        /^Certificate is not valid before 2098-01-01, which is in \d+ days\.$/,
      ],
      ['wrong', { names: 'DNS:b.test' }, [], /^Certificate is not for a\.test, only for b\.test\.$/],
    ];
    for (const [name, wanted, words, expected] of kinds) {
      make(name, { by: 'middle', names: 'DNS:a.test', ...wanted });
      const server = await opensslServer(pairOf(name), ...chained, ...words);
      const { info, sentence } = await look(server.port);
      if (expected) assert.match(sentence ?? '', expected);
      else assert.is(sentence, null, name);
      assert.is(info?.chain_total, 2);
      await server.stop();
    }
  });

  looking('incomplete and self-signed chains of openssl s_server are examined', async () => {
    make('alone', { by: 'middle', names: 'DNS:a.test' });
    const alone = await opensslServer(pairOf('alone'));
    assert.match((await look(alone.port)).sentence ?? '', /^Certificate chain is incomplete: .* issuer "middle",/);
    make('own', { names: 'DNS:a.test' });
    const own = await opensslServer(pairOf('own'));
    assert.match((await look(own.port)).sentence ?? '', /^Certificate is self-signed:/);
  });

  for (const version of ['-tls1_2', '-tls1_3'])
    looking(`a stapled response of openssl s_server over ${version.slice(1)} is examined`, async () => {
      make('stapled', { by: 'middle', names: 'DNS:a.test' });
      writeFileSync(
        file('revoked.staple'),
        ocspResponse('stapled', 'middle', { revoked: { stapled: 'keyCompromise' } }),
      );
      const words = [...chained, version, '-status_file', file('revoked.staple')];
      const { info, sentence } = await look((await opensslServer(pairOf('stapled'), ...words)).port);
      assert.is(info?.is_revoked, true);
      assert.is(
        sentence,
        'Certificate was revoked on 2026-01-02 (keyCompromise) according to the stapled OCSP response: replace it.',
      );
    });

  looking('a stapled response and a chain in the wrong order from nginx are examined', async () => {
    const leaf = make('web', { by: 'middle', names: 'DNS:a.test', extensions: ['tlsfeature = status_request'] });
    writeFileSync(file('good.staple'), ocspResponse('web', 'middle'));
    folder.write('web.pem', leaf.cert + root.cert + middle.cert);
    const pair = { key: file('web.key'), cert: folder.file('web.pem') };
    const settings = `ssl_stapling on; ssl_stapling_file ${file('good.staple')};`;
    const { info, sentence } = await look((await nginxServer(folder, pair, settings)).port);
    assert.is(sentence, null);
    assert.equal([info?.is_revoked, info?.must_staple, info?.ocsp_stapling_details.valid], [false, true, true]);
    assert.equal(info?.notes, [
      'The server also sends the root certificate "root", which clients already have.',
      'The server sends its certificates in the wrong order: each must be followed by that of its issuer (RFC 5246, 7.4.2).',
    ]);
  });
} else {
  console.log('skipped: openssl or nginx is not installed');
}

looking.run();
