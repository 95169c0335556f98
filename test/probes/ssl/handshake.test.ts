import { connect as connectSocket, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../network/clock.ts';
import { TlsFailed } from '../../../network/tls.ts';
import { handshake, type Handshake, type HandshakeOptions } from '../../../probes/ssl/handshake.ts';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import { closeServers, rawServer } from '../web/servers.ts';
import { createAuthority, hasOpenssl } from './certificate/authority.ts';

const shaking = suite('full TLS handshakes');

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      resolve(socket);
    });
    socket.on('error', reject);
  });

/** Performs a handshake with the server on a port. In error messages `{peer}` replaces its address. */
const withPort = async (port: number, given: Partial<HandshakeOptions> = {}): Promise<Handshake> =>
  handshake(await connected(port), {
    serverName: 'a.test',
    peer: '{peer}',
    clock: systemClock,
    signal: new AbortController().signal,
    ...given,
  });

const sentenceOf = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
  } catch (error) {
    assert.instance(error, TlsFailed);
    return (error as Error).message;
  }
  throw new Error('There was a handshake.');
};

shaking.after.each(closeServers);

if (hasOpenssl()) {
  const authority = createAuthority();
  const root = authority.make('root', { authority: true });
  const middle = authority.make('middle', { by: 'root', authority: true });
  const leaf = authority.make('leaf', { by: 'middle', names: 'DNS:a.test' });
  const stranger = authority.make('stranger');
  const small = authority.make('small', { key: 'rsa-1024', digest: 'sha1', names: 'DNS:a.test' });
  shaking.after(() => {
    authority.close();
  });

  const serving = async <T>(options: TlsOptions, use: (port: number, server: Server) => Promise<T>): Promise<T> => {
    const server = createServer(options, (socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      return await use((server.address() as AddressInfo).port, server);
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  };

  shaking(
    'a TLS handshake returns the certificates in the order in which they were sent, including unneeded ones',
    () =>
      serving({ key: leaf.key, cert: leaf.cert + root.cert + stranger.cert + middle.cert }, async (port) => {
        const { chain, version, cipher, response_time } = await withPort(port);
        assert.equal(chain, [leaf.der, root.der, stranger.der, middle.der]);
        assert.is(version, 'TLSv1.3');
        assert.is(cipher, 'TLS_AES_256_GCM_SHA384');
        assert.ok(Number.isInteger(response_time));
      }),
  );

  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    shaking(`a TLS handshake with ${maxVersion} returns the stapled response unchanged`, () =>
      serving({ ...leaf, maxVersion }, async (port, server) => {
        const requested: string[] = [];
        server.on('OCSPRequest', (_, __, answer: (error: null, staple: Buffer | null) => void) => {
          requested.push('once');
          answer(null, Buffer.from('staple'));
        });
        const { staple, version } = await withPort(port);
        assert.equal(staple, Buffer.from('staple'));
        assert.is(version, maxVersion);
        assert.equal(requested, ['once']);
      }),
    );

  shaking('a TLS handshake reports that no response was stapled', () =>
    serving(leaf, async (port) => {
      assert.is((await withPort(port)).staple, null);
    }),
  );

  shaking('a TLS handshake returns ticket and session up to TLS 1.2', () =>
    serving(leaf, async (port) => {
      const old = await withPort(port, { maxVersion: 'TLSv1.2' });
      assert.ok((old.ticket?.length ?? 0) > 100);
      assert.ok((old.session?.length ?? 0) > 100);
      const { ticket, session } = await withPort(port);
      assert.equal([ticket, session], [null, null]);
    }),
  );

  shaking('a TLS handshake succeeds with options that browsers refuse: TLS 1.0, 1,024 bits, SHA-1, a rare suite', () =>
    serving({ ...small, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'NULL-SHA:@SECLEVEL=0' }, async (port) => {
      const { version, cipher, chain } = await withPort(port);
      assert.equal([version, cipher, chain], ['TLSv1', 'TLS_RSA_WITH_NULL_SHA', [small.der]]);
    }),
  );

  shaking('a TLS handshake sends names in DNS spelling, and sends no addresses as names', async () => {
    const names: (string | undefined)[] = [];
    const hear = (name: string, go: (error: null) => void): void => {
      names.push(name);
      go(null);
    };
    await serving({ ...leaf, SNICallback: hear }, async (port) => {
      for (const serverName of ['a.test', 'Bücher.test.', '127.0.0.1', '::1']) await withPort(port, { serverName });
    });
    assert.equal(names, ['a.test', 'xn--bcher-kva.test']);
  });

  shaking('a TLS handshake leaves no handles open, whether it succeeds, fails or is aborted', async () => {
    const hanging = await rawServer((socket) => socket.resume().on('end', () => socket.end()));
    await serving(leaf, async (port) => {
      await withPort(port);
      const before = handles();
      await manyTimes(() => withPort(port));
      await manyEndedEarly((signal) => withPort(hanging.port, { signal }));
      await noMoreThan(before);
    });
  });
} else {
  console.log('skipped: openssl is not installed');
}

shaking('a failed TLS handshake reports the reason', async () => {
  const closing = await rawServer((socket) => socket.once('data', () => socket.end()));
  assert.match(await sentenceOf(withPort(closing.port)), /^\{peer\} closed the connection during the TLS handshake\.$/);
  const plain = await rawServer((socket) => socket.end('220 mail.test ESMTP\r\n'));
  assert.is(await sentenceOf(withPort(plain.port)), '{peer} does not speak TLS.');
  const old = await rawServer((socket) =>
    socket.once('data', () => socket.end(Buffer.from([0x15, 3, 0, 0, 2, 2, 70]))),
  );
  assert.is(await sentenceOf(withPort(old.port)), '{peer} does not offer TLS 1.0 or newer.');
});

shaking('an aborted TLS handshake rejects with the signal’s reason', async () => {
  const hanging = await rawServer(() => undefined);
  const ending = new AbortController();
  const reason = new Error('The time is up.');
  const attempt = withPort(hanging.port, { signal: ending.signal });
  setTimeout(() => {
    ending.abort(reason);
  }, 50);
  assert.is(await attempt.catch((error: unknown) => error), reason);
  assert.is(
    await withPort(hanging.port, { signal: AbortSignal.abort(reason) }).catch((error: unknown) => error),
    reason,
  );
});

shaking.run();
