import { connect } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { Value } from '@sinclair/typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SslMetadata } from '../../../domain/check/types/ssl.ts';
import { systemClock } from '../../../network/clock.ts';
import type { Outcome } from '../../../probes/engine/check-type.ts';
import { createRunCache } from '../../../probes/engine/run-cache.ts';
import { closeServers, rawServer } from '../web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { verdictOf, ok, type TestRunOptions } from '../run-context.ts';
import { createAuthority, hasOpenssl } from './certificate/authority.ts';
import { probe } from './probing.ts';
import { createRsaCertificate } from './servers/rsa-certificate.ts';
import { weakServer, type Weaknesses } from './servers/weak-server.ts';
import { tlsServer } from './tls-server.ts';

const ssl = suite('running ssl checks');

ssl.after.each(closeServers);

const hosts = { 'web.test': ['127.0.0.1'] };

const metadataOf = ({ check_metadata }: Outcome): SslMetadata => {
  const [error] = Value.Errors(SslMetadata, check_metadata);
  assert.is(error, undefined, `${error?.path ?? ''}: ${error?.message ?? ''}`);
  return check_metadata as SslMetadata;
};

if (hasOpenssl()) {
  const authority = createAuthority();
  const root = authority.make('root', { authority: true });
  const names = 'DNS:web.test,IP:127.0.0.1';
  const good = authority.make('good', { by: 'root', names });
  const own = { ca_certificate: root.cert };
  ssl.after(() => {
    authority.close();
  });

  /** Probes a server. In error messages `{peer}` replaces its address. */
  const against = async (options: TlsOptions, given: TestRunOptions = {}, host = 'web.test'): Promise<Outcome> => {
    const server = await tlsServer({ ...good, ...options });
    const outcome = await probe(host, server.port, { hosts, ...given, parameters: { ...own, ...given.parameters } });
    await server.close();
    const error_message = outcome.error_message?.replaceAll(`127.0.0.1:${server.port}`, '{peer}') ?? null;
    return { ...outcome, error_message };
  };

  ssl('an ssl check is ok for a good server, and describes it completely', async () => {
    const outcome = await against({});
    assert.equal(verdictOf(outcome), ok);
    assert.ok(Number.isInteger(outcome.response_time));
    const metadata = metadataOf(outcome);
    assert.equal(metadata.missing, []);
    assert.is(metadata.ssl_grade, 'A');
    assert.is(metadata.ssl_score, 93);
    assert.is(metadata.assertion_failed, false);
    assert.equal(metadata.handshake, { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' });
    const { checks } = metadata;
    assert.is(checks.certificate_info?.in_trust_store, true);
    assert.is(checks.protocol_support.tls_1_3.supported, true);
    assert.is(checks.protocol_support.tls_1_1.supported, false);
    assert.ok(checks.protocol_support.tls_1_2.ciphers.includes('TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'));
    assert.is(checks.has_weak_ciphers, false);
    assert.is(checks.vulnerabilities['heartbleed']?.tested, true);
    assert.is(metadata.address, '127.0.0.1');
    assert.ok(Math.abs(Date.parse(`${metadata.scanned_at ?? ''}Z`) - Date.now()) < 60_000, String(metadata.scanned_at));
  });

  ssl('an ssl check fails if the score is below the required score, and says what to change', async () => {
    const parameters = { assertions: { ssl_score: 80 } };
    const outcome = await against(
      { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: 'AES256-SHA' },
      { parameters },
    );
    // This handshake fails, because the suite requires an RSA key and the server has an EC key.
    assert.is(outcome.status, 'down');
    const poor = await against({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }, { parameters });
    assert.equal(verdictOf(poor), {
      status: 'failed',
      reason: 'score',
      error_message:
        'The score is 79 (grade B), but must be at least 80. Clients get no authenticated encryption: offer suites with ' +
        'GCM or ChaCha20-Poly1305 before all others. The grade is B at best.',
    });
    assert.is(metadataOf(poor).assertion_failed, true);
    assert.equal(verdictOf(await against({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })), ok);
  });

  ssl('an ssl check fails with score 0 if the certificate is expired, mismatched or untrusted', async () => {
    const expired = authority.make('expired', { by: 'root', names, until: '20260101000000Z' });
    const outcome = await against(expired);
    assert.is(outcome.reason, 'certificate');
    assert.match(outcome.error_message ?? '', /^Certificate expired /);
    assert.equal([metadataOf(outcome).ssl_grade, metadataOf(outcome).ssl_score], ['T', 0]);
    const other = await against({}, { hosts: { 'other.test': ['127.0.0.1'] } }, 'other.test');
    assert.match(other.error_message ?? '', /^Certificate is not for other\.test/);
    assert.equal([metadataOf(other).ssl_grade, metadataOf(other).ssl_score], ['M', 0]);
    const server = await tlsServer(good);
    const untrusted = await probe('web.test', server.port, { hosts });
    await server.close();
    assert.is(untrusted.reason, 'certificate');
    assert.is(metadataOf(untrusted).ssl_grade, 'T');
  });

  ssl('an ssl check fails if the certificate expires within the threshold, and gives the days left', async () => {
    const until = new Date(Date.now() + 5.5 * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
    const soon = authority.make('soon', { by: 'root', names, until });
    const outcome = await against(soon, { parameters: { assertions: { expiration_threshold: 864_000 } } });
    assert.is(outcome.reason, 'certificate');
    assert.match(outcome.error_message ?? '', /^Certificate expires in 5 days/);
    assert.is(metadataOf(outcome).assertion_failed, true);
    assert.equal(verdictOf(await against(soon, { parameters: { assertions: { expiration_threshold: 86_400 } } })), ok);
  });

  ssl('an ssl check uses STARTTLS if it is configured', async () => {
    const server = await tlsServer(good);
    const door = await rawServer((socket) => {
      socket.write('+OK ready\r\n');
      socket.once('data', (output) => {
        assert.is(String(output), 'STLS\r\n');
        const inner = connect(server.port, '127.0.0.1').on('error', () => undefined);
        socket.write('+OK begin\r\n');
        socket.pipe(inner).pipe(socket);
        socket.on('close', () => inner.destroy());
      });
    });
    const outcome = await probe('web.test', door.port, { hosts, parameters: { ...own, starttls: 'pop3' } });
    await door.close();
    await server.close();
    assert.equal(verdictOf(outcome), ok);
    assert.equal([metadataOf(outcome).starttls, metadataOf(outcome).ssl_grade], ['pop3', 'A']);
  });

  ssl('an ssl check scans once an hour, but performs a handshake each time', async () => {
    const memory = createRunCache(systemClock);
    const server = await tlsServer(good);
    const once = async (
      given: TestRunOptions,
      host = 'web.test',
    ): Promise<{ outcome: Outcome; connections: number }> => {
      const before = server.connections();
      const outcome = await probe(host, server.port, { hosts, memory, parameters: own, ...given });
      return { outcome, connections: server.connections() - before };
    };
    const first = await once({});
    const second = await once({});
    assert.ok(first.connections > 10, String(first.connections));
    assert.is(second.connections, 1);
    const [one, two] = [metadataOf(first.outcome), metadataOf(second.outcome)];
    const checksOf = ({ checks, ssl_score, scanned_at }: SslMetadata): unknown => ({ checks, ssl_score, scanned_at });
    assert.equal(checksOf(two), checksOf(one));
    // An on-demand run scans again, and later scheduled runs use the results of this scan.
    const requested = await once({ fresh: true });
    assert.ok(requested.connections > 10);
    const after = await once({});
    assert.is(after.connections, 1);
    assert.is(metadataOf(after.outcome).scanned_at, metadataOf(requested.outcome).scanned_at);
    assert.not.equal(metadataOf(after.outcome).scanned_at, one.scanned_at);
    // Under another name the same address might be another server, so the check scans again.
    const elsewhere = await once({ hosts: { 'other.test': ['127.0.0.1'] } }, 'other.test');
    assert.ok(elsewhere.connections > 10);
    await server.close();
  });
} else {
  console.log('skipped: openssl is not installed');
}

const rsa = createRsaCertificate();
const trusting = { parameters: { ca_certificate: rsa.cert } };

const againstWeak = async (weaknesses: Weaknesses, more: Record<string, unknown> = {}): Promise<Outcome> => {
  const server = await weakServer(rsa, weaknesses);
  const outcome = await probe('127.0.0.1', server.port, { parameters: { ...trusting.parameters, ...more } });
  await server.close();
  return outcome;
};

ssl('an ssl check fails for a critical vulnerability', async () => {
  const outcome = await againstWeak({ heartbeat: 'leaks' });
  const metadata = metadataOf(outcome);
  const heartbleed = metadata.checks.vulnerabilities['heartbleed'];
  assert.is(heartbleed?.vulnerable, true, JSON.stringify(metadata.missing));
  assert.ok((outcome.error_message ?? '').includes(heartbleed?.details ?? '?'));
  assert.ok((metadata.ssl_score ?? 100) < 20);
});

ssl('an ssl check is down for a closed port or an unknown name, and fails for a refused address', async () => {
  const port = await freePort();
  const peer = `127.0.0.1:${port}`;
  assert.equal(verdictOf(await probe('127.0.0.1', port)), {
    status: 'down',
    reason: 'connect',
    error_message: `Connection refused by ${peer}.`,
  });
  assert.equal(verdictOf(await probe('nowhere.test', port)), {
    status: 'down',
    reason: 'lookup',
    error_message: 'The host name nowhere.test was not found.',
  });
  const refused = await probe('web.test', port, { hosts, rules: { policy: 'public' } });
  assert.is(refused.status, 'failed');
  assert.is(refused.reason, 'target');
  assert.is(metadataOf(refused).address, null);
});

ssl('an ssl check is down if the server does not support TLS', async () => {
  const server = await rawServer((socket) => socket.write('SSH-2.0-Example\r\n'));
  const outcome = await probe('127.0.0.1', server.port);
  await server.close();
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'tls',
    error_message: `127.0.0.1:${server.port} does not speak TLS.`,
  });
  assert.equal(metadataOf(outcome).missing, []);
});

ssl('the rating of an ssl check uses the detailed results of vulnerability tests', async () => {
  const insecure = await againstWeak({ renegotiation: { secure: false, times: 5 } });
  assert.is(metadataOf(insecure).ssl_grade, 'F');
  const test = metadataOf(insecure).checks.vulnerabilities['session_renegotiation'];
  assert.is(test?.finding, 'insecure');
  assert.ok(metadataOf(insecure).deduction_summary.includes(`${test?.details ?? ''} The grade is F.`));
});

/** Servers whose protocol or suites Node.js does not support. */
const ODD: readonly (readonly [
  name: string,
  weaknesses: Weaknesses,
  protocol: 'ssl_3_0' | 'tls_1_2',
  cipher: string,
])[] = [
  ['SSL 3.0', { versions: [0x0300], suites: [0x000a] }, 'ssl_3_0', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
  ['NULL suites', { suites: [0x003b] }, 'tls_1_2', 'TLS_RSA_WITH_NULL_SHA256'],
];

for (const [name, weaknesses, protocol, cipher] of ODD)
  ssl(`an ssl check rates a server that supports only ${name}, although no handshake succeeds`, async () => {
    const outcome = await againstWeak(weaknesses);
    assert.equal(verdictOf(outcome), ok);
    const metadata = metadataOf(outcome);
    assert.equal(metadata.checks.protocol_support[protocol].ciphers, [cipher]);
    assert.is(metadata.checks.has_weak_ciphers, true);
    assert.is(metadata.checks.certificate_info?.subject, 'CN=127.0.0.1');
    assert.is(metadata.ssl_grade, 'F');
    assert.is(metadata.handshake, null);
    assert.match(metadata.handshake_failure ?? '', /\.$/);
    const requested = await againstWeak(weaknesses, { assertions: { ssl_score: 50 } });
    assert.equal([requested.status, requested.reason], ['failed', 'score']);
  });

ssl('an ssl check without a client certificate rates a server that requires one', async () => {
  const server = await tlsServer({
    ...rsa,
    maxVersion: 'TLSv1.2',
    requestCert: true,
    rejectUnauthorized: true,
    ca: rsa.cert,
  });
  const outcome = await probe('127.0.0.1', server.port, trusting);
  await server.close();
  assert.equal(verdictOf(outcome), ok);
  assert.is(metadataOf(outcome).checks.certificate_info?.in_trust_store, true);
});

ssl('an ssl check is down if the server never finishes a handshake', async () => {
  const server = await tlsServer({ ...rsa, maxVersion: 'TLSv1.2' });
  const door = await rawServer((socket) => {
    const inner = connect(server.port, '127.0.0.1').on('error', () => undefined);
    let flights = 0;
    inner.on('data', (bytes) => socket.write(bytes));
    socket.on('data', (bytes) => {
      if (++flights === 1) inner.write(bytes);
      else socket.destroy();
    });
    socket.on('close', () => inner.destroy());
  });
  const outcome = await probe('127.0.0.1', door.port, trusting);
  await door.close();
  await server.close();
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'tls',
    error_message: `127.0.0.1:${door.port} closed the connection during the TLS handshake.`,
  });
});

ssl('an ssl check is down if a server stops supporting TLS within the hour', async () => {
  const memory = createRunCache(systemClock);
  const server = await tlsServer(rsa);
  let speaks = true;
  const door = await rawServer((socket) => {
    if (!speaks) {
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      return;
    }
    const inner = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
  });
  assert.equal(verdictOf(await probe('127.0.0.1', door.port, { ...trusting, memory })), ok);
  speaks = false;
  const outcome = await probe('127.0.0.1', door.port, { ...trusting, memory });
  await door.close();
  await server.close();
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'tls',
    error_message: `127.0.0.1:${door.port} does not speak TLS.`,
  });
});

ssl.run();
