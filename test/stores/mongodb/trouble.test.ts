import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explanationOf } from '../../../stores/connection-trouble.ts';
import { CoordinationUnavailable } from '../../../stores/coordination/port.ts';
import { openMongoCoordination } from '../../../stores/coordination/mongodb/open.ts';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { createAuthority, hasOpenssl, type Certificate } from '../../probes/web/certificates.ts';
import { QUICK, skippedWithoutMongoDb, startMongoDb } from '../../servers/mongodb/server.ts';
import { toldLines } from '../told.ts';
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

/** What everybody is told about a connection, and what an operator is told besides; null when it works. */
const told = async (url: string): Promise<[string, string | null] | null> => {
  const mongo = openMongoDb(url, QUICK);
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

/** A server of any kind on 127.0.0.1, while something is done. */
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

  /** The server behind TLS. */
  const overTls = (certificate: Certificate): Server =>
    createTlsServer(certificate, (socket) => {
      const inner = connect(mongo.port, mongo.host);
      for (const one of [socket, inner]) one.on('error', () => undefined);
      socket.pipe(inner).pipe(socket);
    });

  secure('is said to need the file of an authority that is not trusted', async ({ make, file }) => {
    await listening(overTls(make('unknown', { names: SAFE })), async (port) => {
      assert.equal(await told(`mongodb://localhost:${port}/x?tls=true`), [
        NO_CONNECTION,
        `The certificate of localhost:${port} was signed by root, which is not trusted here: name the file of that authority by tlsCAFile in MONGODB_URL.`,
      ]);
      await eventually(
        async () => (await told(`mongodb://localhost:${port}/x?tls=true&tlsCAFile=${file('root.crt')}`)) === null,
      );
    });
  });

  secure('is said to be made without TLS to a server that has it only, and the reverse', async ({ make, file }) => {
    await listening(overTls(make('secured', { names: SAFE })), async (port) => {
      assert.equal(await told(`mongodb://127.0.0.1:${port}/x`), [
        NO_CONNECTION,
        `127.0.0.1:${port} accepts only TLS connections: set tls=true in MONGODB_URL.`,
      ]);
    });
    const { host, port } = mongo;
    assert.equal(await told(`mongodb://${host}:${port.toString()}/x?tls=true&tlsCAFile=${file('root.crt')}`), [
      NO_CONNECTION,
      `${host}:${port.toString()} speaks no TLS: set tls=false in MONGODB_URL.`,
    ]);
  });

  secure('is said to find a certificate for another name, unless any is accepted', async ({ make, file }) => {
    await listening(overTls(make('named', { names: 'DNS:documents.example' })), async (port) => {
      const url = `mongodb://localhost:${port}/x?tls=true&tlsCAFile=${file('root.crt')}`;
      assert.equal(await told(url), [
        NO_CONNECTION,
        `The certificate of localhost:${port} is not for localhost but for DNS:documents.example: name the server in MONGODB_URL as its certificate does, or give it one for localhost.`,
      ]);
      await eventually(async () => (await told(`${url}&tlsAllowInvalidHostnames=true`)) === null);
    });
  });

  test('is told to the log of a process once, and that it is there again', async () => {
    const { watch, lines } = toldLines();
    const port = (await freePort()).toString();
    const opened = openMongoDb(`mongodb://127.0.0.1:${port}/x`, QUICK, { watch });
    const coordination = openMongoCoordination(opened);
    for (let reads = 0; reads < 3; reads++) await coordination.read('value').catch(() => undefined);
    const way = createServer((socket) => {
      const inner = connect(mongo.port, mongo.host);
      for (const one of [socket, inner]) one.on('error', () => undefined);
      socket.pipe(inner).pipe(socket);
    });
    const sockets = new Set<{ destroy: () => void }>();
    way.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => way.listen(Number(port), '127.0.0.1', resolve));
    await eventually(async () => {
      await coordination.read('value').catch(() => undefined);
      return lines.includes('restored');
    });
    assert.equal(lines, [`Nobody listens on 127.0.0.1:${port}.`, 'restored']);
    await coordination.close();
    await opened.close();
    way.close();
    for (const socket of sockets) socket.destroy();
  });
}

test('names every server of a replica set that can not be reached', async () => {
  const [one, other] = [(await freePort()).toString(), (await freePort()).toString()];
  assert.equal(await told(`mongodb://127.0.0.1:${one},localhost:${other}/x?replicaSet=rs0`), [
    NO_CONNECTION,
    `Nobody listens on 127.0.0.1:${one}. Nobody listens on localhost:${other}.`,
  ]);
});

test('is said to find something else than MongoDB', async () => {
  const greeting = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
  await listening(greeting, async (port) => {
    assert.equal(await told(`mongodb://127.0.0.1:${port}/x`), [
      NO_CONNECTION,
      `What listens on 127.0.0.1:${port} does not answer like MongoDB.`,
    ]);
  });
});

test.run();
