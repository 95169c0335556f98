import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brokenTlsSentence } from '../../../network/tls-sentences.ts';
import { createAuthority, hasOpenssl, type Certificate } from './certificates.ts';
import { down } from './hostile.ts';
import { verdictOf, ok, probe, type TestRunOptions } from './probing.ts';
import { rawTlsServer } from './servers.ts';

const ending = suite('ends of TLS connections');

const authority = hasOpenssl() ? createAuthority() : null;
ending.after(() => authority?.close());
const certificate = authority?.make('ending', { names: 'IP:127.0.0.1' });

const test = (sentence: string, run: (certificate: Certificate) => Promise<void>): void => {
  if (certificate) ending(sentence, () => run(certificate));
  else {
    console.log(`  skipped: openssl is not installed (${sentence})`);
    ending.skip(sentence);
  }
};

/** What the server does after the request. `wire` is the TCP connection below TLS. */
type Talk = (socket: TLSSocket, wire: Socket) => void;

/** Runs a check of a server. In the returned error message, the address of the server is replaced by `{peer}`. */
const judging = async (own: Certificate, talk: Talk, given: TestRunOptions = {}) => {
  const server = await rawTlsServer(own, (socket, wire) => {
    socket.once('data', () => {
      talk(socket, wire);
    });
  });
  const peer = `127.0.0.1:${server.port}`;
  const outcome = await probe(`https://${peer}/`, { trust: authority ? [authority.root] : [], ...given });
  await server.close();
  return { ...outcome, error_message: outcome.error_message?.replace(peer, '{peer}') ?? null };
};

/** Sends a response and ends the connection, with or without close_notify. */
const saying =
  (answer: string | Buffer, announced: boolean): Talk =>
  (socket, wire) => {
    socket.write(answer, () => {
      if (announced) socket.end();
      else wire.end();
    });
  };

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const cutOff = down(
  'protocol',
  '{peer} ended the TLS connection without announcing it, so the response may be cut off.',
);

test('the end of a TLS connection determines whether a body without a length is complete', async (own) => {
  for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
    const answer = `${version} 200 OK\r\n\r\nall ok`;
    assert.equal(verdictOf(await judging(own, saying(answer, true))), ok);
    assert.equal(verdictOf(await judging(own, saying(answer, false))), cutOff);
  }
  const unfinished = await judging(own, saying(head(), false), { parameters: { search_text: 'ok' } });
  assert.equal(verdictOf(unfinished), cutOff);
  assert.is(unfinished.check_metadata['connected'], true);
  assert.is(unfinished.check_metadata['status_code'], 200);
});

test('the end of a TLS connection also determines whether a compressed body is complete, even during its decompression', async (own) => {
  for (const body of [Buffer.from('all ok'), Buffer.from(randomBytes(3_000_000).toString('base64'))]) {
    const answer = Buffer.concat([Buffer.from(head('Content-Encoding: gzip')), gzipSync(body)]);
    assert.equal(verdictOf(await judging(own, saying(answer, true))), ok);
    assert.equal(verdictOf(await judging(own, saying(answer, false))), cutOff);
  }
});

test('the end of a TLS connection does not matter if the response delimits itself', async (own) => {
  for (const answer of [
    `${head('Content-Length: 2')}ok`,
    `${head('Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`,
    'HTTP/1.1 304 Not Modified\r\n\r\n',
  ])
    assert.equal(verdictOf(await judging(own, saying(answer, false))), ok, answer);
  const early = await judging(own, saying(`${head()}all ok`, false), { parameters: { search_text: 'absent' } });
  assert.equal(verdictOf(early), cutOff);
});

test('a web check reports a TLS connection that is reset, in each phase', async (own) => {
  const resets = (answer: string): Talk => {
    const talk: Talk = (socket, wire) => {
      socket.write(answer, () => {
        setTimeout(() => wire.resetAndDestroy(), 30);
      });
    };
    return talk;
  };
  const reset = (when: string) => down('protocol', `{peer} reset the connection ${when}.`);
  const atOnce: Talk = (_, wire) => wire.resetAndDestroy();
  assert.equal(verdictOf(await judging(own, atOnce)), reset('before it answered'));
  assert.equal(verdictOf(await judging(own, resets('HTTP/1.1 200'))), reset('before it answered'));
  const complete = 'before the response was complete';
  assert.equal(verdictOf(await judging(own, resets(head('Content-Length: 9')))), reset(complete));
  assert.equal(verdictOf(await judging(own, resets(`${head()}some`))), reset(complete));
});

test('a web check reports a TLS connection that closes before the response is complete, with or without close_notify', async (own) => {
  for (const announced of [true, false]) {
    const closed = (how: string) => down('protocol', `{peer} closed the connection ${how}.`);
    assert.equal(verdictOf(await judging(own, saying('', announced))), closed('without an answer'));
    assert.equal(
      verdictOf(await judging(own, saying('HTTP/1.1 200', announced))),
      closed('within the headers of its answer'),
    );
    const short = saying(`${head('Content-Length: 9')}some`, announced);
    assert.equal(verdictOf(await judging(own, short)), closed('before the response was complete'));
  }
});

test('a web check reports unencrypted bytes in a TLS connection', async (own) => {
  const plain = (bytes: string): Talk => {
    const talk: Talk = (_, wire) => wire.write(Buffer.from(bytes, 'latin1'));
    return talk;
  };
  for (const bytes of ['\x17\x03\x03\x00\x05hello', '\x15\x03\x03\x00\x02\x02\x50', 'HTTP/1.1 200 OK\r\n\r\n']) {
    const { status, reason, error_message } = await judging(own, plain(bytes));
    assert.equal([status, reason], ['down', 'tls'], bytes);
    assert.match(
      error_message ?? '',
      /^The TLS connection to \{peer\} broke: [a-z0-9 /]+\.$|\{peer\} ended the TLS connection with the alert "internal error"\.$/,
    );
  }
});

ending('a web check names a TLS alert', () => {
  const alert = (reason: string) => brokenTlsSentence(Object.assign(new Error(reason), { reason }), 'x:443');
  assert.is(alert('tlsv1 alert internal error'), 'x:443 ended the TLS connection with the alert "internal error".');
  assert.is(alert('ssl/tls alert decode error'), 'x:443 ended the TLS connection with the alert "decode error".');
  assert.is(
    alert('tlsv13 alert certificate required'),
    'x:443 refused the TLS handshake: it asks for a client certificate.',
  );
  assert.is(alert('bad record mac'), 'The TLS connection to x:443 broke: bad record mac.');
});

test('a web check times out if a server sends nothing after the TLS handshake', async (own) => {
  const silent = await judging(own, () => undefined, { timeout: 1 });
  assert.equal(verdictOf(silent), down('timeout', 'Timed out after 1 s waiting for an answer from {peer}.'));
});

ending.run();
