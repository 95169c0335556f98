import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from 'pino';
import type { DisconnectedRegion } from '../../../domain/runner/remote-regions.ts';
import { createRegistry } from '../../../http/metrics.ts';
import { watchCutOff } from '../../../service/run/cut-off-regions.ts';

const test = suite('a region that is cut off from the service');

const SINCE = Date.parse('2026-11-20T15:00:00Z');

const staged = () => {
  const state = { cutOff: [] as DisconnectedRegion[] | null };
  const logged: string[] = [];
  const log = (...[fields, message]: unknown[]): void => {
    logged.push(`${String(message)} ${JSON.stringify(fields)}`);
  };
  const registry = createRegistry();
  const watch = watchCutOff({
    remote: { expected: () => new Set(['EU, West', 'IN, Mumbai']), cutOff: () => state.cutOff },
    registry,
    logger: { info: log, warn: log } as Pick<Logger, 'info' | 'warn'>,
  });
  const metric = async (): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('region_cut_off'));
  return { state, watch, logged, metric };
};

test('a cut-off region is shown in health and metrics, and its begin and end are logged', async () => {
  const { state, watch, logged, metric } = staged();
  try {
    watch.poll();
    assert.is(watch.message(), null);
    state.cutOff = [
      { region: 'EU, West', since: SINCE },
      { region: 'IN, Mumbai', since: null },
    ];
    watch.poll();
    watch.poll();
    assert.is(
      watch.message(),
      'No remote runner is connected for: EU, West (since 2026-11-20T15:00:00 UTC); IN, Mumbai.',
    );
    assert.equal(await metric(), ['region_cut_off{region="EU, West"} 1', 'region_cut_off{region="IN, Mumbai"} 1']);
    state.cutOff = [{ region: 'IN, Mumbai', since: null }];
    watch.poll();
    assert.is(watch.message(), 'No remote runner is connected for: IN, Mumbai.');
    assert.equal(await metric(), ['region_cut_off{region="EU, West"} 0', 'region_cut_off{region="IN, Mumbai"} 1']);
    const begins = 'a region is cut off: none of its remote runners is connected';
    assert.equal(logged, [
      `${begins} {"region":"EU, West","since":"2026-11-20T15:00:00.000000"}`,
      `${begins} {"region":"IN, Mumbai"}`,
      'a region has a remote runner again, or no longer needs one {"region":"EU, West"}',
    ]);
  } finally {
    watch.stop();
  }
});

test('no cut-off region is reported while the connected runners are unknown', async () => {
  const { state, watch, logged, metric } = staged();
  try {
    state.cutOff = null;
    watch.poll();
    assert.is(watch.message(), null);
    assert.equal(await metric(), []);
    assert.equal(logged, []);
  } finally {
    watch.stop();
  }
});

test.run();
