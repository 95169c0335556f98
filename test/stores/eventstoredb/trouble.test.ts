import { createServer, type AddressInfo, type LookupFunction, type Server } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEventStoreDb } from '../../../stores/event-store/eventstoredb/open.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { explanationOf } from '../../../stores/connection-trouble.ts';
import { connect } from '../../../stores/eventstoredb/connection.ts';
import { readEvents } from '../../../stores/eventstoredb/reading.ts';
import { createAuthority, hasOpenssl, type Certificate } from '../../probes/web/certificates.ts';
import { startDouble } from '../../servers/eventstoredb/server.ts';
import { toldLines } from '../told.ts';
import { eventually } from '../../waiting.ts';
import { freePort } from '../../servers/ports.ts';

const suiteOf = suite('a connection to EventStoreDB that can not be made');
const authority = hasOpenssl() ? createAuthority() : null;
suiteOf.after(() => authority?.close());

const test = suiteOf;
const secure = (sentence: string, run: (given: ReturnType<typeof createAuthority>) => Promise<void>): void => {
  if (authority) test(sentence, () => run(authority));
  else {
    console.log(`  skipped: openssl is not installed (${sentence})`);
    test.skip(sentence);
  }
};

/** What an operator is told about a connection, and what everybody is. */
const told = async (url: string, lookup?: LookupFunction): Promise<{ message: string; explanation: string | null }> => {
  const connection = connect(url, { lookup });
  try {
    await readEvents(connection, 'probe-1', {}, 1_000);
  } catch (error) {
    assert.instance(error, StoreUnavailable);
    return { message: (error as Error).message, explanation: await explanationOf(error) };
  } finally {
    await connection.close();
  }
  throw new Error('There was nothing wrong.');
};

const NO_CONNECTION = 'EventStoreDB is not available: there is no connection to it.';

const withServer = async (tls: Certificate | undefined, run: (port: string) => Promise<void>): Promise<void> => {
  const server = await startDouble(tls && { tls });
  try {
    await run(server.port.toString());
  } finally {
    await server.close();
  }
};

/** A server of any kind on 127.0.0.1. */
const listening = async (server: Server): Promise<{ port: string; close: () => void }> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<{ destroy: () => void }>();
  server.on('connection', (socket) => sockets.add(socket));
  return {
    port: (server.address() as AddressInfo).port.toString(),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const SAFE = 'DNS:localhost,IP:127.0.0.1';

secure('is said to need the file of an authority that is not trusted', async ({ make, file }) => {
  await withServer(make('unknown', { names: SAFE }), async (port) => {
    assert.equal(await told(`esdb://localhost:${port}`), {
      message: NO_CONNECTION,
      explanation: `The certificate of localhost:${port} was signed by root, which is not trusted here: name the file of that authority by tlsCAFile in EVENTSTOREDB_URL.`,
    });
    make('other-root', { names: '', selfSigned: true, authority: true });
    const { explanation } = await told(`esdb://localhost:${port}?tlsCAFile=${file('other-root.crt')}`);
    assert.is(
      explanation,
      `The certificate of localhost:${port} was signed by root, which is not among the authorities of tlsCAFile in EVENTSTOREDB_URL.`,
    );
  });
});

secure('is said to be made without TLS to a server that has it only, and the reverse', async ({ make, file }) => {
  await withServer(make('secured', { names: SAFE }), async (port) => {
    assert.equal(await told(`esdb://localhost:${port}?tls=false`), {
      message: NO_CONNECTION,
      explanation: `localhost:${port} accepts only TLS connections: set tls=true in EVENTSTOREDB_URL.`,
    });
  });
  await withServer(undefined, async (port) => {
    assert.equal(await told(`esdb://127.0.0.1:${port}?tls=true&tlsCAFile=${file('root.crt')}`), {
      message: NO_CONNECTION,
      explanation: `127.0.0.1:${port} speaks no TLS: set tls=false in EVENTSTOREDB_URL.`,
    });
  });
});

secure('is said to find a certificate for another name, or another address', async ({ make, file }) => {
  await withServer(make('named', { names: 'DNS:events.example,IP:127.0.0.2' }), async (port) => {
    for (const host of ['localhost', '127.0.0.1']) {
      const { message, explanation } = await told(`esdb://${host}:${port}?tlsCAFile=${file('root.crt')}`);
      assert.is(message, NO_CONNECTION);
      assert.is(
        explanation,
        `The certificate of ${host}:${port} is not for ${host} but for DNS:events.example, IP Address:127.0.0.2: name the server in EVENTSTOREDB_URL as its certificate does, or give it one for ${host}.`,
      );
    }
  });
});

secure('is said to find a certificate that has expired, or is not valid yet', async ({ make, file }) => {
  await withServer(make('expired', { names: SAFE, until: '20210101000000Z' }), async (port) => {
    const { explanation } = await told(`esdb://localhost:${port}?tlsCAFile=${file('root.crt')}`);
    assert.is(
      explanation,
      `The certificate of localhost:${port}, or of who signed it, has expired (Jan  1 00:00:00 2021 GMT).`,
    );
  });
  await withServer(make('early', { names: SAFE, from: '20980101000000Z' }), async (port) => {
    const { explanation } = await told(`esdb://localhost:${port}?tlsCAFile=${file('root.crt')}`);
    assert.is(explanation, `The certificate of localhost:${port} is valid only from Jan  1 00:00:00 2098 GMT on.`);
  });
});

test('is said to find nobody listening', async () => {
  const port = (await freePort()).toString();
  for (const host of ['127.0.0.1', 'localhost']) {
    const explanation = `Nobody listens on ${host}:${port}.`;
    assert.equal(await told(`esdb://${host}:${port}?tls=false`), { message: NO_CONNECTION, explanation });
    assert.is((await told(`esdb://${host}:${port}?tls=true`)).explanation, explanation);
  }
});

test('is said to find something else than EventStoreDB', async () => {
  const greeting = await listening(createServer((socket) => socket.end('220 mail.example ESMTP\r\n')));
  const { explanation } = await told(`esdb://127.0.0.1:${greeting.port}?tls=false`);
  assert.is(explanation, `What listens on 127.0.0.1:${greeting.port} does not answer like EventStoreDB.`);
  greeting.close();
});

test('is said to find a name that is not resolved', async () => {
  const port = (await freePort()).toString();
  const lookup: LookupFunction = (name, _, done) => {
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
    });
    process.nextTick(done, error);
  };
  // The client itself asks the system, which knows this name.
  const { explanation } = await told(`esdb://localhost:${port}?tls=false`, lookup);
  assert.is(explanation, `The name localhost can't be resolved (ENOTFOUND).`);
});

test('names every host of a cluster whose nodes can not be asked', async () => {
  const [one, other] = [(await freePort()).toString(), (await freePort()).toString()];
  const message = 'EventStoreDB is not available: no node of the cluster can be reached.';
  const few = 'tls=false&maxDiscoverAttempts=1&discoveryInterval=1';
  assert.equal(await told(`esdb://127.0.0.1:${one},localhost:${other}?${few}`), {
    message,
    explanation: `Nobody listens on 127.0.0.1:${one}. Nobody listens on localhost:${other}.`,
  });
  assert.equal(await told(`esdb+discover://localhost:${other}?${few}`), {
    message,
    explanation: `Nobody listens on localhost:${other}.`,
  });
});

test('names the leader that a cluster tells of, where that is what can not be reached', async () => {
  const port = (await freePort()).toString();
  const server = await startDouble();
  server.faults.leader = { host: 'localhost', port: Number(port) };
  const { message, explanation } = await told(`esdb+discover://127.0.0.1:${server.port}?tls=false`);
  assert.is(message, NO_CONNECTION);
  assert.is(explanation, `Nobody listens on localhost:${port}. The cluster names that address as its leader's.`);
  await server.close();
});

test('is said to find a server that takes connections and does not answer', async () => {
  const frozen = await listening(createServer());
  const { message, explanation } = await told(`esdb://127.0.0.1:${frozen.port}?tls=false`);
  assert.is(message, 'EventStoreDB is not available: it did not answer in time.');
  assert.is(explanation, `127.0.0.1:${frozen.port} takes connections, but does not answer within 3 s.`);
  frozen.close();
});

secure('is made to an IP address without naming it, and its certificate is compared all the same', async (given) => {
  const warnings: (string | undefined)[] = [];
  const hear = (warning: Error & { code?: string }): void => void warnings.push(warning.code);
  process.on('warning', hear);
  const server = await startDouble({ tls: given.make('address', { names: 'IP:127.0.0.1' }) });
  for (const scheme of ['esdb', 'esdb+discover']) {
    const logs = openEventStoreDb(`${scheme}://127.0.0.1:${server.port}?tlsCAFile=${given.file('root.crt')}`);
    assert.equal(await logs.main.health(), { writable: true, message: null });
    await logs.close();
  }
  await server.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  assert.equal(warnings, []);
});

test('is told to the log of a process once, and that it is there again', async () => {
  const { watch, lines } = toldLines();
  const port = (await freePort()).toString();
  const logs = openEventStoreDb(`esdb://127.0.0.1:${port}?tls=false`, { watch });
  await eventually(async () => {
    await logs.main.readStream('probe-1').catch(() => undefined);
    return lines.length > 0;
  });
  for (let reads = 0; reads < 20; reads++) await logs.main.readStream('probe-1').catch(() => undefined);
  const server = await startDouble({ port: Number(port) });
  await eventually(async () => (await logs.main.health()).writable);
  assert.equal(lines, [`Nobody listens on 127.0.0.1:${port}.`, 'restored']);
  await logs.close();
  await server.close();
});

test('is not told of by health, which needs no key', async () => {
  const port = (await freePort()).toString();
  const logs = openEventStoreDb(`esdb://127.0.0.1:${port}?tls=false`);
  assert.equal(await logs.main.health(), { writable: false, message: NO_CONNECTION });
  await logs.close();
});

test.run();
