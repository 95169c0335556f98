import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explanationOf } from '../../../stores/connection-diagnosis.ts';
import { CoordinationUnavailable } from '../../../stores/coordination/port.ts';
import { openMongoCoordination } from '../../../stores/coordination/mongodb/open.ts';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { createAuthority, hasOpenssl, type Certificate } from '../../probes/web/certificates.ts';
import { SHORT_TIMEOUTS, skippedWithoutMongoDb, startMongoDb } from '../../servers/mongodb/server.ts';
import { recordReports } from '../recorded-reports.ts';
import { eventually } from '../../waiting.ts';
import { freePort } from '../../servers/ports.ts';

const test = suite('a connection to MongoDB that can not be made');
const authority = hasOpenssl() ? createAuthority() : null;
test.after(() => authority?.close());

const secure = (sentence: string, run: (given: ReturnType<typeof createAuthority>) => Promise<void>): void => {
  if (authority) test(sentence, () => run(authority));
  else {
    console.log(`  skipped: openssl is not installed (${sentence})`);
    test.skip(sentence);
  }
};

/**
 * Returns the public error message of a connection and the explanation for operators, or null if the connection works.
 */
const messagesOf = async (url: string): Promise<[string, string | null] | null> => {
  const mongo = openMongoDb(url, SHORT_TIMEOUTS);
  const coordination = openMongoCoordination(mongo);
  try {
    await coordination.read('value');
    return null;
  } catch (error) {
    assert.instance(error, CoordinationUnavailable);
    return [(error as Error).message, await explanationOf(error)];
  } finally {
    await coordination.close();
    await mongo.close();
  }
};

const NO_CONNECTION = "MongoDB can't be used: there is no connection to it.";
const SAFE = 'DNS:localhost,IP:127.0.0.1';

/** Starts a server on 127.0.0.1 for the duration of a function. */
const listening = async (server: Server, run: (port: string) => Promise<void>): Promise<void> => {
  const sockets = new Set<{ destroy: () => void }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run((server.address() as AddressInfo).port.toString());
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
};

if (!skippedWithoutMongoDb()) {
  const mongo = await startMongoDb();
  test.after(() => mongo.stop());

  /** Creates a TLS server in front of the MongoDB server. */
  const overTls = (certificate: Certificate): Server =>
    createTlsServer(certificate, (socket) => {
      const inner = connect(mongo.port, mongo.host);
      for (const one of [socket, inner]) one.on('error', () => undefined);
      socket.pipe(inner).pipe(socket);
    });

  secure('an untrusted authority of MongoDB is reported, with the setting for its file', async ({ make, file }) => {
    await listening(overTls(make('unknown', { names: SAFE })), async (port) => {
      assert.equal(await messagesOf(`mongodb://localhost:${port}/x?tls=true`), [
        NO_CONNECTION,
        `The certificate of localhost:${port} was signed by root, which is not trusted here: set tlsCAFile in MONGODB_URL to the file of that authority.`,
      ]);
      await eventually(
        async () => (await messagesOf(`mongodb://localhost:${port}/x?tls=true&tlsCAFile=${file('root.crt')}`)) === null,
      );
    });
  });

  secure(
    'the error message says if a connection lacks TLS although the MongoDB uses TLS, or uses TLS although the MongoDB does not',
    async ({ make, file }) => {
      await listening(overTls(make('secured', { names: SAFE })), async (port) => {
        assert.equal(await messagesOf(`mongodb://127.0.0.1:${port}/x`), [
          NO_CONNECTION,
          `127.0.0.1:${port} accepts only TLS connections: set tls=true in MONGODB_URL.`,
        ]);
      });
      const { host, port } = mongo;
      assert.equal(await messagesOf(`mongodb://${host}:${port}/x?tls=true&tlsCAFile=${file('root.crt')}`), [
        NO_CONNECTION,
        `${host}:${port} does not use TLS: set tls=false in MONGODB_URL.`,
      ]);
    },
  );

  secure(
    'a certificate of MongoDB for another name is reported, unless the URL accepts certificates for any name',
    async ({ make, file }) => {
      await listening(overTls(make('named', { names: 'DNS:documents.example' })), async (port) => {
        const url = `mongodb://localhost:${port}/x?tls=true&tlsCAFile=${file('root.crt')}`;
        assert.equal(await messagesOf(url), [
          NO_CONNECTION,
          `The certificate of localhost:${port} is not for localhost but for DNS:documents.example: use a name in MONGODB_URL that the certificate contains, or give the server a certificate for localhost.`,
        ]);
        await eventually(async () => (await messagesOf(`${url}&tlsAllowInvalidHostnames=true`)) === null);
      });
    },
  );

  test('a lost connection to MongoDB is logged once per process, and so is the restored connection', async () => {
    const { watch, lines } = recordReports();
    const port = (await freePort()).toString();
    const opened = openMongoDb(`mongodb://127.0.0.1:${port}/x`, SHORT_TIMEOUTS, { watch });
    const coordination = openMongoCoordination(opened);
    for (let reads = 0; reads < 3; reads++) await coordination.read('value').catch(() => undefined);
    const proxy = createServer((socket) => {
      const inner = connect(mongo.port, mongo.host);
      for (const one of [socket, inner]) one.on('error', () => undefined);
      socket.pipe(inner).pipe(socket);
    });
    const sockets = new Set<{ destroy: () => void }>();
    proxy.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => proxy.listen(Number(port), '127.0.0.1', resolve));
    await eventually(async () => {
      await coordination.read('value').catch(() => undefined);
      return lines.includes('restored');
    });
    assert.equal(lines, [`No server listens on 127.0.0.1:${port}.`, 'restored']);
    await coordination.close();
    await opened.close();
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
}

test('if no server of a replica set can be reached, all its servers are reported', async () => {
  const [one, other] = [(await freePort()).toString(), (await freePort()).toString()];
  assert.equal(await messagesOf(`mongodb://127.0.0.1:${one},localhost:${other}/x?replicaSet=rs0`), [
    NO_CONNECTION,
    `No server listens on 127.0.0.1:${one}. No server listens on localhost:${other}.`,
  ]);
});

test('a server that is not MongoDB is reported', async () => {
  const greeting = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
  await listening(greeting, async (port) => {
    assert.equal(await messagesOf(`mongodb://127.0.0.1:${port}/x`), [
      NO_CONNECTION,
      `The service on 127.0.0.1:${port} does not respond like MongoDB.`,
    ]);
  });
});

test.run();
