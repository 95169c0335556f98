import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { artifactOf, reportKey } from '../../domain/report/state.ts';
import { FORGOTTEN_KEYS } from '../../reactors/forgotten-keys.ts';
import { REPORTS } from '../../reactors/reports/report-making.ts';
import { DELETED_REPORTS } from '../../reactors/reports/deleted.ts';
import { REPORT_SCHEDULES } from '../../reactors/reports/schedules.ts';
import { ArtifactRefused, type Artifacts } from '../../stores/artifacts/port.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { startService } from '../api/service.ts';
import { resultOf } from '../domain/check-result/examples.ts';
import { startOnService } from './start-on-service.ts';
import { shortPause } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';
import { DAY_MS } from '../../domain/time.ts';

const test = suite('the reactors of reports');

/** A Wednesday. */
const START = Date.UTC(2026, 10, 18, 12);

interface Report {
  id: string;
  status: string;
  error_message: string | null;
  scheduled_by: string | null;
  period_start: string;
  next_run_at: string | null;
  summary: { checks: number; uptime_percentage: number | null; p95: number | null } | null;
}

/** Starts a service. Its reactors can be started and killed. */
const stage = async (refusing: Partial<Pick<Artifacts, 'store'>> = {}) => {
  const service = await startService({ now: START });
  const { time, keys, artifacts, request } = service;
  const coordination = createMemoryCoordination();
  const logged: string[] = [];

  const start = (name: string, { dies = false } = {}) =>
    startOnService(
      service,
      name,
      { coordination, logged, dies },
      {
        artifacts: { remove: artifacts.remove.bind(artifacts), store: artifacts.store.bind(artifacts), ...refusing },
        keys,
        mails: true,
      },
    );

  const all = async (): Promise<Report[]> =>
    ((await request('GET', '/v1/reports?page_size=100')).json() as { reports: Report[] }).reports;
  const ask = async (fields: object, as: { key?: string } = {}): Promise<Report> => {
    const body = { name: 'Report', report_type: 'uptime', format: 'json', ...fields };
    const reply = await request('POST', '/v1/reports', { body, ...as });
    assert.is(reply.status, 202, reply.text);
    return reply.json() as Report;
  };
  const until = (holds: (reports: Report[]) => boolean): Promise<Report[]> =>
    eventually(async () => {
      const reports = await all();
      return holds(reports) && reports;
    });
  return { service, time, keys, artifacts, start, all, ask, until, logged };
};

const LAST_DAYS = { period_start: '2026-11-16', period_end: '2026-11-17' };

test('a report is made from the results of runs', async () => {
  const { service, time, start, ask, until, artifacts } = await stage();
  try {
    const check = (
      await service.request('POST', '/v1/checks', {
        body: { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, active: false },
      })
    ).json() as { id: string };
    const at = Date.UTC(2026, 10, 16, 10);
    let position = 0n;
    for (const [index, status] of (['ok', 'ok', 'ok', 'down'] as const).entries()) {
      const fields = { organization_id: service.first.id, status, response_time: status === 'ok' ? 100 : null };
      const result = resultOf(check.id, at + index * 60_000, fields);
      ({ position } = await service.stores.results.append('check_results-ru-central1', [result], 'any'));
    }
    await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
    const stop = start(REPORTS);
    const { id } = await ask({ ...LAST_DAYS, check_ids: [check.id] });
    const [report] = await until(([one]) => one?.status !== 'queued');
    assert.is(report?.error_message, null);
    assert.equal([report?.summary?.checks, report?.summary?.uptime_percentage], [1, 75]);
    const file = await artifacts.find(artifactOf(id));
    assert.is(file?.name, 'Report.json');
    const chunks: Uint8Array[] = [];
    for await (const chunk of await artifacts.read(artifactOf(id))) chunks.push(chunk as Uint8Array);
    const content = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      checks: { failed_checks: number; days: { day: string; uptime_percentage: number | null }[] }[];
    };
    assert.is(content.checks[0]?.failed_checks, 1);
    assert.equal(
      content.checks[0]?.days.map(({ day, uptime_percentage }) => [day, uptime_percentage]),
      [
        ['2026-11-16', 75],
        ['2026-11-17', null],
      ],
    );
    assert.ok(time.now >= START);
    await stop();
  } finally {
    await service.stop();
  }
});

test('a report is completed once if the process was killed before it received the response to the append', async () => {
  const { service, start, ask, until } = await stage();
  try {
    const stop = start(REPORTS, { dies: true });
    const { id } = await ask(LAST_DAYS);
    await until(([one]) => one?.status === 'completed');
    await stop();
    const again = start(REPORTS);
    await shortPause();
    await again();
    const events = await service.stores.main.readStream(`report-${id}`, { from: 0n, limit: 10 });
    assert.equal(
      events.map(({ type }) => type),
      ['ReportRequested', 'ReportCompleted'],
    );
  } finally {
    await service.stop();
  }
});

test('the report of one organization is made although another organization has requested many', async () => {
  let goOn = (): void => undefined;
  const freed = new Promise<void>((resolve) => (goOn = resolve));
  const at: Awaited<ReturnType<typeof stage>> = await stage({
    store: async (head, data) => {
      if (head.organization_id === at.service.first.id) await freed;
      return at.artifacts.store(head, data);
    },
  });
  const { service, start, ask, until } = at;
  try {
    const stop = start(REPORTS);
    for (let count = 0; count < 5; count++) await ask(LAST_DAYS);
    const key = service.second.keys.editor;
    const { id } = await ask(LAST_DAYS, { key });
    const status = async (): Promise<string> =>
      ((await service.request('GET', `/v1/reports/${id}`, { key })).json() as Report).status;
    await eventually(async () => (await status()) !== 'queued');
    assert.is(await status(), 'completed');
    goOn();
    await until((reports) => reports.every((report) => report.status === 'completed'));
    await stop();
  } finally {
    await service.stop();
  }
});

test('a report that cannot be made shows the reason', async () => {
  const { service, start, ask, until } = await stage({
    store: () => Promise.reject(new ArtifactRefused('A file can have 50 MiB.')),
  });
  try {
    const stop = start(REPORTS);
    await ask(LAST_DAYS);
    const [report] = await until(([one]) => one?.status !== 'queued');
    assert.equal([report?.status, report?.error_message], ['failed', 'A file can have 50 MiB.']);
    await stop();
  } finally {
    await service.stop();
  }
});

test('the report of a schedule is requested on Monday, and once for all missed weeks', async () => {
  const { service, time, start, ask, until, all } = await stage();
  try {
    const { id } = await ask({ schedule: 'weekly', recipients: ['jane@example.com'] });
    const stop = start(REPORT_SCHEDULES);
    await shortPause();
    assert.is((await all()).length, 1);
    time.now = Date.UTC(2026, 10, 23, 0, 0, 1);
    const [first] = await until((reports) => reports.length === 2);
    assert.equal([first?.scheduled_by, first?.period_start], [id, '2026-11-16T00:00:00.000000']);
    await stop();

    time.now = Date.UTC(2026, 11, 16, 9);
    const dying = start(REPORT_SCHEDULES, { dies: true });
    const [second] = await until((reports) => reports.length === 3);
    assert.is(second?.period_start, '2026-12-07T00:00:00.000000');
    await dying();
    // The failed item of the reactor is retried after a pause.
    time.now += 60_000;
    const again = start(REPORT_SCHEDULES);
    await until((reports) => reports.find((one) => one.id === id)?.next_run_at === '2026-12-21T00:00:00.000000');
    await shortPause();
    assert.is((await all()).length, 3);

    await service.request('DELETE', `/v1/reports/${id}`);
    time.now += 14 * DAY_MS;
    await shortPause();
    assert.is((await all()).length, 2);
    await again();
  } finally {
    await service.stop();
  }
});

test('the file of a deleted report is removed, and its recipients are forgotten', async () => {
  const { service, start, ask, until, artifacts, keys } = await stage();
  try {
    const stops = [start(REPORTS), start(DELETED_REPORTS), start(FORGOTTEN_KEYS)];
    const { id } = await ask({ ...LAST_DAYS, recipients: ['jane@example.com'] });
    await until(([one]) => one?.status === 'completed');
    await service.request('DELETE', `/v1/reports/${id}`);
    await eventually(async () => (await artifacts.find(artifactOf(id))) === null);
    await eventually(async () => (await keys.forget(reportKey(id))) === 'already');
    await Promise.all(stops.map((stop) => stop()));
  } finally {
    await service.stop();
  }
});

test.run();
