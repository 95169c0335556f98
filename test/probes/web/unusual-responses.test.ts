import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChunkDecoder } from '../../../network/http/chunk-decoder.ts';
import { oddIn, staying } from './hostile.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { httpServer, rawServer, saying } from './servers.ts';

const reading = suite('web checks of servers with unusual responses');
const odd = oddIn(reading);

odd('a body that ends with the connection is complete', 'HTTP/1.1 200 OK\r\n\r\nall ok');
odd('HTTP/1.0 is spoken still', 'HTTP/1.0 200 OK\r\n\r\nall ok');
odd(
  'bytes after the end of the body are nothing',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n',
);
odd('a server that does not close is not waited for', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', staying);
odd('a status without words will do', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok');
odd('a status without a blank will do', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok');
odd('small letters will do', 'http/1.1 200 ok\r\ncontent-length: 2\r\n\r\nok', staying);
odd('empty lines before the answer are nothing', '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', staying);
odd(
  'headers may be named as properties are',
  'HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\nContent-Length: 2\r\n\r\nok',
);

// Interim responses

for (const interim of [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 102 Processing\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
  'HTTP/1.1 199 Whatever\r\nContent-Length: 5\r\n\r\n',
  'HTTP/1.1 100 Continue\n\n',
])
  odd(
    `an interim answer that nobody asked for is passed over: ${interim.slice(9, 12)}`,
    `${interim}${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
    staying,
  );

// Lines, as browsers read them

odd('lines may end with a bare LF', 'HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nok', staying);
odd('the empty line may end otherwise than others', 'HTTP/1.1 200 OK\r\nContent-Length: 2\n\r\nok', staying);
odd(
  'a header may go on in the next line',
  'HTTP/1.1 200 OK\r\nX: a\r\n  b\r\n\tc\r\nContent-Length:\r\n 2\r\n\r\nok',
  staying,
);
for (const [what, line] of [
  ['has a blank in its name', 'Bad Header: x'],
  ['has no name', ': x'],
  ['has no colon', 'hello'],
  ['is a second status line', 'HTTP/1.0 500 No'],
  ['goes on in the next one', 'hello\r\n Content-Length: 9'],
] as const)
  odd(
    `a line that ${what} is no header, and passed over`,
    `HTTP/1.1 200 OK\r\n${line}\r\nContent-Length: 2\r\n\r\nok`,
    staying,
  );
odd('there may be blanks before the colon', 'HTTP/1.1 200 OK\r\nContent-Length \t: 2\r\n\r\nok', staying);
odd(
  'chunks may have bare LFs, blanks, zeros and extensions',
  'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1  \no\n000001;name="value"\r\nk\r\n00\n\n',
  staying,
);
odd(
  'trailers are passed over',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: x\r\n\r\n',
  staying,
);
odd('the same length twice is one', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2, 2\r\n\r\nok', staying);
odd(
  'a transfer coding of none is none',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok',
  staying,
);
odd(
  'chunks go before a length',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  staying,
);
odd(
  'a length goes before a transfer coding that is unknown',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: x\r\n\r\nok',
  staying,
);
odd('zeros before a length are nothing', 'HTTP/1.1 200 OK\r\nContent-Length: 0000000002\r\n\r\nok', staying);

reading('unusual responses that may hide a fault are noted', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n';
  const server = await saying(`${head}2\r\nok\r\n0\r\n\r\n`, staying);
  const { check_metadata } = await probe(`http://127.0.0.1:${server.port}/`);
  await server.close();
  assert.equal(check_metadata['notes'], ['The response has both a Content-Length and chunks; the length was ignored.']);
  assert.is(check_metadata['body_size'], 2);
});

reading('lines that are not headers are noted', async () => {
  const server = await saying('HTTP/1.1 200 OK\r\nHTTP/1.0 500 No\r\nContent-Length: 2\r\n\r\nok', staying);
  const { check_metadata } = await probe(`http://127.0.0.1:${server.port}/`);
  await server.close();
  assert.equal(check_metadata['notes'], [
    'The response has lines among its headers that are not headers; they were ignored.',
  ]);
});

reading('headers are parsed wherever the response is cut', async () => {
  const answer = Buffer.from(
    [
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Folded : one',
      '\r\n two\nX-Words: gr\u00fc\u00dfe\r\nX-Twice: a\r\nX-Twice: b\r\n\r\n3\r\nall\r\n3\r\n ok\r\n0\r\n\r\n',
    ].join(''),
  );
  const server = await rawServer((socket) => {
    socket.setNoDelay();
    socket.once('data', () => {
      const at = cut++;
      socket.write(answer.subarray(0, at), () => {
        setImmediate(() => socket.write(answer.subarray(at)));
      });
    });
  });
  let cut = 1;
  while (cut < answer.length) {
    const at = cut.toString();
    const outcome = await probe(`http://127.0.0.1:${server.port}/`, {
      parameters: { search_text: 'all ok' },
    });
    assert.equal(verdictOf(outcome), ok, at);
    const headers = outcome.check_metadata['headers'] as Record<string, string>;
    assert.equal([headers['x-folded'], headers['x-words'], headers['x-twice']], ['one two', 'grüße', 'a, b'], at);
  }
  await server.close();
});

reading('chunks are decoded wherever they are cut', () => {
  const body = 'The quick brown fox jumps over the lazy dog. '.repeat(3);
  const wire = Buffer.from(
    `5;x=y\r\n${body.slice(0, 5)}\r\n1\n${body.slice(5, 6)}\n${(body.length - 6).toString(16)}\r\n${body.slice(6)}\r\n0\r\nX: y\r\n\r\nrest`,
  );
  for (let size = 1; size <= wire.length; size++) {
    const chunks = createChunkDecoder();
    let read = '';
    for (let at = 0; at < wire.length; at += size)
      read += chunks.write(Buffer.from(wire.subarray(at, at + size))).toString();
    assert.is(read, body, `pieces of ${size}`);
    assert.ok(chunks.ended());
  }
});

// Responses without a body

reading('a response without a body is complete after its head, whatever length it states', async () => {
  for (const head of [
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n',
    'HTTP/1.1 204 No Content\r\nContent-Length: 100\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]) {
    const server = await saying(head, staying);
    const outcome = await probe(`http://127.0.0.1:${server.port}/`);
    await server.close();
    assert.equal(verdictOf(outcome), ok, head);
    assert.ok(Number.isInteger(outcome.response_time));
  }
  const server = await saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', staying);
  const parameters = { http_request: { method: 'HEAD' } };
  const outcome = await probe(`http://127.0.0.1:${server.port}/`, { parameters });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
});

reading('a redirect may be in UTF-8 or in other bytes', async () => {
  const asked: (string | undefined)[] = [];
  const target = await httpServer(({ url }, response) => {
    asked.push(url);
    response.end('ok');
  });
  const to = `http://127.0.0.1:${target.port}/`;
  for (const location of [Buffer.from(`${to}grüße?für=dich`), Buffer.from(`${to}gr\xfc\xdfe`, 'latin1')]) {
    const server = await saying([
      Buffer.concat([
        Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: '),
        location,
        Buffer.from('\r\n\r\n'),
      ]),
    ]);
    assert.equal(verdictOf(await probe(`http://127.0.0.1:${server.port}/`)), ok);
    await server.close();
  }
  await target.close();
  assert.equal(asked, ['/gr%C3%BC%C3%9Fe?f%C3%BCr=dich', '/gr%FC%DFe']);
});

reading.run();
