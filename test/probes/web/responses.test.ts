import type { IncomingHttpHeaders } from 'node:http';
import * as zlib from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Value } from '@sinclair/typebox/value';
import { HTTP_METHODS } from '../../../domain/check/types/web.ts';
import { RunAborted } from '../../../probes/engine/check-type.ts';
import { WebMetadata } from '../../../domain/check/types/web.ts';
import { rejects } from '../../rejects.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { httpServer, type Handler, type Opened } from './servers.ts';
import { eventually } from '../../waiting.ts';

const answers = suite('web checks of responding servers');

const serving = (sentence: string, handle: Handler, run: (url: string, server: Opened) => Promise<void>): void => {
  answers(sentence, async () => {
    const server = await httpServer(handle);
    try {
      await run(`http://127.0.0.1:${server.port}`, server);
    } finally {
      await server.close();
    }
  });
};

const hello: Handler = (_, response) => response.end('Hello, world');

serving('a web check of a responding server is ok, with a response time and valid metadata', hello, async (url) => {
  const outcome = await probe(`${url}/`);
  assert.equal(verdictOf(outcome), ok);
  assert.ok(Number.isInteger(outcome.response_time));
  assert.equal([...Value.Errors(WebMetadata, outcome.check_metadata)], []);
  const { timings, headers, ...metadata } = outcome.check_metadata;
  assert.equal(metadata, {
    connected: true,
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    address: '127.0.0.1',
    final_url: `${url}/`,
    status_code: 200,
    http_version: '1.1',
    body_size: 12,
  });
  assert.is((headers as Record<string, string>)['content-length'], '12');
  assert.is((timings as Record<string, unknown>)['tls'], null);
});

serving(
  'a web check accepts statuses below 400 by default',
  ({ url }, response) => {
    response.writeHead(Number(url?.slice(1)), { 'content-length': '0' }).end();
  },
  async (url) => {
    for (const status of [200, 204, 304, 399]) assert.equal(verdictOf(await probe(`${url}/${status}`)), ok);
    const sentences = {
      400: 'The server answered 400 Bad Request.',
      404: 'The server answered 404 Not Found.',
      499: 'The server answered 499.',
      503: 'The server answered 503 Service Unavailable.',
    };
    for (const [status, sentence] of Object.entries(sentences)) {
      const outcome = await probe(`${url}/${status}`);
      assert.equal(verdictOf(outcome), { status: 'failed', reason: 'status', error_message: sentence });
      assert.ok(Number.isInteger(outcome.response_time));
      assert.is(outcome.check_metadata['status_code'], Number(status));
    }
  },
);

/** Echoes the request in a header. */
const echo: Handler = ({ method, url, headers }, response, body) =>
  response.setHeader('x-asked', encodeURIComponent(JSON.stringify({ method, url, headers, body }))).end('echo');

interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Runs a web check, and returns the request that its server received. */
const asking = async (path: string, request: object): Promise<Asked> => {
  let requested: Asked | undefined;
  const server = await httpServer(({ method, url, headers }, response, body) => {
    requested = { method: method ?? '', url: url ?? '', headers, body };
    response.end('x');
  });
  const outcome = await probe(`http://127.0.0.1:${server.port}${path}`, {
    parameters: { http_request: request },
  });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
  if (!requested) throw new Error('The server received no request.');
  return requested;
};

answers('a web check can send every method, with a body', async () => {
  for (const method of HTTP_METHODS) {
    const requested = await asking('/a?b=c%20d', { method, body: 'Grüße' });
    assert.is(requested.method, method);
    assert.is(requested.url, '/a?b=c%20d');
    assert.is(requested.body, 'Grüße', method);
    assert.is(requested.headers['content-length'], '7');
  }
});

answers('headers of a web check override the default headers, except the headers of the connection', async () => {
  const usual = (await asking('/', {})).headers;
  assert.is(usual['user-agent'], 'Uptrail');
  // Node.js 20 does not support zstd.
  assert.is(usual['accept-encoding'], `gzip, br, deflate${'createZstdDecompress' in zlib ? ', zstd' : ''}`);
  assert.is(usual.connection, 'close');
  const { headers } = await asking('/', {
    headers: {
      'X-Trace': 'a b',
      'USER-AGENT': 'Mine',
      Host: 'shop.example',
      Connection: 'keep-alive',
      'Transfer-Encoding': 'chunked',
      Expect: '100-continue',
      'Content-Length': '999',
      Upgrade: 'h2c',
    },
  });
  assert.is(headers['x-trace'], 'a b');
  assert.is(headers['user-agent'], 'Mine');
  assert.is(headers.host, 'shop.example');
  assert.is(headers.connection, 'close');
  for (const name of ['transfer-encoding', 'expect', 'upgrade']) assert.is(headers[name], undefined, name);
});

answers('a web check sends Basic credentials in UTF-8, unless the check sets an Authorization header', async () => {
  const basic = await asking('/', { username: 'user', password: 'pä:ss' });
  assert.is(basic.headers.authorization, `Basic ${Buffer.from('user:pä:ss').toString('base64')}`);
  const nameless = await asking('/', { password: 'secret' });
  assert.is(nameless.headers.authorization, `Basic ${Buffer.from(':secret').toString('base64')}`);
  const own = await asking('/', { username: 'user', headers: { authorization: 'Bearer abc' } });
  assert.is(own.headers.authorization, 'Bearer abc');
});

serving('every web check opens its own connection and closes it', hello, async (url, server) => {
  const ports = new Set<unknown>();
  const watched = await httpServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x');
  });
  for (let i = 0; i < 5; i++) await probe(`http://127.0.0.1:${watched.port}/`);
  await watched.close();
  assert.is(ports.size, 5);
  await probe(url);
  await eventually(() => server.open() === 0);
});

serving(
  'a web check stores headers without secrets, even if the server repeats the check’s credentials',
  ({ headers }, response) => {
    response.setHeader('Set-Cookie', ['session=abc', 'other=def']);
    response.setHeader('Authorization', 'Bearer leaked');
    response.setHeader('X-Echo', `you sent ${headers.authorization ?? ''} and ${String(headers['x-api-key'])}`);
    response.setHeader('X-Password', 'hunter2-hunter2');
    response.setHeader('X-Short', `${String(headers['private-token'])} in ${Buffer.from('abcd').toString('base64')}`);
    response.setHeader('X-Form', new URLSearchParams({ a: String(headers['x-vault-token']) }).toString());
    response.setHeader('X-Json', JSON.stringify({ a: headers['x-vault-token'] }));
    response.setHeader('X-Plain', 'plain');
    response.end('x');
  },
  async (url) => {
    const { check_metadata } = await probe(url, {
      parameters: {
        http_request: {
          username: 'user',
          password: 'hunter2-hunter2',
          headers: { 'X-Api-Key': 'key-123456', 'PRIVATE-TOKEN': 'abcd', 'X-Vault-Token': 's."/ +' },
        },
      },
    });
    const headers = check_metadata['headers'] as Record<string, string>;
    assert.is(headers['set-cookie'], '********');
    assert.is(headers['authorization'], '********');
    assert.is(headers['x-echo'], 'you sent ******** and ********');
    assert.is(headers['x-password'], '********');
    assert.is(headers['x-short'], '******** in ********');
    assert.is(headers['x-form'], 'a=********');
    assert.is(headers['x-json'], '{"a":"********"}');
    assert.is(headers['x-plain'], 'plain');
  },
);

serving(
  'stored headers of a response contain no cookie values or credentials of the web check, even if the server repeats them within a URL',
  ({ headers }, response) => {
    response.setHeader('X-Session', 'session is abc-123=');
    response.setHeader('X-Quoted', 'quoted-value');
    response.setHeader('X-Login', `/login?token=${encodeURIComponent(headers.authorization ?? '')}`);
    response.setHeader('X-Secret', encodeURIComponent('päss/wörd'));
    response.end('x');
  },
  async (url) => {
    const { check_metadata } = await probe(url, {
      parameters: {
        http_request: {
          username: 'user',
          password: 'päss/wörd',
          headers: { Cookie: 'sid=abc-123=; other="quoted-value"' },
        },
      },
    });
    const headers = check_metadata['headers'] as Record<string, string>;
    assert.is(headers['x-session'], 'session is ********');
    assert.is(headers['x-quoted'], '********');
    assert.is(headers['x-login'], '/login?token=********');
    assert.is(headers['x-secret'], '********');
  },
);

serving(
  'a web check stores no more headers than fit into a result',
  (_, response) => {
    for (let i = 0; i < 60; i++) response.setHeader(`x-${i}`, 'v'.repeat(900));
    response.end('x');
  },
  async (url) => {
    const { check_metadata, status } = await probe(url);
    const headers = check_metadata['headers'] as Record<string, string>;
    assert.is(status, 'ok');
    assert.is(headers['x-0']?.length, 513);
    assert.ok(JSON.stringify(headers).length < 10_000);
  },
);

serving('a web check connects to an IPv6 address and to a name', echo, async (url) => {
  const server = await httpServer(hello, '::1');
  const port = server.port.toString();
  const outcome = await probe(`http://[::1]:${port}/`);
  assert.equal(verdictOf(outcome), ok);
  assert.is(outcome.check_metadata['host'], '::1');
  const named = await probe(`http://both.test:${port}/`, { hosts: { 'both.test': ['::1'] } });
  assert.equal(verdictOf(named), ok);
  assert.is(named.check_metadata['host'], 'both.test');
  assert.is(named.check_metadata['address'], '::1');
  await server.close();
  const other = url.replace('127.0.0.1', 'four.test');
  // Nothing listens on ::1 at this port, so the check tries the next address.
  const fallen = await probe(other, { hosts: { 'four.test': ['::1', '127.0.0.1'] } });
  assert.equal(verdictOf(fallen), ok);
  assert.is(fallen.check_metadata['address'], '127.0.0.1');
});

serving(
  'an aborted web check has no outcome',
  () => undefined,
  async (url, server) => {
    const ending = new AbortController();
    const run = probe(url, { signal: ending.signal });
    await eventually(() => server.open() > 0);
    ending.abort();
    await rejects(run, RunAborted);
    await rejects(probe(url, { signal: ending.signal }), RunAborted);
  },
);

answers.run();
