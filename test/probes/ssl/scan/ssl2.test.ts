import type { Socket } from 'node:net';
import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { uint } from '../../../../probes/ssl/wire/bytes.ts';
import { ssl2Record } from '../../../../probes/ssl/wire/ssl2.ts';
import { closeServers, rawServer } from '../../web/servers.ts';
import { names, scanned, spoken } from './scanning.ts';

const test = specifications('a scan of a server that speaks SSL 2.0');
test.after.each(closeServers);

const RC4 = 0x010080;
const RC4_EXPORT = 0x020080;
const DES = 0x060040;

const serverHello = (certificate: Buffer, suites: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from([4, 0, 1, 0, 2]),
    ...[certificate.length, suites.length * 3, 16].map((length) => uint(2, length)),
    certificate,
    ...suites.map((id) => uint(3, id)),
    Buffer.alloc(16, 9),
  ]);

/** Starts a server that responds to an SSL 2.0 CLIENT-HELLO, and closes the connection on anything else. */
const serve = (answer: (socket: Socket, offered: readonly number[]) => void) =>
  rawServer((socket) => {
    socket.once('data', (chunk: Buffer) => {
      if (chunk[0] !== 0x80 || chunk.readUInt8(2) !== 1) {
        socket.end();
        return;
      }
      const count = chunk.readUInt16BE(5) / 3;
      answer(
        socket,
        Array.from({ length: count }, (_, index) => chunk.readUIntBE(11 + index * 3, 3)),
      );
    });
  });

test('an SSL 2.0 scan finds the suites and the certificate with one connection', async () => {
  const { port } = await serve((socket, offered) => {
    assert.equal(offered.length, 8);
    socket.write(ssl2Record(serverHello(Buffer.from('certificate'), [RC4, RC4_EXPORT, DES])));
  });
  const { facts } = await scanned(port);
  assert.equal(spoken(facts), ['ssl_2_0']);
  assert.equal(names(facts.protocols.ssl_2_0), [
    'SSL_CK_RC4_128_WITH_MD5',
    'SSL_CK_RC4_128_EXPORT40_WITH_MD5',
    'SSL_CK_DES_64_CBC_WITH_MD5',
  ]);
  assert.equal(facts.chains, [[Buffer.from('certificate').toString('base64')]]);
  assert.ok(facts.complete);
});

test('SSL 2.0 records with padding that arrive in pieces are parsed', async () => {
  const { port } = await serve((socket) => {
    const hello = serverHello(Buffer.from('x'), [DES]);
    const padded = Buffer.concat([uint(2, hello.length + 5), Buffer.from([5]), hello, Buffer.alloc(5)]);
    socket.write(padded.subarray(0, 10));
    setTimeout(() => socket.write(padded.subarray(10)), 20);
  });
  const { facts } = await scanned(port);
  assert.equal(names(facts.protocols.ssl_2_0), ['SSL_CK_DES_64_CBC_WITH_MD5']);
});

test('SSL 2.0 is found even if the server names no suite (CVE-2015-3197)', async () => {
  const { port } = await serve((socket) => socket.write(ssl2Record(serverHello(Buffer.from('x'), []))));
  const { facts } = await scanned(port);
  assert.equal([facts.protocols.ssl_2_0.supported, facts.protocols.ssl_2_0.suites], [true, []]);
});

test('every refusal of SSL 2.0 is recognised', async () => {
  for (const [answer, refusal] of [
    [ssl2Record(Buffer.from([0, 0, 1])), { kind: 'alert', name: 'error 1' }],
    [Buffer.from([0x15, 3, 1, 0, 2, 2, 70]), { kind: 'alert', name: 'protocol_version' }],
    [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), { kind: 'garbage', said: 'HTTP/1.1 400 Bad Request ' }],
    [Buffer.alloc(0), { kind: 'closed' }],
  ] as const) {
    const { port } = await serve((socket) => socket.end(answer));
    const { facts } = await scanned(port);
    assert.equal(facts.protocols.ssl_2_0.refusal, refusal);
    assert.equal([spoken(facts), facts.complete], [[], true]);
  }
});

test.run();
