import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthority, hasOpenssl, type Certificate } from './certificates.ts';
import { verdictOf, ok, probe, type TestRunOptions } from './probing.ts';
import { httpServer, rawServer, saying, type Opened } from './servers.ts';

const secure = suite('web checks over TLS');
const NAMES = 'DNS:shop.test,DNS:*.wild.test,IP:127.0.0.1';

const authority = hasOpenssl() ? createAuthority() : null;
secure.after(() => authority?.close());

const test = (sentence: string, run: (authority: ReturnType<typeof createAuthority>) => Promise<void>): void => {
  if (authority) secure(sentence, () => run(authority));
  else {
    console.log(`  skipped: openssl is not installed (${sentence})`);
    secure.skip(sentence);
  }
};

const httpsServer = (options: ServerOptions): Promise<Pick<Opened, 'port' | 'close'>> =>
  new Promise((resolve) => {
    const server = createHttpsServer(options, (request, response) => {
      response.setHeader('x-alpn', (request.socket as { alpnProtocol?: string | false }).alpnProtocol || 'none');
      response.end('secure');
    });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1', () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => {
              closed();
            });
            server.closeAllConnections();
          }),
      });
    });
  });

const down = (error_message: string) => ({ status: 'down', reason: 'tls', error_message });
const HOSTS = { 'shop.test': ['127.0.0.1'], 'a.wild.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };

/**
 * Runs a check of a server with this certificate. In the returned error message, the address of the server is replaced
 * by `{peer}`.
 */
const judging = async (options: ServerOptions, given: TestRunOptions & { host?: string } = {}) => {
  const server = await httpsServer(options);
  const { host = 'shop.test' } = given;
  const outcome = await probe(`https://${host}:${server.port}/`, { hosts: HOSTS, ...given });
  await server.close();
  const output = outcome.error_message?.replace(`127.0.0.1:${server.port}`, '{peer}') ?? null;
  return { ...outcome, error_message: output };
};

test('a web check is ok with a trusted certificate for its host, and reports the handshake time', async (ca) => {
  const certificate = ca.make('good', { names: NAMES });
  for (const host of ['shop.test', 'a.wild.test', '127.0.0.1']) {
    const outcome = await judging(certificate, { host, trust: [ca.root], parameters: { search_text: 'secure' } });
    assert.equal(verdictOf(outcome), ok, host);
    assert.ok(Number.isInteger((outcome.check_metadata['timings'] as Record<string, unknown>)['tls']));
    assert.is((outcome.check_metadata['headers'] as Record<string, string>)['x-alpn'], 'http/1.1');
  }
});

test('a web check names an untrusted certificate authority', async (ca) => {
  const certificate = ca.make('untrusted', { names: NAMES });
  assert.equal(
    verdictOf(await judging(certificate)),
    down('Certificate chain is incomplete or not trusted: the certificate of the issuer "root" is missing.'),
  );
  assert.equal(
    verdictOf(await judging({ ...certificate, cert: certificate.cert + ca.root })),
    down('Certificate is signed by an authority that is not trusted: "root".'),
  );
});

test('a web check names a missing certificate of the chain', async (ca) => {
  const middle = ca.make('middle', { names: '', authority: true });
  const leaf = ca.make('leaf', { names: NAMES, by: 'middle' });
  const trust = [ca.root];
  assert.equal(
    verdictOf(await judging(leaf, { trust })),
    down('Certificate chain is incomplete or not trusted: the certificate of the issuer "middle" is missing.'),
  );
  assert.equal(verdictOf(await judging({ ...leaf, cert: leaf.cert + middle.cert }, { trust })), ok);
});

test('a web check reports a certificate that has expired or is not valid yet, with the date', async (ca) => {
  const expired = ca.make('expired', { names: NAMES, until: '20260101120000Z' });
  const early = ca.make('early', { names: NAMES, from: '20980203000000Z' });
  const trust = [ca.root];
  assert.equal(verdictOf(await judging(expired, { trust })), down('Certificate expired on 2026-01-01.'));
  assert.equal(verdictOf(await judging(early, { trust })), down('Certificate is not valid before 2098-02-03.'));
});

test('a web check names an expired certificate of an issuer', async (ca) => {
  const middle = ca.make('old-middle', { names: '', authority: true, until: '20250101000000Z' });
  const leaf = ca.make('young-leaf', { names: NAMES, by: 'old-middle' });
  assert.equal(
    verdictOf(await judging({ ...leaf, cert: leaf.cert + middle.cert }, { trust: [ca.root] })),
    down('Certificate of the issuer "old-middle" expired on 2025-01-01.'),
  );
});

test('a web check reports a self-signed certificate', async (ca) => {
  const certificate = ca.make('self', { names: NAMES, selfSigned: true });
  assert.equal(verdictOf(await judging(certificate)), down('Certificate is self-signed.'));
});

test('a web check reports a certificate for other hosts with their names', async (ca) => {
  const trust = [ca.root];
  const certificate = ca.make('elsewhere', { names: NAMES });
  assert.equal(
    verdictOf(await judging(certificate, { trust, host: 'other.test' })),
    down('Certificate is not valid for other.test, only for shop.test, *.wild.test, 127.0.0.1.'),
  );
  const many = ca.make('many', {
    names: 'abcdefg'
      .split('')
      .map((name) => `DNS:${name}.test`)
      .join(','),
  });
  assert.match(
    (await judging(many, { trust })).error_message ?? '',
    'Certificate is not valid for shop.test, only for a.test, b.test, c.test, d.test, e.test and 2 more.',
  );
  const nameless = ca.make('nameless', { names: '' });
  assert.equal(
    verdictOf(await judging(nameless, { trust })),
    down('Certificate is not valid for shop.test, only for nameless.'),
  );
});

test('a web check distinguishes unsupported versions, ciphers and protocols', async (ca) => {
  const certificate = ca.make('versions', { names: NAMES });
  const trust = [ca.root];
  const old = { ...certificate, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  assert.equal(
    verdictOf(await judging(old, { trust })),
    down('{peer} offers no TLS version that is accepted (1.2 or newer).'),
  );
  const strange = { ...certificate, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0' } as const;
  assert.equal(
    verdictOf(await judging(strange, { trust })),
    down('{peer} refused the TLS handshake: no cipher in common, or it asks for a client certificate.'),
  );
  const h2 = { ...certificate, ALPNProtocols: ['h2'] };
  assert.equal(verdictOf(await judging(h2, { trust })), down('{peer} does not offer HTTP/1.1 over TLS.'));
});

/** Starts OpenSSL's own server. It prints its port when it listens. */
const opensslServer = async (ca: ReturnType<typeof createAuthority>, ...options: string[]) => {
  const server = spawn('openssl', [
    ...['s_server', '-accept', '127.0.0.1:0', '-key', ca.file('asking.key'), '-cert', ca.file('asking.crt'), '-www'],
    ...options,
  ]);
  const port = await new Promise<string>((resolve) => {
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const accepting = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (accepting) resolve(accepting);
    });
  });
  return {
    port,
    close: async (): Promise<void> => {
      server.kill();
      await once(server, 'close');
    },
  };
};

test('a web check that is configured with CA certificates trusts only these certificates', async (ca) => {
  const certificate = ca.make('named', { names: NAMES });
  assert.equal(verdictOf(await judging(certificate, { parameters: { ca_certificate: ca.root } })), ok);
  const foreign = createAuthority();
  const distrusting = { parameters: { ca_certificate: foreign.root }, trust: [ca.root] };
  assert.is((await judging(certificate, distrusting)).reason, 'tls');
  foreign.close();
});

test('a web check reports a server that requires a client certificate', async (ca) => {
  ca.make('asking', { names: NAMES });
  const sentences = {
    '-tls1_2': 'refused the TLS handshake: no cipher in common, or it asks for a client certificate.',
    '-tls1_3': 'refused the TLS handshake: it asks for a client certificate.',
  };
  for (const [version, sentence] of Object.entries(sentences)) {
    const server = await opensslServer(ca, version, '-Verify', '1', '-verify_return_error');
    const peer = `127.0.0.1:${server.port}`;
    const outcome = await probe(`https://${peer}/`, { trust: [ca.root] });
    await server.close();
    assert.equal(verdictOf(outcome), down(`${peer} ${sentence}`), version);
  }
});

/** Runs a check of a server whose TLS handshake fails before it sends a certificate, and returns the outcome. */
const misunderstood = async (server: Opened, given: TestRunOptions = {}) => {
  const peer = `127.0.0.1:${server.port}`;
  const outcome = await probe(`https://${peer}/`, given);
  await server.close();
  // The TCP connection succeeded, and only the TLS handshake failed.
  assert.is(outcome.check_metadata['connected'], true);
  assert.is(outcome.check_metadata['address'], '127.0.0.1');
  return { ...outcome, error_message: outcome.error_message?.replace(peer, '{peer}') ?? null };
};

secure('a web check reports a server without TLS', async () => {
  const plain = await httpServer((_, response) => response.end('plain'));
  assert.equal(verdictOf(await misunderstood(plain)), down('{peer} does not speak TLS.'));
  assert.equal(verdictOf(await misunderstood(await saying('SSH-2.0-OpenSSH\r\n'))), down('{peer} does not speak TLS.'));
});

secure('a web check reports a server that closes during the TLS handshake', async () => {
  const closed = '{peer} closed the connection during the TLS handshake.';
  assert.equal(verdictOf(await misunderstood(await saying('', (socket) => socket.end()))), down(closed));
  assert.equal(verdictOf(await misunderstood(await saying('', (socket) => socket.resetAndDestroy()))), down(closed));
});

secure('a web check times out if a server is silent during the TLS handshake', async () => {
  const outcome = await misunderstood(await rawServer(() => undefined), { timeout: 0.5 });
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'timeout',
    error_message: 'Timed out after 0.5 s during the TLS handshake with {peer}.',
  });
});

secure('a web check reports a server that refuses the TLS handshake with an alert', async () => {
  const alert = (description: number) => Buffer.from([21, 3, 3, 0, 2, 2, description]);
  const sentences: [number, string][] = [
    [40, '{peer} refused the TLS handshake: no cipher in common, or it asks for a client certificate.'],
    [70, '{peer} offers no TLS version that is accepted (1.2 or newer).'],
    [112, '{peer} does not know this host name.'],
    [116, '{peer} refused the TLS handshake: it asks for a client certificate.'],
    [120, '{peer} does not offer HTTP/1.1 over TLS.'],
    [80, '{peer} refused the TLS handshake with the alert "internal error".'],
  ];
  for (const [description, sentence] of sentences)
    assert.equal(verdictOf(await misunderstood(await saying(alert(description)))), down(sentence), sentence);
});

test('a web check does not send credentials after a redirect from https to http', async (ca) => {
  let requested: unknown = null;
  const plain = await httpServer(({ headers }, response) => {
    requested = headers;
    response.end('x');
  });
  const certificate: Certificate = ca.make('downgrading', { names: NAMES });
  for (const [status, method] of [
    [302, 'GET'],
    [307, 'POST'],
  ] as const) {
    requested = null;
    const server = createHttpsServer(certificate, (_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${plain.port}/` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outcome = await probe(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      trust: [ca.root],
      parameters: {
        http_request: { method, body: method === 'POST' ? 'secret' : undefined, headers: { 'X-Token': 'secret' } },
      },
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (status === 302) {
      assert.equal(verdictOf(outcome), ok);
      assert.not.match(JSON.stringify(requested), 'secret');
    } else {
      assert.is(requested, null);
      assert.equal(verdictOf(outcome), {
        status: 'failed',
        reason: 'redirect',
        error_message: `The redirect would send the request body unencrypted to http://127.0.0.1:${plain.port}/.`,
      });
    }
  }
  await plain.close();
});

secure.run();
