import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../../service/config/config.ts';
import { EVERYTHING } from '../../../service/plan.ts';
import { runReleaseCheck } from '../../../cli/queue-release.ts';
import { startService, type Service } from '../../../service/service.ts';
import { launch } from '../../../runners/processes/launch.ts';
import { eventually } from '../../waiting.ts';

/**
 * Time limit of each wait in milliseconds. Checks run every 30 s, and a check that ends its probe process is parked
 * only after some runs.
 */
const PATIENCE_MS = 180_000;

const KEY = 'admin-key-of-a-specification';
const PARKED = 'Its runs ended the probe process twice.';

const harmed = suite('a service whose probes crash or block their process');

interface Line {
  level: number;
  msg: string;
  suspects?: string[];
}

/** Starts a service in this process. Its probe processes crash, block or respond as the path of a check's URL says. */
const stage = async (folder: string) => {
  const lines: Line[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  const config = readConfig({ DATA_DIR: folder, PORT: '0', ADMIN_API_KEY: KEY, RUNNER_PROCESSES: '1' });
  const service: Service = await startService(config, logger, {
    ...EVERYTHING,
    launchProbes: () => launch('../../runners/processes/wild-process', import.meta.url),
  });
  const ask = async (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> => {
    const headers = { authorization: KEY, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(service.address + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  type Check = { id: string; status: string; suspended_reason: string | null };
  const check = async (deed: string, more: object = {}): Promise<string> => {
    const url = `http://127.0.0.1/${deed}`;
    const definition = { name: deed, type: 'web', url, interval: 30, timeout: 1, ...more };
    return ((await ask('POST', '/v1/checks', definition)).body as Check).id;
  };
  const shown = async (id: string): Promise<Check> => (await ask('GET', `/v1/checks/${id}`)).body as Check;
  const until = async <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => {
    let value: T | undefined;
    await eventually(async () => holds((value = await read())), { within: PATIENCE_MS, what: holds.toString() });
    return value as T;
  };
  return {
    config,
    lines,
    ask,
    check,
    shown,
    stop: service.stop,
    figures: async () => (await fetch(`${service.address}/metrics`)).text(),
    parked: (id: string) =>
      until(
        () => shown(id),
        ({ suspended_reason }) => suspended_reason !== null,
      ),
    released: (id: string) =>
      until(
        () => shown(id),
        ({ suspended_reason }) => suspended_reason === null,
      ),
    up: (id: string) =>
      until(
        () => shown(id),
        ({ status }) => status !== 'pending',
      ),
    jobDone: (id: string) =>
      until(
        async () =>
          (await ask('GET', `/v1/checks/jobs/${id}`)).body as { status: string; error_message: string | null },
        ({ status }) => status === 'completed' || status === 'failed',
      ),
    execute: async (path: string, body?: object): Promise<string> => {
      const answer = await ask('POST', path, body ?? {});
      assert.is(answer.status, 202);
      return (answer.body as { job_id: string }).job_id;
    },
  };
};
type Stage = Awaited<ReturnType<typeof stage>>;

const staged = (sentence: string, act: (given: Stage, folder: string) => Promise<void>): void => {
  harmed(sentence, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'uptrail-test-'));
    const given = await stage(folder);
    try {
      await act(given, folder);
    } finally {
      await given.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
};

for (const deed of ['abort', 'loop', 'gigabyte'] as const) {
  staged(`a service continues when a probe does "${deed}", parks the check, and runs other checks`, async (given) => {
    const { check, parked, up, ask, shown, lines, figures } = given;
    const good = await check('slowly');
    const bad = await check(deed, { timeout: deed === 'loop' ? 1 : 30 });
    let answers = 0;
    const reading = (async () => {
      await eventually(
        async () => {
          const isParked = (await shown(bad)).suspended_reason !== null;
          if (!isParked) answers += 1;
          return isParked;
        },
        { within: PATIENCE_MS },
      );
    })();
    const { status, suspended_reason } = await parked(bad);
    await reading;
    assert.ok(answers > 1);
    assert.equal([status, suspended_reason], ['pending', PARKED]);
    assert.is((await up(good)).status, 'up');
    type Part = { name: string; ready: boolean; processes?: number; restarts?: number };
    const { parts } = (await ask('GET', '/health/ready')).body as { parts: Part[] };
    const part = parts.find(({ name }) => name === 'probe processes');
    assert.equal([part?.ready, part?.restarts], [true, 2]);
    assert.ok((part?.processes ?? 0) >= 1);
    assert.match(await figures(), /^probe_process_restarts_total 2$/m);
    assert.equal(((await ask('GET', `/v1/checks/${bad}/results`)).body as { results: unknown[] }).results, []);
    const deaths = lines.filter(({ msg }) => msg.startsWith('a probe process was lost'));
    assert.is(deaths.length, 2);
    for (const { suspects } of deaths) assert.ok(suspects?.includes(bad));
    assert.is(lines.filter(({ msg }) => msg.startsWith('a check is parked')).length, 1);
  });
}

staged('a check stays parked after a restart of the service until it is changed', async (given, folder) => {
  const id = await given.check('abort');
  await given.parked(id);
  await given.stop();
  const again = await stage(folder);
  try {
    assert.is((await again.shown(id)).suspended_reason, PARKED);
    const job = await again.execute(`/v1/checks/${id}/execute`);
    assert.equal([(await again.jobDone(job)).status, (await again.jobDone(job)).error_message], ['failed', PARKED]);
    assert.equal(
      again.lines.filter(({ msg }) => msg.startsWith('a probe process')),
      [],
    );
    await again.ask('PATCH', `/v1/checks/${id}`, { url: 'http://127.0.0.1/well' });
    const { status, suspended_reason } = await again.up(id);
    assert.equal([status, suspended_reason], ['up', null]);
    const { audit_logs } = (await again.ask('GET', `/v1/audit?resource_id=${id}`)).body as {
      audit_logs: { action: string }[];
    };
    assert.equal(
      audit_logs.map(({ action }) => action),
      ['check.updated', 'check.executed', 'check.parked', 'check.created'],
    );
  } finally {
    await again.stop();
  }
});

staged('a service runs a parked check again when an operator releases it', async ({ check, parked, config, lines }) => {
  const id = await check('abort');
  await parked(id);
  const printed: string[] = [];
  const output = { line: async (line: string) => void printed.push(line) } as unknown as Parameters<
    typeof runReleaseCheck
  >[2];
  await runReleaseCheck(config, { id }, output);
  assert.equal(printed, [`The check ${id} runs again, unchanged.`]);
  const deaths = (): number => lines.filter(({ msg }) => msg.startsWith('a check is parked')).length;
  await eventually(() => deaths() >= 2, { within: PATIENCE_MS });
  await parked(id);
  for (const [wrongId, sentence] of [
    ['check00000x0', 'No check has the id "check00000x0".'],
    [await check('well'), /is not parked\.$/],
  ] as const) {
    const error = await runReleaseCheck(config, { id: wrongId }, output).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    assert.match(error?.message ?? '', sentence);
  }
});

staged('a service runs other checks immediately while many targets do not respond', async ({ check, up, figures }) => {
  for (let waiting = 0; waiting < 60; waiting++) await check('wait', { timeout: 30 });
  assert.is((await up(await check('well', { timeout: 30 }))).status, 'up');
  // No process was restarted, so the run of this check did not wait for a slot. If it had waited, the runs that
  // occupied the slots would have been ended together with their processes.
  assert.match(await figures(), /^probe_process_restarts_total 0$/m);
});

staged('a run on demand of a check or of a definition fails if it crashes its probe process twice', async (given) => {
  const { check, execute, jobDone, shown } = given;
  const id = await check('abort', { active: false });
  const jobs = [
    await execute(`/v1/checks/${id}/execute`),
    await execute('/v1/checks/execute', { name: 'by hand', type: 'web', url: 'http://127.0.0.1/abort', timeout: 5 }),
  ];
  for (const job of jobs) {
    const { status, error_message } = await jobDone(job);
    assert.equal([status, error_message], ['failed', 'The run ended the probe process twice.']);
  }
  // The check is parked, but a paused check does not show that.
  assert.is((await shown(id)).suspended_reason, null);
  const again = await jobDone(await execute(`/v1/checks/${id}/execute`));
  assert.equal([again.status, again.error_message], ['failed', PARKED]);
});

harmed.run();
