import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../rejects.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { ahead, skippedWithoutFaketime } from '../faketime.ts';
import { endPrograms, startOne } from '../program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const HOUR = 3_600;

/** What a process does on a machine whose clock is wrong. */
const specifications = (): void => {
  const test = suite('a machine whose clock is an hour off');
  test.after.each(endPrograms);

  test('answers requests, and says so; it neither starts runs nor makes any', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      const api = await startOne(['api'], { ...environment, ...ahead(HOUR) });
      const health = (await (await fetch(`${api.address}/health/ready`)).json()) as { parts?: unknown };
      assert.match(JSON.stringify(health), 'The clock of this machine is 3600 seconds ahead of that of MongoDB.');
      await Promise.all(
        [['schedule'], ['run', '--region', 'eu-west1']].map((role) =>
          rejects(
            startOne(role, { ...environment, ...ahead(-HOUR) }),
            Error,
            /ended with 1: [^]*3600 seconds behind that of MongoDB\. .* set it right/,
          ),
        ),
      );
      assert.is((await api.end('SIGTERM')).code, 0);
    } finally {
      await endPrograms();
      await servers.stop();
    }
  });

  test.run();
};

if (!skippedWithoutCluster() && !skippedWithoutFaketime()) specifications();
