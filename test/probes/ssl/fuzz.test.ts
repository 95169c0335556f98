import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SslMetadata } from '../../../domain/check/types/ssl.ts';
import { STARTTLS } from '../../../domain/check/types/starttls.ts';
import { assertOutcome, deliver, delivery, fuzz, spoiled, type Random } from '../fuzz.ts';
import { closeServers, rawServer } from '../web/servers.ts';
import { probe } from './probing.ts';
import { createRsaCertificate } from './servers/rsa-certificate.ts';
import { tlsServer } from './tls-server.ts';

const fuzzing = suite('ssl checks of hostile servers');

fuzzing.after.each(closeServers);

const rsa = createRsaCertificate();
const LIMIT = 32 * 1_024;

/** Beginnings of responses that are parsed further than random bytes. */
const BEGINNINGS = [
  '',
  '15030100020228',
  '160303',
  '160303004a02000046',
  '8004000100',
  '2b4f4b0d0a',
  '323230200d0a',
  '53',
];

const anything = (random: Random): Buffer =>
  Buffer.concat([Buffer.from(random.pick(BEGINNINGS), 'hex'), random.bytes(random.pick([0, 5, 100, 3_000]))]);

const check = async (port: number, random: Random, note: (what: string) => void): Promise<void> => {
  const outcome = await probe('127.0.0.1', port, {
    timeout: random.pick([0.05, 0.2, 0.5]),
    parameters: {
      ca_certificate: rsa.cert,
      ...(random.oneIn(4) && { starttls: random.pick(STARTTLS) }),
      ...(random.oneIn(2) && { assertions: { ssl_score: 50 } }),
    },
  });
  note(outcome.error_message ?? 'ok');
  assertOutcome(outcome, SslMetadata);
  assert.ok(Buffer.byteLength(JSON.stringify(outcome.check_metadata)) <= LIMIT);
};

fuzzing('an ssl check has an outcome, whatever a server sends', () =>
  fuzz('ssl, with anything', 500, async (random, note) => {
    const server = await rawServer((socket) => {
      const sending = delivery(anything(random), random);
      if (random.oneIn(2)) deliver(sending, socket);
      else
        socket.once('data', () => {
          deliver(sending, socket);
        });
      socket.resume();
    });
    try {
      await check(server.port, random, note);
    } finally {
      await server.close();
    }
  }),
);

fuzzing('an ssl check has an outcome, no matter how the responses of a server are garbled', async () => {
  const server = await tlsServer({ ...rsa, maxVersion: 'TLSv1.2' });
  try {
    await fuzz('ssl, garbled', 300, async (random, note) => {
      let spared = random.below(30);
      const garbling = (socket: Socket): void => {
        const inner = connect(server.port, '127.0.0.1').on('error', () => undefined);
        const garbles = spared-- <= 0;
        inner.on('data', (bytes: Buffer) => {
          if (!socket.destroyed) socket.write(garbles && random.oneIn(2) ? spoiled(bytes, random) : bytes);
        });
        inner.on('end', () => socket.end());
        socket.pipe(inner);
        socket.on('close', () => inner.destroy());
      };
      const door = await rawServer(garbling);
      try {
        await check(door.port, random, note);
      } finally {
        await door.close();
      }
    });
  } finally {
    await server.close();
  }
});

fuzzing.run();
