import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectionKey } from '../../../projections/engine/fold/define.ts';
import { heartbeatPings } from '../../../projections/heartbeat-pings/projection.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { startPairedCluster, type PairedCluster } from '../cluster-pairs.ts';
import { skippedWithoutCluster } from '../cluster-servers.ts';
import { callApi, endPrograms, uptrail } from '../program.ts';
import { waitUntilNotifying } from '../subscribing.ts';
import { eventually, realPause } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const LATENESS = 'reactor:heartbeat-lateness';
const DELIVERY = 'reactor:delivery';
const PINGS = `projection:${projectionKey(heartbeatPings)}`;
/** Time limit until pings change the status of a heartbeat, including a takeover. Seconds. */
const WITHIN = 60;
/** Time in which a process that has lost its lease could do something wrong, in milliseconds. */
const TOGETHER_MS = 2_000;

interface Shown {
  id: string;
  status: string | null;
  last_ping_at: string;
}

/** A line of `uptrail history --json`. */
interface HistoryLine {
  type: string;
  changes: Record<string, { new: unknown }>;
}

/** Opens a webhook that records the event and the heartbeat of each message, by message id. */
const openHook = async () => {
  const received = new Map<string, string>();
  const { port } = await httpServer(({ headers }, response, body) => {
    const { event, heartbeat } = JSON.parse(body) as { event: string; heartbeat: { name: string; because: string } };
    received.set(headers['webhook-id'] as string, `${event} ${heartbeat.name} ${heartbeat.because}`);
    response.writeHead(204).end();
  });
  return { url: `http://127.0.0.1:${port}/`, heard: received };
};

const millisecondsOf = (instant: string): number => Date.parse(`${instant}Z`);

const story = async ({ api, environment, holderOf, killHolderOf, end }: PairedCluster): Promise<void> => {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await callApi(api, ADMIN_API_KEY, 'POST', path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return (answer.body as Shown).id;
  };
  /** Sends a ping without a key, as a cron job does. */
  const ping = async (id: string, what = ''): Promise<void> => {
    const reply = await fetch(`${api.address}/v1/heartbeats/${id}/ping${what}`);
    assert.is(reply.status, 200, await reply.text());
  };
  const reaches = (id: string, status: string, withinSeconds = WITHIN): Promise<Shown> =>
    eventually(
      async () => {
        const shown = (await callApi(api, ADMIN_API_KEY, 'GET', `/v1/heartbeats/${id}`)).body as Shown;
        assert.is(shown.status, status);
        return shown;
      },
      { within: withinSeconds * 1_000, what: `the heartbeat is ${status}` },
    );
  const historyOf = async (id: string): Promise<HistoryLine[]> => {
    const { stdout } = await uptrail(environment, 'history', 'heartbeat', id, '--json');
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HistoryLine]));
  };
  /** Returns the seconds from an instant until the heartbeat went down, according to its history. */
  const downAfter = (instant: string, reported: readonly HistoryLine[]): number =>
    (millisecondsOf(String(reported.find(({ type }) => type === 'HeartbeatWentDown')?.changes['down_at']?.new)) -
      millisecondsOf(instant)) /
    1_000;

  await waitUntilNotifying(environment);
  const { url, heard: received } = await openHook();
  const hook = { name: 'Hook', type: 'webhook', configuration: { url, method: 'POST' } };
  const channel_ids = [await make('/v1/alerts/channels', hook)];
  const watch = async (body: object): Promise<string> => {
    const id = await make('/v1/heartbeats', body);
    await make(`/v1/heartbeats/${id}/channels`, { channel_ids });
    return id;
  };
  const silent = await watch({ name: 'Backup', period_seconds: 60, grace_seconds: 60 });
  const slow = await watch({ name: 'Report', period_seconds: 3_600, max_duration: 2 });
  await ping(silent);
  const { last_ping_at } = await reaches(silent, 'up');

  // Kills the process that detects late heartbeats while a job exceeds its maximum duration.
  await ping(slow);
  await ping(slow, '/start');
  await killHolderOf(LATENESS);
  const { last_ping_at: started_at } = await reaches(slow, 'down');
  await ping(slow, '/start');
  await ping(slow);
  await reaches(slow, 'up');
  // Kills the process that folds pings, before it has folded one. Then kills the process that delivers the messages.
  await ping(slow, '/fail');
  await killHolderOf(PINGS);
  await reaches(slow, 'down');
  await killHolderOf(DELIVERY);

  // Pauses the process that detects late heartbeats, and resumes it after another process has reported the late
  // heartbeat.
  await reaches(silent, 'grace', 90);
  const due = millisecondsOf(last_ping_at) + 120_000;
  await realPause(due - 1_000 - Date.now(), 'heartbeats are late by the clock of the processes');
  const stopped = await holderOf(LATENESS);
  process.kill(stopped.pid, 'SIGSTOP');
  await reaches(silent, 'down');
  process.kill(stopped.pid, 'SIGCONT');
  assert.is.not((await holderOf(LATENESS)).pid, stopped.pid);
  await realPause(TOGETHER_MS, 'processes that both believe to hold the lease must not report twice');
  await ping(silent);
  await reaches(silent, 'up');

  const expected = [
    'heartbeat.down Backup late',
    'heartbeat.down Report failed',
    'heartbeat.down Report took_too_long',
    'heartbeat.recovered Backup late',
    'heartbeat.recovered Report took_too_long',
  ];
  await eventually(() => received.size >= expected.length, { within: WITHIN * 1_000 });
  assert.equal(
    (await end()).filter((code) => code !== 0),
    [],
  );
  assert.equal([...received.values()].sort(), expected);
  const ofSilent = await historyOf(silent);
  assert.equal(
    ofSilent.map(({ type }) => type),
    ['HeartbeatCreated', 'HeartbeatUpdated', 'HeartbeatWentDown', 'HeartbeatRecovered'],
  );
  assert.is(downAfter(last_ping_at, ofSilent), 120);
  assert.is(downAfter(started_at, await historyOf(slow)), 2);
  const verified = await uptrail(environment, 'rebuild', '--all', '--verify');
  assert.is(verified.code, 0, verified.stdout + verified.stderr);
};

const specifications = (): void => {
  const test = suite('heartbeats of a cluster with takeovers');
  let cluster: PairedCluster | null = null;
  test.after.each(async () => {
    await cluster?.close();
    await endPrograms();
    await closeServers();
    cluster = null;
  });

  test('heartbeats of a cluster go down once and at the right second, recover, and notify, even if any process is killed or paused in between', async () => {
    cluster = await startPairedCluster({ ADMIN_API_KEY });
    await story(cluster);
  });

  test.run();
};

if (!skippedWithoutCluster()) specifications();
