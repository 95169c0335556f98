import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock, type Clock } from '../../../../network/clock.ts';
import { RunAborted } from '../../../../probes/engine/check-type.ts';
import { MalformedTlsMessage, readerOf, uint } from '../../../../probes/ssl/wire/bytes.ts';
import { readCertificates, readStaple } from '../../../../probes/ssl/wire/certificate.ts';
import { readServerKey } from '../../../../probes/ssl/wire/key-exchange.ts';
import { createHandshakeMessages } from '../../../../probes/ssl/wire/messages.ts';
import { PROTOCOL_NAMES } from '../../../../probes/ssl/wire/protocols.ts';
import { readServerHello } from '../../../../probes/ssl/wire/server-hello.ts';
import { ssl2Record } from '../../../../probes/ssl/wire/ssl2.ts';
import { suite } from '../../../../probes/ssl/wire/suites.ts';
import type { ScanFacts } from '../../../../probes/ssl/scan/facts.ts';
import { randomFrom } from '../../../contracts/random.ts';
import { deliver, delivery, fuzz, spoiled, type Random } from '../../fuzz.ts';
import { closeServers, rawServer } from '../../web/servers.ts';
import * as tls from '../servers/messages.ts';
import { begun } from './scanning.ts';

const fuzzing = specifications('a scan of a server that says anything');
fuzzing.after.each(closeServers);

/** A clock on which pauses take a hundredth of their time. */
const hasty: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * 100,
  after: (milliseconds, call) => systemClock.after(milliseconds / 100, call),
};

const keyFor = (id: number, random: Random): Buffer => {
  const { exchange } = suite(id);
  const vector = (length: number): Buffer => Buffer.concat([uint(2, length), random.bytes(length)]);
  if (exchange === 'ECDHE')
    return Buffer.concat([Buffer.from([random.pick([1, 2, 3, 3, 3, 9]), 0, random.below(40)]), vector(65)]);
  return Buffer.concat([vector(random.pick([0, 64, 128, 256])), vector(1), vector(random.pick([64, 128]))]);
};

/** Returns a server's response to a hello, which is usually plausible. */
const flight = (received: Buffer, random: Random): Buffer => {
  // The hello is one of SSL 2.0.
  if (received[0] !== tls.HANDSHAKE)
    return ssl2Record(
      Buffer.concat([
        Buffer.from([4, 0, 1, 0, 2, 0, 3, 0, 6, 0, 2]),
        random.bytes(3),
        Buffer.from([1, 0, 0x80, 6, 0, 0x40]),
        random.bytes(2),
      ]),
    );
  const hello = tls.clientHelloIn(received.subarray(5));
  const newest = hello.extensions.has(43);
  const id = random.oneIn(10) ? random.below(65_536) : random.pick(hello.suites);
  const messages = [
    tls.serverHelloOf({
      version: hello.version,
      random: random.bytes(32),
      sessionId: random.bytes(random.pick([0, 32])),
      suite: id,
      compression: random.pick([0, 0, 1]),
      extensions: newest
        ? [
            [43, tls.u16(0x0304)],
            [51, tls.u16(random.pick([29, 23, 256, 9_999]))],
          ]
        : [],
    }),
    tls.certificateOf(Array.from({ length: random.below(4) }, () => random.bytes(random.pick([0, 10, 1_000])))),
    tls.messageOf(12, keyFor(id, random)),
    tls.SERVER_HELLO_DONE,
  ];
  const bytes = Buffer.concat(newest ? messages.slice(0, 1) : messages);
  // The messages are split into two records at any byte.
  const at = random.below(bytes.length);
  return Buffer.concat(
    [bytes.subarray(0, at), bytes.subarray(at)].map((part) => tls.recordOf(tls.HANDSHAKE, hello.version, part)),
  );
};

/** Flips one bit. */
const flipped = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(Math.max(1, bytes.length));
  return Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (1 << random.below(8)) : byte)));
};

const damaged = (bytes: Buffer, random: Random): Buffer => {
  switch (random.below(4)) {
    case 0:
      return bytes;
    case 1:
      return flipped(bytes, random);
    default:
      return spoiled(bytes, random);
  }
};

const assertFacts = (facts: ScanFacts): void => {
  for (const name of PROTOCOL_NAMES) {
    const { supported, suites, keys, refusal, serverPreference, complete } = facts.protocols[name];
    assert.equal(new Set(suites).size, suites.length);
    assert.ok(supported || suites.length === 0, name);
    assert.ok(!supported || suites.length > 0 || name === 'ssl_2_0', name);
    assert.ok(!supported || refusal === null, name);
    assert.ok(supported || !complete || refusal !== null, name);
    assert.ok(serverPreference === null || suites.length > 1, name);
    assert.ok(
      keys.every(({ suite: id, bits }) => suites.includes(id) && Number.isInteger(bits)),
      name,
    );
    for (const id of suites) {
      const { first, last } = suite(id);
      assert.ok(first <= last, suite(id).name);
    }
  }
  assert.ok(JSON.stringify(facts).length < 200_000);
  assert.equal(JSON.parse(JSON.stringify(facts)), facts);
};

fuzzing('a scan returns facts, whatever a server sends', () =>
  fuzz('scan, with anything', 1_500, async (random, note) => {
    const server = await rawServer((socket: Socket) => {
      socket.once('data', (received: Buffer) => {
        deliver(delivery(damaged(flight(received, random), random), random), socket);
      });
    });
    const limit = new AbortController();
    const cancel = systemClock.after(random.pick([50, 500]), () => {
      limit.abort(new RunAborted());
    });
    const scan = await begun(server.port, { clock: hasty, signal: limit.signal });
    try {
      await scan.run();
    } catch (error) {
      const { name } = error as Error;
      note(name);
      assert.ok(error instanceof RunAborted || name === 'ConnectFailed', String(error));
    } finally {
      cancel();
      await server.close();
    }
    assertFacts(scan.facts());
  }),
);

/** Applies a parser to many damaged inputs. The parser may throw only `MalformedTlsMessage`. */
const reads = (what: string, make: (random: Random) => Buffer, read: (bytes: Buffer) => unknown): void => {
  fuzzing(`a scan parses damaged ${what}, or reports that they are malformed`, () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
    const choices = randomFrom(seed);
    const random: Random = {
      ...choices,
      bytes: (length) => Buffer.from(Array.from({ length }, () => choices.below(256))),
    };
    for (let round = 0; round < 3_000; round++) {
      const bytes = damaged(make(random), random);
      try {
        read(bytes);
      } catch (error) {
        assert.instance(error, MalformedTlsMessage, `FUZZ_SEED=${seed}: ${bytes.toString('hex')}: ${String(error)}`);
      }
    }
  });
};

const helloBody = (random: Random): Buffer =>
  tls
    .serverHelloOf({
      version: 0x0303,
      random: random.bytes(32),
      sessionId: random.bytes(8),
      suite: 0xc02f,
      compression: 0,
      extensions: [
        [43, tls.u16(0x0304)],
        [51, random.bytes(random.below(6))],
      ],
    })
    .subarray(4);

reads('server hellos', helloBody, readServerHello);
reads(
  'certificates',
  (random) => tls.certificateOf([random.bytes(50), random.bytes(3)]).subarray(4),
  (bytes) => [readCertificates(bytes), readStaple(bytes)],
);
for (const id of [0xc02f, 0x009e, 0x0003, 0x008f, 0xc018])
  reads(
    `keys of ${suite(id).name}`,
    (random) => keyFor(id, random),
    (bytes) => readServerKey(bytes, suite(id)),
  );
reads(
  'messages',
  (random) => Buffer.concat([tls.messageOf(2, random.bytes(60)), tls.messageOf(11, random.bytes(5))]),
  (bytes) => {
    const messages = createHandshakeMessages();
    for (const byte of bytes) {
      messages.add(Buffer.from([byte]));
      while (messages.next());
    }
  },
);
reads(
  'vectors',
  (random) => random.bytes(random.below(20)),
  (bytes) => {
    const reader = readerOf(bytes);
    while (reader.left > 0) reader.vector(2);
  },
);

/** Returns the memory in use after garbage collection, in bytes. */
const inUse = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const endlessly =
  (output: Buffer) =>
  (socket: Socket): void => {
    const more = (): void => {
      while (socket.writable && socket.write(output));
    };
    socket.on('drain', more).once('data', more);
  };

for (const [what, said] of [
  ['garbage', Buffer.alloc(1_024 * 1_024, 0x41)],
  [
    'endless records',
    Buffer.concat(Array<Buffer>(60).fill(tls.recordOf(tls.HANDSHAKE, 0x0303, Buffer.alloc(16_000, 2)))),
  ],
  ['empty records', Buffer.concat(Array<Buffer>(10_000).fill(tls.recordOf(tls.HANDSHAKE, 0x0303, Buffer.alloc(0))))],
  [
    'an endless certificate',
    tls.recordOf(tls.HANDSHAKE, 0x0303, Buffer.concat([Buffer.from([11, 3, 255, 255]), Buffer.alloc(16_000)])),
  ],
  [
    'endless warnings',
    Buffer.concat(Array<Buffer>(9_000).fill(tls.recordOf(tls.ALERT, 0x0303, Buffer.from([1, 112])))),
  ],
] as const)
  fuzzing(`a scan uses little memory for a server that sends ${what}`, async () => {
    const server = await rawServer(endlessly(said));
    const before = inUse();
    let most = 0;
    const looking = setInterval(() => (most = Math.max(most, inUse() - before)), 50);
    const limit = AbortSignal.timeout(1_000);
    const scan = await begun(server.port, { signal: limit });
    try {
      await scan.run();
    } catch (error) {
      assert.is(error, limit.reason);
    } finally {
      clearInterval(looking);
      await server.close();
    }
    assertFacts(scan.facts());
    assert.ok(most < 4 * 1_024 * 1_024, `${most} bytes`);
  });

fuzzing.run();
