import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDouble } from '../servers/eventstoredb/server.ts';
import { uptrail } from './program.ts';
import { freePort } from '../servers/ports.ts';

const test = suite('unreachable servers of a cluster');

/**
 * Returns the environment of a cluster whose servers are all at a closed `port`, except those with a URL in `servers`.
 */
const environmentWith = (port: string, servers: Record<string, string> = {}): Record<string, string> => ({
  EVENTSTOREDB_URL: `esdb://127.0.0.1:${port}?tls=false`,
  MONGODB_URL: `mongodb://127.0.0.1:${port}/x?serverSelectionTimeoutMS=500`,
  SECRETS_KEY: '5'.repeat(64),
  PORT: '0',
  ...servers,
});

/** Runs a command that must fail. @returns its error message, which a duty also logs */
const failing = async (environment: Record<string, string>, ...command: string[]): Promise<string> => {
  const { code, stdout, stderr } = await uptrail(environment, ...command);
  assert.equal([code, stdout], [1, '']);
  return stderr
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
};

test('a command or duty that cannot reach EventStoreDB names its host and port, and the reason', async () => {
  const port = (await freePort()).toString();
  assert.is(
    await failing(environmentWith(port), 'eventstoredb', 'grant', 'uptrail'),
    `EventStoreDB is not available: there is no connection to it.\nNo server listens on 127.0.0.1:${port}.\n`,
  );
});

test('a command or duty that cannot reach MongoDB names its host and port, and the reason', async () => {
  const port = (await freePort()).toString();
  const { url, close } = await startDouble();
  try {
    assert.is(
      await failing(environmentWith(port, { EVENTSTOREDB_URL: url }), 'api'),
      `MongoDB can't be used: there is no connection to it.\nNo server listens on 127.0.0.1:${port}.\n`,
    );
  } finally {
    await close();
  }
});

test.run();
