import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from 'pino';
import { servedRegions } from '../../../commands/checks/checks.ts';
import { createRegistry } from '../../../http/metrics.ts';
import { watchUnserved } from '../../../service/run/unserved-checks.ts';
import { regionOf, type Region } from '../../../domain/check/regions.ts';
import { instantOf } from '../../../domain/time.ts';
import { startService } from '../../api/service.ts';
import { resultOf } from '../../domain/check-result/examples.ts';

const test = suite('a region that lost its runners');

const NOW = Date.parse('2026-11-20T15:00:00Z');

const region = (name: string): Region => {
  const found = regionOf(name);
  if (!found) throw new Error(`There is no region ${name}.`);
  return found;
};

test('a region without runners is shown in its checks, in health, in metrics and in the log until it has a runner again', async () => {
  const regions = [region('RU, Moscow'), region('EU, West')];
  const service = await startService({ now: NOW, regions });
  const { request, time, readers, commands } = service;
  const logged: string[] = [];
  const log = (...[fields, message]: unknown[]): void => {
    logged.push(`${String(message)} ${JSON.stringify(fields)}`);
  };
  const registry = createRegistry();
  const logger = { info: log, warn: log } as Pick<Logger, 'info' | 'warn'>;
  const watch = watchUnserved({
    readers,
    served: commands.bind(servedRegions),
    clock: () => time.now,
    registry,
    logger,
  });
  const create = async (name: string): Promise<string> => {
    const body = { name, type: 'web', url: 'http://127.0.0.1:9/', interval: 60, parameters: { regions: [name] } };
    return ((await request('POST', '/v1/checks', { body })).json() as { id: string }).id;
  };
  const ids = [await create('EU, West'), await create('RU, Moscow')];
  const reasons = () =>
    Promise.all(
      ids.map(async (id) => {
        const shown = (await request('GET', `/v1/checks/${id}`)).json() as { suspended_reason: string | null };
        return shown.suspended_reason;
      }),
    );
  try {
    regions.pop();
    time.now = NOW + 120_000;
    await watch.poll();
    assert.equal(await reasons(), [null, null]);
    assert.equal([watch.part().state, watch.part().message], ['serving', null]);

    time.now += 1;
    await watch.poll();
    assert.equal(await reasons(), ['No runner serves its region.', null]);
    assert.equal(watch.part(), {
      name: 'runners',
      ready: true,
      state: 'missing',
      lag_seconds: null,
      message: 'No runner serves the region of active checks: EU, West (1).',
    });
    assert.match(await registry.metrics(), 'checks_without_runner{region="EU, West"} 1');
    await watch.poll();
    assert.equal(logged, ['no runner serves a region: its checks do not run {"region":"EU, West","checks":1}']);

    regions.push(region('EU, West'));
    await watch.poll();
    assert.equal(await reasons(), [null, null]);
    assert.is(watch.part().state, 'serving');
    assert.match(logged[1] ?? '', 'a region is served again');
  } finally {
    watch.stop();
    await service.stop();
  }
});

test('a region whose runners only lack the program of a check type is reported with that type', async () => {
  const moscow = region('RU, Moscow');
  let types = ['web', 'icmp'];
  const service = await startService({ now: NOW, regions: [moscow] });
  const { request, time, readers } = service;
  const logged: string[] = [];
  const writeLine = (...[fields, message]: unknown[]): void => {
    logged.push(`${String(message)} ${JSON.stringify(fields)}`);
  };
  const registry = createRegistry();
  const watch = watchUnserved({
    readers,
    served: async () => ({ defaultRegion: moscow, abilities: new Map([[moscow.id, types]]) }),
    clock: () => time.now,
    registry,
    logger: { info: writeLine, warn: writeLine } as Pick<Logger, 'info' | 'warn'>,
  });
  try {
    for (const target of [
      { type: 'web', url: 'http://127.0.0.1:9/' },
      { type: 'icmp', host: '127.0.0.1' },
    ])
      await request('POST', '/v1/checks', { body: { name: target.type, interval: 60, ...target } });
    types = ['web'];
    time.now = NOW + 120_001;
    await watch.poll();
    const message = 'No runner serves the region of active checks: RU, Moscow (icmp, 1).';
    assert.is(watch.part().message, message);
    assert.match(await registry.metrics(), 'checks_without_runner{region="RU, Moscow"} 1');
    types = ['web', 'icmp'];
    await watch.poll();
    assert.is(watch.part().message, null);
    assert.equal(logged, [
      'no runner of a region can run checks of a type: they do not run {"region":"RU, Moscow","type":"icmp","checks":1}',
      'a region is served again, or no longer has such checks {"region":"RU, Moscow","type":"icmp"}',
    ]);
  } finally {
    watch.stop();
    await service.stop();
  }
});

test('a check whose only remote runner is gone shows that no runner serves its region, even if late results are delivered', async () => {
  const regions = [region('RU, Moscow'), region('EU, West')];
  const service = await startService({ now: NOW, regions });
  const { request, time, readers, commands, stores } = service;
  let cutOff: string | null = null;
  const watch = watchUnserved({
    readers,
    served: commands.bind(servedRegions),
    clock: () => time.now,
    cutOff: () => cutOff,
    registry: createRegistry(),
    logger: { info: () => undefined, warn: () => undefined },
  });
  try {
    const parameters = { regions: ['EU, West'] };
    const body = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, parameters };
    const { id } = (await request('POST', '/v1/checks', { body })).json() as { id: string };
    const reason = async (): Promise<unknown> =>
      ((await request('GET', `/v1/checks/${id}`)).json() as Record<string, unknown>)['suspended_reason'];
    const store = async (at: number, fields: Parameters<typeof resultOf>[2]): Promise<void> => {
      const result = resultOf(id, at, { organization_id: service.first.id, region: 'EU, West', ...fields });
      const { position } = await stores.results.append('check_results-eu-west1', [result], 'any');
      await readers.waitFor(['check_activity'], { appended: new Map([['results', position]]) });
    };
    await store(NOW + 1_000, {});
    regions.pop();
    time.now = NOW + 121_001;
    cutOff = 'No remote runner is connected for: EU, West.';
    await watch.poll();
    assert.is(await reason(), 'No runner serves its region.');
    assert.is(watch.part().state, 'missing');
    assert.is(watch.part().message, `No runner serves the region of active checks: EU, West (1). ${cutOff}`);
    assert.ok(watch.part().ready);
    // Simulates a late result that the runner has delivered to another process.
    await store(time.now, { late: true, ran_at: instantOf(NOW + 61_000) });
    assert.is(await reason(), 'No runner serves its region.');
    regions.push(region('EU, West'));
    cutOff = null;
    await watch.poll();
    assert.is(await reason(), null);
    assert.equal([watch.part().state, watch.part().message], ['serving', null]);
  } finally {
    watch.stop();
    await service.stop();
  }
});

test('a cut-off region is shown in health even before any check has been without results for long enough to be reported', async () => {
  const service = await startService({ now: NOW });
  const watch = watchUnserved({
    readers: service.readers,
    served: service.commands.bind(servedRegions),
    clock: () => service.time.now,
    cutOff: () => 'No remote runner is connected for: EU, West.',
    registry: createRegistry(),
    logger: { info: () => undefined, warn: () => undefined },
  });
  try {
    const { state, message } = watch.part();
    assert.equal([state, message], ['missing', 'No remote runner is connected for: EU, West.']);
  } finally {
    watch.stop();
    await service.stop();
  }
});

test.run();
