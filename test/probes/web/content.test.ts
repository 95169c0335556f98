import * as zlib from 'node:zlib';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTextSearch } from '../../../probes/web/search.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { httpServer, saying } from './servers.ts';

const content = suite("content of a web check's response");
const MIB = 1_048_576;

interface Said {
  body: string | Buffer;
  headers?: Record<string, string>;
  /** bytes per piece; by default everything is sent in one piece */
  pieces?: number;
}

/** Runs a check that searches a text in this response. */
const probing = async ({ body, headers = {}, pieces }: Said, text?: string) => {
  const bytes = Buffer.from(body);
  const server = await httpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers });
    const size = pieces ?? Math.max(bytes.length, 1);
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
    response.end();
  });
  const parameters = text === undefined ? {} : { search_text: text };
  const outcome = await probe(`http://127.0.0.1:${server.port}/`, { parameters });
  await server.close();
  return outcome;
};

const notFound = (text: string, where = 'in the response') => ({
  status: 'failed',
  reason: 'content',
  error_message: `Text "${text}" was not found ${where}.`,
});

content('a web check finds a text, and reports a missing text', async () => {
  assert.equal(verdictOf(await probing({ body: 'all is ok today' }, 'is ok')), ok);
  const missing = await probing({ body: 'all is well' }, 'is ok');
  assert.equal(verdictOf(missing), notFound('is ok'));
  // The response was complete, so its time is stored.
  assert.ok(Number.isInteger(missing.response_time));
  assert.equal(verdictOf(await probing({ body: '' }, 'ok')), notFound('ok'));
  assert.equal(verdictOf(await probing({ body: 'anything' }, '')), ok);
  assert.equal(verdictOf(await probing({ body: 'OK' }, 'ok')), notFound('ok'));
});

content('a web check reports a bad status before a missing text', async () => {
  const server = await httpServer((_, response) => response.writeHead(500).end('x'));
  const outcome = await probe(`http://127.0.0.1:${server.port}/`, { parameters: { search_text: 'ok' } });
  await server.close();
  assert.is(outcome.error_message, 'The server answered 500 Internal Server Error.');
});

content('a web check finds a text across pieces and chunks', async () => {
  for (const pieces of [1, 2, 3, 7]) {
    assert.equal(
      verdictOf(await probing({ body: `${'x'.repeat(100)}Grüße aus Köln 🌍!`, pieces }, 'Grüße aus Köln 🌍')),
      ok,
    );
  }
  const chunked = [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    '2\r\nal\r\n',
    '3\r\nl o\r\n',
    '1\r\nk\r\n',
    '0\r\n\r\n',
  ];
  const server = await saying(chunked);
  const outcome = await probe(`http://127.0.0.1:${server.port}/`, { parameters: { search_text: 'all ok' } });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
});

const utf16 = (text: string, bigEndian: boolean, mark: boolean): Buffer => {
  const bytes = Buffer.from(mark ? `\uFEFF${text}` : text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

content('a web check decodes every declared charset', async () => {
  const text = 'Привет';
  const windows1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const koi8 = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]);
  const cases: [string, Buffer][] = [
    ['text/plain; charset=windows-1251', windows1251],
    ['text/html;charset="KOI8-R"', koi8],
    ['text/plain; charset=utf-8', Buffer.from(text)],
    ['text/plain; charset=utf-16le', utf16(text, false, false)],
    ['text/plain; charset=utf-16be', utf16(text, true, false)],
    // A byte order mark takes precedence over the header.
    ['text/plain; charset=windows-1251', utf16(text, true, true)],
    ['text/plain', utf16(text, false, true)],
    ['text/plain; charset=iso-8859-5', Buffer.from([0xbf, 0xe0, 0xd8, 0xd2, 0xd5, 0xe2])],
    ['application/json; charset=martian', Buffer.from(text)],
  ];
  for (const [type, body] of cases)
    for (const pieces of [1, 3, 1_000])
      assert.equal(
        verdictOf(await probing({ body, pieces, headers: { 'content-type': type } }, text)),
        ok,
        `${type} in pieces of ${pieces}`,
      );
  const japanese: [string, Buffer, string][] = [
    ['text/html; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['text/html; charset=euc-jp', Buffer.from([0xc6, 0xfc, 0xcb, 0xdc]), '日本'],
    ['text/html; charset=gb18030', Buffer.from([0xc8, 0xd5, 0xb1, 0xbe]), '日本'],
    ['text/html; charset=latin1', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), 'Grüße'],
  ];
  for (const [type, body, searched] of japanese)
    assert.equal(verdictOf(await probing({ body, pieces: 1, headers: { 'content-type': type } }, searched)), ok, type);
});

content('a web check uses the charset that a document declares', async () => {
  const word = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
  const cases = [
    '<!doctype html><meta charset="windows-1251"><p>',
    "<html><head><meta http-equiv=Content-Type content='text/html; charset=windows-1251'></head>",
    '<?xml version="1.0" encoding="windows-1251"?><a>',
  ];
  for (const head of cases)
    assert.equal(
      verdictOf(
        await probing(
          { body: Buffer.concat([Buffer.from(head), word]), pieces: 5, headers: { 'content-type': 'text/html' } },
          'Привет',
        ),
      ),
      ok,
      head,
    );
  const lying = Buffer.concat([Buffer.from('<meta charset="utf-16">'), Buffer.from('Привет')]);
  assert.equal(verdictOf(await probing({ body: lying, headers: { 'content-type': 'text/html' } }, 'Привет')), ok);
});

content('a web check decodes windows-1252 by its own table, also for ISO 8859-1 and ASCII', async () => {
  const body = Buffer.from('5 \x80 \x96 it\x92s caf\xe9', 'latin1');
  for (const charset of ['windows-1252', 'iso-8859-1', 'latin1', 'us-ascii'])
    for (const text of ['5 € – it’s café', '’s caf'])
      assert.equal(
        verdictOf(await probing({ body, headers: { 'content-type': `text/html; charset=${charset}` } }, text)),
        ok,
      );
  const declared = Buffer.concat([Buffer.from('<meta charset="windows-1252">'), body]);
  assert.equal(verdictOf(await probing({ body: declared, headers: { 'content-type': 'text/html' } }, '5 €')), ok);
});

content('a web check uses the charset in a document if the header names an unknown charset', async () => {
  const body = Buffer.concat([Buffer.from('<meta charset="windows-1251">'), Buffer.from([0xcf, 0xf0, 0xe8])]);
  const headers = { 'content-type': 'text/html; charset=martian' };
  for (const pieces of [1, 1_000])
    assert.equal(await notesOf({ body, pieces, headers }, 'При'), [
      'The charset "martian" is unknown and was ignored.',
    ]);
});

content('a web check searches JSON as UTF-8 if valid, whatever charset the header names', async () => {
  const headers = { 'content-type': 'application/problem+json; charset=iso-8859-1' };
  for (const pieces of [1, 2, 1_000]) {
    assert.equal(verdictOf(await probing({ body: '{"a":"Grüße 🌍 €"}', pieces, headers }, 'Grüße 🌍 €')), ok);
    const latin1 = Buffer.from('{"a":"Gr\xfc\xdfe \x80"}', 'latin1');
    assert.equal(verdictOf(await probing({ body: latin1, pieces, headers }, 'Grüße €')), ok);
    const cut = Buffer.from('{"a":"\xc3', 'latin1');
    assert.equal(verdictOf(await probing({ body: cut, pieces, headers }, '{"a":"Ã')), ok);
  }
});

content('a web check finds a text no matter where the response is cut', () => {
  const bytes = Buffer.from('<p>мир</p>');
  for (let cut = 0; cut <= bytes.length; cut++)
    for (const [text, expected] of [
      ['мир', true],
      ['<p>мир</p>', true],
      ['war', false],
    ] as const) {
      const search = createTextSearch(text, 'text/html; charset=utf-8');
      search.write(bytes.subarray(0, cut));
      search.write(bytes.subarray(cut));
      search.end();
      assert.is(search.found(), expected, `${text} cut at ${cut}`);
    }
});

content('a web check decompresses gzip, br and both kinds of deflate, even if nested or cut at any byte', async () => {
  const body = `${'lorem ipsum '.repeat(500)}the text`;
  const cases: [string, Buffer][] = [
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['x-deflate', deflateSync(body)],
    ['gzip', Buffer.concat([gzipSync(body.slice(0, 1_000)), gzipSync(''), gzipSync(body.slice(1_000))])],
    ['GZIP', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['gzip, br', brotliCompressSync(gzipSync(body))],
    ['deflate, gzip, identity', gzipSync(deflateSync(body))],
    ['identity', Buffer.from(body)],
  ];
  for (const [coding, packed] of cases)
    for (const pieces of [1, 100, 100_000])
      assert.equal(
        verdictOf(await probing({ body: packed, pieces, headers: { 'content-encoding': coding } }, 'the text')),
        ok,
        `${coding} in pieces of ${pieces}`,
      );
});

content('a web check accepts an empty body in any content coding', async () => {
  assert.equal(verdictOf(await probing({ body: '', headers: { 'content-encoding': 'gzip' } })), ok);
  const server = await httpServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end());
  const outcome = await probe(`http://127.0.0.1:${server.port}/`, {
    parameters: { http_request: { method: 'HEAD' } },
  });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
});

content('a web check treats a body that can’t be decompressed as an incomplete response', async () => {
  const broken = (coding: string) => ({
    status: 'down',
    reason: 'protocol',
    error_message: `The response is not valid ${coding}, or it is cut off.`,
  });
  const cut = gzipSync('x'.repeat(10_000)).subarray(0, 10);
  const damaged = gzipSync('lorem ipsum '.repeat(500));
  damaged.fill(0xff, 20, 30);
  for (const body of [cut, cut.subarray(0, 3), damaged])
    assert.equal(verdictOf(await probing({ body, headers: { 'content-encoding': 'gzip' } })), broken('gzip'));
  for (const coding of ['br', 'deflate'])
    assert.equal(verdictOf(await probing({ body: '\x78', headers: { 'content-encoding': coding } })), broken(coding));
  assert.equal(verdictOf(await probing({ body: 'plain', headers: { 'content-encoding': 'gzip' } })), broken('gzip'));
  assert.equal(verdictOf(await probing({ body: 'plain', headers: { 'content-encoding': 'br' } })), broken('br'));
  assert.equal(
    verdictOf(await probing({ body: 'plain', headers: { 'content-encoding': 'deflate' } })),
    broken('deflate'),
  );
  assert.is((await probing({ body: cut, headers: { 'content-encoding': 'gzip' } })).response_time, null);
});

/** Returns gzip data whose header contains all optional fields (RFC 1952, 2.3). */
const decorated = (packed: Buffer): Buffer => {
  const extra = Buffer.from([3, 0, 1, 2, 3]);
  const header = Buffer.concat([packed.subarray(0, 10), extra, Buffer.from('name\0a comment\0'), Buffer.from([7, 7])]);
  header[3] = 0x1e;
  return Buffer.concat([header, packed.subarray(10)]);
};

const spoiltAt = (bytes: Buffer, at: number): Buffer => {
  const spoilt = Buffer.from(bytes);
  const index = (at + bytes.length) % bytes.length;
  spoilt[index] = (spoilt[index] ?? 0) ^ 0xff;
  return spoilt;
};

const notesOf = async (output: Said, text: string) => {
  const outcome = await probing(output, text);
  assert.equal(verdictOf(outcome), ok);
  return outcome.check_metadata['notes'];
};

content('a web check reads flawed compressed data as browsers do, and adds a note', async () => {
  const body = `the text${'lorem ipsum '.repeat(10_000)}${'x'.repeat(300_000)}`;
  const [gzip, zlibbed, raw, br] = [gzipSync(body), deflateSync(body), deflateRawSync(body), brotliCompressSync(body)];
  const after = (packed: Buffer): Buffer => Buffer.concat([packed, Buffer.from('\r\n')]);
  const unfinished = (coding: string) =>
    `The ${coding} data of the response is unfinished; the part that arrived was read.`;
  const lacking = (coding: string) => `The ${coding} data of the response lacks its checksum.`;
  const wrong = (coding: string) => `The ${coding} data of the response does not match its checksum.`;
  const trailing = (coding: string) =>
    `The ${coding} data of the response is followed by other bytes, which were ignored.`;
  const cases: [coding: string, packed: Buffer, notes: string[] | undefined][] = [
    ['gzip', decorated(gzip), undefined],
    ['gzip', gzip.subarray(0, -8), [lacking('gzip')]],
    ['gzip', gzip.subarray(0, -1), [lacking('gzip')]],
    ['gzip', gzip.subarray(0, gzip.length / 2), [unfinished('gzip')]],
    ['gzip', spoiltAt(gzip, -8), [wrong('gzip')]],
    ['gzip', spoiltAt(gzip, -1), [wrong('gzip')]],
    ['gzip', after(gzip), [trailing('gzip')]],
    ['gzip', Buffer.concat([gzip, Buffer.alloc(16)]), [trailing('gzip')]],
    ['gzip', Buffer.concat([gzip, gzip.subarray(0, 5)]), [trailing('gzip')]],
    ['deflate', zlibbed.subarray(0, -4), [lacking('deflate')]],
    ['deflate', zlibbed.subarray(0, zlibbed.length / 2), [unfinished('deflate')]],
    ['deflate', spoiltAt(zlibbed, -1), [wrong('deflate')]],
    ['deflate', after(zlibbed), [trailing('deflate')]],
    ['deflate', raw.subarray(0, raw.length / 2), [unfinished('deflate')]],
    ['deflate', after(raw), [trailing('deflate')]],
    ['br', br.subarray(0, br.length - 1), [unfinished('br')]],
    ['br', after(br), [trailing('br')]],
    ['gzip, br', brotliCompressSync(gzip.subarray(0, -8)), [lacking('gzip')]],
    ['gzip, deflate', after(deflateSync(after(gzip))), [trailing('gzip'), trailing('deflate')]],
  ];
  for (const [coding, packed, notes] of cases)
    for (const pieces of [1, 700, 1_000_000]) {
      if (pieces === 1 && packed.length > 3_000) continue;
      const headers = { 'content-encoding': coding };
      const where = `${coding} in pieces of ${pieces}: ${String(notes)}`;
      // Neither text occurs, so the whole body is read.
      const parameters = { search_text: 'the text', assertions: { search_text_absent: 'nothing' } };
      const server = await httpServer((_, response) => {
        response.writeHead(200, headers);
        for (let at = 0; at < packed.length; at += pieces) response.write(packed.subarray(at, at + pieces));
        response.end();
      });
      const outcome = await probe(`http://127.0.0.1:${server.port}/`, { parameters });
      await server.close();
      assert.equal(verdictOf(outcome), ok, where);
      // Nested codings may report their flaws in any order.
      const reported = outcome.check_metadata['notes'] as string[] | undefined;
      assert.equal(reported?.toSorted(), notes?.toSorted(), where);
    }
});

content(
  'a web check treats unfinished compressed data as truncated only if the end of the connection delimits the body',
  async () => {
    const packed = gzipSync('lorem ipsum '.repeat(10_000));
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n';
    for (const [length, status] of [
      ['', 'down'],
      ['Content-Length: 200\r\n', 'ok'],
    ]) {
      const server = await saying([`${head}${String(length)}\r\n`, packed.subarray(0, 200)], (socket) => socket.end());
      const outcome = await probe(`http://127.0.0.1:${server.port}/`);
      await server.close();
      assert.is(outcome.status, status);
    }
  },
);

content('a web check reads a stream of up to a thousand compressed members', async () => {
  const members = Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync('')));
  const outcome = await probing({ body: members, headers: { 'content-encoding': 'gzip' } });
  assert.equal(verdictOf(outcome), ok);
  assert.match(String(outcome.check_metadata['notes']), 'followed by other bytes');
});

content('a web check ignores an unknown Content-Encoding as browsers do, and adds a note', async () => {
  const body = '{"status":"all ok"}';
  const cases: [string, Buffer, string][] = [
    ['UTF-8', Buffer.from(body), 'utf-8'],
    ['none', Buffer.from(body), 'none'],
    ['binary', Buffer.from(body), 'binary'],
    ['aws-chunked', Buffer.from(body), 'aws-chunked'],
    ['aws-chunked,gzip', gzipSync(body), 'aws-chunked'],
    ['8bit, utf-8, br', brotliCompressSync(body), '8bit, utf-8'],
  ];
  for (const [coding, bytes, ignored] of cases) {
    const notes = await notesOf({ body: bytes, headers: { 'content-encoding': coding } }, 'all ok');
    assert.equal(notes, [`The Content-Encoding "${ignored}" is unknown and was ignored.`]);
  }
  const many = await notesOf({ body, headers: { 'content-encoding': 'x,'.repeat(5_000) } }, 'all ok');
  assert.is((many as string[]).length, 1);
  assert.ok(String(many).length < 200);
});

content(
  'a body in a known coding that is impossible to decompress fails only the text search of a web check',
  async () => {
    const old = { body: 'x', headers: { 'content-encoding': 'compress' } };
    assert.equal(verdictOf(await probing(old)), ok);
    const outcome = await probing(old, 'x');
    assert.is(outcome.error_message, 'The response is encoded as "compress", which can\'t be searched.');
    assert.is(outcome.check_metadata['body_excerpt'], '[encoded as compress]');
  },
);

content('a web check offers and decompresses zstd if Node.js supports it, with a window of at most 8 MiB', async () => {
  const { zstdCompressSync, constants } = zlib as {
    zstdCompressSync?: (given: Buffer, options?: object) => Buffer;
    constants: Record<string, number>;
  };
  let offered: unknown;
  const body = (zstdCompressSync ?? ((given: Buffer) => given))(Buffer.from('Grüße, hidden in zstd'));
  const server = await httpServer(({ headers }, response) => {
    offered = headers['accept-encoding'];
    response.writeHead(200, { 'content-encoding': 'zstd' }).end(body);
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const outcome = await probe(url, { parameters: { search_text: 'Grüße' } });
  await server.close();
  if (!zstdCompressSync) {
    assert.is(offered, 'gzip, br, deflate');
    assert.is(outcome.error_message, 'The response is encoded as "zstd", which can\'t be searched.');
    return;
  }
  assert.is(offered, 'gzip, br, deflate, zstd');
  assert.equal(verdictOf(outcome), ok);
  const wide = zstdCompressSync(Buffer.alloc(32 * MIB), {
    params: { [constants['ZSTD_c_windowLog'] ?? 0]: 25, [constants['ZSTD_c_contentSizeFlag'] ?? 0]: 0 },
  });
  assert.is((await probing({ body: wide, headers: { 'content-encoding': 'zstd' } })).reason, 'protocol');
});

content('a web check fails because of a decompression bomb, even if nested', async () => {
  const bomb = {
    status: 'failed',
    reason: 'size',
    error_message: 'The response decompresses to more than 10 MiB.',
  };
  const zeros = Buffer.alloc(200 * MIB);
  const gzip = gzipSync(zeros);
  const before = process.memoryUsage().rss;
  const cases: [string, Buffer][] = [
    ['gzip', gzip],
    ['br', brotliCompressSync(zeros.subarray(0, 50 * MIB))],
    ['deflate', deflateSync(zeros)],
    ['gzip, gzip', gzipSync(gzip)],
  ];
  for (const [coding, body] of cases) {
    assert.equal(verdictOf(await probing({ body, headers: { 'content-encoding': coding } })), bomb, coding);
    const searched = await probing({ body, headers: { 'content-encoding': coding } }, 'text');
    assert.equal(verdictOf(searched), notFound('text', 'in the first 10 MiB of the response'), coding);
  }
  const more = (process.memoryUsage().rss - before) / MIB;
  assert.ok(more < 150, `${more.toFixed(0)} MiB more`);
  assert.equal(
    verdictOf(await probing({ body: gzipSync(zeros.subarray(0, 9 * MIB)), headers: { 'content-encoding': 'gzip' } })),
    ok,
  );
});

content('a web check searches the first ten mebibytes of a plain body, and reads the rest to its end', async () => {
  const body = Buffer.alloc(11 * MIB, 'x');
  assert.equal(verdictOf(await probing({ body })), ok);
  body.write('early', 9 * MIB);
  assert.equal(verdictOf(await probing({ body }, 'early')), ok);
  body.write('later', 10 * MIB + 100);
  const late = await probing({ body }, 'later');
  assert.equal(verdictOf(late), notFound('later', 'in the first 10 MiB of the response'));
  assert.is(late.response_time, null);
});

content('a web check quotes a long text only as far as the sentence permits', async () => {
  const { error_message } = await probing({ body: 'x' }, 'y'.repeat(1_000));
  assert.is(error_message, `Text "${'y'.repeat(100)}…" was not found in the response.`);
});

content.run();
