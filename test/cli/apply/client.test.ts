import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, Refusal, type Client } from '../../../cli/apply/client.ts';
import { connect, type ConnectionConfig } from '../../../cli/connection.ts';
import { OperatorError } from '../../../service/operator-error.ts';

const test = suite('the client of the interface');

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs a test with a client of a server that `respond` implements. */
const withServer =
  (body: (given: { client: Client; respondBy: (respond: Responder) => void }) => Promise<void>) =>
  async (): Promise<void> => {
    let responder: Responder = (_, response) => response.end('{}');
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        responder(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = createClient({ server: new URL(`http://127.0.0.1:${port}`), key: 'k' });
    try {
      await body({
        client,
        respondBy: (respond) => {
          responder = respond;
        },
      });
    } finally {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    }
  };

const errorBody = (message: string): string => JSON.stringify({ code: 400, status: '…', message, errors: {} });

const refusedWith = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, OperatorError);
    return error as Error;
  }
  throw new Error('The request was not refused.');
};

test(
  'a change that gets 503, or whose connection ends, is repeated with the same Idempotency-Key',
  withServer(async ({ client, respondBy }) => {
    const keys: unknown[] = [];
    respondBy((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) response.writeHead(503, { 'retry-after': '0' }).end(errorBody('Busy.'));
      else if (keys.length === 2) request.socket.destroy();
      else response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"abcdefghijkl"}');
    });
    assert.equal(await client.write('POST', '/v1/check-groups', { name: 'A' }), { id: 'abcdefghijkl' });
    assert.is(keys.length, 3);
    assert.is(new Set(keys).size, 1);
  }),
);

/** Creates a server that listens again on its port, and a client whose pauses take no time. */
const restartable = async (paused: (pauses: readonly number[]) => Promise<void>) => {
  let responder: Responder = (_, response) => response.end('{}');
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    responder(request, response);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) =>
      server.listen(port, '127.0.0.1', () => {
        resolve();
      }),
    );
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const pauses: number[] = [];
  const client = createClient({
    server: new URL(`http://127.0.0.1:${port}`),
    key: 'k',
    wait: async (milliseconds) => {
      pauses.push(milliseconds);
      await paused(pauses);
    },
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) =>
      server.close(() => {
        resolve();
      }),
    );
  const respondBy = (respond: Responder): void => {
    responder = respond;
  };
  return { client, pauses, stop, respondBy, start: () => listen(port) };
};

test('a service that restarts within half a minute is waited for, and one that never responded only briefly', async () => {
  const restarting = await restartable(async ({ length }) => {
    if (length === 7) await restarting.start();
  });
  await restarting.client.get('/v1/checks');
  await restarting.stop();
  assert.equal(await restarting.client.get('/v1/checks'), {});
  assert.equal(restarting.pauses, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  await restarting.client.close();
  await restarting.stop();

  const stopped = await restartable(async () => undefined);
  await stopped.client.get('/v1/checks');
  await stopped.stop();
  assert.match((await refusedWith(stopped.client.get('/v1/checks'))).message, 'cannot be reached');
  // The time that the attempts take counts, too.
  assert.ok([7, 8, 9, 10].includes(stopped.pauses.length), String(stopped.pauses.length));
  await stopped.client.close();

  const absent = await restartable(async () => undefined);
  await absent.stop();
  assert.match((await refusedWith(absent.client.get('/v1/checks'))).message, 'cannot be reached');
  assert.is(absent.pauses.length, 4);
  await absent.client.close();
});

test('a service that is busy after a restart, or behind a proxy that has not noticed it yet, is waited for', async () => {
  const restarting = await restartable(async ({ length }) => {
    if (length === 6) await restarting.start();
  });
  await restarting.client.get('/v1/checks');
  await restarting.stop();
  const keys = new Set<unknown>();
  const statuses = [502, 503, 409, 504];
  restarting.respondBy((request, response) => {
    keys.add(request.headers['idempotency-key']);
    const status = statuses.shift();
    if (status === 503) response.setHeader('retry-after', '2');
    response.writeHead(status ?? 201).end(status === undefined ? '{"id":"abcdefghijkl"}' : errorBody('Later.'));
  });
  assert.equal(await restarting.client.write('POST', '/v1/check-groups', { name: 'A' }), { id: 'abcdefghijkl' });
  assert.equal(restarting.pauses, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 2_000, 500, 5_000]);
  assert.is(keys.size, 1);
  await restarting.client.close();
  await restarting.stop();
});

test('a proxy that never gets a response is waited for only after the service has responded', async () => {
  const behind = await restartable(async () => undefined);
  behind.respondBy((_, response) => response.writeHead(502).end());
  assert.match((await refusedWith(behind.client.get('/v1/checks'))).message, 'The response has the status 502.');
  assert.is(behind.pauses.length, 0);
  behind.respondBy((_, response) => response.end('{}'));
  await behind.client.get('/v1/checks');
  behind.respondBy((_, response) => response.writeHead(502).end());
  assert.match(
    (await refusedWith(behind.client.get('/v1/checks'))).message,
    'cannot be reached: The response has the status 502.',
  );
  assert.ok([7, 8, 9, 10].includes(behind.pauses.length), String(behind.pauses.length));
  await behind.client.close();
  await behind.stop();
});

test(
  'a wrong key is an error of its own, and a refusal names the invalid fields',
  withServer(async ({ client, respondBy }) => {
    respondBy((_, response) => response.writeHead(401).end(errorBody('No key.')));
    assert.match((await refusedWith(client.get('/v1/checks'))).message, 'does not accept the API key');
    const body = { message: 'Invalid.', errors: { json: { interval: ['Must be at least 30.'] } } };
    respondBy((_, response) => response.writeHead(422).end(JSON.stringify(body)));
    const refusal = await refusedWith(client.write('POST', '/v1/checks', {}));
    assert.instance(refusal, Refusal);
    assert.is(refusal.message, 'interval: Must be at least 30.');
  }),
);

test(
  'a list that changes while its pages are read is read again',
  withServer(async ({ client, respondBy }) => {
    let reads = 0;
    respondBy((request, response) => {
      reads += 1;
      const page = new URL(request.url ?? '', 'http://x').searchParams.get('page');
      // The first two reads show an item twice, as if another one had been created between them.
      const id = reads <= 2 ? 'a' : `id${page ?? ''}`;
      const pagination = { total_pages: 2, total_items: 2 };
      response.end(JSON.stringify({ groups: [{ id }], pagination }));
    });
    const items = await client.list('/v1/check-groups', 'groups');
    assert.equal(
      items.map(({ id }) => id),
      ['id1', 'id2'],
    );
  }),
);

test(
  'a server that is not Uptrail is reported as such',
  withServer(async ({ client, respondBy }) => {
    respondBy((_, response) => response.end('<html>'));
    assert.match((await refusedWith(client.get('/v1/checks'))).message, 'does not answer as Uptrail does');
  }),
);

const CONFIG: ConnectionConfig = {
  port: 3000,
  host: '0.0.0.0',
  dataDir: '/nonexistent',
  adminApiKey: null,
  url: null,
  apiKey: null,
};

test('the default is the service on this machine with its admin key', async () => {
  const client = await connect({}, { ...CONFIG, adminApiKey: 'k' });
  assert.is(client.server, 'http://127.0.0.1:3000');
  await client.close();
  assert.match((await refusedWith(connect({}, CONFIG))).message, /^There is no API key: set UPTRAIL_API_KEY/);
});

test('the admin key of this machine is sent to no other server, and no key over plain http', async () => {
  const config = { ...CONFIG, adminApiKey: 'k' };
  const other = await refusedWith(connect({ server: 'https://status.example' }, config));
  assert.is(other.message, 'UPTRAIL_API_KEY must be set to an API key of status.example.');
  const plain = await refusedWith(connect({ server: 'http://status.example' }, { ...config, apiKey: 'k' }));
  assert.match(plain.message, '--server must begin with https://');
  const allowed = await connect({ server: 'http://status.example', allowHttp: true }, { ...config, apiKey: 'k' });
  await allowed.close();
});

test.run();
