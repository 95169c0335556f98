import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ConnectionLimits } from '../../../http/connections/limits.ts';
import { listen } from '../../../http/listen.ts';
import { createKindOf } from '../../../http/connections/pools.ts';
import { createIsVisit } from '../../../http/hosts/page-hosts.ts';
import { eventually } from '../../waiting.ts';

const test = suite('connection pools');

const hello: RequestListener = (_request, response) => {
  response.end('hello');
};
const CALL = 'GET /v1/pages HTTP/1.1\r\nHost: localhost\r\n\r\n';
const STREAM = 'GET /v1/events?since=x HTTP/1.1\r\nHost: localhost\r\n\r\n';
const VISIT = 'GET /status/acme/events HTTP/1.1\r\nHost: localhost\r\n\r\n';

const serve = (limits: Partial<ConnectionLimits>) =>
  listen(hello, {
    host: '127.0.0.1',
    port: 0,
    stopping: new AbortController(),
    grace: 0,
    limits,
    kindOf: createKindOf(createIsVisit({ isKnown: (name) => name === 'status.acme.test' })),
  });

interface Client {
  socket: Socket;
  /** Sends a request. @returns the response, or an empty text if the connection was closed without a response */
  ask: (request: string) => Promise<string>;
}

const open = (port: number, localAddress = '127.0.0.1'): Client => {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  return {
    socket,
    ask: async (request) => {
      received = '';
      socket.write(request);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return received;
    },
  };
};

/**
 * Starts a server and calls `use` with a function that sends a request over a new connection. Closes all connections.
 */
const crowd = async (limits: Partial<ConnectionLimits>, use: (ask: Ask) => Promise<void>): Promise<void> => {
  const server = await serve(limits);
  const clients: Client[] = [];
  const ask: Ask = async (request, from) => {
    const client = open(server.port, from);
    clients.push(client);
    return { client, answer: await client.ask(request) };
  };
  try {
    await use(ask);
  } finally {
    for (const { socket } of clients) socket.destroy();
    await server.stop();
  }
};
type Ask = (request: string, from?: string) => Promise<{ client: Client; answer: string }>;

test('visitors who exhaust their connection pool get an error response and do not affect API callers', () =>
  crowd({ total: 3, perAddress: 3, visitors: 4 }, async (ask) => {
    for (const from of ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2'])
      assert.match((await ask(VISIT, from)).answer, 'hello');
    const { answer } = await ask(VISIT, '127.0.0.3');
    assert.match(answer, /^HTTP\/1\.1 503 [^]*Retry-After: 2/);
    for (let calls = 0; calls < 3; calls++) assert.match((await ask(CALL, '127.0.0.3')).answer, 'hello');
    assert.is((await ask(CALL, '127.0.0.4')).answer, '');
  }));

test('API callers who exhaust their connection pool do not affect visitors', () =>
  crowd({ total: 1, perAddress: 1, visitors: 4 }, async (ask) => {
    assert.match((await ask(CALL)).answer, 'hello');
    assert.is((await ask(CALL, '127.0.0.2')).answer, '');
    assert.match((await ask(VISIT)).answer, 'hello');
  }));

test('event streams that exhaust their connection pool get an error response and do not affect other requests', () =>
  crowd({ total: 2, perAddress: 2, visitors: 2, streams: 4 }, async (ask) => {
    for (const from of ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2'])
      assert.match((await ask(STREAM, from)).answer, 'hello');
    assert.match((await ask(STREAM, '127.0.0.3')).answer, /^HTTP\/1\.1 503 [^]*Retry-After: 2/);
    for (let calls = 0; calls < 2; calls++) assert.match((await ask(CALL, '127.0.0.4')).answer, 'hello');
    assert.match((await ask(VISIT, '127.0.0.5')).answer, 'hello');
  }));

test('API callers and visitors who exhaust their connection pools do not affect event streams', () =>
  crowd({ total: 1, perAddress: 1, visitors: 1, streams: 2 }, async (ask) => {
    assert.match((await ask(CALL)).answer, 'hello');
    assert.match((await ask(VISIT, '127.0.0.2')).answer, 'hello');
    assert.match((await ask(STREAM, '127.0.0.3')).answer, 'hello');
  }));

test('event streams share the connection pool of API callers if they have no pool of their own', () =>
  crowd({ total: 1, perAddress: 1, visitors: 1, streams: 0 }, async (ask) => {
    assert.match((await ask(STREAM)).answer, 'hello');
    assert.is((await ask(CALL, '127.0.0.2')).answer, '');
  }));

test('one address can have more connections of visitors than of API callers', () =>
  crowd({ total: 10, perAddress: 1, visitors: 6 }, async (ask) => {
    for (let people = 0; people < 3; people++) assert.match((await ask(VISIT)).answer, 'hello');
    assert.match((await ask(VISIT)).answer, /^HTTP\/1\.1 503/, 'half of all are for others');
    assert.match((await ask(VISIT, '127.0.0.2')).answer, 'hello');
    assert.match((await ask(CALL)).answer, 'hello');
    assert.is((await ask(CALL)).answer, '');
  }));

test('a connection belongs to the pool of its newest request until it is closed', () =>
  crowd({ total: 1, perAddress: 1, visitors: 2 }, async (ask) => {
    const { client } = await ask(CALL);
    assert.match(await client.ask(VISIT), 'hello');
    const other = await ask(CALL);
    assert.match(other.answer, 'hello');
    assert.is(await client.ask(CALL), '');
    other.client.socket.destroy();
    await eventually(async () => (await ask(CALL)).answer.includes('hello'));
  }));

test('a request to the host of a page counts as a visit', () => {
  const isVisit = createIsVisit({ isKnown: (name) => name === 'status.acme.test' });
  for (const [host, url] of [
    ['Status.Acme.Test:443', '/'],
    ['localhost', '/status/acme'],
    ['localhost', '/site/assets/x.css'],
  ] as const)
    assert.ok(isVisit({ url, headers: { host } }), url);
  for (const [host, url] of [
    ['localhost', '/'],
    ['localhost', '/statuses'],
    ['other.test', '/v1/pages'],
  ] as const)
    assert.not(isVisit({ url, headers: { host } }), url);
  assert.not(isVisit({ url: '/', headers: {} }));
});

test.run();
