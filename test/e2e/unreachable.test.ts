import { createServer, type AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { uptrail } from './program.ts';

const test = suite('a command, or a role, that can not reach a server of its cluster');

const freePort = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port.toString();
};

test('says on which host and port, and why', async () => {
  const port = await freePort();
  const environment = {
    EVENTSTOREDB_URL: `esdb://127.0.0.1:${port}?tls=false`,
    MONGODB_URL: `mongodb://127.0.0.1:${port}/x?serverSelectionTimeoutMS=500`,
    SECRETS_KEY: '5'.repeat(64),
    PORT: '0',
  };
  const nobody = `Nobody listens on 127.0.0.1:${port}.\n`;
  for (const [command, sentence] of [
    ['queue', 'EventStoreDB is not available: there is no connection to it.\n'],
    ['api', "MongoDB can't be used: there is no connection to it.\n"],
  ] as const) {
    const { code, stdout, stderr } = await uptrail(environment, command);
    // A role says it in its log as well.
    const said = stderr.split('\n').filter((line) => !line.startsWith('{'));
    assert.equal([code, stdout, said.join('\n')], [1, '', `${sentence}${nobody}`]);
  }
});

test.run();
