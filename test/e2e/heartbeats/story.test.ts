import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { callApi, endPrograms, serve, uptrail, type RunningProgram } from '../program.ts';
import { eventually } from '../../waiting.ts';

interface Shown {
  id: string;
  status: string | null;
  next_expected_ping: string;
  last_ping_at: string;
}

/** A line of `uptrail history --json`. */
interface HistoryLine {
  type: string;
  changes: Record<string, { new: unknown }>;
}

const test = suite('heartbeats of a running service');
test.after.each(endPrograms);

/** Sends a ping without a key, as a cron job does. */
const ping = async ({ address }: RunningProgram, id: string, end = ''): Promise<void> => {
  const reply = await fetch(`${address}/v1/heartbeats/${id}/ping${end}`);
  assert.is(reply.status, 200, await reply.text());
};

const seconds = (instant: string): number => Date.parse(`${instant}Z`) / 1_000;

test(
  'in spite of kill -9, a silent heartbeat enters its grace period, goes down in the right second, and recovers with its next ping',
  inTemporaryFolder(async (DATA_DIR) => {
    let program = await serve({ DATA_DIR });
    const key = readFileSync(join(DATA_DIR, 'admin-api-key'), 'utf8').trim();
    const create = async (body: object): Promise<string> => {
      const response = await callApi(program, key, 'POST', '/v1/heartbeats', body);
      assert.is(response.status, 201, JSON.stringify(response.body));
      return (response.body as Shown).id;
    };
    const get = async (id: string): Promise<Shown> =>
      (await callApi(program, key, 'GET', `/v1/heartbeats/${id}`)).body as Shown;
    const reaches = (id: string, status: string): Promise<Shown> =>
      eventually(
        async () => {
          const shown = await get(id);
          assert.is(shown.status, status);
          return shown;
        },
        // The period and the grace period last at least one minute each.
        { within: 240_000, what: `the heartbeat is ${status}` },
      );
    /**
     * Kills and restarts the program. Must not be called while a ping is due, because the grace period would begin
     * again if the restart is slow.
     */
    const kill = async (): Promise<void> => {
      await program.end('SIGKILL');
      program = await serve({ DATA_DIR });
    };

    const silent = await create({ name: 'Backup', period_seconds: 60, grace_seconds: 60 });
    const slow = await create({ name: 'Report', period_seconds: 3_600, max_duration: 2 });
    await ping(program, silent);
    const { last_ping_at } = await reaches(silent, 'up');
    await ping(program, slow);
    await ping(program, slow, '/start');
    await reaches(slow, 'down');
    await kill();
    // These pings belong to the next job. The previous job has failed, no matter when it ends.
    await ping(program, slow, '/start');
    await ping(program, slow);
    await reaches(slow, 'up');
    await ping(program, slow, '/fail');
    await reaches(slow, 'down');
    await reaches(silent, 'grace');
    await reaches(silent, 'down');
    // Extends the grace period, as a user might after a false alarm. The status does not change.
    const longer = await callApi(program, key, 'PATCH', `/v1/heartbeats/${silent}`, { grace_seconds: 7_200 });
    assert.is((longer.body as Shown).status, 'down');
    await kill();
    assert.is((await get(silent)).status, 'down');
    await ping(program, silent);
    await reaches(silent, 'up');
    await program.end('SIGTERM');

    const { stdout } = await uptrail({ DATA_DIR }, 'history', 'heartbeat', silent, '--json');
    const reported = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HistoryLine]));
    assert.equal(
      reported.map(({ type }) => type),
      ['HeartbeatCreated', 'HeartbeatWentDown', 'HeartbeatUpdated', 'HeartbeatRecovered'],
    );
    assert.is(seconds(String(reported[1]?.changes['down_at']?.new)) - seconds(last_ping_at), 120);
  }),
);

test.run();
