import { EventEmitter, once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendResponse } from '../../http/response.ts';
import { isUrgent } from '../../http/app.ts';
import type { ConnectionLimits } from '../../http/connections/limits.ts';
import { listen, type ListenOptions, type LISTEN_TIMINGS } from '../../http/listen.ts';
import { eventStream } from '../../http/media/event-stream.ts';
import { EVENT_STREAM } from '../../http/media/media-types.ts';
import { fakeClock } from '../network/fake-clock.ts';
import { eventually } from '../waiting.ts';

const test = suite('slow and greedy clients');

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

const serve = (
  app: RequestListener,
  {
    limits = {},
    timings = {},
    ...others
  }: Pick<ListenOptions, 'isUrgent' | 'clock'> & {
    limits?: Partial<ConnectionLimits>;
    timings?: Partial<typeof LISTEN_TIMINGS>;
  } = {},
) =>
  listen(app, {
    host: '127.0.0.1',
    port: 0,
    stopping: new AbortController(),
    grace: 0,
    limits,
    timings: { check: 5, linger: 5, ...timings },
    ...others,
  });
const hello: RequestListener = (_request, response) => {
  response.end('hello');
};

/** Opens a connection of a client that never closes its side. */
const open = (port: number) => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      resolve(received);
    });
  });
  return { socket, closed, received: () => received };
};

/** Connects to a server that closes the connection immediately. @returns the bytes that the client has received */
const refused = async (port: number): Promise<string> => {
  const { socket, received } = open(port);
  await once(socket, 'end');
  socket.destroy();
  return received();
};

/** Writes until the server has closed the connection completely, not only its sending side. */
const untilCutOff = async (socket: Socket): Promise<void> => {
  await eventually(() => {
    if (!socket.destroyed) socket.write('x');
    return socket.destroyed;
  });
};

test('a request whose head does not arrive in time gets 408, and the connection is closed even if the client does not close it', async () => {
  const server = await serve(hello, { timings: { headers: 20 } });
  const { socket, closed } = open(server.port);
  socket.write('GET / HTTP/1.1\r\nHost: loc');
  await once(socket, 'end');
  await untilCutOff(socket);
  assert.match(await closed, /^HTTP\/1\.1 408 Request Timeout/);
  await server.stop();
});

test('a connection without a request is closed', async () => {
  const server = await serve(hello, { timings: { headers: 20 } });
  const { socket } = open(server.port);
  await once(socket, 'end');
  await untilCutOff(socket);
  await server.stop();
});

test('a request whose body arrives too slowly gets 408, and the connection is closed', async () => {
  const server = await serve(
    (request, response) => {
      request.on('error', () => undefined);
      request.resume().once('end', () => response.end());
    },
    { timings: { headers: 20, request: 40 } },
  );
  const { socket, closed } = open(server.port);
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
  await untilCutOff(socket);
  assert.match(await closed, /^HTTP\/1\.1 408 Request Timeout/);
  await server.stop();
});

/** Blocks the event loop, as a long computation does. */
const block = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

test('a request that arrived in time is processed even if the process was too busy to read it', async () => {
  const answered = new EventEmitter();
  const server = await serve(
    (request, response) => {
      answered.emit('begun');
      request.on('error', () => undefined);
      request.resume().once('end', () => response.end('read'));
    },
    { timings: { headers: 500, request: 500 } },
  );
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n';
  for (;;) {
    const began = performance.now();
    const [waiting, sending] = [open(server.port), open(server.port)];
    const begun = once(answered, 'begun');
    sending.socket.write(head);
    await Promise.all([begun, once(waiting.socket, 'connect')]);
    const isInTime = performance.now() - began < 250;
    waiting.socket.write(GET);
    sending.socket.write(Buffer.alloc(300_000));
    if (isInTime) block(700);
    const all = await Promise.all(
      [waiting, sending].map(async ({ socket, received, closed }) => {
        await Promise.race([closed, eventually(() => received() !== '')]);
        socket.destroy();
        return received();
      }),
    );
    // On a busy machine, the requests may have arrived too late, so the attempt does not count.
    if (!isInTime) continue;
    for (const text of all) assert.match(text, /^HTTP\/1\.1 200 /);
    break;
  }
  await server.stop();
});

test('a request that is not valid HTTP gets a response, and the connection is closed', async () => {
  const server = await serve(hello);
  const { socket, closed } = open(server.port);
  socket.write('HELLO\r\n\r\n');
  await once(socket, 'end');
  await untilCutOff(socket);
  assert.match(await closed, /^HTTP\/1\.1 400 Bad Request/);
  await server.stop();
});

test('a response that is not read is aborted', async () => {
  const answers = new EventEmitter();
  const answering = once(answers, 'begun') as Promise<[ServerResponse]>;
  const server = await serve(
    (_request, response) => {
      response.end(Buffer.alloc(64 * 1_048_576));
      answers.emit('begun', response);
    },
    { limits: { exchange: 30 } },
  );
  const { socket } = open(server.port);
  socket.pause();
  socket.write(GET);
  const [response] = await answering;
  if (!response.closed) await once(response, 'close');
  assert.ok(response.req.socket.destroyed);
  assert.ok(socket.bytesRead < 64 * 1_048_576);
  socket.destroy();
  await server.stop();
});

/** Returns a handler that responds with 64 MiB in chunks, as fast as the client reads them. */
const streaming =
  (begun: (response: ServerResponse) => void): RequestListener =>
  (_request, response) => {
    response.writeHead(200);
    Readable.from(
      (function* () {
        for (let piece = 0; piece < 1_024; piece++) yield Buffer.alloc(65_536);
      })(),
    ).pipe(response);
    begun(response);
  };

test('a streamed response can take longer than the time limit of an exchange if its client keeps reading', async () => {
  const server = await serve(
    (_request, response) => {
      response.writeHead(200);
      response.flushHeaders();
      let left = 15;
      const piece = setInterval(() => {
        left -= 1;
        if (left > 0) response.write('hello');
        else {
          clearInterval(piece);
          response.end('the end');
        }
      }, 100);
    },
    { limits: { exchange: 1_000 } },
  );
  const { socket, received } = open(server.port);
  socket.write(GET);
  while (!received().includes('the end')) await once(socket, 'data');
  socket.destroy();
  await server.stop();
});

test('a streamed response whose client does not read is aborted', async () => {
  const answers = new EventEmitter();
  const answering = once(answers, 'begun') as Promise<[ServerResponse]>;
  const server = await serve(
    streaming((response) => answers.emit('begun', response)),
    { limits: { exchange: 30 } },
  );
  const { socket } = open(server.port);
  socket.pause();
  socket.write(GET);
  const [response] = await answering;
  if (!response.closed) await once(response, 'close');
  assert.ok(response.req.socket.destroyed);
  socket.destroy();
  await server.stop();
});

test('a client that keeps sending requests without reading is disconnected', async () => {
  let requests = 0;
  const server = await serve(
    () => {
      requests += 1;
    },
    // Responses that cannot be sent occupy their slots until the time limit of an exchange.
    { limits: { pipelined: 8, exchange: 2_000 } },
  );
  const { socket, closed } = open(server.port);
  socket.write(GET.repeat(1_000));
  await untilCutOff(socket);
  await closed;
  assert.is(requests, 1);
  await server.stop();
});

test('a pipelined request is passed on only after the previous response of its connection has been sent', async () => {
  const passedOn: (string | undefined)[] = [];
  const untaken: string[] = [];
  let previous: ServerResponse | null = null;
  const server = await serve((request, response) => {
    passedOn.push(request.url);
    if (previous && !previous.closed) untaken.push(request.url ?? '');
    previous = response;
    response.end(Buffer.alloc(16 * 1_048_576));
  });
  const { socket, received } = open(server.port);
  socket.pause();
  const paths = ['/1', '/2', '/3', '/4', '/5'];
  for (const path of paths) socket.write(GET.replace('/', path));
  // When another connection gets its response, the first response has filled the buffers of the operating system.
  const other = open(server.port);
  other.socket.write(GET);
  await once(other.socket, 'data');
  assert.equal(passedOn, ['/1', '/']);
  previous = null;
  other.socket.destroy();
  socket.resume();
  await eventually(() => received().split('HTTP/1.1 200 OK').length === paths.length + 1);
  assert.equal(passedOn, ['/1', '/', '/2', '/3', '/4', '/5']);
  assert.equal(untaken, ['/']);
  socket.destroy();
  await server.stop();
});

test('the server does not read requests that follow an unread response, so they stay in the client’s buffers', async () => {
  let handled = 0;
  const server = await serve(
    (_request, response) => {
      handled += 1;
      response.end(Buffer.alloc(16 * 1_048_576));
    },
    { limits: { pipelined: 1_000 } },
  );
  const { socket } = open(server.port);
  socket.pause();
  const long = GET.replace('\r\n\r\n', `\r\nX-Long: ${'x'.repeat(15_000)}\r\n\r\n`);
  for (let sent = 0; sent < 990; sent++) socket.write(long);
  const other = open(server.port);
  other.socket.write(GET);
  await once(other.socket, 'data');
  assert.is(handled, 2);
  assert.ok(socket.writableLength > 0);
  for (const one of [socket, other.socket]) one.destroy();
  await server.stop();
});

test('a client that reads no byte for 30 seconds is disconnected', async () => {
  const clock = fakeClock(0);
  const answers = new EventEmitter();
  const answering = once(answers, 'begun') as Promise<[ServerResponse]>;
  const server = await serve(
    (_request, response) => {
      response.end(Buffer.alloc(64 * 1_048_576));
      answers.emit('begun', response);
    },
    { clock, limits: { exchange: 1e9 } },
  );
  const { socket } = open(server.port);
  socket.pause();
  socket.write(GET);
  const [response] = await answering;
  await eventually(async () => {
    await clock.advance(10_000);
    return response.req.socket.destroyed;
  });
  socket.destroy();
  await server.stop();
});

test('an urgent request is processed while all other requests are queued', async () => {
  let started = 0;
  const server = await serve(
    (request, response) => {
      if (request.url?.startsWith('/health')) response.end('live');
      else started += 1;
    },
    { limits: { concurrent: 1, slotTime: 60_000 }, isUrgent },
  );
  const clients = Array.from({ length: 5 }, () => open(server.port));
  for (const { socket } of clients) socket.write(GET);
  await eventually(() => started === 1);
  const live = open(server.port);
  live.socket.write(GET.replace('/', '/health/live?from=here'));
  await eventually(() => live.received().includes('live'));
  assert.is(started, 1);
  for (const { socket } of [...clients, live]) socket.destroy();
  await server.stop();
});

test('open event streams do not delay other requests', async () => {
  const body = eventStream(async function* (signal) {
    yield { data: 'hello' };
    await once(signal, 'abort');
  });
  const server = await serve(
    (request, response) => {
      const answer = { status: 200, headers: {}, body, type: EVENT_STREAM };
      void sendResponse(request, response, answer, { requestId: '', closing: false }).streamed?.catch(() => undefined);
    },
    { limits: { concurrent: 1, slotTime: 60_000 } },
  );
  const clients = Array.from({ length: 5 }, () => open(server.port));
  for (const { socket } of clients) socket.write(GET);
  await eventually(() => clients.every(({ received }) => received().includes('data: hello')));
  for (const { socket } of clients) socket.destroy();
  await server.stop();
});

test('requests whose bodies never arrive do not delay other requests', async () => {
  const server = await serve(
    (request, response) => {
      request.resume().once('end', () => response.end('hello'));
    },
    { limits: { concurrent: 1, slotTime: 60_000, arrivingSlotTime: 10 } },
  );
  const clients = Array.from({ length: 5 }, () => open(server.port));
  for (const { socket } of clients) socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{');
  const other = open(server.port);
  other.socket.write(GET);
  await once(other.socket, 'data');
  // A request whose body arrives late still gets a response.
  const [late] = clients;
  late?.socket.write('}');
  await eventually(() => late?.received().includes('hello') === true);
  for (const { socket } of [...clients, other]) socket.destroy();
  await server.stop();
});

test('the number of sequential requests per connection is unlimited', async () => {
  const server = await serve(hello, { limits: { pipelined: 2 } });
  const { socket, received } = open(server.port);
  for (let answers = 1; answers <= 10; answers++) {
    socket.write(GET);
    while (received().split('hello').length <= answers) await once(socket, 'data');
  }
  socket.destroy();
  await server.stop();
});

test('the number of connections per address is limited', async () => {
  const server = await serve(hello, { limits: { perAddress: 2 } });
  const [one, two] = [open(server.port), open(server.port)];
  for (const { socket } of [one, two]) {
    socket.write(GET);
    await once(socket, 'data');
  }
  assert.is(await refused(server.port), '');
  one.socket.destroy();
  // New connections are refused until the server notices that the first one is closed.
  for (;;) {
    const next = open(server.port);
    next.socket.write(GET);
    await Promise.race([once(next.socket, 'data'), once(next.socket, 'end'), next.closed]);
    next.socket.destroy();
    if (next.received() !== '') break;
  }
  two.socket.destroy();
  await server.stop();
});

test('the limit of connections per address does not apply to a trusted proxy', async () => {
  const server = await serve(hello, {
    limits: { perAddress: 1, total: 3, exempt: (address) => address === '127.0.0.1' },
  });
  const clients = Array.from({ length: 3 }, () => open(server.port));
  for (const { socket } of clients) {
    socket.write(GET);
    await once(socket, 'data');
  }
  assert.is(await refused(server.port), '');
  for (const { socket } of clients) socket.destroy();
  await server.stop();
});

test.run();
