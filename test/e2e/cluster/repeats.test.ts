import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '../../../domain/event.ts';
import { openEventStoreDb } from '../../../stores/event-store/eventstoredb/open.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { httpServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { assertOnceInResults } from '../evidence.ts';
import { readOnceBuilt } from '../polling.ts';
import { callApi, endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';
import { eventually } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const REGIONS = ['EU, West', 'IN, Mumbai'];

const test = suite('a cluster with repeated events in its results log');
test.after.each(endPrograms);

const done = async (environment: Record<string, string>, ...parameters: string[]): Promise<string> => {
  const ended = await uptrail(environment, ...parameters);
  assert.is(ended.code, 0, ended.stderr + ended.stdout);
  return ended.stdout;
};

const read = (program: RunningProgram, path: string): Promise<unknown> => readOnceBuilt(program, ADMIN_API_KEY, path);

const write = async (
  program: RunningProgram,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> => {
  const answer = await callApi(program, ADMIN_API_KEY, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Record<string, unknown>;
};

/** Waits for a condition. The time limit is long, because processes fold all events again. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  await eventually(holds, { within: 60_000 });
};

/**
 * Appends all events of the results log again, as workers do on a server that has forgotten the event ids.
 *
 * @returns the number of events
 */
const storeAgain = async (environment: Record<string, string>): Promise<number> => {
  const { EVENTSTOREDB_URL: url = '', EVENTSTOREDB_PREFIX: prefix = '' } = environment;
  const { results, close } = openEventStoreDb(url, { prefix });
  try {
    const events = (await results.readAll({ after: 0n })).filter(({ stream }) => !stream.startsWith('log-'));
    for (const { stream, id, type, data, metadata } of events) {
      const [last] = await results.readStream(stream, { direction: 'backwards', limit: 1 });
      // A repeated run may have another result. The first result must count.
      const other =
        type === 'CheckRunCompleted' ? { ...data, status: 'down', response_time: null, reason: 'dns' } : data;
      await results.append(stream, [{ id, type, data: other, metadata }], last?.revision ?? 'no_stream');
    }
    return events.length;
  } finally {
    await close();
  }
};

type Answers = readonly (readonly [path: string, body: unknown])[];

const alike = (found: Answers, expected: Answers): void => {
  for (const [index, [path, body]] of expected.entries()) assert.equal(found[index]?.[1], body, path);
};

const idsOf = (replayed: string): string[] =>
  replayed
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as RecordedEvent).id);

test(
  'a cluster reads repeated events of its results log once, and gives the same responses after a move to a single machine',
  inTemporaryFolder(async (folder) => {
    const target = await httpServer((_request, response) => response.end('fine'));
    const servers = await startClusterServers(`${folder}/servers`);
    const cluster: Record<string, string> = { ...servers.environment, ADMIN_API_KEY };
    try {
      const first = await startOne(['serve'], cluster);
      await read(first, '/v1/pages');
      const url = `http://127.0.0.1:${target.port}/`;
      await write(first, 'POST', '/v1/pages', { name: 'Acme' });
      let pages: Record<string, unknown>[] = [];
      await until(async () => {
        // A created resource is not listed until its read model has caught up.
        ({ pages } = (await read(first, '/v1/pages')) as { pages: typeof pages });
        return pages.length === 1;
      });
      const checks: string[] = [];
      for (const parallel of [false, true]) {
        const parameters = {
          regions: REGIONS,
          ...(parallel && { multi_region_execution: { enabled: true, execution_mode: 'all' } }),
        };
        const made = { name: parallel ? 'all' : 'one', type: 'web', interval: 30, timeout: 5, url, parameters };
        checks.push(String((await write(first, 'POST', '/v1/checks', made))['id']));
      }
      const closed = `http://127.0.0.1:${await freePort()}/`;
      const broken = await write(first, 'POST', '/v1/checks', {
        ...{ name: 'broken', type: 'web', interval: 86_400, timeout: 5, url: closed },
        parameters: { regions: REGIONS.slice(0, 1) },
      });
      const hook = { name: 'Hook', type: 'webhook', configuration: { url } };
      const channel_ids = [(await write(first, 'POST', '/v1/alerts/channels', hook))['id']];
      const rule = { name: 'It answers', check_id: broken['id'], condition: 'check_failed', channel_ids };
      await write(first, 'POST', '/v1/alerts/rules', rule);
      const heartbeat = String(
        (await write(first, 'POST', '/v1/heartbeats', { name: 'Job', period_seconds: 60 }))['id'],
      );
      const ping = `/v1/heartbeats/${heartbeat}/ping`;
      for (const path of [ping, `${ping}/start`, ping, `${ping}/fail`]) await read(first, path);
      const jobs: string[] = [];
      for (const check of checks) {
        jobs.push(String((await write(first, 'POST', `/v1/checks/${check}/execute`, {}))['job_id']));
      }
      await until(async () => {
        const ended = jobs.map(
          async (job) => ((await read(first, `/v1/checks/jobs/${job}`)) as { status: string }).status,
        );
        const listed = (await read(first, '/v1/checks/all-results?page_size=100')) as { results: unknown[] };
        // Each of the two checks has a scheduled run in one region and an on-demand run in one or two.
        return (await Promise.all(ended)).every((status) => status === 'completed') && listed.results.length >= 6;
      });
      for (const check of checks) await write(first, 'PATCH', `/v1/checks/${check}`, { active: false });
      await write(first, 'POST', `/v1/checks/${String(broken['id'])}/execute`, {});
      // The only rule's alert fires, and is resolved when its check is paused.
      const alertIs = (status: string, reported: number) => async (): Promise<boolean> => {
        const { alerts } = (await read(first, '/v1/alerts')) as {
          alerts: { status: string; notification_count: number }[];
        };
        return alerts.length === 1 && alerts[0]?.status === status && alerts[0].notification_count === reported;
      };
      await until(alertIs('firing', 1));
      await write(first, 'PATCH', `/v1/checks/${String(broken['id'])}`, { active: false });
      await until(alertIs('resolved', 2));
      const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
      const range = `start_time=${from}&end_time=${to}`;
      const paths = [
        `/v1/pages/${String(pages[0]?.['id'])}`,
        `/v1/organizations/${String(pages[0]?.['organization_id'])}`,
        `/v1/checks/all-results?page_size=100&start_date=${from}&end_date=${to}`,
        '/v1/checks/status-history',
        '/v1/alerts',
        ...['', '/pings', '/pings-count'].map((part) => `/v1/heartbeats/${heartbeat}${part}`),
        ...jobs.map((job) => `/v1/checks/jobs/${job}`),
        ...checks.flatMap((check) => [
          `/v1/checks/${check}`,
          `/v1/checks/${check}/results?page_size=100`,
          `/v1/checks/${check}/uptime?${range}`,
          `/v1/checks/${check}/response-times?start_date=${from}&end_date=${to}`,
          `/v1/checks/${check}/status-history`,
          `/v1/checks/${check}/execution-groups`,
        ]),
      ];
      const answersOf = async (program: RunningProgram): Promise<[string, unknown][]> => {
        const responses: [string, unknown][] = [];
        for (const path of paths) responses.push([path, await read(program, path)]);
        return responses;
      };
      // Waits for the runs that were in progress when the checks were paused.
      let before = await answersOf(first);
      await until(async () => {
        const last = before;
        before = await answersOf(first);
        return JSON.stringify(last) === JSON.stringify(before);
      });
      await first.end('SIGTERM');
      const repeats = await storeAgain(cluster);
      assert.ok(repeats >= 8);

      const second = await startOne(['serve'], cluster);
      alike(await answersOf(second), before);
      await second.end('SIGTERM');
      await done(cluster, 'rebuild', '--all', '--verify');
      const raw = await done(cluster, 'replay', '--log', 'results', '--raw');
      assert.is(assertOnceInResults(raw).repeats, repeats);
      const shown = idsOf(await done(cluster, 'replay', '--log', 'results'));
      assert.is(shown.length, idsOf(raw).length - repeats);

      const moved = `${folder}/moved`;
      assert.match(await done(cluster, 'export', moved), `${repeats} repeated events were left out.`);
      await done(cluster, 'keys', 'export', `${moved}/keys.jsonl`);
      const last = { DATA_DIR: `${folder}/last`, SECRETS_KEY: cluster['SECRETS_KEY'] ?? '' };
      await done(last, 'import', moved);
      await done(last, 'keys', 'import', `${moved}/keys.jsonl`);
      const there = idsOf(await done(last, 'replay', '--log', 'results', '--raw'));
      assert.is(new Set(there).size, there.length);
      assert.ok(shown.every((id) => there.includes(id)));
      const embedded = await startOne(['serve'], { ...last, ADMIN_API_KEY });
      alike(await answersOf(embedded), before);
      await embedded.end('SIGTERM');
    } finally {
      await target.close();
      await servers.stop();
    }
  }),
);

if (!skippedWithoutCluster()) test.run();
