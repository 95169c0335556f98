import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf } from '../../../domain/time.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { assertOnceInMain } from '../evidence.ts';
import { openLeases } from '../leases.ts';
import { createMaintenance, readTransitions } from '../maintenances.ts';
import { endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';
import { eventually, realPause } from '../../waiting.ts';

const BY_CLOCK = 'maintenances begin and end by the clock of the processes';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const LEASE = 'reactor:maintenance';
/** The number of maintenances. They begin one after the other, so that one begins just when the process is killed. */
const COUNT = 12;
const APART_MS = 60;
/** Time until the first maintenance begins, in milliseconds. Even a busy machine has planned all of them by then. */
const AHEAD_MS = 15_000;
/**
 * Duration of each maintenance, in milliseconds. It exceeds the time of a takeover, so all of them are in
 * progress concurrently at some time.
 */
const LENGTH_MS = 40_000;

const specifications = (): void => {
  const test = suite('maintenances of a cluster');
  test.after.each(endPrograms);

  test('maintenances of a cluster begin and end once each at the planned times, although the responsible process is killed at these times', async () => {
    const servers = await startClusterServers();
    const leases = openLeases(servers.database.url);
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      const [api, , ...schedules] = await Promise.all(
        [['api'], ['project'], ['schedule'], ['schedule']].map((duty) => startOne(duty, environment)),
      );
      if (!api) throw new Error('There is no API.');
      await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });
      const holder = (): Promise<RunningProgram> => leases.holderOf(LEASE, schedules);
      const first = await holder();
      const start = Date.now() + AHEAD_MS;
      const planned = Array.from({ length: COUNT }, (_, index) => ({
        scheduled_for: instantOf(start + index * APART_MS),
        scheduled_until: instantOf(start + index * APART_MS + LENGTH_MS),
        scheduled_remind_prior: true,
      }));
      const all = [];
      for (const times of planned) all.push(await createMaintenance(api, ADMIN_API_KEY, times));
      await realPause(start + (COUNT / 2) * APART_MS - Date.now(), BY_CLOCK);
      await first.end('SIGKILL');
      for (const one of all) await one.reaches(api, 'in_progress');
      assert.is.not((await holder()).pid, first.pid);
      for (const one of all) assert.is((await one.component(api)).status, 'under_maintenance');
      // When the maintenances are due to end, no process runs that could end them.
      await (await holder()).end('SIGKILL');
      await realPause(start + LENGTH_MS + COUNT * APART_MS - Date.now(), BY_CLOCK);
      const next = await startOne(['schedule'], environment);
      for (const one of all) await one.reaches(api, 'completed');
      for (const one of all) assert.is((await one.component(api)).status, 'operational');
      const moves = await readTransitions(environment);
      for (const [index, { id }] of all.entries()) {
        assert.equal(moves.get(id), [
          `in_progress ${planned[index]?.scheduled_for ?? ''} false`,
          `completed ${planned[index]?.scheduled_until ?? ''} false`,
        ]);
      }
      assertOnceInMain((await uptrail(environment, 'replay', '--log', 'main')).stdout);
      assert.is((await next.end('SIGTERM')).code, 0);
      const verified = await uptrail(environment, 'rebuild', 'maintenances', '--verify');
      assert.is(verified.code, 0, verified.stdout + verified.stderr);
    } finally {
      await endPrograms();
      await leases.close();
      await servers.stop();
    }
  });

  test.run();
};

if (!skippedWithoutCluster()) specifications();
