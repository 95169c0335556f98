import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VULNERABILITIES, type VulnerabilityFindings } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import { deliver, delivery, fuzz, spoiled, type Random } from '../../fuzz.ts';
import { hasOpenssl } from '../../web/certificates.ts';
import { closeServers, rawServer } from '../../web/servers.ts';
import * as tls from '../servers/messages.ts';
import { createRsaCertificate } from '../servers/rsa-certificate.ts';
import { factsOf, RSA_SUITE, vulnerabilitiesAt } from './testing.ts';

const fuzzing = suite('vulnerability tests of a server that sends anything');
fuzzing.after.each(closeServers);

const FACTS = [
  factsOf({ tls_1_2: [RSA_SUITE, 0xc02f], tls_1_1: [0x002f] }),
  factsOf({ tls_1_3: [0x1301], tls_1_2: [RSA_SUITE] }),
  factsOf({ ssl_3_0: [0x002f] }),
];

const chain = hasOpenssl() ? [new X509Certificate(createRsaCertificate().cert).raw] : [Buffer.alloc(800, 0x30)];

/** Returns the messages that a server sends before it waits for the client. */
const flight = (version: number, random: Random): Buffer =>
  Buffer.concat(
    [
      tls.serverHelloOf({
        version,
        random: random.bytes(32),
        sessionId: random.bytes(random.pick([0, 16, 32])),
        suite: random.pick([RSA_SUITE, 0x002f, 0xc02f, 0x7f7f]),
        compression: random.below(2),
        extensions: random.oneIn(2)
          ? [
              [15, Buffer.from([1])],
              [0xff01, Buffer.from([0])],
            ]
          : [],
      }),
      tls.certificateOf(chain),
      tls.SERVER_HELLO_DONE,
    ].map((message) => tls.recordOf(tls.HANDSHAKE, version, message)),
  );

/** Returns the messages that a server sends after those of the client. */
const retort = (version: number, random: Random): Buffer =>
  random.pick([
    tls.recordOf(tls.ALERT, version, Buffer.from([2, random.pick([10, 20, 21, 40, 86, 255])])),
    tls.recordOf(tls.HEARTBEAT, version, random.bytes(random.pick([0, 3, 100, 5_000]))),
    tls.recordOf(tls.HANDSHAKE, version, tls.messageOf(20, random.bytes(12))),
    tls.recordOf(tls.CHANGE_CIPHER_SPEC, version, Buffer.from([1])),
  ]);

const often = (bytes: Buffer, random: Random): Buffer => {
  let result: Buffer = bytes;
  for (let times = random.below(3); times > 0; times--) result = spoiled(result, random);
  return result;
};

const assertFindings = (findings: VulnerabilityFindings): void => {
  assert.equal(Object.keys(findings), [...VULNERABILITIES]);
  for (const { vulnerable, tested, details } of Object.values(findings)) {
    assert.match(details, /^[A-Z0-9][^\r\n\0]{10,600}\.$/);
    assert.not.match(details, /\bERR_|undefined|\[object|at .*:\d+:\d+/);
    assert.ok(tested || !vulnerable);
  }
};

fuzzing('vulnerability tests return findings, whatever a server sends', () =>
  fuzz('vulnerabilities', 1_000, async (random, note) => {
    const server = await rawServer((socket: Socket) => {
      const version = random.pick([0x0303, 0x0303, 0x0302, 0x0300]);
      socket.once('data', () => {
        const first = delivery(often(flight(version, random), random), random, ['stay', 'stay', 'end', 'reset']);
        deliver(first, socket);
        socket.once('data', () => {
          deliver(delivery(often(retort(version, random), random), random), socket);
        });
      });
    });
    try {
      const patience = random.pick([20, 200, 600]);
      const { findings } = await vulnerabilitiesAt(server.port, random.pick(FACTS), AbortSignal.timeout(patience));
      note(JSON.stringify(findings));
      assertFindings(findings);
    } finally {
      await server.close();
    }
  }),
);

/** Returns the memory in use after garbage collection, in bytes. */
const inUse = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

for (const [what, said] of [
  ['garbage', Buffer.alloc(1_024 * 1_024, 0x41)],
  ['endless records', Buffer.concat(Array<Buffer>(60).fill(tls.recordOf(tls.HANDSHAKE, 0x0303, Buffer.alloc(16_000))))],
  [
    'an endless certificate',
    tls.recordOf(tls.HANDSHAKE, 0x0303, Buffer.concat([Buffer.from([11, 255, 255, 255]), Buffer.alloc(16_000)])),
  ],
  [
    'endless warnings',
    Buffer.concat(Array<Buffer>(9_000).fill(tls.recordOf(tls.ALERT, 0x0303, Buffer.from([1, 112])))),
  ],
] as const)
  fuzzing(`vulnerability tests use little memory for a server that sends ${what}`, async () => {
    const server = await rawServer((socket: Socket) => {
      const more = (): void => {
        while (socket.writable && socket.write(said));
      };
      socket.on('drain', more).once('data', more);
    });
    const facts = factsOf({ tls_1_2: [RSA_SUITE], tls_1_1: [0x002f] });
    const before = inUse();
    let most = 0;
    const looking = setInterval(() => (most = Math.max(most, inUse() - before)), 50);
    try {
      assertFindings((await vulnerabilitiesAt(server.port, facts, AbortSignal.timeout(1_000))).findings);
    } finally {
      clearInterval(looking);
      await server.close();
    }
    assert.ok(most < 4 * 1_024 * 1_024, `${most} bytes`);
  });

fuzzing.run();
