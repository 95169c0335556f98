import type { Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebMetadata } from '../../../domain/check/types/web.ts';
import { assertOutcome, deliver, delivery, fuzz, spoiled, type Delivery, type Random } from '../fuzz.ts';
import { createAuthority, hasOpenssl } from './certificates.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { rawServer, rawTlsServer } from './servers.ts';

const fuzzing = suite('web checks of hostile servers');

const authority = hasOpenssl() ? createAuthority() : null;
fuzzing.after(() => authority?.close());
const certificate = authority?.make('fuzzed', { names: 'IP:127.0.0.1' });
if (!certificate) console.log('  skipped: openssl is not installed, so nothing is said over TLS');

const MARK = 'the mark';
const SIZES = [0, 1, 2, 100, 1_460, 16_384, 65_536, 70_000, 300_000, 1_000_000];

const brotli = (body: Buffer): Buffer => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const CODINGS: readonly [name: string | null, pack: (body: Buffer) => Buffer][] = [
  [null, (body) => body],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotli],
  ['gzip, br', (body) => brotli(gzipSync(body))],
  ['deflate, gzip', (body) => gzipSync(deflateSync(body))],
];

/** Returns a body that is partly incompressible and ends with `MARK`. */
const bodyOf = (size: number, random: Random): Buffer => {
  const noise = random.bytes(Math.min(size, 2_000)).toString('base64');
  return Buffer.from(`${noise.repeat(Math.ceil(size / Math.max(1, noise.length))).slice(0, size)}${MARK}`);
};

const chunked = (body: Buffer, random: Random): Buffer => {
  const parts: Buffer[] = [];
  const size = random.pick([1_000, 16_384, 65_536, 400_000]);
  const line = random.pick(['\r\n', '\r\n', '\n']);
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    parts.push(
      Buffer.from(`${chunk.length.toString(16)}${random.pick(['', ' ', ';a=b'])}${line}`),
      chunk,
      Buffer.from(line),
    );
  }
  return Buffer.concat([...parts, Buffer.from(`0${line}${random.pick(['', `X: y${line}`])}${line}`)]);
};

interface Answer {
  bytes: Buffer;
  /** whether only the end of the connection delimits the body */
  closes: boolean;
}

/** Returns a valid response with a random coding and framing. */
const answerOf = (random: Random, note: (what: string) => void): Answer => {
  const [coding, pack] = random.pick(CODINGS);
  const size = random.pick(SIZES);
  const framing = random.pick(['length', 'chunks', 'close', 'HTTP/1.0', 'HTTP/1.0 length']);
  note(`${coding ?? 'plain'} ${size} ${framing}`);
  const body = pack(bodyOf(size, random));
  const line = random.pick(['\r\n', '\r\n', '\r\n', '\n']);
  const interim = random.pick([
    '',
    '',
    '',
    `HTTP/1.1 100 Continue${line}${line}`,
    `HTTP/1.1 103 Hints${line}A: b${line}${line}`,
  ]);
  const head = [
    `${framing.startsWith('HTTP/1.0') ? 'HTTP/1.0' : 'HTTP/1.1'} 200 OK`,
    ...(coding === null ? [] : [`Content-Encoding${random.pick(['', ' '])}: ${coding}`]),
    ...(framing.endsWith('length') ? [`Content-Length: ${body.length}`] : []),
    ...(framing === 'chunks' ? ['Transfer-Encoding: chunked'] : []),
    ...random.pick([[], ['Connection: close'], ['X-Folded: one', ' two'], [`X-Long: ${'v'.repeat(3_000)}`]]),
    '',
    '',
  ];
  return {
    bytes: Buffer.concat([Buffer.from(interim + head.join(line)), framing === 'chunks' ? chunked(body, random) : body]),
    closes: framing === 'close' || framing === 'HTTP/1.0',
  };
};

/** Runs a check of a server that delivers these bytes, usually after it has received the request. */
const probing = async (sending: Delivery, secure: boolean, random: Random, timeout: number, parameters: object) => {
  const early = random.oneIn(50);
  const talk = (socket: Socket, wire = socket): void => {
    if (early) deliver(sending, socket, wire);
    else
      socket.once('data', () => {
        deliver(sending, socket, wire);
      });
  };
  const server = await (secure && certificate ? rawTlsServer(certificate, talk) : rawServer(talk));
  try {
    return await probe(`http${secure && certificate ? 's' : ''}://127.0.0.1:${server.port}/`, {
      trust: authority ? [authority.root] : [],
      timeout,
      parameters: { ...parameters },
    });
  } finally {
    await server.close();
  }
};

fuzzing('a web check is ok for a valid response, no matter how it is compressed, framed, split and ended', () =>
  fuzz('web, proper answers', 1_500, async (random, note) => {
    const { bytes, closes } = answerOf(random, note);
    const sending = delivery(bytes, random, closes ? ['end'] : ['end', 'stay', 'destroy']);
    const secure = random.oneIn(3);
    // A destroyed socket may lose data that was not sent yet.
    const destroyed = sending.ending === 'destroy';
    note(`${sending.pieces.length} pieces, ${sending.ending}${secure ? ', TLS' : ''}`);
    const outcome = await probing(sending, secure, random, 30, { search_text: MARK });
    note(outcome.error_message ?? 'ok');
    assertOutcome(outcome, WebMetadata);
    if (!destroyed) assert.equal(verdictOf(outcome), ok);
  }),
);

fuzzing('a web check has an outcome, whatever a server sends', () =>
  fuzz('web, spoiled answers', 3_000, async (random, note) => {
    let { bytes } = answerOf(random, note);
    for (let times = 1 + random.below(3); times > 0; times--) bytes = spoiled(bytes, random);
    const sending = delivery(bytes, random);
    const secure = random.oneIn(3);
    const method = random.pick(['GET', 'GET', 'POST', 'HEAD']);
    note(`${method}, ${sending.pieces.length} pieces, ${sending.ending}${secure ? ', TLS' : ''}`);
    const outcome = await probing(sending, secure, random, 0.2, {
      http_request: { method, ...(method === 'POST' && { body: 'x'.repeat(random.pick([1, 60_000])) }) },
      ...(random.oneIn(2) && { search_text: MARK }),
    });
    assertOutcome(outcome, WebMetadata);
  }),
);

fuzzing('a web check has an outcome, whatever a server sends below TLS', () =>
  fuzz('web, spoiled records', 500, async (random, note) => {
    if (!certificate) return;
    const { bytes } = answerOf(random, note);
    const noise = Buffer.concat([
      Buffer.from(random.pick([[], [0x17, 3, 3, 0, 20], [0x15, 3, 3, 0, 2], [0x16, 3, 3, 0xff, 0xff]])),
      random.bytes(random.below(200)),
    ]);
    const before = random.oneIn(2);
    const server = await (before
      ? rawServer((socket) => {
          socket.once('data', () => {
            deliver(delivery(noise, random), socket);
          });
        })
      : rawTlsServer(certificate, (socket, wire) => {
          socket.once('data', () => {
            socket.write(bytes.subarray(0, random.below(bytes.length + 1)), () => {
              deliver(delivery(noise, random), wire);
            });
          });
        }));
    try {
      const url = `https://127.0.0.1:${server.port}/`;
      const trust = authority ? [authority.root] : [];
      assertOutcome(await probe(url, { trust, timeout: 0.3 }), WebMetadata);
    } finally {
      await server.close();
    }
  }),
);

fuzzing.run();
