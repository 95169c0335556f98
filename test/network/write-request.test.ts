import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { httpFetch, type HttpRequest } from '../../network/http-request.ts';
import { contextOf } from '../probes/run-context.ts';
import { closeServers, rawServer } from '../probes/web/servers.ts';

const sending = suite('writing an HTTP request');
sending.after.each(closeServers);

/** Sends a request to a server. @returns the request that the server receives, with `HOST` instead of its address */
const received = async (request: Partial<HttpRequest>, path = '/a?b=c'): Promise<string> => {
  const pieces: Buffer[] = [];
  const server = await rawServer((socket) => {
    socket.on('data', (piece) => pieces.push(piece));
    void once(socket, 'data').then(() => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  const url = new URL(`http://127.0.0.1:${server.port}${path}`);
  const whole = { method: 'GET', headers: {}, body: null, ...request, url };
  await httpFetch(whole, 1_024, contextOf({ signal: new AbortController().signal }));
  return Buffer.concat(pieces).toString('latin1').replaceAll(`127.0.0.1:${server.port}`, 'HOST');
};

sending('a request has a Host header, closes the connection, and keeps the spelling of its headers', async () => {
  const headers = { 'X-Name': 'caf\u00e9', accept: '*/*' };
  assert.is(
    await received({ headers }),
    'GET /a?b=c HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\nX-Name: caf\u00e9\r\naccept: */*\r\n\r\n',
  );
});

sending('a given Host header replaces the default one', async () => {
  assert.match(await received({ headers: { Host: 'example.test' } }), /^GET \S+ HTTP\/1.1\r\nhost: example.test\r\n/);
});

sending('the content length of a request is the size of its body in bytes', async () => {
  const sent = await received({ method: 'POST', body: 'caf\u00e9' });
  assert.match(sent, /\r\nconnection: close\r\ncontent-length: 5\r\n\r\ncaf\u00c3\u00a9$/);
});

sending('a request without a body has a content length of 0 only if its method expects a body', async () => {
  assert.match(await received({ method: 'POST', body: '' }), /\r\ncontent-length: 0\r\n\r\n$/);
  assert.not.match(await received({ method: 'DELETE' }), /content-length/);
});

const REFUSED: readonly [string, Partial<HttpRequest>][] = [
  ['a line break in a header', { headers: { 'x-name': 'a\r\nx-other: b' } }],
  ['a line break in the name of a header', { headers: { 'x-name: a\r\nx-other': 'b' } }],
  ['a NUL in a header', { headers: { 'x-name': 'a\0' } }],
  ['a non-Latin-1 character in a header', { headers: { 'x-name': '\u2713' } }],
  ['a header without a name', { headers: { '': 'a' } }],
  ['a transfer coding', { headers: { 'Transfer-Encoding': 'chunked' } }],
  ['an expectation', { headers: { expect: '100-continue' } }],
  ['a content length that differs from its body', { method: 'POST', headers: { 'content-length': '2' }, body: 'abc' }],
  ['an invalid method', { method: 'GET /b HTTP/1.1\r\nx:' }],
];

for (const [what, request] of REFUSED) {
  sending(`a request is not sent with ${what}`, async () => {
    try {
      await received(request);
    } catch (error) {
      assert.match((error as Error).message, /failed because of a problem on this machine/);
      return;
    }
    assert.unreachable('The request was sent.');
  });
}

sending.run();
