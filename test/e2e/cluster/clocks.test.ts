import { MongoClient } from 'mongodb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../rejects.ts';
import { httpServer } from '../../probes/web/servers.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { shiftedClock, skippedWithoutFaketime } from '../faketime.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApi, endPrograms, startOne } from '../program.ts';
import { eventually } from '../../waiting.ts';
import { HOUR_SECONDS } from '../../../domain/time.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** Tests processes on a machine with a wrong clock. */
const specifications = (): void => {
  const test = suite('a machine with a wrong clock');
  test.after.each(endPrograms);

  test('processes whose clocks are wrong use the time of MongoDB, so that jobs run immediately and nothing seems late', async () => {
    const servers = await startClusterServers();
    const client = new MongoClient(servers.database.url);
    const target = await httpServer((_request, response) => response.end('Fine.'));
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      const begun = Date.now();
      const [fast, slow] = await Promise.all([
        startOne(['api'], { ...environment, ...shiftedClock(HOUR_SECONDS) }),
        startOne(['api'], { ...environment, ...shiftedClock(-HOUR_SECONDS) }),
        startOne(['project'], { ...environment, ...shiftedClock(HOUR_SECONDS) }),
        startOne(['schedule'], { ...environment, ...shiftedClock(-30) }),
        startOne(['run', '--region', 'eu-west1'], { ...environment, ...shiftedClock(30) }),
      ]);
      for (const api of [fast, slow]) {
        await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });
        const url = `http://127.0.0.1:${target.port}/`;
        const definition = { name: 'Site', type: 'web', timeout: 5, url, parameters: { regions: ['eu-west1'] } };
        const job = await waitForOutcome(
          api,
          ADMIN_API_KEY,
          await requestRun(api, ADMIN_API_KEY, '/v1/checks/execute', definition),
          20,
        );
        assert.equal([job.status, job.result?.status], ['completed', 'ok'], job.error_message ?? '');
        const created = Date.parse(job.created_at);
        assert.ok(begun - 5_000 < created && created < Date.now() + 5_000, job.created_at);
        const { body } = await callApi(api, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
        const at = Date.parse((body as { created_at: string }).created_at);
        assert.ok(begun - 5_000 < at && at < Date.now() + 5_000, 'the time of a fact');
        const repeatable = await fetch(`${api.address}/v1/pages`, {
          method: 'POST',
          headers: { authorization: ADMIN_API_KEY, 'content-type': 'application/json', 'idempotency-key': 'page' },
          body: JSON.stringify({ name: 'Repeatable' }),
        });
        assert.ok(repeatable.ok, await repeatable.text());
      }
      // The other process evaluates these claims by its own clock, so their times must be right.
      const claims = await client.db().collection('idempotency_records').find().toArray();
      assert.ok(claims.length > 0);
      for (const { created_at, expires_at } of claims) {
        assert.ok(Math.abs(Number(created_at) - Date.now()) < 120_000, String(created_at));
        assert.ok(Math.abs(Number(expires_at) - Number(created_at) - 86_400_000) < 60_000, String(expires_at));
      }
    } finally {
      await endPrograms();
      await client.close();
      await target.close();
      await servers.stop();
    }
  });

  test('a process whose clock is an hour off serves requests and reports the error, but neither schedules nor executes runs', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      const api = await startOne(['api'], { ...environment, ...shiftedClock(HOUR_SECONDS) });
      const health = (await (await fetch(`${api.address}/health/ready`)).json()) as { parts?: unknown };
      assert.match(JSON.stringify(health), 'The clock of this machine is 3600 seconds ahead of that of MongoDB.');
      await Promise.all(
        [['schedule'], ['run', '--region', 'eu-west1']].map((duty) =>
          rejects(
            startOne(duty, { ...environment, ...shiftedClock(-HOUR_SECONDS) }),
            Error,
            /ended with 1: [^]*3600 seconds behind that of MongoDB\. Correct it/,
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
