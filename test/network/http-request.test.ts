import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpFetch, type HttpResponseWithBody } from '../../network/http-request.ts';
import { contextOf } from '../probes/run-context.ts';
import { closeServers, rawServer, saying } from '../probes/web/servers.ts';

const fetching = suite('fetching a whole HTTP response');
fetching.after.each(closeServers);

const MOST = 64 * 1_024;

const fetched = async (port: number, signal = new AbortController().signal): Promise<HttpResponseWithBody> =>
  httpFetch(
    { url: new URL(`http://127.0.0.1:${port}/a?b=c`), method: 'GET', headers: {}, body: null },
    MOST,
    contextOf({ signal }),
  );

/** Fetches from a server that sends `answer`. @returns the error message, or the status if there was no error */
const failed = async (answer: string, then: (socket: Socket) => void = (socket) => socket.end()): Promise<string> => {
  const server = await saying(answer, then);
  try {
    const { status } = await fetched(server.port);
    return `status ${status}`;
  } catch (error) {
    return (error as Error).message.replace(/127\.0\.0\.1:\d+/, 'it');
  }
};

const HEAD = 'HTTP/1.1 200 OK\r\n';

const WHOLE: readonly [string, string][] = [
  ['of a given length', `${HEAD}content-length: 5\r\n\r\nhello`],
  ['in chunks', `${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`],
  ['that ends with the connection', `${HEAD}\r\nhello`],
];

for (const [name, answer] of WHOLE) {
  fetching(`a fetched response can have a body ${name}`, async () => {
    const server = await saying(answer, (socket) => socket.end());
    const { status, body } = await fetched(server.port);
    assert.equal([status, body.toString()], [200, 'hello']);
  });
}

/** Responses that browsers accept, although each violates RFC 9112 in one way. */
const ODD: readonly [string, string][] = [
  ['after an interim answer', `HTTP/1.1 100 Continue\r\n\r\n${HEAD}content-length: 5\r\n\r\nhello`],
  ['with bare LFs', 'HTTP/1.1 200 OK\ncontent-length: 5\n\nhello'],
  ['with a blank before a colon', `${HEAD}content-length : 5\r\n\r\nhello`],
  ['with the same length twice', `${HEAD}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`],
  ['with a length and chunks', `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
  ['with a length and a transfer coding of its own', `${HEAD}transfer-encoding: x\r\ncontent-length: 5\r\n\r\nhello`],
  ['with a control byte in a header', `${HEAD}x-name: a\u0001b\r\ncontent-length: 5\r\n\r\nhello`],
  ['with lines that are no headers', `${HEAD}HTTP/1.1 500 No\r\nbad name: x\r\ncontent-length: 5\r\n\r\nhello`],
  ['with 20 KB of headers', `${HEAD}x: ${'x'.repeat(20_000)}\r\ncontent-length: 5\r\n\r\nhello`],
];

for (const [name, answer] of ODD) {
  fetching(`fetching accepts a response ${name}, as web checks do`, async () => {
    const server = await saying(answer);
    const { status, body } = await fetched(server.port);
    assert.equal([status, body.toString()], [200, 'hello']);
  });
}

fetching('a fetched response may be a redirect, which is not followed', async () => {
  const server = await saying('HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n');
  const { status, headers, body } = await fetched(server.port);
  assert.equal([status, headers['location'], body.length], [302, '/x', 0]);
});

fetching('a fetched response that is cut off, too large or not HTTP is rejected', async () => {
  const cut = 'it closed the connection in the middle of its answer.';
  assert.is(await failed(`${HEAD}content-length: 6\r\n\r\nhello`), cut);
  assert.is(await failed(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`), cut);
  assert.is(await failed(`${HEAD}\r\n${'x'.repeat(MOST + 1)}`), 'The answer of it is larger than 64 KiB.');
  const noStatusLine = 'The answer of it is not valid HTTP: it does not begin with a status line.';
  assert.is(await failed('hello\r\n\r\n'), noStatusLine);
  assert.is(await failed('SSH-2.0-x\r\n'), 'The answer of it is not HTTP: the server speaks SSH.');
  const large = `${HEAD}X: ${'x'.repeat(70_000)}\r\n\r\n`;
  assert.is(await failed(large), 'The headers of the answer of it are larger than 64 KiB.');
  assert.is(await failed(''), 'it closed the connection before it answered.');
});

fetching('fetching ends when the signal aborts, even within a body', async () => {
  const ending = new AbortController();
  const server = await rawServer((socket) => {
    socket.once('data', () => socket.write(`${HEAD}content-length: 6\r\n\r\nhello`));
    setTimeout(() => {
      ending.abort(new Error('over'));
    }, 50);
  });
  try {
    await fetched(server.port, ending.signal);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'over');
  }
});

fetching.run();
