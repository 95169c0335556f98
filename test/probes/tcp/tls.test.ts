import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { Value } from '@sinclair/typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TcpMetadata } from '../../../domain/check/types/tcp.ts';
import { createAuthority, hasOpenssl } from '../web/certificates.ts';
import { verdictOf, ok, type TestRunOptions } from '../web/probing.ts';
import { rawServer } from '../web/servers.ts';
import { probe } from './probing.ts';

const tcp = suite('tcp checks over TLS');

const down = (error_message: string) => ({ status: 'down', reason: 'tls', error_message });
const hosts = { 'mail.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };

if (hasOpenssl()) {
  const authority = createAuthority();
  const certificate = authority.make('mail', { names: 'DNS:mail.test,IP:127.0.0.1', until: '20990101000000Z' });
  tcp.after(() => {
    authority.close();
  });

  /** Runs a check of a server with the certificate. In error messages `{peer}` replaces its address. */
  const against = async (host: string, given: TestRunOptions, talk: (socket: TLSSocket) => void = () => undefined) => {
    const names: string[] = [];
    const hear = (name: string, go: (error: null) => void): void => {
      names.push(name);
      go(null);
    };
    const server = createServer({ ...certificate, SNICallback: hear }, (socket) => {
      socket.on('error', () => undefined);
      talk(socket);
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const outcome = await probe(host, port, { hosts, ...given });
    await new Promise((closed) => server.close(closed));
    const error_message = outcome.error_message?.replace(`127.0.0.1:${port}`, '{peer}') ?? null;
    return { outcome: { ...outcome, error_message }, names };
  };

  tcp('a tcp check sends and searches over TLS, and reports TLS facts', async () => {
    const parameters = { tls: true, ca_certificate: authority.root, send_text: 'EHLO\r\n', search_text: '250 ok' };
    const { outcome, names } = await against('mail.test', { parameters }, (socket) => {
      socket.on('data', (output) => socket.end(String(output) === 'EHLO\r\n' ? '250 ok' : '500'));
    });
    assert.equal(verdictOf(outcome), ok);
    assert.equal(names, ['mail.test']);
    assert.ok(Value.Check(TcpMetadata, outcome.check_metadata));
    const { tls, timings } = outcome.check_metadata as {
      tls: Record<string, unknown>;
      timings: Record<string, unknown>;
    };
    assert.is(tls['version'], 'TLSv1.3');
    assert.match(String(tls['cipher']), /^TLS_/);
    assert.is(tls['not_after'], '2099-01-01T00:00:00.000000');
    assert.is(tls['days_left'], Math.floor((Date.parse('2099-01-01') - Date.now()) / 86_400_000));
    assert.ok(Number.isInteger(timings['tls']));
  });

  tcp('a tcp check reports a timeout during the handshake after connecting', async () => {
    const server = await rawServer(() => undefined);
    const outcome = await probe('127.0.0.1', server.port, {
      timeout: 1,
      parameters: { tls: true, search_text: 'x' },
    });
    await server.close();
    const peer = `127.0.0.1:${server.port}`;
    assert.equal(verdictOf(outcome), {
      status: 'down',
      reason: 'timeout',
      error_message: `Timed out after 1 s during the TLS handshake with ${peer}.`,
    });
    assert.is(outcome.check_metadata['connected'], true);
    assert.is(outcome.check_metadata['address'], '127.0.0.1');
  });

  tcp('a tcp check without a text is ok after the TLS handshake, and sends no address as SNI', async () => {
    const { outcome, names } = await against('127.0.0.1', { parameters: { tls: {}, ca_certificate: authority.root } });
    assert.equal(verdictOf(outcome), ok);
    assert.equal(names, []);
  });

  tcp('a tcp check sends its configured server name as SNI instead of the host', async () => {
    const parameters = { tls: { server_name: 'mail.test' }, ca_certificate: authority.root };
    const { outcome, names } = await against('other.test', { parameters });
    assert.equal(verdictOf(outcome), ok);
    assert.equal(names, ['mail.test']);
  });

  tcp(
    'a tcp check with its own certificates trusts only these certificates, and only for the names in them',
    async () => {
      const { outcome: wrong } = await against('other.test', {
        parameters: { tls: true, ca_certificate: authority.root },
      });
      assert.equal(verdictOf(wrong), down('Certificate is not valid for other.test, only for mail.test, 127.0.0.1.'));
      assert.is(wrong.check_metadata['tls'], undefined);
      const missing = down(
        'Certificate chain is incomplete or not trusted: the certificate of the issuer "root" is missing.',
      );
      assert.equal(verdictOf((await against('mail.test', { parameters: { tls: true } })).outcome), missing);
      const foreign = createAuthority();
      const parameters = { tls: true, ca_certificate: foreign.root };
      const { outcome } = await against('mail.test', { parameters, trust: [authority.root] });
      foreign.close();
      assert.is(outcome.reason, 'tls');
    },
  );

  tcp('a tcp check can trust a self-signed certificate', async () => {
    const own = authority.make('own', { names: 'DNS:mail.test', selfSigned: true });
    const server = createServer(own, (socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const outcome = await probe('mail.test', port, { hosts, parameters: { tls: true, ca_certificate: own.cert } });
    const distrusted = await probe('mail.test', port, { hosts, parameters: { tls: true } });
    await new Promise((closed) => server.close(closed));
    assert.equal(verdictOf(outcome), ok);
    assert.equal(verdictOf(distrusted), down('Certificate is self-signed.'));
  });

  tcp('a tcp check reports that a server requires a client certificate', async () => {
    const server = createServer({ ...certificate, requestCert: true, ca: authority.root }, () => undefined);
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const parameters = { tls: true, ca_certificate: authority.root, send_text: 'x', search_text: 'y' };
    const outcome = await probe('mail.test', port, { hosts, parameters });
    await new Promise((closed) => server.close(closed));
    const sentence = `127.0.0.1:${port} refused the TLS handshake: it asks for a client certificate.`;
    assert.equal(verdictOf(outcome), down(sentence));
  });
} else {
  console.log('skipped: openssl is not installed');
}

tcp('a tcp check over TLS reports a server without TLS, and stores no TLS facts', async () => {
  const server = await rawServer((socket) => socket.write('220 hello\r\n'));
  const outcome = await probe('127.0.0.1', server.port, { parameters: { tls: true } });
  await server.close();
  assert.equal(verdictOf(outcome), down(`127.0.0.1:${server.port} does not speak TLS.`));
  assert.is(outcome.check_metadata['tls'], undefined);
});

tcp('a tcp check without TLS has no handshake time', async () => {
  const server = await rawServer(() => undefined);
  for (const parameters of [{}, { tls: false }]) {
    const { check_metadata } = await probe('127.0.0.1', server.port, { parameters });
    assert.is('tls' in (check_metadata['timings'] as object), false);
  }
  await server.close();
});

tcp.run();
