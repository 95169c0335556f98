import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SslMetadata } from '../../../domain/check/types/ssl.ts';
import { systemClock } from '../../../network/clock.ts';
import { RunAborted, type Outcome } from '../../../probes/engine/check-type.ts';
import { createRunCache, type RunCache } from '../../../probes/engine/run-cache.ts';
import type { Enumeration } from '../../../probes/ssl/enumeration.ts';
import { verdictOf, type TestRunOptions } from '../run-context.ts';
import { closeServers, rawServer } from '../web/servers.ts';
import { createAuthority, hasOpenssl } from './certificate/authority.ts';
import { probe } from './probing.ts';
import { createRsaCertificate } from './servers/rsa-certificate.ts';
import { weakServer } from './servers/weak-server.ts';
import { tlsServer, type TlsServer } from './tls-server.ts';

/*
 * Tests of runs that end early. A run keeps its findings if it reaches its time limit, and has no outcome if it is
 * aborted.
 */

const ends = suite('time limits of ssl checks');

ends.after.each(closeServers);

const HOST = '127.0.0.1';
const rsa = createRsaCertificate();
const trusting = { ca_certificate: rsa.cert };
const never = (): void => undefined;

const metadataOf = ({ check_metadata }: Outcome): SslMetadata => check_metadata as SslMetadata;
const missingOf = (outcome: Outcome): string[] => metadataOf(outcome).missing.map(({ part }) => part);

/**
 * Starts a relay that forwards only a limited number of connections to a server. All other connections wait for ever.
 */
const doorTo = async (server: TlsServer, most: number): Promise<{ port: number; close: () => void }> => {
  let through = 0;
  const sockets = new Set<Socket>();
  const door = createServer((socket) => {
    sockets.add(socket.on('error', never));
    if (++through > most) return;
    const inner = connect(server.port, HOST).on('error', never);
    sockets.add(inner);
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
  });
  await new Promise<void>((listening) => door.listen(0, HOST, listening));
  return {
    port: (door.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      door.close();
    },
  };
};

/** Asserts that an endless run rejects when it is aborted. @returns the outcome of the same run at its time limit */
const bothEnds = async (host: string, port: number, given: TestRunOptions = {}): Promise<Outcome> => {
  const ending = new AbortController();
  const run = probe(host, port, { ...given, signal: ending.signal });
  setTimeout(() => {
    ending.abort();
  }, 100);
  try {
    const outcome = await run;
    assert.unreachable(JSON.stringify(outcome));
  } catch (error) {
    assert.instance(error, RunAborted);
  }
  return probe(host, port, { timeout: 0.5, ...given });
};

ends('an ssl check can end during the name look-up', async () => {
  const outcome = await bothEnds('slow.test', 443, { resolve: () => new Promise(never) });
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'timeout',
    error_message: 'Timed out after 0.5 s looking up slow.test.',
  });
});

ends('an ssl check can end before the server is ready for TLS', async () => {
  const { port } = await rawServer(never);
  const outcome = await bothEnds(HOST, port, { parameters: { starttls: 'smtp' } });
  assert.equal(verdictOf(outcome), {
    status: 'down',
    reason: 'timeout',
    error_message: `Timed out after 0.5 s connecting to ${HOST}:${port} and asking for TLS over smtp.`,
  });
});

ends('an ssl check can end during the handshake', async () => {
  const { port } = await rawServer(never);
  assert.equal(verdictOf(await bothEnds(HOST, port)), {
    status: 'down',
    reason: 'timeout',
    error_message: `Timed out after 0.5 s during the TLS handshake with ${HOST}:${port}.`,
  });
});

ends('an ssl check that ends after the handshake shows the certificate, but no score', async () => {
  const server = await tlsServer(rsa);
  const door = await doorTo(server, 1);
  const outcome = await bothEnds(HOST, door.port, { parameters: trusting });
  door.close();
  // The first run used the only connection that the relay forwards.
  assert.is(outcome.status, 'down');
  const next = await doorTo(server, 1);
  const seen = await probe(HOST, next.port, { parameters: trusting, timeout: 1.5 });
  const wanted = { parameters: { ...trusting, assertions: { ssl_score: 1 } }, timeout: 1.5, fresh: true };
  next.close();
  const last = await doorTo(server, 1);
  const failed = await probe(HOST, last.port, wanted);
  last.close();
  await server.close();
  assert.is(seen.status, 'ok');
  assert.equal(missingOf(seen), ['protocols', 'ciphers', 'vulnerabilities']);
  const { checks, ssl_grade, ssl_score, deduction_summary } = metadataOf(seen);
  assert.equal([ssl_grade, ssl_score, deduction_summary], [null, null, []]);
  assert.is(checks.certificate_info?.in_trust_store, true);
  assert.ok(Number.isInteger(seen.response_time));
  assert.equal(verdictOf(failed), {
    status: 'failed',
    reason: 'score',
    error_message:
      'The score is unknown, but must be at least 1. Time was up (1.5 s) before all protocols were known. Time was up ' +
      '(1.5 s) before all cipher suites were known. Time was up (1.5 s) before the tests for vulnerabilities were done.',
  });
});

ends('a scheduled ssl check without a score fails only the third time in a row', async () => {
  const server = await tlsServer(rsa);
  const parameters = { ...trusting, assertions: { ssl_score: 1 } };
  const memory = createRunCache(systemClock);
  const run = async (most: number, timeout: number): Promise<Outcome> => {
    const door = await doorTo(server, most);
    const outcome = await probe(HOST, door.port, { parameters, memory: keyedAlike(memory, door.port), timeout });
    door.close();
    return outcome;
  };
  const tooShort = async (): Promise<string> => (await run(1, 0.4)).status;
  assert.equal([await tooShort(), await tooShort(), await tooShort()], ['ok', 'ok', 'failed']);
  assert.is((await run(1_000, 20)).status, 'ok');
  await server.close();
});

/** Returns a view of a cache whose keys do not contain the port, so that checks of different ports share entries. */
const keyedAlike = (memory: RunCache, port: number): RunCache => {
  const key = (one: string): string => one.replace(port.toString(), 'port');
  return {
    get: (one) => memory.get(key(one)),
    set: (one, value, seconds) => {
      memory.set(key(one), value, seconds);
    },
    waitForSlot: (one, pauseMs, signal) => memory.waitForSlot(key(one), pauseMs, signal),
  };
};

ends('concurrent ssl checks of one target share one scan', async () => {
  const server = await tlsServer(rsa);
  const memory = createRunCache(systemClock);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => probe(HOST, server.port, { parameters: trusting, memory })),
  );
  await server.close();
  assert.equal(
    outcomes.map((outcome) => [outcome.status, metadataOf(outcome).ssl_grade]),
    outcomes.map(() => ['ok', 'A']),
  );
  // Each check performs a handshake, and only one of the checks scans.
  assert.ok(server.connections() < 20 + 60, String(server.connections()));
});

ends('a run after an interrupted vulnerability test does not scan the protocols again', async () => {
  const server = await tlsServer(rsa);
  const stored: Enumeration[] = [];
  const memory = createRunCache(systemClock);
  const watched = {
    ...memory,
    set: (key: string, value: unknown, seconds: number): void => {
      if (key.endsWith('\ntries')) return;
      stored.push(value as Enumeration);
      assert.ok(seconds > 3_500 && seconds <= 3_600, String(seconds));
      memory.set(key, value, seconds);
    },
  };
  const given = { parameters: trusting };
  await probe(HOST, server.port, { ...given, memory: watched });
  const [whole] = stored;
  if (!whole) throw new Error('Nothing was remembered.');
  assert.equal(whole.scan.chains, []);

  // The cached scan looks as if its run had ended before the vulnerability tests.
  const door = await doorTo(server, 1);
  const before: Enumeration = { ...whole, vulnerabilities: null };
  const recalling = { ...watched, get: async (key: string) => (key.endsWith('\ntries') ? undefined : before) };
  const outcome = await probe(HOST, door.port, { ...given, memory: recalling, timeout: 1.5 });
  door.close();
  assert.equal(missingOf(outcome), ['vulnerabilities']);
  assert.is(metadataOf(outcome).checks.protocol_support.tls_1_3.supported, true);
  assert.is(metadataOf(outcome).ssl_score, null);
  assert.is(stored.length, 1);

  const connections = server.connections();
  const next = await probe(HOST, server.port, { ...given, memory: recalling });
  assert.equal(missingOf(next), []);
  assert.is(metadataOf(next).ssl_grade, 'A');
  assert.is(stored.length, 2);
  assert.is(stored[1]?.at, whole.at);
  // One connection is for the handshake, and about a dozen are for the vulnerability tests.
  assert.ok(server.connections() - connections < 20, String(server.connections() - connections));
  await server.close();
});

if (hasOpenssl())
  ends('an unresponsive OCSP responder leaves the revocation status unknown', async () => {
    const responder = await rawServer(never);
    const authority = createAuthority();
    const root = authority.make('root', { authority: true });
    const url = `http://${HOST}:${responder.port}/`;
    const made = authority.make('web', {
      by: 'root',
      names: `IP:${HOST}`,
      extensions: [`authorityInfoAccess = OCSP;URI:${url}`],
    });
    authority.close();
    const server = await tlsServer(made);
    const outcome = await bothEnds(HOST, server.port, { parameters: { ca_certificate: root.cert }, timeout: 2 });
    await server.close();
    assert.is(outcome.status, 'ok');
    const { checks, ssl_grade } = metadataOf(outcome);
    assert.is(checks.certificate_info?.is_revoked, null);
    assert.match(checks.certificate_info?.revocation.details ?? '', /^Time was up/);
    assert.equal(missingOf(outcome), []);
    assert.is(ssl_grade, 'A');
  });
else console.log('skipped: openssl is not installed');

ends('results of vulnerability tests before the time limit are reported', async () => {
  const server = await weakServer(rsa, { heartbeat: 'leaks', earlyChange: 'is silent' });
  const outcome = await probe(HOST, server.port, { parameters: trusting, timeout: 1.8 });
  assert.equal(missingOf(outcome), ['vulnerabilities']);
  const { checks, ssl_score } = metadataOf(outcome);
  assert.is(ssl_score, null);
  assert.is(checks.vulnerabilities['ccs_injection']?.tested, false);
  assert.is(outcome.status, 'failed');
  assert.is(outcome.reason, 'vulnerability');
  assert.match(outcome.error_message ?? '', /^The server answers an empty heartbeat with bytes from its memory/);
});

ends.run();
