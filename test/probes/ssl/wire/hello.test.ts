import type { Socket } from 'node:net';
import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { createDialer, targetOf } from '../../../../probes/ssl/dial.ts';
import { uint, vector } from '../../../../probes/ssl/wire/bytes.ts';
import { sendHello, type HelloResponse, type HelloOptions } from '../../../../probes/ssl/wire/hello.ts';
import type { Offer } from '../../../../probes/ssl/wire/client-hello.ts';
import { record } from '../../../../probes/ssl/wire/records.ts';
import { clientHelloIn } from '../servers/messages.ts';
import { contextOf } from '../../run-context.ts';
import { closeServers, rawServer } from '../../web/servers.ts';

const test = specifications('a hello');
test.after.each(closeServers);

const OFFER: Offer = { version: 0x0303, suites: [0xc02f, 0x009e, 0x0003], serverName: null };

/** Sends a hello to a server with this response. @returns the result */
const answered = async (
  talk: (socket: Socket) => void,
  options: HelloOptions = {},
  offer = OFFER,
  onHello: (bytes: Buffer) => void = () => undefined,
): Promise<HelloResponse> => {
  const server = await rawServer((socket) => {
    socket.once('data', (chunk: Buffer) => {
      onHello(chunk);
      talk(socket);
    });
  });
  const context = contextOf({});
  const dialer = createDialer(await targetOf({ host: '127.0.0.1', port: server.port }, context), context);
  const wire = await dialer.dial();
  try {
    return await sendHello(wire, offer, options);
  } finally {
    wire.close();
  }
};

const message = (type: number, ...parts: Buffer[]): Buffer => Buffer.concat([uint(1, type), vector(3, ...parts)]);
const handshake = (...messages: Buffer[]): Buffer => record(22, 0x0303, Buffer.concat(messages));

const serverHello = (suite: number): Buffer =>
  message(2, uint(2, 0x0303), Buffer.alloc(32, 7), vector(1), uint(2, suite), uint(1, 0));
const certificate = message(11, vector(3, vector(3, Buffer.from('one')), vector(3, Buffer.from('two'))));
const done = message(14);

const chosen = (answer: HelloResponse) => {
  if (answer.kind !== 'hello') throw new Error(`No hello but ${JSON.stringify(answer)}`);
  return answer;
};

test('a hello returns the server’s choice, certificates and key', async () => {
  const key = message(12, Buffer.from([3, 0, 23]), vector(1, Buffer.alloc(65)), Buffer.alloc(70));
  const {
    suite,
    certificates,
    key: exchange,
    done: over,
  } = chosen(await answered((socket) => socket.write(handshake(serverHello(0xc02f), certificate, key, done))));
  assert.equal([suite, over], [0xc02f, true]);
  assert.equal(certificates?.map(String), ['one', 'two']);
  assert.equal(exchange, { kind: 'ecdh', group: 23, name: 'secp256r1', bits: 256, key: Buffer.alloc(65) });
});

test('a hello contains the server name and the ALPN protocols', async () => {
  const received = await new Promise<Buffer>((resolve) => {
    void answered(
      (socket) => socket.end(),
      {},
      { ...OFFER, serverName: 'tls.test', alpn: ['h2', 'http/1.1'] },
      resolve,
    );
  });
  const { extensions } = clientHelloIn(received.subarray(5));
  assert.equal(extensions.get(0)?.toString('latin1'), '\0\x0b\0\0\x08tls.test');
  assert.equal(extensions.get(16)?.toString('latin1'), '\0\x0c\x02h2\x08http/1.1');
});

test('the size of a DH group is reported without leading zeros', async () => {
  const prime = Buffer.concat([Buffer.alloc(2), Buffer.from([0x3f]), Buffer.alloc(127, 0xff)]);
  const key = message(12, vector(2, prime), vector(2, Buffer.from([2])), vector(2, Buffer.alloc(128)));
  const { key: exchange } = chosen(
    await answered((socket) => socket.write(handshake(serverHello(0x009e), certificate, key, done))),
  );
  assert.equal(exchange?.kind === 'dh' && exchange.bits, 1_022);
});

test('the short key of an export suite is reported', async () => {
  const key = message(12, vector(2, Buffer.alloc(64, 0xff)), vector(2, Buffer.from([1, 0, 1])));
  const { key: exchange } = chosen(
    await answered((socket) => socket.write(handshake(serverHello(0x0003), certificate, key, done))),
  );
  assert.equal(exchange, { kind: 'rsa', bits: 512, modulus: Buffer.alloc(64, 0xff) });
});

test('handshake messages are reassembled no matter where they are split', async () => {
  const bytes = Buffer.concat([serverHello(0x0003), certificate, done]);
  const pieces = Buffer.concat([...bytes].map((byte) => record(22, 0x0303, Buffer.from([byte]))));
  const answer = chosen(
    await answered((socket) => {
      socket.write(pieces.subarray(0, 7));
      setTimeout(() => socket.write(pieces.subarray(7)), 20);
    }),
  );
  assert.equal([answer.suite, answer.certificates?.length, answer.done], [0x0003, 2, true]);
});

test('the server’s choice is used even if garbage follows', async () => {
  for (const rest of [
    record(21, 0x0303, Buffer.from([2, 80])),
    Buffer.from('nonsense'),
    handshake(message(11, Buffer.from('x'))),
  ])
    assert.equal(
      chosen(await answered((socket) => socket.end(Buffer.concat([handshake(serverHello(3)), rest])))).suite,
      3,
    );
  const { done: over } = chosen(await answered((socket) => socket.write(handshake(serverHello(3))), { patience: 500 }));
  assert.equal(over, false);
});

test('a fatal alert is reported as a refusal of the hello, but a warning is ignored', async () => {
  const alert = (level: number, description: number): Buffer => record(21, 0x0301, Buffer.from([level, description]));
  assert.equal(await answered((socket) => socket.write(alert(2, 70))), { kind: 'alert', fatal: true, description: 70 });
  const { suite } = chosen(
    await answered((socket) => socket.write(Buffer.concat([alert(1, 112), handshake(serverHello(3), done)]))),
  );
  assert.equal(suite, 3);
});

test('silence, a closed or reset connection and something other than TLS are reported after a hello', async () => {
  assert.equal(await answered(() => undefined, { patience: 30 }), { kind: 'silent' });
  assert.equal(await answered((socket) => socket.end()), { kind: 'closed' });
  assert.equal(await answered((socket) => socket.resetAndDestroy()), { kind: 'reset' });
  const output = await answered((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  assert.equal(output.kind === 'garbage' && output.bytes.toString(), 'HTTP/1.1 400 Bad Request\r\n\r\n');
  const short = await answered((socket) => socket.write('220'), { patience: 500 });
  assert.equal(short.kind === 'garbage' && short.bytes.toString(), '220');
});

test('choices of TLS 1.3 and HelloRetryRequests are parsed', async () => {
  const extensions = vector(2, uint(2, 43), vector(2, uint(2, 0x0304)), uint(2, 51), vector(2, uint(2, 24)));
  const retry = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');
  const choice = message(2, uint(2, 0x0303), retry, vector(1), uint(2, 0x1302), uint(1, 0), extensions);
  const answer = chosen(await answered((socket) => socket.write(handshake(choice))));
  assert.equal([answer.version, answer.suite, answer.retry, answer.group], [0x0304, 0x1302, true, 24]);
});

test.run();
