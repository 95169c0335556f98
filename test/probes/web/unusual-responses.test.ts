import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChunkDecoder } from '../../../network/http/chunk-decoder.ts';
import { oddIn, staying } from './hostile.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { httpServer, rawServer, saying } from './servers.ts';

const reading = suite('web checks of servers with unusual responses');
const odd = oddIn(reading);

odd('a web check accepts a body that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nall ok');
odd('a web check accepts a response of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nall ok');
odd(
  'a web check ignores bytes after the end of the body',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n',
);
odd(
  'a web check does not wait for a server to close the connection',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  staying,
);
odd('a web check accepts a status without a reason phrase', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok');
odd('a web check accepts a status without a space', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok');
odd('a web check accepts a response in lower case', 'http/1.1 200 ok\r\ncontent-length: 2\r\n\r\nok', staying);
odd(
  'a web check ignores empty lines before the response',
  '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  staying,
);
odd(
  'a web check accepts headers that are named like properties of JavaScript objects',
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
    `a web check ignores an unrequested interim response ${interim.slice(9, 12)}`,
    `${interim}${interim}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
    staying,
  );

// Lines, as browsers read them

odd('a web check accepts lines that end with a bare LF', 'HTTP/1.1 200 OK\nX: y\nContent-Length: 2\n\nok', staying);
odd(
  'a web check accepts an empty line that ends differently from other lines',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\n\r\nok',
  staying,
);
odd(
  'a web check accepts a header that continues in the next line',
  'HTTP/1.1 200 OK\r\nX: a\r\n  b\r\n\tc\r\nContent-Length:\r\n 2\r\n\r\nok',
  staying,
);
for (const [what, line] of [
  ['has a space in its name', 'Bad Header: x'],
  ['has no name', ': x'],
  ['has no colon', 'hello'],
  ['is a second status line', 'HTTP/1.0 500 No'],
  ['continues in the next one', 'hello\r\n Content-Length: 9'],
] as const)
  odd(
    `a web check ignores a line that ${what}, because it is not a header`,
    `HTTP/1.1 200 OK\r\n${line}\r\nContent-Length: 2\r\n\r\nok`,
    staying,
  );
odd(
  'a web check accepts spaces before the colon of a header',
  'HTTP/1.1 200 OK\r\nContent-Length \t: 2\r\n\r\nok',
  staying,
);
odd(
  'a web check accepts chunks with bare LFs, spaces, zeros and extensions',
  'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1  \no\n000001;name="value"\r\nk\r\n00\n\n',
  staying,
);
odd(
  'a web check ignores trailers',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: x\r\n\r\n',
  staying,
);
odd(
  'a web check accepts the same length twice',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2, 2\r\n\r\nok',
  staying,
);
odd(
  'a web check ignores the transfer coding identity',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok',
  staying,
);
odd(
  'a web check uses chunks rather than a length',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  staying,
);
odd(
  'a web check uses a length rather than an unknown transfer coding',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: x\r\n\r\nok',
  staying,
);
odd(
  'a web check ignores leading zeros of a length',
  'HTTP/1.1 200 OK\r\nContent-Length: 0000000002\r\n\r\nok',
  staying,
);

reading('a web check notes unusual responses that may hide a fault', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n';
  const server = await saying(`${head}2\r\nok\r\n0\r\n\r\n`, staying);
  const { check_metadata } = await probe(`http://127.0.0.1:${server.port}/`);
  await server.close();
  assert.equal(check_metadata['notes'], ['The response has both a Content-Length and chunks; the length was ignored.']);
  assert.is(check_metadata['body_size'], 2);
});

reading('a web check notes lines that are not headers', async () => {
  const server = await saying('HTTP/1.1 200 OK\r\nHTTP/1.0 500 No\r\nContent-Length: 2\r\n\r\nok', staying);
  const { check_metadata } = await probe(`http://127.0.0.1:${server.port}/`);
  await server.close();
  assert.equal(check_metadata['notes'], [
    'The response has lines among its headers that are not headers; they were ignored.',
  ]);
});

reading('a web check parses headers no matter where the response is cut', async () => {
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

reading('a web check decodes chunks no matter where they are cut', () => {
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

reading(
  'a web check treats a response without a body as complete after its head, whatever length it states',
  async () => {
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
  },
);

reading('a web check follows a redirect in UTF-8 or in other bytes', async () => {
  const requested: (string | undefined)[] = [];
  const target = await httpServer(({ url }, response) => {
    requested.push(url);
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
  assert.equal(requested, ['/gr%C3%BC%C3%9Fe?f%C3%BCr=dich', '/gr%FC%DFe']);
});

reading.run();
