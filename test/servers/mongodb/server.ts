import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { suite } from 'uvu';
import { throughProxy, withDatabase } from './url.ts';

/** The folder of the installed stand-in. It contains classes, and libraries in `jars`. */
export const STAND_IN = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'uptrail', 'mongodb-stand-in');

/** The URL of a real server for tests, or null to use the stand-in. */
export const REAL_MONGODB_URL = process.env['MONGODB_URL'] ?? null;

/**
 * Short timeouts for tests in which a server is unreachable. All other tests use the usual timeouts, because a server
 * on a busy machine may need longer to respond.
 */
export const SHORT_TIMEOUTS = { serverSelectionTimeoutMS: 500, connectTimeoutMS: 500, socketTimeoutMS: 700 };

/** Returns why there is no server for tests, or null if there is one. */
const missing = (): string | null => {
  if (REAL_MONGODB_URL !== null) return null;
  if (spawnSync('java', ['-version']).error) return 'java is not installed';
  if (existsSync(join(STAND_IN, 'Launcher.class'))) return null;
  return 'the stand-in for MongoDB is not installed (bash test/servers/mongodb/install.sh)';
};

/**
 * Returns whether a test file has to be skipped for lack of a server. If so, prints the reason in the form that the
 * runner counts as a skip.
 */
export const skippedWithoutMongoDb = (): boolean => {
  const reason = missing();
  if (reason === null) return false;
  console.log(`skipped: ${reason}`);
  const skipped = suite('tests on MongoDB');
  skipped.skip('are skipped');
  skipped.run();
  return true;
};

export interface MongoDbServer {
  /** `mongodb://…` or `mongodb+srv://…` */
  url: string;
  /** database in which the user in the URL is defined; null if the URL has no user */
  authSource: string | null;
  /** host of the server that accepts writes */
  host: string;
  port: number;
  tls: boolean;
  stop: () => Promise<void>;
  /** Makes the stand-in hang: connections stay open, but it processes nothing. */
  freeze: () => void;
  /** Resumes a frozen stand-in. */
  thaw: () => void;
}

/** Returns the servers in `MONGODB_URL`. They are not stopped. */
const realServer = async (url: string): Promise<MongoDbServer> => {
  const client = new MongoClient(url);
  let written = '';
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    for (const { address, isWritable } of servers.values()) if (isWritable) written = address;
  });
  try {
    await client.connect();
    await client.db('admin').command({ ping: 1 });
    const { credentials, tls } = client.options;
    const { hostname, port } = new URL(`tcp://${written}`);
    const itsOwn = (): never => {
      throw new Error('Only the stand-in for MongoDB can be frozen.');
    };
    return {
      url,
      authSource: credentials?.source ?? null,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
      tls,
      stop: async () => undefined,
      freeze: itsOwn,
      thaw: itsOwn,
    };
  } finally {
    await client.close();
  }
};

/**
 * Returns the server in MONGODB_URL, or starts the stand-in. The stand-in is empty, stores data in memory only, and
 * ends with this process at the latest.
 */
export const startMongoDb = async (): Promise<MongoDbServer> => {
  if (REAL_MONGODB_URL !== null) return realServer(REAL_MONGODB_URL);
  const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx1g'];
  const java = spawn('java', [...options, '-cp', `${STAND_IN}:${STAND_IN}/jars/*`, 'Launcher', '0'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(java, 'exit');
  const port = await Promise.race([
    once(java.stdout, 'data').then(([text]) => Number(String(text))),
    exited.then(([code]) => Promise.reject(new Error(`The stand-in for MongoDB ended with ${String(code)}.`))),
  ]);
  return {
    url: `mongodb://127.0.0.1:${port}/`,
    authSource: null,
    host: '127.0.0.1',
    port,
    tls: false,
    stop: async () => {
      java.kill('SIGCONT');
      java.stdin.end();
      await exited;
    },
    freeze: () => java.kill('SIGSTOP'),
    thaw: () => java.kill('SIGCONT'),
  };
};

/** A database that only one test uses. */
export interface TestDatabase {
  url: string;
  /** returns the URL of the database through a proxy */
  through: (proxy: { port: number }) => string;
  drop: () => Promise<void>;
}

export const testDatabase = (server: MongoDbServer): TestDatabase => {
  const name = `uptrail_test_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(server.url, name, server.authSource);
  return {
    url,
    through: (proxy) => throughProxy(proxy, url, server.tls),
    drop: async () => {
      const client = new MongoClient(url);
      await client.db().dropDatabase();
      await client.close();
    },
  };
};
