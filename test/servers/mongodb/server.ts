import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { suite } from 'uvu';
import { throughProxy, withDatabase } from './url.ts';

/** Where the stand-in is installed: classes, and libraries in `jars`. */
export const STAND_IN = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'uptrail', 'mongodb-stand-in');

/** A real server to test on instead of the stand-in, if set. */
export const REAL_MONGODB_URL = process.env['MONGODB_URL'] ?? null;

/**
 * Short timeouts, for tests in which a server is unreachable. A busy server may need longer to respond, so tests
 * without such a fault use the usual timeouts.
 */
export const SHORT_TIMEOUTS = { serverSelectionTimeoutMS: 500, connectTimeoutMS: 500, socketTimeoutMS: 700 };

/** Why there is no server to test on; null when there is one. */
const missing = (): string | null => {
  if (REAL_MONGODB_URL !== null) return null;
  if (spawnSync('java', ['-version']).error) return 'java is not installed';
  if (existsSync(join(STAND_IN, 'Launcher.class'))) return null;
  return 'the stand-in for MongoDB is not installed (bash test/servers/mongodb/install.sh)';
};

/** Whether a test file has no server to run on; then it prints that, in a form that is counted. */
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
  /** database in which its user is defined; null: it has no user */
  authSource: string | null;
  /** host of the server that accepts writes */
  host: string;
  port: number;
  tls: boolean;
  stop: () => Promise<void>;
  /** Stops the stand-in from processing what it receives, like a machine that hangs. */
  freeze: () => void;
  /** Resumes it. */
  thaw: () => void;
}

/** The servers in `MONGODB_URL`, which stay. */
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

/** The server in MONGODB_URL, or the stand-in: empty, in memory, gone when it is stopped or this process ends. */
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

/** A database for a test of its own. */
export interface TestDatabase {
  url: string;
  /** its URL through a proxy */
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
