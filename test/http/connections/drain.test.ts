import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDrain } from '../../../http/connections/drain.ts';
import { eventually, realPause } from '../../waiting.ts';

const test = suite('draining the connections of a stopping server');

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Starts a server whose responses close their connections as soon as it stops. */
const started = async ({ keepAliveTimeout = 60_000 } = {}) => {
  const server = createServer({ keepAliveTimeout }, (_request, response: ServerResponse) => {
    if (stopping) response.setHeader('Connection', 'close');
    response.end('hello');
  });
  let stopping = false;
  const drain = createDrain(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const client = () => {
    const socket: Socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(REQUEST);
    return { socket, responses: () => received.split('hello').length - 1, received: () => received };
  };
  return {
    client,
    drain: () => {
      stopping = true;
      return drain();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
};

test('an idle connection gets a response to one more request, which closes it', async () => {
  const server = await started();
  const client = server.client();
  await eventually(() => client.responses() === 1);
  let isDrained = false;
  const drained = server.drain().then(() => (isDrained = true));
  await realPause(60, 'the connection must stay open although it is idle');
  assert.not(isDrained);
  client.socket.write(REQUEST);
  await drained;
  // The response can reach the client after the server has sent it.
  await eventually(() => client.responses() === 2);
  assert.match(client.received(), /Connection: close/);
  await server.close();
});

test('new connections are accepted while idle ones are still open, and do not prolong the wait', async () => {
  const server = await started();
  const idle = server.client();
  await eventually(() => idle.responses() === 1);
  const drained = server.drain();
  const late = server.client();
  await eventually(() => late.responses() === 1);
  idle.socket.end();
  await drained;
  await server.close();
});

test('an idle connection without another request is awaited until the announced time has passed', async () => {
  const server = await started({ keepAliveTimeout: 50 });
  const client = server.client();
  await eventually(() => client.responses() === 1);
  await server.drain();
  await server.close();
});

test('a server without connections stops immediately', async () => {
  const server = await started();
  await server.drain();
  await server.close();
});

test.run();
