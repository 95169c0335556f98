import { createServer, type AddressInfo, type LookupFunction, type Server } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEventStoreDb } from '../../../stores/event-store/eventstoredb/open.ts';
import { StoreUnavailable } from '../../../stores/event-store/port.ts';
import { explanationOf } from '../../../stores/connection-diagnosis.ts';
import { connect } from '../../../stores/eventstoredb/connection.ts';
import { readEvents } from '../../../stores/eventstoredb/reads.ts';
import { createAuthority, hasOpenssl, type Certificate } from '../../probes/web/certificates.ts';
import { startDouble } from '../../servers/eventstoredb/server.ts';
import { recordReports } from '../recorded-reports.ts';
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

/** Returns the public error message of a failed connection, and the explanation for operators. */
const messagesOf = async (
  url: string,
  lookup?: LookupFunction,
): Promise<{ message: string; explanation: string | null }> => {
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

/** Starts a server on 127.0.0.1. */
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

secure('the message on an untrusted certificate authority names the setting for its file', async ({ make, file }) => {
  await withServer(make('unknown', { names: SAFE }), async (port) => {
    assert.equal(await messagesOf(`esdb://localhost:${port}`), {
      message: NO_CONNECTION,
      explanation: `The certificate of localhost:${port} was signed by root, which is not trusted here: set tlsCAFile in EVENTSTOREDB_URL to the file of that authority.`,
    });
    make('other-root', { names: '', selfSigned: true, authority: true });
    const { explanation } = await messagesOf(`esdb://localhost:${port}?tlsCAFile=${file('other-root.crt')}`);
    assert.is(
      explanation,
      `The certificate of localhost:${port} was signed by root, which is not among the authorities of tlsCAFile in EVENTSTOREDB_URL.`,
    );
  });
});

secure(
  'the error message says if a connection lacks TLS although the EventStoreDB uses TLS, or uses TLS although the EventStoreDB does not',
  async ({ make, file }) => {
    await withServer(make('secured', { names: SAFE }), async (port) => {
      assert.equal(await messagesOf(`esdb://localhost:${port}?tls=false`), {
        message: NO_CONNECTION,
        explanation: `localhost:${port} accepts only TLS connections: set tls=true in EVENTSTOREDB_URL.`,
      });
    });
    await withServer(undefined, async (port) => {
      assert.equal(await messagesOf(`esdb://127.0.0.1:${port}?tls=true&tlsCAFile=${file('root.crt')}`), {
        message: NO_CONNECTION,
        explanation: `127.0.0.1:${port} does not use TLS: set tls=false in EVENTSTOREDB_URL.`,
      });
    });
  },
);

secure('a certificate of EventStoreDB for another name or address is reported', async ({ make, file }) => {
  await withServer(make('named', { names: 'DNS:events.example,IP:127.0.0.2' }), async (port) => {
    for (const host of ['localhost', '127.0.0.1']) {
      const { message, explanation } = await messagesOf(`esdb://${host}:${port}?tlsCAFile=${file('root.crt')}`);
      assert.is(message, NO_CONNECTION);
      assert.is(
        explanation,
        `The certificate of ${host}:${port} is not for ${host} but for DNS:events.example, IP Address:127.0.0.2: use a name in EVENTSTOREDB_URL that the certificate contains, or give the server a certificate for ${host}.`,
      );
    }
  });
});

secure('a certificate of EventStoreDB that has expired, or is not valid yet, is reported', async ({ make, file }) => {
  await withServer(make('expired', { names: SAFE, until: '20210101000000Z' }), async (port) => {
    const { explanation } = await messagesOf(`esdb://localhost:${port}?tlsCAFile=${file('root.crt')}`);
    assert.is(
      explanation,
      `The certificate of localhost:${port}, or of who signed it, has expired (Jan  1 00:00:00 2021 GMT).`,
    );
  });
  await withServer(make('early', { names: SAFE, from: '20980101000000Z' }), async (port) => {
    const { explanation } = await messagesOf(`esdb://localhost:${port}?tlsCAFile=${file('root.crt')}`);
    assert.is(explanation, `The certificate of localhost:${port} is not valid before Jan  1 00:00:00 2098 GMT.`);
  });
});

test('a port of EventStoreDB on which no server listens is reported', async () => {
  const port = (await freePort()).toString();
  for (const host of ['127.0.0.1', 'localhost']) {
    const explanation = `No server listens on ${host}:${port}.`;
    assert.equal(await messagesOf(`esdb://${host}:${port}?tls=false`), { message: NO_CONNECTION, explanation });
    assert.is((await messagesOf(`esdb://${host}:${port}?tls=true`)).explanation, explanation);
  }
});

test('a server that is not EventStoreDB is reported', async () => {
  const greeting = await listening(createServer((socket) => socket.end('220 mail.example ESMTP\r\n')));
  const { explanation } = await messagesOf(`esdb://127.0.0.1:${greeting.port}?tls=false`);
  assert.is(explanation, `The service on 127.0.0.1:${greeting.port} does not respond like EventStoreDB.`);
  greeting.close();
});

test('a name of EventStoreDB that can not be resolved is reported', async () => {
  const port = (await freePort()).toString();
  const lookup: LookupFunction = (name, _, done) => {
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
    });
    process.nextTick(done, error);
  };
  // Only the explanation uses `lookup`. The client itself uses the resolver of the system, which can resolve this name.
  const { explanation } = await messagesOf(`esdb://localhost:${port}?tls=false`, lookup);
  assert.is(explanation, `The name localhost can't be resolved (ENOTFOUND).`);
});

test('if no node of an EventStoreDB cluster can be reached, all its hosts are reported', async () => {
  const [one, other] = [(await freePort()).toString(), (await freePort()).toString()];
  const message = 'EventStoreDB is not available: no node of the cluster can be reached.';
  const few = 'tls=false&maxDiscoverAttempts=1&discoveryInterval=1';
  assert.equal(await messagesOf(`esdb://127.0.0.1:${one},localhost:${other}?${few}`), {
    message,
    explanation: `No server listens on 127.0.0.1:${one}. No server listens on localhost:${other}.`,
  });
  assert.equal(await messagesOf(`esdb+discover://localhost:${other}?${few}`), {
    message,
    explanation: `No server listens on localhost:${other}.`,
  });
});

test('the leader that a cluster names is reported if it can not be reached', async () => {
  const port = (await freePort()).toString();
  const server = await startDouble();
  server.faults.leader = { host: 'localhost', port: Number(port) };
  const { message, explanation } = await messagesOf(`esdb+discover://127.0.0.1:${server.port}?tls=false`);
  assert.is(message, NO_CONNECTION);
  assert.is(explanation, `No server listens on localhost:${port}. The cluster names that address as its leader's.`);
  await server.close();
});

test('an EventStoreDB that accepts connections and does not respond is reported', async () => {
  const frozen = await listening(createServer());
  const { message, explanation } = await messagesOf(`esdb://127.0.0.1:${frozen.port}?tls=false`);
  assert.is(message, 'EventStoreDB is not available: it did not respond in time.');
  assert.is(explanation, `127.0.0.1:${frozen.port} accepts connections, but does not respond within 3 s.`);
  frozen.close();
});

secure(
  'a connection to an IP address sends no server name, and the certificate is still compared with the address',
  async (given) => {
    const warnings: (string | undefined)[] = [];
    const receive = (warning: Error & { code?: string }): void => void warnings.push(warning.code);
    process.on('warning', receive);
    const server = await startDouble({ tls: given.make('address', { names: 'IP:127.0.0.1' }) });
    for (const scheme of ['esdb', 'esdb+discover']) {
      const logs = openEventStoreDb(`${scheme}://127.0.0.1:${server.port}?tlsCAFile=${given.file('root.crt')}`);
      assert.equal(await logs.main.health(), { writable: true, message: null });
      await logs.close();
    }
    await server.close();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', receive);
    assert.equal(warnings, []);
  },
);

test('a lost connection to EventStoreDB is logged once per process, and so is the restored connection', async () => {
  const { watch, lines } = recordReports();
  const port = (await freePort()).toString();
  const logs = openEventStoreDb(`esdb://127.0.0.1:${port}?tls=false`, { watch });
  await eventually(async () => {
    await logs.main.readStream('probe-1').catch(() => undefined);
    return lines.length > 0;
  });
  for (let reads = 0; reads < 20; reads++) await logs.main.readStream('probe-1').catch(() => undefined);
  const server = await startDouble({ port: Number(port) });
  await eventually(async () => (await logs.main.health()).writable);
  assert.equal(lines, [`No server listens on 127.0.0.1:${port}.`, 'restored']);
  await logs.close();
  await server.close();
});

test('the health endpoint, which needs no key, does not reveal the EventStoreDB host', async () => {
  const port = (await freePort()).toString();
  const logs = openEventStoreDb(`esdb://127.0.0.1:${port}?tls=false`);
  assert.equal(await logs.main.health(), { writable: false, message: NO_CONNECTION });
  await logs.close();
});

test.run();
