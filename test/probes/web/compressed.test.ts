import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createNginx, hasNginx } from '../../e2e/nginx.ts';
import { gatherUnhandled } from '../unhandled.ts';
import { createAuthority, hasOpenssl } from './certificates.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { rawServer, rawTlsServer } from './servers.ts';
import { freePort } from '../../servers/ports.ts';

/*
 * Tests compressed bodies that take longer to decompress than to arrive, from servers that close the connection
 * immediately afterwards. With any framing the response must be complete, without uncaught errors.
 */

const packed = suite('compressed pages of a server that closes the connection');

const MARK = 'the end of the page';
/** Half of the page is incompressible, so that its compressed form does not fit into one chunk of the decompressor. */
const page = Buffer.from(`${digits(44_000)}${'x'.repeat(56_000)}${MARK}`);

function digits(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += String.fromCharCode(33 + (state % 90));
  }
  return text;
}

const unhandled = gatherUnhandled();
packed.after(() => {
  unhandled.stop();
});
packed.after.each(() => {
  assert.equal(unhandled.errors, []);
});

const authority = hasOpenssl() ? createAuthority() : null;
const certificate = authority?.make('packed', { names: 'IP:127.0.0.1' });
packed.after(() => authority?.close());

const test = (sentence: string, there: boolean, run: () => Promise<void>): void => {
  if (there) packed(sentence, run);
  else {
    console.log(`  skipped: ${sentence}`);
    packed.skip(sentence);
  }
};

test(
  hasNginx() ? 'a web check of a compressed page of nginx with gzip_static is ok' : 'nginx is not installed',
  hasNginx(),
  inTemporaryFolder(async (folder) => {
    const root = join(folder, 'pages');
    mkdirSync(root);
    writeFileSync(join(root, 'page.html'), page);
    writeFileSync(join(root, 'page.html.gz'), gzipSync(page));
    const port = await freePort();
    const securePort = await freePort();
    const files =
      authority && certificate ? { cert: authority.file('packed.crt'), key: authority.file('packed.key') } : null;
    const nginx = createNginx(folder, [
      { port, root },
      ...(files ? [{ port: securePort, root, certificate: files }] : []),
    ]);
    await nginx.start();
    try {
      for (const url of [
        `http://127.0.0.1:${port}/page.html`,
        ...(files ? [`https://127.0.0.1:${securePort}/page.html`] : []),
      ]) {
        const trust = authority ? [authority.root] : [];
        for (let run = 0; run < 10; run++) {
          const outcome = await probe(url, { trust, parameters: { search_text: MARK } });
          assert.equal(verdictOf(outcome), ok);
          assert.is((outcome.check_metadata['headers'] as Record<string, string>)['content-encoding'], 'gzip');
        }
      }
    } finally {
      await nginx.stop();
    }
  }),
);

const CODINGS: readonly [name: string, packed: Buffer][] = [
  ['gzip', gzipSync(page)],
  ['deflate', deflateSync(page)],
  ['deflate', deflateRawSync(page)],
  ['br', brotliCompressSync(page)],
  ['gzip, br', brotliCompressSync(gzipSync(page))],
];

/** Ways in which a response marks the end of its body: by a length, by chunks, or by closing the connection. */
const FRAMINGS: Readonly<Record<string, (coding: string, body: Buffer) => Buffer[]>> = {
  'with a length': (coding, body) => [head('HTTP/1.1', coding, `Content-Length: ${body.length}`), body],
  'with a length and "Connection: close"': (coding, body) => [
    head('HTTP/1.1', coding, `Content-Length: ${body.length}`, 'Connection: close'),
    body,
  ],
  'in chunks': (coding, body) => [
    head('HTTP/1.1', coding, 'Transfer-Encoding: chunked'),
    ...[body.subarray(0, 10_000), body.subarray(10_000)].flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ],
  'with "Connection: close" and without a length': (coding, body) => [
    head('HTTP/1.1', coding, 'Connection: close'),
    body,
  ],
  'without a length': (coding, body) => [head('HTTP/1.1', coding), body],
  'with HTTP/1.0 and without a length': (coding, body) => [head('HTTP/1.0', coding), body],
};

function head(version: string, coding: string, ...lines: string[]): Buffer {
  return Buffer.from([`${version} 200 OK`, `Content-Encoding: ${coding}`, ...lines, '', ''].join('\r\n'));
}

type Ending = (socket: Socket, wire: Socket) => void;

const ENDINGS = {
  ends: (socket) => socket.end(),
  closes: (socket) => socket.destroy(),
  resets: (_, wire) => {
    wire.resetAndDestroy();
  },
} satisfies Record<string, Ending>;

/** Returns a handler that sends these bytes to each client and closes the connection. */
const answering =
  (parts: readonly Buffer[], ending: Ending) =>
  (socket: Socket, wire = socket): void => {
    socket.once('data', () => {
      socket.write(Buffer.concat(parts), () => {
        ending(socket, wire);
      });
    });
  };

/** Runs a check of a server that sends these parts to each client. */
const probing = async (scheme: string, parts: readonly Buffer[], ending: Ending) => {
  const talk = answering(parts, ending);
  const server = await (scheme === 'https' && certificate ? rawTlsServer(certificate, talk) : rawServer(talk));
  const outcome = await probe(`${scheme}://127.0.0.1:${server.port}/`, {
    trust: authority ? [authority.root] : [],
    parameters: { search_text: MARK },
  });
  await server.close();
  return outcome;
};

for (const scheme of ['http', 'https'])
  for (const [framing, answer] of Object.entries(FRAMINGS)) {
    const there = scheme === 'http' || certificate !== undefined;

    test(`a web check of a compressed page that is sent over ${scheme} ${framing} is ok`, there, async () => {
      for (const [coding, body] of CODINGS)
        assert.equal(verdictOf(await probing(scheme, answer(coding, body), ENDINGS.ends)), ok, coding);
    });

    test(
      `a web check of a truncated compressed page that is sent over ${scheme} ${framing} is down`,
      there,
      async () => {
        for (const [coding, body] of CODINGS) {
          const [first = Buffer.alloc(0), ...rest] = answer(coding, body);
          const cut = [first, Buffer.concat(rest).subarray(0, 30_000)];
          for (const [name, ending] of Object.entries(ENDINGS)) {
            const { status, reason } = await probing(scheme, cut, ending);
            assert.equal([status, reason], ['down', 'protocol'], `${coding}, and ${name}`);
          }
        }
      },
    );
  }

packed.run();
