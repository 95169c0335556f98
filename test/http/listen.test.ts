import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '../../http/listen.ts';
import { rejects } from '../rejects.ts';
import { serveNotes } from '../api/notes.ts';
import { eventually } from '../waiting.ts';

const test = suite('starting and stopping the server');

/** Opens a connection, sends bytes, and collects everything that the server sends. */
const conversation = (port: number, bytes: string) => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(bytes);
  const closed = new Promise<string>((resolve) =>
    socket.once('close', () => {
      resolve(received);
    }),
  );
  return { socket, closed, received: () => received };
};
const POST =
  'POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nAuthorization: editor-key\r\n' +
  'Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"title":"one"}';

test('an idle connection stays open longer than the Keep-Alive header announces', async () => {
  const sockets = new Set<Socket>();
  const server = await listen(
    (request, response) => {
      sockets.add(request.socket);
      response.end('hello');
    },
    { host: '127.0.0.1', port: 0, stopping: new AbortController() },
  );
  const client = conversation(server.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => client.received().includes('hello'));
  const promised = Number(/^keep-alive: timeout=(\d+)/im.exec(client.received())?.[1]) * 1_000;
  await eventually(() => [...sockets].some(({ timeout = 0 }) => timeout > promised));
  client.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => client.received().split('hello').length === 3);
  await server.stop();
  await client.closed;
});

test('a stopping server finishes responses in progress, closes their connections and refuses new connections', async () => {
  const served = await serveNotes();
  let go = (): void => undefined;
  served.faults.hold = new Promise((resolve) => (go = resolve));
  const client = conversation(served.port, POST);
  await eventually(() => served.contexts.length === 1);
  const stopped = served.stop();
  await rejects(served.bare({ path: '/health/live' }), Error, /ECONNREFUSED/);
  go();
  const received = await client.closed;
  assert.match(received, /^HTTP\/1\.1 201 Created/);
  assert.match(received, /Connection: close/);
  await stopped;
});

test('a stopping server closes idle connections immediately', async () => {
  const served = await serveNotes();
  const client = conversation(served.port, 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => client.received().includes('live'));
  await served.stop();
  await client.closed;
});

test('a stopping server aborts responses that take longer than the grace period', async () => {
  // The default deadline exceeds the grace period, and its timer would keep the test process alive, so it is shortened
  // here.
  const served = await serveNotes({ answeredWithin: 2_000 });
  served.faults.hold = new Promise(() => undefined);
  const client = conversation(served.port, POST);
  await eventually(() => served.contexts.length === 1);
  await served.stop();
  assert.is(await client.closed, '');
});

test('a request that is not valid HTTP gets a JSON error response', async () => {
  const served = await serveNotes();
  const malformed = await conversation(served.port, 'HELLO\r\n\r\n').closed;
  assert.match(malformed, /^HTTP\/1\.1 400 Bad Request/);
  assert.match(malformed, '"code":400');
  const long = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
  assert.match(await conversation(served.port, long).closed, /^HTTP\/1\.1 431 /);
  await served.stop();
});

test('a request that the HTTP parser refuses gets a JSON error response, and its connection is closed', async () => {
  const served = await serveNotes();
  const withoutHost = await conversation(served.port, 'GET /health/live HTTP/1.1\r\n\r\n').closed;
  assert.match(withoutHost, /^HTTP\/1\.1 400 Bad Request/);
  assert.match(withoutHost, '"message":"An HTTP/1.1 request must have a Host header."');
  const older = await conversation(served.port, 'GET /health/live HTTP/1.0\r\n\r\n').closed;
  assert.match(older, /^HTTP\/1\.1 200 OK/);
  const expecting = POST.replace('Content-Length', 'Expect: more\r\nContent-Length');
  const unmet = await conversation(served.port, expecting).closed;
  assert.match(unmet, /^HTTP\/1\.1 417 Expectation Failed/);
  assert.match(unmet, '"code":417,"status":"Expectation Failed"');
  assert.is(served.contexts.length, 0);
  await served.stop();
});

test('listening on an address that is already in use fails with an error message that says so', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await rejects(
    listen(() => undefined, { host: '127.0.0.1', port, stopping: new AbortController() }),
    Error,
    `Can't listen on 127.0.0.1, port ${port}: another program listens there.`,
  );
  other.close();
});

test.run();
