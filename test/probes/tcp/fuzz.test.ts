import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TcpMetadata } from '../../../domain/check/types/tcp.ts';
import { assertOutcome, deliver, delivery, fuzz, spoiled, type Random } from '../fuzz.ts';
import { createAuthority, hasOpenssl } from '../web/certificates.ts';
import { verdictOf, ok } from '../web/probing.ts';
import { rawServer, rawTlsServer } from '../web/servers.ts';
import { probe } from './probing.ts';

const fuzzing = suite('tcp checks of hostile servers');

const authority = hasOpenssl() ? createAuthority() : null;
fuzzing.after(() => authority?.close());
const certificate = authority?.make('fuzzed', { names: 'IP:127.0.0.1' });
if (!certificate) console.log('  skipped: openssl is not installed, so nothing is said over TLS');

const MARK = 'grün 🌍';

const noise = (random: Random): Buffer => random.bytes(random.pick([0, 1, 100, 5_000]));

/** Runs a check of a server that sends these bytes, either immediately or after the request. */
const probing = async (bytes: Buffer, random: Random, ending: Parameters<typeof delivery>[2], given: object) => {
  const secure = certificate !== undefined && random.oneIn(3);
  const sending = delivery(bytes, random, ending);
  const send_text = random.pick([undefined, '', 'PING\r\n', 'x'.repeat(60_000)]);
  const talk = (socket: Socket, wire = socket): void => {
    if (send_text)
      socket.once('data', () => {
        deliver(sending, socket, wire);
      });
    else deliver(sending, socket, wire);
    socket.resume();
  };
  const server = await (secure ? rawTlsServer(certificate, talk) : rawServer(talk));
  const { timeout, ...parameters } = given as { timeout: number };
  try {
    return await probe('127.0.0.1', server.port, {
      timeout,
      trust: authority ? [authority.root] : [],
      parameters: { ...(send_text !== undefined && { send_text }), ...(secure && { tls: true }), ...parameters },
    });
  } finally {
    await server.close();
  }
};

fuzzing('a tcp check finds the text, no matter where it is and how it is split', () =>
  fuzz('tcp, with the text', 1_500, async (random, note) => {
    const bytes = Buffer.concat([noise(random), Buffer.from(MARK), noise(random)]);
    const outcome = await probing(bytes, random, ['end', 'stay'], { timeout: 30, search_text: MARK });
    note(outcome.error_message ?? 'ok');
    assertOutcome(outcome, TcpMetadata);
    assert.equal(verdictOf(outcome), ok);
  }),
);

fuzzing('a tcp check has an outcome, whatever a server sends', () =>
  fuzz('tcp, with anything', 2_000, async (random, note) => {
    let bytes: Buffer = Buffer.concat([noise(random), Buffer.from(MARK), noise(random)]);
    for (let times = 1 + random.below(3); times > 0; times--) bytes = spoiled(bytes, random);
    const search_text = random.pick([MARK, '', 'x'.repeat(1_000)]);
    const outcome = await probing(bytes, random, undefined, { timeout: 0.2, search_text });
    note(outcome.error_message ?? 'ok');
    assertOutcome(outcome, TcpMetadata);
  }),
);

fuzzing('a tcp check has an outcome, whatever a server sends instead of TLS', () =>
  fuzz('tcp, no TLS', 500, async (random, note) => {
    const bytes = Buffer.concat([
      Buffer.from(random.pick([[], [0x16, 3, 3, 0, 50], [0x15, 3, 3, 0, 2]])),
      noise(random),
    ]);
    const server = await rawServer((socket) => {
      deliver(delivery(bytes, random), socket);
    });
    try {
      const outcome = await probe('127.0.0.1', server.port, { timeout: 0.3, parameters: { tls: true } });
      note(outcome.error_message ?? 'ok');
      assertOutcome(outcome, TcpMetadata);
    } finally {
      await server.close();
    }
  }),
);

fuzzing.run();
